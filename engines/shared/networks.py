"""torch's networks for our architecture documents (configs/models): torchvision's own classes, and plain ones for those that torchvision lacks.

Their weights have the same names as sdbench's. The tests compare sdbench's own networks with these.
"""
import torchvision
from torch import nn
from torch.nn import functional


class Cnn(nn.Module):
    """Stages of 3x3 convolutions, each with batch norm and ReLU; means of 2x2 pixels between stages, and of all pixels at the end."""

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
    """torchvision's VGG, with other widths of linear layers if the document says so."""
    layers = [layer for width, count in zip(config["channels"], config["layers"]) for layer in [width] * count + ["M"]]
    model = torchvision.models.VGG(torchvision.models.vgg.make_layers(layers), config["classes"], init_weights=False)
    model.avgpool = nn.AdaptiveAvgPool2d((config["pooled_size"], config["pooled_size"]))
    hidden, rate = config["hidden"], config["dropout"]
    model.classifier = nn.Sequential(
        nn.Linear(config["channels"][-1] * config["pooled_size"]**2, hidden), nn.ReLU(True), nn.Dropout(rate),
        nn.Linear(hidden, hidden), nn.ReLU(True), nn.Dropout(rate), nn.Linear(hidden, config["classes"]))
    return model


def resnet(config):
    """torchvision's ResNet, with other widths or without some stages if the document says so."""
    block, stem = torchvision.models.resnet.Bottleneck, config["stem_channels"]
    if config["expansion"] != block.expansion:
        raise ValueError(f"a resnet's expansion must be {block.expansion}, torchvision's, but is {config['expansion']}")
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


def build(config):
    """The network of a document's "network", on torch's current device, with random weights."""
    return KINDS[config["kind"]](config)
