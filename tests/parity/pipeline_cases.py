"""Runs of the oracle and of ours, once per session and model."""

import functools

import pytest
import torch
from allpairspy import AllPairs
from make_models import DISTILLED, KINDS, load_oracle, save
from oracle_run import TUNED, Request, as_an_oracle_sees, run_oracle, run_ours, set_for

PROMPTS = ["a photo of a cat, 4K!", "an isolated lake house in an island, in the style of nobody"]

# name: kind, seed, layout on disk, and the run. Of the same few models: to make one takes longer than to run it.
CASES = {
    "sd15-plain": ("sd15", 3, "plain", Request(steps=3, guidance=7.5, prompts=PROMPTS)),
    "sd15-old-names": ("sd15", 1, "old", Request(steps=3, guidance=1.0, karras=True,
                                                 timestep_spacing="linspace", prompts=PROMPTS[:1])),
    "sd15-sliced": ("sd15", 3, "plain", Request(steps=2, guidance=7.5, prompts=PROMPTS,
                                                attention="sliced", width=64, height=64)),
    "sd21-fp16-files": ("sd21", 3, "fp16", Request(steps=3, guidance=7.5, prompts=PROMPTS,
                                                   negative="blurry, ugly")),
    "sd21-math": ("sd21", 3, "plain", Request(steps=3, guidance=4.0, prompts=PROMPTS[:1],
                                              timestep_spacing="trailing", attention="math")),
    "sdxl-shards": ("sdxl", 3, "shards", Request(steps=3, guidance=5.0, prompts=PROMPTS)),
    "sdxl-negative": ("sdxl", 3, "plain", Request(steps=3, guidance=5.0, prompts=PROMPTS,
                                                  negative="", karras=True)),
    "sdxl-turbo": ("sdxl", 3, "plain", Request(steps=1, guidance=0.0, prompts=PROMPTS[:1],
                                               timestep_spacing="trailing")),
    "sd15-clip-skip": ("sd15", 3, "plain", Request(steps=2, guidance=7.5, prompts=PROMPTS, negative="blurry", clip_skip=1)),
    "sd15-clip-skip-to-one-layer": ("sd15", 3, "plain", Request(steps=1, guidance=1.0, prompts=PROMPTS[:1], clip_skip=2)),
    "sdxl-clip-skip": ("sdxl", 3, "plain", Request(steps=2, guidance=5.0, prompts=PROMPTS, negative="blurry", clip_skip=1)),
    "sdxl-clip-skip-tuned": ("sdxl", 3, "plain", Request(steps=2, guidance=5.0, prompts=PROMPTS, clip_skip=1, **TUNED)),
    "sd21-own-attention": ("sd21", 3, "plain", Request(steps=3, guidance=4.0, prompts=PROMPTS, attention="own")),
    "sd15-tuned": ("sd15", 3, "plain", Request(steps=3, guidance=7.5, prompts=PROMPTS, negative="blurry", **TUNED)),
    "sdxl-tuned": ("sdxl", 3, "shards", Request(steps=3, guidance=5.0, prompts=PROMPTS, **TUNED)),
    "sd21-zero-snr": ("sd21-zero-snr", 5, "plain", Request(steps=3, guidance=4.0, prompts=PROMPTS)),
    "sd21-zero-snr-tuned": ("sd21-zero-snr", 5, "plain", Request(steps=3, guidance=4.0, prompts=PROMPTS[:1], **TUNED)),
    **{name: (name, 5, "plain", Request(steps=2, guidance=4.0, prompts=PROMPTS)) for name in DISTILLED},
    **{f"{name}-tuned": (name, 5, "plain", Request(steps=2, guidance=4.0, prompts=PROMPTS[:1], **TUNED))
       for name in DISTILLED},
    "inverted": ("inverted", 5, "plain", Request(steps=2, guidance=4.0, prompts=["a <cat-toy>, a <Cat-Toy>", "<style>"],
                                                 negative="<Style>, ugly")),
    "sd15-sample": ("sd15-sample", 5, "plain", Request(steps=3, guidance=4.0, prompts=PROMPTS[:1])),
    "sd15-sample-tuned": ("sd15-sample", 5, "plain", Request(steps=3, guidance=4.0, prompts=PROMPTS[:1], **TUNED)),
    # Tiles of 64 pixels, 48 from one to the next: the last of a row is 16 wide, of a column 8 high.
    "sd15-tiles": ("sd15", 3, "plain", Request(steps=1, guidance=1.0, prompts=PROMPTS, width=160,
                                               height=104, vae_tiling=True)),
    "sdxl-one-tile": ("sdxl", 3, "plain", Request(steps=1, guidance=1.0, prompts=PROMPTS[:1],
                                                  width=64, height=64, vae_tiling=True)),
}

