"""Our networks against torchvision's: logits in both modes, gradients, steps of SGD, parameters and nominal work.

SDBENCH_NETWORKS_PROBE runs ours (networks_probe.cpp), SDBENCH_BROKEN_NETWORKS_PROBE those with a backward pass that is wrong
on purpose. SDBENCH_WEIGHTS_PROBE writes the synthetic weights and SDBENCH_MODEL_CONFIG_PROBE tells our counts.
"""

import functools
import json
import os
import shutil
import subprocess

import networks
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch.utils.flop_counter import FlopCounterMode

LOGITS, GRADIENTS, STEPS = 1e-5, 1e-4, 1e-3  # the bounds of issue 28
PARAMETERS = {"vgg16": 138_357_544, "resnet152": 60_192_808, "densenet161": 28_681_000, "cnn10": 1_923_914, "wrn28-10": 36_479_194}


def program(name, *arguments):
    return subprocess.run([os.environ[f"SDBENCH_{name}_PROBE"], *map(str, arguments)], capture_output=True, text=True, timeout=300)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """exported("tiny-vgg"): its folder, the same for all tests."""
    @functools.cache
    def folder(name):
        done = program("WEIGHTS", "export", name, 0, "fp32", made := tmp_path_factory.mktemp(name) / "model")
        assert done.returncode == 0, done.stderr
        return made

    return folder


def ours(folder, images, labels=None, probe="NETWORKS", **request):
    request = {"mode": "train", "seed": 7, "steps": 0, **request}
    place = folder.parent
    save_file({"images": images, "labels": torch.zeros(1, dtype=torch.int64) if labels is None else labels}, place / "in.safetensors",
              metadata={"request": json.dumps(request)})
    done = program(probe, folder, place / "in.safetensors", place / "out.safetensors")
    assert done.returncode == 0, done.stderr
    result = load_file(place / "out.safetensors")
    (place / "out.safetensors").unlink()  # of a large network half a gigabyte
    return result


def batch(name, count):
    config = networks.config_of(name)
    generator = torch.Generator().manual_seed(3)
    side = config["image_size"]
    return (torch.randn(count, config["input_channels"], side, side, generator=generator),
            torch.randint(config["classes"], (count,), generator=generator))


def error(a, b):
    return float((a - b).abs().max() / b.abs().max())


def distance(a, b):
    return float((a - b).norm() / b.norm())


def one_step(model, images, labels):
    """Logits and loss in training; the gradients stay at the parameters."""
    torch.manual_seed(7)
    with torch.enable_grad():
        logits = model.train()(images)
        loss = torch.nn.functional.cross_entropy(logits, labels)
        loss.backward()
    model.eval()
    return logits.detach(), loss.detach()


@pytest.mark.parametrize("name", networks.shipped())
def test_a_network_s_logits_and_gradients_are_torchvision_s(name, exported):
    folder = exported(name)
    model = networks.load(name, folder / "model.safetensors")
    images, labels = batch(name, {**dict.fromkeys(PARAMETERS, 2), "vgg16": 1, "cnn10": 4}.get(name, 4))  # vgg16 has no statistics of a batch, and the most work
    result = ours(folder, images[:1], mode="infer")  # all of them: after the step
    assert torch.equal(result["synthetic"], networks.synthetic_images(networks.config_of(name), 2))
    assert error(result["logits"], model(images[:1])) <= LOGITS

    result = ours(folder, images, labels)
    logits, loss = one_step(model, images, labels)
    assert error(result["logits"], logits) <= LOGITS
    assert abs(result["loss"] - loss) <= LOGITS * abs(loss)
    misses = {parameter: distance(result[f"gradient.{parameter}"], tensor.grad) for parameter, tensor in model.named_parameters()}
    assert max(misses.values()) <= GRADIENTS, misses
    assert len(misses) == sum(key.startswith("gradient.") for key in result)
    assert error(result["logits_after"], model(images)) <= LOGITS  # the running statistics moved alike
    if name in PARAMETERS:
        assert sum(tensor.numel() for tensor in model.parameters()) == PARAMETERS[name]
    if name in networks.PUBLISHED:  # half a gigabyte
        shutil.rmtree(folder)


@pytest.mark.parametrize("name", networks.PUBLISHED)
def test_what_the_engine_pytorch_builds_of_a_document_is_torchvision_s_network(name):
    with torch.device("meta"):
        built, published = networks.of_documents.build(networks.config_of(name)), networks.PUBLISHED[name]()
    assert str(built) == str(published)
    assert {key: tensor.shape for key, tensor in built.state_dict().items()} == {key: tensor.shape for key, tensor in published.state_dict().items()}


