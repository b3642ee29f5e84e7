"""torch's networks of our architecture documents: torchvision's own classes, and plain ones of what torchvision has not.

scripts/make_golden.py takes its networks from here, too.
"""

import json
import pathlib

import numpy
import torch
import torchvision
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional

MODELS = pathlib.Path(__file__).parents[2] / "configs/models"
PUBLISHED = {"vgg16": torchvision.models.vgg16, "resnet152": torchvision.models.resnet152, "densenet161": torchvision.models.densenet161}


class Cnn(nn.Module):
    """Stages of 3x3 convolutions, each with batch norm and ReLU; means of 2x2 pixels between them, of all at the end."""

    def __init__(self, config):
        super().__init__()
        channels, self.stages = config["input_channels"], nn.ModuleList()
        for width, count in zip(config["channels"], config["layers"]):
            stage = nn.ModuleList()
            for _ in range(count):
                stage.append(nn.ModuleDict({"conv": nn.Conv2d(channels, width, 3, padding=1, bias=False), "bn": nn.BatchNorm2d(width)}))
                channels = width
            self.stages.append(stage)
        self.fc = nn.Linear(channels, config["classes"])

    def forward(self, x):
        for index, stage in enumerate(self.stages):
            x = functional.avg_pool2d(x, 2) if index else x
            for layer in stage:
                x = functional.relu(layer["bn"](layer["conv"](x)))
        return self.fc(x.mean((2, 3)))


class PreactivationBlock(nn.Module):
    def __init__(self, channels, width, stride):
        super().__init__()
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv1 = nn.Conv2d(channels, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, padding=1, bias=False)
        if channels != width:
            self.shortcut = nn.Conv2d(channels, width, 1, stride, bias=False)

    def forward(self, x):
        active = functional.relu(self.bn1(x))
        branch = self.conv2(functional.relu(self.bn2(self.conv1(active))))
        return branch + (self.shortcut(active) if hasattr(self, "shortcut") else x)


class WideResnet(nn.Module):
    def __init__(self, config):
        super().__init__()
        channels = config["stem_channels"]
        self.conv1 = nn.Conv2d(config["input_channels"], channels, 3, padding=1, bias=False)
        self.groups = []
        for index, count in enumerate(config["layers"]):
            width = config["stem_channels"] * config["widen_factor"] * 2**index
            blocks = []
            for block in range(count):
                blocks.append(PreactivationBlock(channels, width, 2 if index and not block else 1))
                channels = width
            self.groups.append(nn.Sequential(*blocks))
            self.add_module(f"group{index + 1}", self.groups[-1])
        self.bn = nn.BatchNorm2d(channels)
        self.fc = nn.Linear(channels, config["classes"])

    def forward(self, x):
        x = self.conv1(x)
        for group in self.groups:
            x = group(x)
        return self.fc(functional.relu(self.bn(x)).mean((2, 3)))


def vgg(config):
    """torchvision's, with linear layers of other widths where the document says so."""
    layers = [layer for width, count in zip(config["channels"], config["layers"]) for layer in [width] * count + ["M"]]
    model = torchvision.models.VGG(torchvision.models.vgg.make_layers(layers), config["classes"], init_weights=False)
    model.avgpool = nn.AdaptiveAvgPool2d(config["pooled_size"])
    hidden, rate = config["hidden"], config["dropout"]
    model.classifier = nn.Sequential(
        nn.Linear(config["channels"][-1] * config["pooled_size"]**2, hidden), nn.ReLU(True), nn.Dropout(rate),
        nn.Linear(hidden, hidden), nn.ReLU(True), nn.Dropout(rate), nn.Linear(hidden, config["classes"]))
    return model


def resnet(config):
    """torchvision's, with stages of other widths, or none, where the document says so."""
    block, stem = torchvision.models.resnet.Bottleneck, config["stem_channels"]
    assert config["expansion"] == block.expansion
    model = torchvision.models.ResNet(block, [1, 1, 1, 1])
    model.conv1, model.bn1 = nn.Conv2d(config["input_channels"], stem, 7, 2, 3, bias=False), nn.BatchNorm2d(stem)
    model.inplanes = stem
    for index in range(4):
        stage = nn.Identity()
        if index < len(config["layers"]):
            stage = model._make_layer(block, stem * 2**index, config["layers"][index], 2 if index else 1)
        setattr(model, f"layer{index + 1}", stage)
    model.fc = nn.Linear(model.inplanes, config["classes"])
    return model


def densenet(config):
    return torchvision.models.DenseNet(config["growth_rate"], config["layers"], config["stem_channels"], config["bottleneck"],
                                       num_classes=config["classes"])


KINDS = {"vgg": vgg, "resnet": resnet, "densenet": densenet, "cnn": Cnn, "wide_resnet": WideResnet}


def config_of(name):
    return json.loads((MODELS / f"{name}.json").read_text())["network"]


def shipped():
    return sorted(path.stem for path in MODELS.glob("*.json") if "network" in json.loads(path.read_text()))


def build(name):
    """The network of configs/models/NAME.json in inference, on torch's present device."""
    return (PUBLISHED[name]() if name in PUBLISHED else KINDS[config_of(name)["kind"]](config_of(name))).eval()


def load(name, file):
    """The same with the weights of a safetensors file that holds all but the number of batches."""
    with torch.device("meta"):
        model = build(name)
    model.to_empty(device="cpu")
    missing, unexpected = model.load_state_dict(load_file(file), strict=False)
    assert not unexpected and all(key.endswith("num_batches_tracked") for key in missing), (missing, unexpected)
    return model


def philox(key, counters):
    """Philox4x32-10 with the stream 0: four words for each counter (Salmon et al., SC 2011)."""
    low = numpy.uint64(0xFFFFFFFF)
    words = [counters & low, counters >> numpy.uint64(32), numpy.zeros_like(counters), numpy.zeros_like(counters)]
    keys = [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        first, second = words[0] * numpy.uint64(0xD2511F53), words[2] * numpy.uint64(0xCD9E8D57)
        words = [(second >> numpy.uint64(32)) ^ words[1] ^ numpy.uint64(keys[0]), second & low,
                 (first >> numpy.uint64(32)) ^ words[3] ^ numpy.uint64(keys[1]), first & low]
        keys = [(keys[0] + 0x9E3779B9) & 0xFFFFFFFF, (keys[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return words


def synthetic_images(config, count):
    """What include/sdbench/base/weights/synthetic.h says of network/images, seed 0, in fp32."""
    key = 0xCBF29CE484222325
    for byte in b"network/images":
        key = ((key ^ byte) * 0x100000001B3) % 2**64
    shape = (count, config["input_channels"], config["image_size"], config["image_size"])
    chunks = -(-numpy.prod(shape) // 256)
    words = numpy.stack(philox(key, numpy.arange(32 * chunks, dtype=numpy.uint64)))  # [4, blocks]
    halves = numpy.stack([words & numpy.uint64(0xFFFF), words >> numpy.uint64(16)], 1).reshape(8, chunks, 32).transpose(1, 0, 2)
    values = (2 * halves.astype(numpy.int64) - 65535).astype(numpy.float32) * numpy.float32(1 / 37837.2)
    return torch.from_numpy(values.reshape(-1)[:numpy.prod(shape)].reshape(shape).copy())
