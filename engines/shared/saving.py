"""The files that a cell writes: latents, images, and the dump of a run (include/sdbench/base/executor/run_dump.h)."""
import contextlib
import os
import time

import numpy
import torch
from safetensors.numpy import save_file

from shared import dtypes, image_files, stopping_signal
from shared.failure import CellFailure


def write(path, tensors):
    """Writes the whole file or nothing."""
    part = f"{path}.part"
    try:
        save_file({name: numpy.ascontiguousarray(tensor) for name, tensor in tensors.items()}, part)
        os.replace(part, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(part)


def save(cell, run, result):
    if cell["dump_latents"]:
        write(cell["dump_latents"], {"latents": run.latents.numpy()})
    if cell["dump_run"]:
        steps = {f"step_{number}": latents.numpy() for number, latents in enumerate(run.step_latents, 1)}
        write(cell["dump_run"], {**steps, "pixels": run.pixels})
    if cell["save_images"]:
        result["image_files"] = image_files.write(cell, result, run.pixels)


def save_step_images(cell, run, timed, events):
    """Saves the image after each step except the last."""
    vae, batch = timed.pipe.vae, cell["batch"]
    for number, latents in enumerate(run.step_latents[:-1], 1):
        begin = time.monotonic()
        parts = []
        for first in range(0, len(latents), batch):
            scaled = latents[first:first + batch].to(timed.torch_device, dtypes.weights_dtype(timed.stages["vae"])) / vae.config.scaling_factor
            image = vae.decode(scaled, return_dict=False)[0].float()
            parts.append(((image / 2 + 0.5).clamp(0, 1) * 255).round().permute(0, 2, 3, 1).cpu())
            timed.forget()
        pixels = torch.cat(parts)
        if pixels.isfinite().all():
            write(f"{cell['dump_run']}.step_{number}", {"pixels": pixels.to(torch.uint8).numpy()})
        events.step(0, number - 1, len(run.step_latents) - 1, time.monotonic() - begin)
        if stopping_signal.requested():
            raise CellFailure("interrupted", "interrupted during stage step_images")