def test_dropout_in_training_is_there_and_by_the_seed(exported):
    folder = exported("tiny-vgg")
    images, labels = batch("tiny-vgg", 4)
    first, same, other = (ours(folder, images, labels, seed=seed)["logits"] for seed in (7, 7, 8))
    assert torch.equal(first, same) and not torch.equal(first, other)


def test_a_backward_pass_that_is_wrong_is_caught_by_the_gradients_alone(exported):
    """Its batch norm takes the batch's mean and variance for constants."""
    folder = exported("tiny-resnet")
    model = networks.load("tiny-resnet", folder / "model.safetensors")
    images, labels = batch("tiny-resnet", 4)
    result = ours(folder, images, labels, probe="BROKEN_NETWORKS")
    logits, _ = one_step(model, images, labels)
    assert error(result["logits"], logits) <= LOGITS
    assert max(distance(result[f"gradient.{name}"], tensor.grad) for name, tensor in model.named_parameters()) > 100 * GRADIENTS


@pytest.mark.parametrize("name, size", [("cnn10", 4), ("tiny-wrn", 8)])
def test_twenty_steps_of_sgd_are_torch_s(name, size, exported):
    steps, rate, momentum = 20, 0.02, 0.9
    folder = exported(name)
    model = networks.load(name, folder / "model.safetensors")
    images, labels = batch(name, steps * size)
    result = ours(folder, images, labels, steps=steps, batch=size, learning_rate=rate, momentum=momentum)
    before = {parameter: tensor.detach().clone() for parameter, tensor in model.named_parameters()}
    optimizer, losses = torch.optim.SGD(model.parameters(), rate, momentum), []
    with torch.enable_grad():
        model.train()
        for step in range(steps):
            part = slice(step * size, (step + 1) * size)
            optimizer.zero_grad(set_to_none=True)
            losses.append(torch.nn.functional.cross_entropy(model(images[part]), labels[part]))
            losses[-1].backward()
            optimizer.step()
    losses = torch.stack(losses).detach()
    assert ((result["losses"] - losses).abs() <= STEPS * losses.abs()).all()
    for parameter, tensor in model.named_parameters():
        assert distance(result[f"parameter.{parameter}"], tensor.detach()) <= STEPS, parameter
        assert not torch.equal(tensor, before[parameter]), parameter
    assert error(result["logits_after"], model.eval()(images[part])) <= STEPS


def test_a_checkpoint_as_torchvision_saves_it_loads_with_its_number_of_batches(exported, tmp_path):
    folder = shutil.copytree(exported("tiny-resnet"), tmp_path / "model")
    model = networks.load("tiny-resnet", folder / "model.safetensors")
    for key, buffer in model.named_buffers():
        if key.endswith("num_batches_tracked"):
            buffer.zero_()
    save_file(model.state_dict(), folder / "model.safetensors")
    images, _ = batch("tiny-resnet", 2)
    assert error(ours(folder, images, mode="infer")["logits"], model(images)) <= LOGITS


@pytest.mark.parametrize("change, said", [
    (lambda tensors: tensors.pop("fc.bias"), "1 missing: fc.bias"),
    (lambda tensors: tensors.update(extra=torch.zeros(1)), '1 unexpected: "extra"'),
    (lambda tensors: tensors.update({"fc.bias": torch.zeros(3)}), "fc.bias must be [10], but is [3]"),
])
def test_weights_of_another_network_are_one_error_that_names_the_tensor(exported, tmp_path, change, said):
    folder = shutil.copytree(exported("tiny-resnet"), tmp_path / "model")
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")
    images, _ = batch("tiny-resnet", 1)
    save_file({"images": images}, tmp_path / "in.safetensors", metadata={"request": json.dumps({"mode": "infer"})})
    done = program("NETWORKS", folder, tmp_path / "in.safetensors", tmp_path / "out.safetensors")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "tensors of network" in done.stderr and said in done.stderr


@pytest.mark.parametrize("name", networks.shipped())
def test_the_nominal_work_and_the_parameters_are_torch_s(name):
    counts = json.loads(program("MODEL_CONFIG", name).stdout)
    config = networks.config_of(name)
    with torch.device("meta"):
        model = networks.build(name)
        with FlopCounterMode(display=False) as counter:
            model(torch.empty(1, config["input_channels"], config["image_size"], config["image_size"]))
    assert 2 * counts["macs"]["network"] == counter.get_total_flops()
    assert counts["parameters"] == sum(tensor.numel() for tensor in model.parameters())
    listed = json.loads(program("WEIGHTS", "list", name).stdout)["network"]
    assert {key: tuple(shape) for key, shape in listed.items()} == {
        key: tuple(tensor.shape) for key, tensor in model.state_dict().items() if not key.endswith("num_batches_tracked")}
