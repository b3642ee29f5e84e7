"""Full-size structure: what our constructors ask for is what diffusers and transformers build.

Nothing is loaded: both sides stand on their meta device. SDBENCH_WEIGHTS_PROBE names the program
that lists ours (weights_probe.cpp).
"""

import json
import os
import pathlib
import subprocess

import pytest
import torch
from diffusers import AutoencoderKL, UNet2DConditionModel
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

MODELS = pathlib.Path(__file__).parents[2] / "configs" / "models"

# Parameters of the published checkpoints, exactly.
TOTALS = {
    ("sd15", "unet"): 859_520_964,
    ("sd15", "vae"): 83_653_863,
    ("sd15", "text_encoder"): 123_060_480,
    ("sd21", "unet"): 865_910_724,
    ("sd21", "vae"): 83_653_863,
    ("sd21", "text_encoder"): 340_387_840,
    ("sd-turbo", "unet"): 865_910_724,
    ("sd-turbo", "text_encoder"): 340_387_840,
    ("sdxl", "unet"): 2_567_463_684,
    ("sdxl", "vae"): 83_653_863,
    ("sdxl", "text_encoder"): 123_060_480,
    ("sdxl", "text_encoder_2"): 694_659_840,
    ("sdxl-turbo", "unet"): 2_567_463_684,
}
DECODER_TOTAL = 49_490_199


def asked_for(model):
    probe = os.environ["SDBENCH_WEIGHTS_PROBE"]
    done = subprocess.run([probe, "list", model], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return {component: {name: tuple(shape) for name, shape in tensors.items()}
            for component, tensors in json.loads(done.stdout).items()}


def text_model(config):
    kind = {"CLIPTextModel": CLIPTextModel,
            "CLIPTextModelWithProjection": CLIPTextModelWithProjection}[config["architectures"][0]]
    return kind(CLIPTextConfig(**config))


BUILDERS = {
    "unet": UNet2DConditionModel.from_config,
    "vae": AutoencoderKL.from_config,
    "text_encoder": text_model,
    "text_encoder_2": text_model,
}


def built(component, config):
    with torch.device("meta"):
        model = BUILDERS[component](config)
    tensors = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()}
    if isinstance(model, CLIPTextModel) and "text_model.final_layer_norm.bias" not in tensors:
        # transformers >= 5.6 leaves out the prefix that every published checkpoint has.
        tensors = {"text_model." + name: shape for name, shape in tensors.items()}
    return tensors


def count(tensors):
    return sum(torch.Size(shape).numel() for shape in tensors.values())


@pytest.mark.parametrize("model", sorted(path.stem for path in MODELS.glob("*.json") if "unet" in json.loads(path.read_text())))
def test_names_and_shapes_are_those_of_diffusers(model):
    configs = json.loads((MODELS / f"{model}.json").read_text())
    ours = asked_for(model)
    assert set(ours) == {component for component in BUILDERS if component in configs}
    for component, tensors in ours.items():
        assert tensors == built(component, configs[component]), (model, component)


def test_parameter_totals_are_those_of_the_published_checkpoints():
    ours = {model: asked_for(model) for model in {model for model, _ in TOTALS}}
    assert {key: count(ours[key[0]][key[1]]) for key in TOTALS} == TOTALS
    decoder = {name: shape for name, shape in ours["sd15"]["vae"].items()
               if name.startswith(("decoder.", "post_quant_conv."))}
    assert count(decoder) == DECODER_TOTAL