# How an engine can compute, and what that may depend on.
AXES = {
    "packing": ["off", "onednn", "winograd"],
    "attention": ["auto", "math", "flash", "sliced", "own"],  # efficient and cudnn are a GPU's
    "kind": ["sd15", "sd21", "sdxl"],
    "prompts": [PROMPTS[:1], PROMPTS],
    "guidance": [1.0, 7.5],
    "negative": [None, "blurry, ugly"],
    "channels_last": [False, True],
    "kv_cache": [False, True],
    "time_cache": [False, True],
    "shared_prefix": [False, True],
    "own_kernels": [False, True],
    "vae_tiling": [False, True],
    "host_allocator": ["system", "caching"],
    "offload": ["none", "stages"],
    "karras": [False, True],
    "layout": ["plain", "fp16", "shards"],
}


# In bf16 no convolution has Winograd's form, and how weights lie on disk is seen in fp32.
BF16_AXES = {**AXES, "packing": ["off", "onednn"], "layout": ["plain"]}


def pairwise_rows(axes):
    """Each value of each axis beside each of every other, in some row."""
    return [dict(zip(axes, row)) for row in AllPairs(list(axes.values()))]


def pairwise_cases(axes, **changes):
    cases = {}
    for number, chosen in enumerate(pairwise_rows(axes)):
        kind = chosen.pop("kind")
        layout = chosen.pop("layout")
        name = "-".join(["pairs", kind, chosen["packing"], chosen["attention"], str(number)])
        cases[name] = (kind, 3, layout, Request(steps=2, **chosen, **changes))
    return cases


CASES |= pairwise_cases(AXES)
BF16_CASES = pairwise_cases(BF16_AXES, dtype="bf16", dtype_vae="bf16")


class Models:
    """Each is made once in a session, and read once by diffusers in each format."""

    def __init__(self, make_folder):
        self.make_folder, self.runs = make_folder, {}

    @functools.cache
    def folder(self, kind, seed, layout):
        return save(KINDS[kind](torch.Generator().manual_seed(seed)), self.make_folder(f"{kind}-{seed}-{layout}"), layout)

    @functools.cache
    def oracle(self, kind, seed, layout, dtype=torch.float32):
        return load_oracle(self.folder(kind, seed, layout), dtype)

    def wanted(self, model, request, dtype=torch.float32, is_autocast=False):
        """Diffusers' numbers. Nobody changes them: equal runs are made once."""
        seen = as_an_oracle_sees(request)
        key = (*model, dtype, is_autocast, repr(seen))
        if key not in self.runs:
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=is_autocast):
                self.runs[key] = run_oracle(self.oracle(*model, dtype), seen)
        return self.runs[key]


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    return Models(tmp_path_factory.mktemp)


class Case:
    def __init__(self, models, model, request):
        self.oracle, self.request = models.oracle(*model), request
        self.wanted = models.wanted(model, request)
        self.ours = run_ours(models.folder(*model), request)
        set_for(self.oracle, request)


@pytest.fixture(scope="session", params=CASES)
def case(request, models):
    *model, run = CASES[request.param]
    return Case(models, tuple(model), run)
