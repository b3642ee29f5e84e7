"""The nominal work that sdbench counts equals what torch counts in diffusers' own models.

SDBENCH_MODEL_CONFIG_PROBE names the program that tells our count (model_config_probe.cpp). The
models stand on the meta device: nothing is computed, so the full sizes cost nothing.
"""

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


@pytest.fixture(params=DISTILLED)
def distilled(request, tmp_path):
    """A folder of the configs of a distilled model."""
    make, changes = DISTILLED[request.param]
    make(torch.Generator(), **changes).save_pretrained(tmp_path)
    return tmp_path


def probe(model, height, width):
    command = [os.environ["SDBENCH_MODEL_CONFIG_PROBE"], model, str(height), str(width)]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def count_macs(call):
    with FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops() / 2


def unet_call(config, height, width, unet=None):
    unet = unet or UNet2DConditionModel.from_config(config)
    conditions = {}
    if config.get("addition_embed_type") == "text_time":
        pooled = (config["projection_class_embeddings_input_dim"]
                  - 6 * config["addition_time_embed_dim"])
        conditions = {"text_embeds": torch.zeros(1, pooled), "time_ids": torch.zeros(1, 6)}
    latents = torch.zeros(1, config["in_channels"], height, width)
    context = torch.zeros(1, TOKENS, config["cross_attention_dim"])
    guidance = config.get("time_cond_proj_dim") and torch.zeros(1, config["time_cond_proj_dim"])
    return lambda: unet(latents, torch.zeros(1), context, timestep_cond=guidance, added_cond_kwargs=conditions)


def vae_call(config, height, width):
    vae = AutoencoderKL.from_config(config)
    return lambda: vae.decode(torch.zeros(1, config["latent_channels"], height, width))


def text_call(config, model_class):
    model = model_class(CLIPTextConfig(**config))
    return lambda: model(torch.zeros(1, TOKENS, dtype=torch.int64))


@pytest.mark.parametrize("name, height, width", CASES)
def test_the_counted_work_is_torch_s(name, height, width):
    check_counted_work(name, height, width)


def test_the_counted_work_of_a_distilled_model_is_torch_s(distilled):
    check_counted_work(distilled, 16, 13)


def check_counted_work(name, height, width):
    ours = probe(name, height, width)
    source = ours["source"]
    with torch.device("meta"), torch.no_grad():
        calls = {
            "unet": unet_call(source["unet"], height, width),
            "vae": vae_call(source["vae"], height, width),
            "text_encoder": text_call(source["text_encoder"], CLIPTextModel),
        }
        if "text_encoder_2" in source:
            calls["text_encoder_2"] = text_call(source["text_encoder_2"],
                                                CLIPTextModelWithProjection)
        torch_macs = {part: count_macs(call) for part, call in calls.items()}
    assert ours["macs"] == torch_macs


@pytest.mark.parametrize("name, height, width", CASES)
def test_what_the_unet_moves_is_what_its_layers_read_and_write(name, height, width, monkeypatch):
    check_moved_elements(name, height, width, monkeypatch)


def test_what_a_distilled_unet_moves_is_what_its_layers_read_and_write(distilled, monkeypatch):
    check_moved_elements(distilled, 16, 13, monkeypatch)


def check_moved_elements(name, height, width, monkeypatch):
    moved = 0

    def count(*tensors):
        nonlocal moved
        moved += sum(tensor.numel() for tensor in tensors)

    attention = torch.nn.functional.scaled_dot_product_attention

    def counted_attention(query, key, value, *arguments, **more):
        result = attention(query, key, value, *arguments, **more)
        count(query, key, value, result)
        return result

    monkeypatch.setattr(torch.nn.functional, "scaled_dot_product_attention", counted_attention)
    ours = probe(name, height, width)
    with torch.device("meta"), torch.no_grad():
        unet = UNet2DConditionModel.from_config(ours["source"]["unet"])
        for layer in unet.modules():
            if isinstance(layer, (torch.nn.Conv2d, torch.nn.Linear)):
                layer.register_forward_hook(lambda _, inputs, output: count(inputs[0], output))
        unet_call(ours["source"]["unet"], height, width, unet)()
    assert ours["unet_moved"] == moved
