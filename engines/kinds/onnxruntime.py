"""ONNX Runtime: UNet, VAE and text encoders exported to ONNX, on its CPU or its CUDA provider."""
import os

import numpy
import onnxruntime
import torch

from shared import dtypes, onnx_export, parts_engine
from shared.failure import skipped
from shared.parts_engine import key_of  # noqa: F401, the worker asks each kind for it

WHY_NOT = {"bf16": "for which its provider has no convolutions", "fp16": "which its CPU provider computes in fp32"}
NUMPY = {torch.float32: numpy.float32, torch.float16: numpy.float16, torch.int64: numpy.int64}


def refuse(cell, device):
    if device["kind"] == "cuda" and "CUDAExecutionProvider" not in onnxruntime.get_available_providers():
        raise skipped("the package of --engine onnxruntime must have the CUDA provider for a GPU",
                      f"the one that is installed has {', '.join(onnxruntime.get_available_providers())}",
                      "run sdbench setup engine onnxruntime, which takes onnxruntime-gpu beside an NVIDIA driver, or take --device cpu")


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
        onnx_export.export(part, module, parts_engine.example_of(job, part), os.path.join(folder, f"{part.name}.onnx"), job.is_dynamic)

    def decides_more(self, job):
        """Rejects kept exports with open shapes from older versions: their example had axes of length one, so they accept only some shapes."""
        return {"example": "no axis is one"} if job.is_dynamic else {}

    def _providers(self, job):
        if not job.on_gpu:
            return ["CPUExecutionProvider"]
        options = {"device_id": job.device["index"], "user_compute_stream": str(self.stream.cuda_stream),
                   "use_tf32": "1" if job.cell["tf32"] == "on" else "0", "cudnn_conv_algo_search": "EXHAUSTIVE"}
        return [("CUDAExecutionProvider", options), "CPUExecutionProvider"]

    def open(self, job, part, folder):
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
        options.intra_op_num_threads = job.threads
        session = onnxruntime.InferenceSession(os.path.join(folder, f"{part.name}.onnx"), options, providers=self._providers(job))
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
        """Binds torch's memory, so that no data is copied to the host."""
        index, binding = job.device["index"], session.io_binding()
        kind = dtypes.weights_dtype(job.stages[parts_engine.STAGES[part.name]])
        options = onnxruntime.RunOptions()
        options.add_run_config_entry("disable_synchronize_execution_providers", "1")  # torch's stream orders all work
        known = {}  # shapes of inputs -> shapes of results

        def shapes_of_results(shapes):
            if shapes not in known:
                for name in part.outputs:
                    binding.bind_output(name, "cuda", index)
                session.run_with_iobinding(binding)
                known[shapes] = [tuple(result.shape()) for result in binding.get_outputs()]
            return known[shapes]

        def call(*tensors):
            given = [parts_engine.contiguous(tensors[place], each.dtype, job.torch_device) for place, each in inputs]
            for (_, each), tensor in zip(inputs, given):
                binding.bind_input(each.name, "cuda", index, NUMPY[each.dtype], tuple(tensor.shape), tensor.data_ptr())
            shapes = shapes_of_results(tuple(tuple(tensor.shape) for tensor in given))
            results = [torch.empty(shape, dtype=kind, device=job.torch_device) for shape in shapes]
            for name, result in zip(part.outputs, results):
                binding.bind_output(name, "cuda", index, NUMPY[kind], tuple(result.shape), result.data_ptr())
            session.run_with_iobinding(binding, options)
            return results
        return call

    def tf32_used(self, job):
        return job.cell["tf32"]
