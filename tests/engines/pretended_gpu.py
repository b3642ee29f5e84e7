"""A worker on a machine with one GPU, as far as torch tells: the CPU computes, and what torch would say of the GPU is made up.

    pretended_gpu.py ENGINE

It runs every line that is for a GPU, which no machine without one does. What a GPU computes it cannot show. PRETENDED_INTEL_GPUS is how many of
Intel's are there in place of it, as far as OpenVINO tells.
"""
import os
import pathlib
import sys
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "engines"))

import torch  # noqa: E402

import worker  # noqa: E402
from shared import clock, devices, onnx_export, torch_engine  # noqa: E402

GPU = types.SimpleNamespace(name="Pretended GPU", major=9, minor=0, total_memory=80 << 30, multi_processor_count=132,
                            uuid="0123", pci_domain_id=0, pci_bus_id=6, pci_device_id=0)
allocations = 0


class Event:
    """A moment that passes a little later than it is recorded: the host is ahead, as of a GPU."""

    def __init__(self, enable_timing=False):
        assert enable_timing, "an event without timing has no elapsed_time"
        self.at = None

    def record(self):
        self.at = time.perf_counter() + 0.002

    def query(self):
        return time.perf_counter() >= self.at

    def synchronize(self):
        time.sleep(max(0, self.at - time.perf_counter()))

    def elapsed_time(self, end):
        assert self.query() and end.query(), "a moment that has not passed has no time yet"
        return 1000 * (end.at - self.at)


def memory_stats(index):
    """Memory is taken from the driver at each look, as in a cell that is not steady."""
    global allocations
    allocations += 1
    return {"num_device_alloc": allocations}


def compiled(module, mode, dynamic):
    """Dynamo itself asks a real GPU. What it would compile by is looked at."""
    config = torch._inductor.config
    by = [mode, config.conv_1x1_as_mm, config.coordinate_descent_tuning, config.coordinate_descent_check_all_directions, config.epilogue_fusion]
    assert by == ["max-autotune", True, True, True, False] and not config.freezing, by
    torch._dynamo.utils.counters["frames"]["ok"] += 1
    return module


def pretend_cuda_provider():
    """ONNX Runtime's CPU provider under the name of the other, in torch's memory of the CPU: every call of a GPU is made."""
    import onnx
    import onnxruntime
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail

    class Binding:
        def __init__(self, real):
            self.real, self.get_outputs, self.addresses = real, real.get_outputs, {}

        def bind_input(self, name, device, index, *of):
            assert (device, index) == ("cuda", 0)
            self.addresses[name] = of[-1]
            self.real.bind_input(name, "cpu", 0, *of)

        def bind_output(self, name, device, index, *of):
            assert (device, index) == ("cuda", 0)
            self.addresses[name] = of[-1] if of else None
            self.real.bind_output(name, "cpu", 0, *of)

    class Session(onnxruntime.InferenceSession):
        def __init__(self, path, options, providers):
            assert [each if isinstance(each, str) else each[0] for each in providers] == ["CUDAExecutionProvider", "CPUExecutionProvider"]
            assert providers[0][1]["device_id"] == 0 and providers[0][1]["use_tf32"] in ("0", "1")
            self.has_graph, self.recorded = providers[0][1]["enable_cuda_graph"] == "1", {}
            print(pathlib.Path(path).stem, "with a graph" if self.has_graph else "without a graph", file=sys.stderr, flush=True)
            if self.has_graph and os.environ.get("PRETENDED_CPU_NODES"):
                raise Fail("[ONNXRuntimeError] : 1 : FAIL : This session cannot use the graph capture feature as requested by the user as all "
                           "compute graph nodes have not been partitioned to the CUDAExecutionProvider")
            operators = {node.op_type for node in onnx.load(path, load_external_data=False).graph.node}
            assert "Attention" not in operators or onnxruntime.__version__ != "1.23.2", "1.23 would compute it on the CPU"
            super().__init__(path, options, providers=["CPUExecutionProvider"])

        def get_providers(self):
            starts = os.environ["PRETENDED_CUDA_PROVIDER"] == "starts"
            return ["CUDAExecutionProvider"] * starts + super().get_providers()

        def io_binding(self):
            return Binding(super().io_binding())

        def run_with_iobinding(self, binding, options):
            """A graph is recorded in its first run. Each replay reads and writes at the addresses of that run, whatever is bound."""
            graph = options.get_run_config_entry("gpu_graph_id")
            if self.has_graph and graph != "-1":
                assert None not in binding.addresses.values(), "a graph needs an address for each result"
                assert self.recorded.setdefault(graph, dict(binding.addresses)) == binding.addresses, "a replay is of the same addresses"
            super().run_with_iobinding(binding.real, options)

    export = onnx_export.export

    def export_without_gpu(*arguments):
        """torch's exporter asks a GPU for more than is pretended."""
        pretended, torch.cuda.is_available = torch.cuda.is_available, lambda: False
        try:
            export(*arguments)
        finally:
            torch.cuda.is_available = pretended

    onnx_export.export = export_without_gpu
    onnxruntime.__version__ = os.environ.get("PRETENDED_RELEASE", onnxruntime.__version__)
    onnxruntime.get_available_providers = lambda: ["CUDAExecutionProvider", "CPUExecutionProvider"]
    onnxruntime.InferenceSession = Session
    no_more_than(torch.cuda, Stream=lambda device: types.SimpleNamespace(cuda_stream=7), set_stream=lambda stream: None)


