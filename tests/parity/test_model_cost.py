"""The nominal work that sdbench counts equals what torch counts in diffusers' own models.

SDBENCH_MODEL_CONFIG_PROBE names the program that tells our count (model_config_probe.cpp). The
models stand on the meta device: nothing is computed, so the full sizes cost nothing.
"""

import functools
import json
import os
import subprocess

import pytest
import torch
from diffusers import AutoencoderKL, UNet2DConditionModel
from make_models import DISTILLED
from torch.utils.flop_counter import FlopCounterMode
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

TOKENS = 77
CASES = [
    ("sd15", 64, 64),
    ("sd15", 9, 13),  # odd at every level
    ("sd21", 96, 96),
    ("sdxl", 96, 96),
    ("sdxl", 128, 128),
    ("sdxl", 13, 21),
    ("tiny-sd15", 16, 16),
    ("tiny-sdxl", 9, 13),
]


def probe(model, height, width):
    command = [os.environ["SDBENCH_MODEL_CONFIG_PROBE"], model, str(height), str(width)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def count_macs(call):
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops() / 2


@functools.cache
def model_of(source, part):
    """On the meta device. `source`: the architecture as JSON."""
    config = json.loads(source)[part]
    with torch.device("meta"):
        if part == "unet":
            return UNet2DConditionModel.from_config(config)
        if part == "vae":
            return AutoencoderKL.from_config(config)
        return (CLIPTextModelWithProjection if part == "text_encoder_2" else CLIPTextModel)(CLIPTextConfig(**config))


def unet_call(unet, config, height, width):
    conditions = {}
    if config.get("addition_embed_type") == "text_time":
        pooled = (config["projection_class_embeddings_input_dim"]
                  - 6 * config["addition_time_embed_dim"])
        conditions = {"text_embeds": torch.zeros(1, pooled), "time_ids": torch.zeros(1, 6)}
    latents = torch.zeros(1, config["in_channels"], height, width)
    context = torch.zeros(1, TOKENS, config["cross_attention_dim"])
    guidance = config.get("time_cond_proj_dim") and torch.zeros(1, config["time_cond_proj_dim"])
    return lambda: unet(latents, torch.zeros(1), context, timestep_cond=guidance, added_cond_kwargs=conditions)


@pytest.mark.parametrize("name, height, width", CASES)
def test_the_counted_work_and_what_the_unet_moves_are_torch_s(name, height, width, monkeypatch):
    check_counts(name, height, width, monkeypatch)


@pytest.mark.parametrize("name", DISTILLED)
def test_the_counted_work_and_what_the_unet_moves_of_a_distilled_model_are_torch_s(name, tmp_path, monkeypatch):
    make, changes = DISTILLED[name]
    make(torch.Generator(), **changes).save_pretrained(tmp_path)
    check_counts(tmp_path, 16, 13, monkeypatch)


def check_counts(name, height, width, monkeypatch):
    """The UNet moves what its layers read and write."""
    ours = probe(name, height, width)
    source = ours["source"]
    parts = {part: model_of(json.dumps(source), part) for part in ("unet", "vae", "text_encoder", "text_encoder_2") if part in source}
    moved = 0

    def count(*tensors):
        nonlocal moved
        moved += sum(tensor.numel() for tensor in tensors)

    attention = torch.nn.functional.scaled_dot_product_attention

    def counted_attention(query, key, value, *arguments, **more):
        result = attention(query, key, value, *arguments, **more)
        count(query, key, value, result)
        return result

    hooks = [layer.register_forward_hook(lambda _, inputs, output: count(inputs[0], output))
             for layer in parts["unet"].modules() if isinstance(layer, (torch.nn.Conv2d, torch.nn.Linear))]
    with torch.device("meta"), torch.no_grad():
        with monkeypatch.context() as patch:
            patch.setattr(torch.nn.functional, "scaled_dot_product_attention", counted_attention)
            macs = {"unet": count_macs(unet_call(parts.pop("unet"), source["unet"], height, width))}
        latents = torch.zeros(1, source["vae"]["latent_channels"], height, width)
        macs["vae"] = count_macs(lambda: parts.pop("vae").decode(latents))
        for part, text in parts.items():
            macs[part] = count_macs(lambda: text(torch.zeros(1, TOKENS, dtype=torch.int64)))
    for hook in hooks:
        hook.remove()
    assert ours["macs"] == macs
    assert ours["unet_moved"] == moved
