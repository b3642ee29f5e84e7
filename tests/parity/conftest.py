"""Runs of the oracle and of ours, once per session and model."""

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before torch: on tensors this small, threads only wait for each other

import pytest
import torch
from make_models import make_model
from oracle_run import TUNED, Request, run_oracle, run_ours

torch.set_grad_enabled(False)
PROMPTS = ["a photo of a cat, 4K!", "an isolated lake house in an island, in the style of nobody"]

# name: kind, seed, layout on disk, and the run
CASES = {
    "sd15-plain": ("sd15", 0, "plain", Request(steps=4, guidance=7.5, prompts=PROMPTS)),
    "sd15-old-names": ("sd15", 1, "old", Request(steps=3, guidance=1.0, karras=True,
                                                 timestep_spacing="linspace", prompts=PROMPTS[:1])),
    "sd15-sliced": ("sd15", 2, "plain", Request(steps=2, guidance=7.5, prompts=PROMPTS,
                                                attention="sliced", width=64, height=64)),
    "sd21-fp16-files": ("sd21", 0, "fp16", Request(steps=4, guidance=7.5, prompts=PROMPTS,
                                                   negative="blurry, ugly")),
    "sd21-math": ("sd21", 1, "plain", Request(steps=3, guidance=4.0, prompts=PROMPTS[:1],
                                              timestep_spacing="trailing", attention="math")),
    "sdxl-shards": ("sdxl", 0, "shards", Request(steps=4, guidance=5.0, prompts=PROMPTS)),
    "sdxl-negative": ("sdxl", 1, "plain", Request(steps=3, guidance=5.0, prompts=PROMPTS,
                                                  negative="", karras=True)),
    "sdxl-turbo": ("sdxl", 2, "plain", Request(steps=1, guidance=0.0, prompts=PROMPTS[:1],
                                               timestep_spacing="trailing")),
    "sd15-channels-last": ("sd15", 3, "plain", Request(steps=2, guidance=7.5, prompts=PROMPTS,
                                                       channels_last=True)),
    "sdxl-channels-last": ("sdxl", 3, "plain", Request(steps=2, guidance=5.0, prompts=PROMPTS[:1],
                                                       channels_last=True)),
    # Weights in the order of oneDNN, with what is fused with them, and of our kernels.
    "sd15-packed": ("sd15", 5, "plain", Request(steps=4, guidance=7.5, prompts=PROMPTS,
                                                channels_last=True, packing="onednn")),
    "sd15-fused": ("sd15", 6, "plain", Request(steps=2, guidance=7.5, prompts=PROMPTS,
                                               channels_last=True, packing="onednn", fused=True)),
    "sdxl-fused": ("sdxl", 7, "plain", Request(steps=2, guidance=5.0, prompts=PROMPTS[:1],
                                               channels_last=True, packing="onednn", fused=True)),
    "sd15-winograd": ("sd15", 9, "plain", Request(steps=4, guidance=7.5, prompts=PROMPTS,
                                                  channels_last=True, packing="winograd")),
    "sdxl-winograd": ("sdxl", 9, "plain", Request(steps=2, guidance=5.0, prompts=PROMPTS[:1],
                                                  channels_last=True, packing="winograd", fused=True)),
    "sd21-packed": ("sd21", 5, "fp16", Request(steps=2, guidance=7.5, prompts=PROMPTS[:1], negative="blurry",
                                               channels_last=True, packing="own")),
    "sdxl-packed": ("sdxl", 5, "shards", Request(steps=3, guidance=5.0, prompts=PROMPTS,
                                                 channels_last=True, packing="own")),
    "sdxl-packed-contiguous": ("sdxl", 6, "plain", Request(steps=2, guidance=1.0, prompts=PROMPTS,
                                                           packing="own")),
    # What is computed once and not in each step, or not for each half of guidance: alone, together, and beside what the tuned engine does.
    "sd15-kv-cache": ("sd15", 8, "plain", Request(steps=3, guidance=7.5, prompts=PROMPTS, attention="sliced",
                                                  kv_cache=True)),
    "sdxl-time-cache": ("sdxl", 8, "plain", Request(steps=3, guidance=5.0, prompts=PROMPTS, negative="",
                                                    time_cache=True)),
    "sd15-shared-prefix": ("sd15", 10, "plain", Request(steps=3, guidance=7.5, prompts=PROMPTS, negative="blurry",
                                                        shared_prefix=True)),
    "sd21-shared-prefix": ("sd21", 10, "plain", Request(steps=2, guidance=4.0, prompts=PROMPTS[:1], channels_last=True,
                                                        kv_cache=True, shared_prefix=True)),
    "sd21-caches": ("sd21", 8, "plain", Request(steps=3, guidance=1.0, prompts=PROMPTS, karras=True,
                                                kv_cache=True, time_cache=True)),
    "sd21-own-attention": ("sd21", 11, "plain", Request(steps=3, guidance=4.0, prompts=PROMPTS, attention="own")),
    "sd15-tuned": ("sd15", 9, "plain", Request(steps=4, guidance=7.5, prompts=PROMPTS, negative="blurry", **TUNED)),
    "sdxl-tuned": ("sdxl", 9, "shards", Request(steps=4, guidance=5.0, prompts=PROMPTS, **TUNED)),
    # Tiles of 64 pixels, 48 from one to the next: the last of a row is 16 wide, of a column 8 high.
    "sd15-tiles": ("sd15", 4, "plain", Request(steps=1, guidance=1.0, prompts=PROMPTS, width=160,
                                               height=104, vae_tiling=True)),
    "sdxl-one-tile": ("sdxl", 4, "plain", Request(steps=1, guidance=1.0, prompts=PROMPTS[:1],
                                                  width=64, height=64, vae_tiling=True)),
}


class Case:
    def __init__(self, folder, oracle, request):
        self.folder, self.oracle, self.request = folder, oracle, request
        self.wanted = run_oracle(oracle, request)
        self.ours = run_ours(os.environ["SDBENCH_PARITY_PROBE"], folder, request)


@pytest.fixture(scope="session", params=CASES)
def case(request, tmp_path_factory):
    kind, seed, layout, run = CASES[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    return Case(folder, make_model(kind, seed, layout, folder), run)
