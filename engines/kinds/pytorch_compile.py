"""diffusers with UNet and VAE by torch.compile: max-autotune on a GPU, frozen weights on a CPU."""
import os

import torch
import torch._inductor.config

from shared import packages, scratch, torch_engine
from shared.torch_engine import DTYPES  # noqa: F401, the worker asks each kind for it

ATTENTION = ("auto", "sdpa")
CHOICES = {"memory_format": ("auto", "contiguous", "channels-last"), "dynamic_shapes": ("off", "on"), "vae_tiling": ("off",)}
WHY_NOT = {}
IS_TORCH = True
BLOB = "compiled.bin"
# Calls until all is compiled: strides differ after the first step; on a GPU CUDA graphs warm up, then are recorded.
WARM_STEPS = {"cpu": 2, "cuda": 4}
# The compiler's settings that diffusers' guide "Accelerate inference" asks for on a GPU, beside max-autotune and channels-last.
ON_GPU = {"conv_1x1_as_mm": True, "coordinate_descent_tuning": True, "coordinate_descent_check_all_directions": True, "epilogue_fusion": False}


def key_of(job):
    return [*torch_engine.key_of(job), job.shapes(), job.threads]


class Engine(torch_engine.TorchEngine):
    prepares = True

    def change(self, job):
        # Compiled files of other processes would make a first compilation look like a second one.
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = scratch.lasting_folder()
        os.environ["TRITON_CACHE_DIR"] = os.path.join(os.environ["TORCHINDUCTOR_CACHE_DIR"], "triton")
        torch._dynamo.reset()
        for name, value in ON_GPU.items():
            setattr(torch._inductor.config, name, value == job.on_gpu)
        torch._inductor.config.freezing = not job.on_gpu  # weights are packed once, for oneDNN
        how = {"dynamic": job.is_dynamic, **({"mode": "max-autotune"} if job.on_gpu else {})}
        self.pipe.unet = torch.compile(self.pipe.unet, **how)
        self.pipe.vae.decode = torch.compile(self.pipe.vae.decode, **how)

    def _decides(self, job):
        cell = job.cell
        source = {name: part for name, part in cell["model"]["source"].items() if name in ("unet", "vae", "text_encoder", "text_encoder_2")}
        return {"engine": "pytorch-compile", "configs": source, "dtypes": job.stages, "shapes": job.shapes(), "device": job.device["name"],
                "packages": packages.versions("pytorch-compile"), "threads": job.threads, "tf32": cell["tf32"],
                "memory_format": torch_engine.is_channels_last(cell)}

    def prepare(self, job):
        """What torch.compile makes holds no weights, so these decide nothing. Of frozen weights it keeps nothing: a CPU compiles each time."""
        if not job.on_gpu:
            self._compile(job, "compiling UNet and VAE")
            return "new"
        facts = {"engine": "pytorch-compile", "model": job.cell["model"]["name"], "dtype": job.stages["unet"]["dtype"], "device": job.device["name"],
                 "shapes": "dynamic" if job.is_dynamic else f"{job.cell['width']}x{job.cell['height']}, batch {job.cell['batch']}",
                 "packages": packages.runtime_version("pytorch-compile")}
        with job.keep.artefact(self._decides(job), facts, lambda folder: self._make(job, folder)) as (folder, state):
            if state == "new":
                return state
            with open(os.path.join(folder, BLOB), "rb") as file:
                blob = file.read()
        if not blob or torch.compiler.load_cache_artifacts(blob) is None:
            state = "new"
        self._compile(job, "compiling UNet and VAE" + (" with what was kept" if state == "kept" else ""))
        return state

    def _make(self, job, folder):
        self._compile(job, "compiling UNet and VAE")
        made = torch.compiler.save_cache_artifacts()
        with open(os.path.join(folder, BLOB), "wb") as file:
            file.write(made[0] if made else b"")

    def _compile(self, job, words):
        with job.events.doing(words):
            self.timed.warm(job.cell, WARM_STEPS[job.device["kind"]])

    def attention_used(self, job):
        return "sdpa"
