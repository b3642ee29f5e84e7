"""A run of a cell: its images, batch after batch."""
import math

import numpy
import torch
from safetensors import SafetensorError, safe_open

from shared.failure import CellFailure


def read_noise(path, shape):
    """Reads the latents of --init-latents."""
    must = f"{path} must hold a tensor \"latents\", fp32 {list(shape)} for this size and --images, but "
    try:
        with safe_open(path, framework="pt") as file:
            if "latents" not in file.keys():
                raise CellFailure("error", must + "has no tensor of that name")
            noise = file.get_tensor("latents")
    except (OSError, SafetensorError) as error:
        raise CellFailure("error", f"{must}cannot be read ({error}); name another with --init-latents") from error
    if noise.dtype != torch.float32 or tuple(noise.shape) != tuple(shape):
        raise CellFailure("error", f"{must}holds {str(noise.dtype).removeprefix('torch.')} {list(noise.shape)}")
    if not noise.isfinite().all():
        raise CellFailure("error", f"{path} must hold finite numbers, but holds NaN or infinity")
    return noise


def made_noise(first_seed, count, size):
    """The same noise as sdbench's and diffusers': each image has its own generator on the CPU, whatever the device."""
    return torch.cat([torch.randn((1, *size), generator=torch.Generator("cpu").manual_seed((first_seed + image) % 2**64)) for image in range(count)])


def check(output):
    """Returns "pass", "non_finite" or "constant" for a batch."""
    if not output.is_finite:
        return "non_finite"
    spread = output.pixels.max(axis=(1, 2)) - output.pixels.min(axis=(1, 2))  # [N, 3]
    return "constant" if (spread == 0).all(axis=1).any() else "pass"


class ImageWork:
    """The `work` of a CellTiming for images."""

    def __init__(self, job, timed):
        self.cell = job.cell
        self.timed = timed
        self.size = job.latent_size
        self.noise = read_noise(job.cell["init_latents"], (job.cell["images"], *self.size)) if job.cell["init_latents"] else None
        timed.set_scheduler(job.cell)
        self.steps_of_batch = timed.steps_of(job.cell)
        self.check = ""  # of the worst run so far
        self.latents = self.step_latents = self.pixels = None  # of the last run

    def _batch(self, number, listener):
        cell, first = self.cell, number * self.cell["batch"]
        prompts = cell["prompts"] * cell["batch"] if len(cell["prompts"]) == 1 else cell["prompts"][first:first + cell["batch"]]

        def make_noise():
            given = self.noise is not None
            return self.noise[first:first + cell["batch"]] if given else made_noise(cell["seed"] + first, cell["batch"], self.size)

        def on_step(step, seconds):
            listener(number * self.steps_of_batch + step, seconds)

        return self.timed.run_batch(cell, prompts, make_noise, on_step)

    def run_first_batch(self, listener):
        return self._batch(0, listener)[0]

    def run_all(self, listener):
        whole, outputs = None, []
        for number in range(self.cell["images"] // self.cell["batch"]):
            sample, output = self._batch(number, listener)
            outputs.append(output)
            whole = sample if whole is None else added(whole, sample)
        found = [check(output) for output in outputs]
        worst = next((name for name in ("non_finite", "constant") if name in found), "pass")
        if self.check in ("", "pass"):
            self.check = worst
        self.latents = torch.cat([output.latents for output in outputs])
        self.pixels = numpy.concatenate([output.pixels for output in outputs])
        self.step_latents = [torch.cat(step) for step in zip(*(output.step_latents for output in outputs))]
        return whole


def added(sample, more):
    """The sum of a run's sample and that of its next batch, `more`."""
    parts = [{"name": a["name"], "seconds": math.fsum((a["seconds"], b["seconds"]))} for a, b in zip(sample["parts"], more["parts"])]
    return {**sample, "parts": parts, "e2e_s": sample["e2e_s"] + more["e2e_s"], "step_s": sample["step_s"] + more["step_s"]}
