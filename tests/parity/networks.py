"""The oracle of our networks: torchvision's own where it has them, else those that engines/ builds of our architecture documents.

scripts/make_golden.py takes its networks from here, too.
"""

import json
import pathlib
import sys

import torch
import torchvision
from safetensors.torch import load_file

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "engines"))

from shared import networks as of_documents  # noqa: E402
from shared.synthetic import synthetic_images  # noqa: E402, F401, for the tests

MODELS = ROOT / "configs/models"
PUBLISHED = {"vgg16": torchvision.models.vgg16, "resnet152": torchvision.models.resnet152, "densenet161": torchvision.models.densenet161}


def config_of(name):
    return json.loads((MODELS / f"{name}.json").read_text())["network"]


def shipped():
    return sorted(path.stem for path in MODELS.glob("*.json") if "network" in json.loads(path.read_text()))


def build(name):
    """The network of configs/models/NAME.json in inference, on torch's present device."""
    return (PUBLISHED[name]() if name in PUBLISHED else of_documents.build(config_of(name))).eval()


def load(name, file):
    """The same with the weights of a safetensors file that holds all but the number of batches."""
    with torch.device("meta"):
        model = build(name)
    model.to_empty(device="cpu")
    missing, unexpected = model.load_state_dict(load_file(file), strict=False)
    assert not unexpected and all(key.endswith("num_batches_tracked") for key in missing), (missing, unexpected)
    return model
