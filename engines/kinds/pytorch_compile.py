"""diffusers with UNet and VAE compiled by torch.compile."""
import os

import torch

from shared import compiler, packages, torch_engine

BLOB = "compiled.bin"
NETWORKS = "shared.compiled_network"


def key_of(job):
    return [*torch_engine.key_of(job), job.shapes(), job.threads]


class Engine(torch_engine.TorchEngine):
    prepares = True

    def change(self, job):
        how = compiler.settings(job)
        self.pipe.unet = torch.compile(self.pipe.unet, **how)
        self.pipe.vae.decode = torch.compile(self.pipe.vae.decode, **how)

    def _decides(self, job):
        cell = job.cell
        source = {name: part for name, part in cell["model"]["source"].items() if name in ("unet", "vae", "text_encoder", "text_encoder_2")}
        return {"engine": "pytorch-compile", "configs": source, "dtypes": job.stages, "shapes": job.shapes(), "device": job.device["name"],
                "packages": packages.versions("pytorch-compile"), "threads": job.threads, "tf32": cell["tf32"],
                "memory_format": torch_engine.is_channels_last(cell)}

    def prepare(self, job):
        """Compiled code holds no weights, so the key omits them. With frozen weights nothing is cached: a CPU compiles each time."""
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
            self.timed.warm(job.cell, compiler.warm_steps(job.device))
        compiler.require_compiled()

    def attention_used(self, job):
        return "sdpa"
