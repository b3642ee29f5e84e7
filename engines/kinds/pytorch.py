"""Eager diffusers on PyTorch, as most people run it. Networks come from torchvision."""
import importlib.util
import sys

import torch
from diffusers.models.attention_processor import AttnProcessor, AttnProcessor2_0

from shared import torch_engine
from shared.failure import skipped
from shared.torch_engine import key_of  # noqa: F401, the worker asks each kind for it

NETWORKS = "shared.network_engine"


class Engine(torch_engine.TorchEngine):
    def change(self, job):
        asked, unet = job.cell["attention"], self.pipe.unet
        if asked == "xformers":
            unet.enable_xformers_memory_efficient_attention()  # no slicing after this: it would replace xformers
        elif asked == "sliced":
            self.pipe.enable_attention_slicing()
        else:
            unet.set_attn_processor(AttnProcessor() if asked == "math" else AttnProcessor2_0())


def xformers_for(torch_version):
    """The requirement for pip. The last version is for torch 2.10 and newer; each older one is for the one version of torch in its release notes."""
    major, minor = map(int, torch_version.split(".")[:2])
    return "xformers==0.0.35" if (major, minor) >= (2, 10) else f"xformers==VERSION (the one that was made for torch {torch_version.split('+')[0]})"


def refuse(cell, device):
    if cell["attention"] != "xformers":
        return
    if device["kind"] == "cpu":
        raise skipped("--attention xformers must have a GPU", f"--device is {cell['device']}", "take --attention sdpa")
    if importlib.util.find_spec("xformers") is None:
        raise skipped("--attention xformers must have the package xformers beside torch", "it is not installed",
                      f"run {sys.executable} -m pip install --no-deps {xformers_for(torch.__version__)}, or take --attention sdpa")
