"""OpenVINO on a CPU or an Intel GPU: UNet, VAE and text encoders converted from torch, and kept as its own IR."""
import os

import openvino
import torch
from openvino.frontend.pytorch.ts_decoder import TorchScriptPythonDecoder

from shared import intel_gpus as intel
from shared import parts_engine
from shared.parts_engine import key_of  # noqa: F401, the worker asks each kind for it
from shared.quiet import quiet

WHY_NOT = {"fp16": "for which its CPU plugin has no arithmetic here", "bf16": "for which its GPU plugin has none"}
PRECISIONS = {"fp32": "f32", "bf16": "bf16", "fp16": "f16"}


def intel_gpus():
    return intel.all_of(openvino.Core())


class Engine(parts_engine.PartsEngine):
    name = "openvino"
    numbers = torch.float32  # OpenVINO exchanges numpy arrays, which have no bf16

    def converted_from(self, job):
        """A CPU traces fp16 hundreds of times slower. The GPU plugin itself rounds to the dtype of the hint."""
        return torch.float32 if job.device["kind"] == "intel" else None

    def doing(self, part):
        return f"converting {parts_engine.TITLES[part.name]} to OpenVINO"

    def make(self, job, part, module, folder):
        # torch's check of a trace computes the module several more times. With SDXL that takes half of the time until the first
        # image, and 4 GiB that are not freed. The resulting image is compared anyway.
        with quiet():
            decoder = TorchScriptPythonDecoder(module, example_input=parts_engine.example_of(job, part), trace_kwargs={"check_trace": False})
            model = openvino.convert_model(decoder)
        if not job.is_dynamic:
            model.reshape({place: list(each.shape) for place, each in enumerate(part.inputs)})
        openvino.save_model(model, os.path.join(folder, f"{part.name}.xml"), compress_to_fp16=False)

    def open(self, job, part, folder):
        # Without this hint a GPU rounds fp32 to f16.
        settings = {"INFERENCE_PRECISION_HINT": PRECISIONS[job.stages[parts_engine.STAGES[part.name]]["dtype"]], "PERFORMANCE_HINT": "LATENCY",
                    "NUM_STREAMS": 1}
        device = intel.openvino_name(job.device["index"]) if job.device["kind"] == "intel" else "CPU"
        if device == "CPU":
            settings["INFERENCE_NUM_THREADS"] = job.threads
        model = openvino.Core().compile_model(os.path.join(folder, f"{part.name}.xml"), device, settings)
        request = model.create_infer_request()
        kinds = [each.dtype for each in part.inputs]

        def call(*tensors):
            given = [parts_engine.contiguous(tensor, kind, "cpu").numpy() for tensor, kind in zip(tensors, kinds)]
            results = request.infer(given, share_inputs=True)
            return [torch.from_numpy(results[place].copy()) for place in range(len(part.outputs))]
        return call