def pretend_intel_gpus(count):
    """OpenVINO's CPU under the names of Intel GPUs, whose properties are made up by its documents. Its own word for one alone is GPU."""
    sys.modules["openvino_telemetry"] = None
    import openvino

    properties = {"FULL_DEVICE_NAME": "Pretended Arc (dGPU)", "DEVICE_ARCHITECTURE": "GPU: vendor=0x8086 arch=v12.55.8",
                  "GPU_DEVICE_TOTAL_MEM_SIZE": 16 << 30}
    real = openvino.Core

    class Core:
        def __init__(self):
            self.real = real()

        @property
        def available_devices(self):
            return ["CPU", *(["GPU"] if count == 1 else [f"GPU.{index}" for index in range(count)])]

        def get_property(self, device, name):
            assert device in [f"GPU.{index}" for index in range(count)], device
            return properties[name]

        def compile_model(self, path, device, settings):
            """What a GPU takes no less and no more: it refuses a number of threads."""
            print("compiles for", device, settings["INFERENCE_PRECISION_HINT"], file=sys.stderr, flush=True)
            if device == "CPU":
                return self.real.compile_model(path, device, settings)
            assert sorted(settings) == ["INFERENCE_PRECISION_HINT", "NUM_STREAMS", "PERFORMANCE_HINT"], settings
            if os.environ.get("PRETENDED_GPU_IS_FULL"):
                raise RuntimeError("Exception from src/inference/src/cpp/core.cpp:112:\n[GPU] Exceeded max size of memory object allocation: requested "
                                   "9 bytes, but max alloc size supported by device is 8 bytes.")
            return self.real.compile_model(path, "CPU", {**settings, "INFERENCE_PRECISION_HINT": "f32"})

    openvino.Core = Core


def no_more_than(cuda, **names):
    """Others of torch.cuda stay real, and fail without a GPU: nothing is pretended by accident."""
    for name, value in names.items():
        assert hasattr(cuda, name), f"torch.cuda must have {name}, but has not"
        setattr(cuda, name, value)


def pretend():
    no_more_than(torch.cuda, is_available=lambda: True, device_count=lambda: 1, get_device_properties=lambda index: GPU,
                 set_device=lambda index: None, synchronize=lambda: time.sleep(0.002), empty_cache=lambda: None,
                 mem_get_info=lambda index: (60 << 30, 80 << 30), reset_peak_memory_stats=lambda index: None, memory_stats=memory_stats,
                 max_memory_allocated=lambda index: 2 << 30, max_memory_reserved=lambda index: 3 << 30, Event=Event)
    devices.torch_name = lambda device: "cpu"
    clock.Clock.__init__ = lambda self, torch_device: setattr(self, "is_gpu", True)
    torch.compile = compiled
    if os.environ.get("PRETENDED_CUDA_PROVIDER"):
        pretend_cuda_provider()
    if os.environ.get("PRETENDED_FP16_IS_NAN"):
        change = torch_engine.TorchEngine.__init__

        def broken(self, job):
            change(self, job)
            if job.stages["unet"]["dtype"] == "fp16":
                self.pipe.unet.conv_out.bias.data.fill_(float("nan"))

        torch_engine.TorchEngine.__init__ = broken


if __name__ == "__main__":
    if os.environ.get("PRETENDED_INTEL_GPUS"):
        pretend_intel_gpus(int(os.environ["PRETENDED_INTEL_GPUS"]))
    else:
        pretend()
    sys.exit(worker.main())
