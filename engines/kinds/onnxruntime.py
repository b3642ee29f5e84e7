"""ONNX Runtime: UNet, VAE and text encoders exported to ONNX, on its CPU or its CUDA provider."""
import os

import numpy
import onnxruntime
import torch

from shared import dtypes, onnx_export, parts_engine
from shared.failure import skipped
from shared.parts_engine import key_of  # noqa: F401, the worker asks each kind for it

WHY_NOT = {"bf16": "for which its provider has no convolutions", "fp16": "which its CPU provider computes in fp32"}
NO_GRAPH = "-1"  # of a run that is neither recorded nor replayed
CANNOT_RECORD = "cannot use the graph capture feature"  # what a session says if a node is not on the GPU
NUMPY = {torch.float32: numpy.float32, torch.float16: numpy.float16, torch.int64: numpy.int64}


def refuse(cell, device):
    if device["kind"] == "cuda" and "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        raise skipped("the package of --engine onnxruntime must have the CUDA provider for a GPU",
                      f"the one that is installed has {', '.join(onnxruntime.get_available_providers())}",
                      "run sdbench setup engine onnxruntime, which takes onnxruntime-gpu beside an NVIDIA driver, or take --device cpu")


def opset_for(job):
    """The CUDA provider of 1.23, the last release for CUDA 12, has no kernel for attention as one operator: it would be computed on the CPU."""
    release = tuple(int(number) for number in onnxruntime.__version__.split(".")[:2])
    return onnx_export.OPSET_BEFORE_ATTENTION if job.on_gpu and release < (1, 25) else onnx_export.OPSET


def run_options(graph):
    options = onnxruntime.RunOptions()
    options.add_run_config_entry("disable_synchronize_execution_providers", "1")  # torch's stream orders all work
    options.add_run_config_entry("gpu_graph_id", graph)
    return options


class Engine(parts_engine.PartsEngine):
    name = "onnxruntime"

    def __init__(self, job):
        super().__init__(job)
        # ONNX Runtime shares torch's stream: with its own it would wait for torch's at each call. It cannot be given the default stream.
        self.stream = torch.cuda.Stream(job.torch_device) if job.on_gpu else None
        if self.stream:
            torch.cuda.set_stream(self.stream)

    def doing(self, part):
        return f"exporting {parts_engine.TITLES[part.name]} to ONNX"

    def make(self, job, part, module, folder):
        path = os.path.join(folder, f"{part.name}.onnx")
        onnx_export.export(part, module, parts_engine.example_of(job, part), path, job.is_dynamic, opset_for(job))

    def decides_more(self, job):
        """Rejects kept exports of older versions: with open shapes, their example had axes of length one, so they accept only some shapes; and they
        all have one opset."""
        example = {"example": "no axis is one"} if job.is_dynamic else {}
        return {**example, "opset": opset_for(job)} if opset_for(job) != onnx_export.OPSET else example

    def _providers(self, job, has_graph):
        if not job.on_gpu:
            return ["CPUExecutionProvider"]
        options = {"device_id": job.device["index"], "user_compute_stream": str(self.stream.cuda_stream),
                   "use_tf32": "1" if job.cell["tf32"] == "on" else "0", "cudnn_conv_algo_search": "EXHAUSTIVE",
                   "enable_cuda_graph": "1" if has_graph else "0"}
        return [("CUDAExecutionProvider", options), "CPUExecutionProvider"]

    def _session(self, job, part, folder):
        """A session records a CUDA graph, unless shapes are open: before pull request 32121 of microsoft/onnxruntime, a replay may read memory that
        a run of other shapes has overwritten."""
        if job.on_gpu and not job.is_dynamic:
            try:
                return self._new_session(job, part, folder, has_graph=True)
            except Exception as error:  # ONNX Runtime's classes of errors have no other base
                if CANNOT_RECORD not in str(error):
                    raise
            job.events.note(f"onnxruntime computes {parts_engine.TITLES[part.name]} without a CUDA graph: it computes some operators on the CPU")
        return self._new_session(job, part, folder, has_graph=False)  # the error, which kept the first session's memory, is gone by now

    def _new_session(self, job, part, folder, has_graph):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.intra_op_num_threads = job.threads
        return onnxruntime.InferenceSession(os.path.join(folder, f"{part.name}.onnx"), options, providers=self._providers(job, has_graph))

    def open(self, job, part, folder):
        session = self._session(job, part, folder)
        if job.on_gpu and session.get_providers()[0] != "CUDAExecutionProvider":  # falls back to the CPU without an error
            raise skipped("the CUDA provider of --engine onnxruntime must start", "it does not, and says why on the standard error",
                          "see whether its CUDA is that of torch, or take --device cpu")
        taken = {each.name for each in session.get_inputs()}
        inputs = [(place, each) for place, each in enumerate(part.inputs) if each.name in taken]
        return self._on_gpu(job, part, session, inputs) if job.on_gpu else self._on_cpu(part, session, inputs)

    def _on_cpu(self, part, session, inputs):
        def call(*tensors):
            given = {each.name: parts_engine.contiguous(tensors[place], each.dtype, "cpu").numpy() for place, each in inputs}
            return [torch.from_numpy(result) for result in session.run(list(part.outputs), given)]
        return call

    def _on_gpu(self, job, part, session, inputs):
        """Copies inputs into memory that stays, because a CUDA graph records addresses, and copies results out of it."""
        bound = {}  # shapes of inputs -> what a run of these shapes needs

        def call(*tensors):
            shapes = tuple(tuple(tensors[place].shape) for place, _ in inputs)
            if shapes not in bound:
                bound[shapes] = self._bind(job, part, session, [each for _, each in inputs], shapes, graph=str(len(bound)))
            binding, options, given, results = bound[shapes]
            for (place, _), memory in zip(inputs, given):
                memory.copy_(tensors[place])
            session.run_with_iobinding(binding, options)  # the first run records the graph, others replay it
            return [result.clone() for result in results]
        return call

    def _bind(self, job, part, session, inputs, shapes, graph):
        """Binds torch's memory, so that no data is copied to the host. `graph`: the name of the shapes' CUDA graph."""
        index, binding = job.device["index"], session.io_binding()
        kind = dtypes.weights_dtype(job.stages[parts_engine.STAGES[part.name]])
        given = [torch.zeros(shape, dtype=each.dtype, device=job.torch_device) for each, shape in zip(inputs, shapes)]
        for each, memory in zip(inputs, given):
            binding.bind_input(each.name, "cuda", index, NUMPY[each.dtype], tuple(memory.shape), memory.data_ptr())
        for name in part.outputs:
            binding.bind_output(name, "cuda", index)
        session.run_with_iobinding(binding, run_options(NO_GRAPH))  # tells the shapes of results
        results = [torch.empty(tuple(result.shape()), dtype=kind, device=job.torch_device) for result in binding.get_outputs()]
        for name, result in zip(part.outputs, results):
            binding.bind_output(name, "cuda", index, NUMPY[kind], tuple(result.shape), result.data_ptr())
        return binding, run_options(graph), given, results

    def tf32_used(self, job):
        return job.cell["tf32"]
