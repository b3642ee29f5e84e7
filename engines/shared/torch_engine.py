"""Common to PyTorch's own engines: diffusers' pipeline with weights on the device."""
import torch

from shared.models import Models
from shared.tf32 import allow_tf32, tf32_used
from shared.timed_pipeline import TimedPipeline


def is_channels_last(cell):
    """"auto" means channels-last, the fastest format for PyTorch's convolutions on a CPU and on tensor cores."""
    return cell["memory_format"] != "contiguous"


def key_of(job):
    """Everything that must be equal for the weights to stay."""
    cell = job.cell
    return [cell["model"], cell["weights"], job.stages, job.torch_device, cell["attention"], is_channels_last(cell), cell["tf32"],
            cell["cudnn_benchmark"], cell["vae_tiling"]]


class TorchEngine:
    prepares = False  # true if it has a stage for that
    prepared = ""
    deciding_s = late_loading_s = 0

    def __init__(self, job):
        allow_tf32(job.cell["tf32"])  # before anything is compiled
        torch.backends.cudnn.benchmark = job.cell["cudnn_benchmark"] == "on"
        models = Models(job)
        self.pipe = models.pipeline({name: models.take(name).to(job.torch_device) for name in models.names})
        if is_channels_last(job.cell):
            self.pipe.unet.to(memory_format=torch.channels_last)
            self.pipe.vae.to(memory_format=torch.channels_last)
        if job.cell["vae_tiling"] == "on":
            self.pipe.vae.enable_tiling()
        if not hasattr(self.pipe.text_encoder, "text_model"):
            # For --clip-skip diffusers looks for the last norm there, but transformers 5 has it in the model itself. Set so that it is no child module.
            object.__setattr__(self.pipe.text_encoder, "text_model", self.pipe.text_encoder)
        self.change(job)
        self.timed = TimedPipeline(self.pipe, job.torch_device, job.stages)
        self.timed.clock.wait()  # weights are copied to a GPU asynchronously

    def change(self, job):
        """An engine's changes to diffusers' own pipeline."""

    def prepare(self, job):
        return ""

    def vae_tiles(self, job):
        """None if diffusers cuts the image into tiles: it does not report how many."""
        return None if job.cell["vae_tiling"] == "on" else 1

    def attention_used(self, job):
        return "sdpa" if job.cell["attention"] == "auto" else job.cell["attention"]

    def use(self, job):
        return {"attention_used": self.attention_used(job), "tf32_used": tf32_used(job), "kernels_used": "aten",
                "memory_format_used": "channels-last" if is_channels_last(job.cell) else "contiguous"}
