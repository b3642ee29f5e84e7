"""TensorRT on a GPU: UNet, VAE and text encoders built from ONNX, each call a CUDA graph."""
import os

from shared import dtypes, gpus, onnx_export, parts_engine, scratch
from shared.trt_build import build
from shared.trt_call import TrtCall

OPSET = 20  # supported by TensorRT's parser since 10.0


def tuned_for(job):
    """Size, batch and guidance. They matter for open shapes, too: a profile has optimal shapes, and guidance doubles the UNet's batch."""
    cell = job.cell
    return [cell["width"], cell["height"], cell["batch"], job.guided]


def key_of(job):
    return [*parts_engine.key_of(job), tuned_for(job)]


class Engine(parts_engine.PartsEngine):
    name = "tensorrt"

    def __init__(self, job):
        self.export_device = job.torch_device  # the exporter computes the part once; a CPU is slow at fp16
        super().__init__(job)

    def doing(self, part):
        return f"building {parts_engine.TITLES[part.name]} with TensorRT"

    def decides_more(self, job):
        """An engine is tuned for one GPU and its driver."""
        return {"tuned_for": tuned_for(job), "tf32": job.cell["tf32"], "compute_capability": job.device["compute_capability"],
                "driver": job.device.get("driver_version", "")}

    def make(self, job, part, module, folder):
        with scratch.folder(folder, ".onnx-") as place:
            onnx_file = os.path.join(place, f"{part.name}.onnx")
            onnx_export.export_by_trace(part, module, parts_engine.example_of(job, part, job.torch_device), onnx_file, job.is_dynamic, OPSET)
            del module
            build(part, onnx_file, os.path.join(folder, f"{part.name}.engine"), allow_tf32=job.cell["tf32"] == "on", is_dynamic=job.is_dynamic,
                  factor=job.cell["height"] // job.latent_size[1], halves=2 if job.guided else 1)

    def open(self, job, part, folder):
        return TrtCall(part, os.path.join(folder, f"{part.name}.engine"), job.torch_device)

    def tf32_used(self, job):
        computes_fp32 = any(dtypes.name_of(stage) == "fp32" for stage in job.stages.values())
        return job.cell["tf32"] if computes_fp32 and gpus.is_ampere_or_newer(job.device) else "off"
