"""Training over a data set in the workers of other engines, on a CPU. tests/cli/test_network_engines.py holds it to sdbench's own."""
import json
import pathlib
import threading

import forked
import numpy
import pytest
import torch
from front import Worker
from safetensors.numpy import save_file as save_arrays
from safetensors.torch import load_file, save_file
from shared import networks
from shared.epoch_order import EpochOrder, even_part, random_below, shuffled_order
from shared.prefetched import Prefetched
from shared.synthetic import LANES, philox
from torch.nn import functional

forked.CONTEXT.set_forkserver_preload(["preloaded", "torch._dynamo"])  # several workers of this entry compile
PATCHED = pathlib.Path(__file__).parent / "patched.py"
PRETENDED_GPU = pathlib.Path(__file__).parent / "pretended_gpu.py"
TRAIN, TEST = 21, 10  # images


def random_images(count, seed):
    random = numpy.random.default_rng(seed)
    return random.integers(0, 256, (count, 3, 32, 32), numpy.uint8), random.integers(0, 10, count, numpy.uint8)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A file as sdbench writes it, and its tensors."""
    (images, labels), (test_images, test_labels) = random_images(TRAIN, 1), random_images(TEST, 2)
    shares = images / 255.0
    tensors = {"train_images": images, "train_labels": labels, "test_images": test_images, "test_labels": test_labels,
               "mean": shares.mean((0, 2, 3)).astype(numpy.float32), "std": shares.std((0, 2, 3)).astype(numpy.float32)}
    file = tmp_path_factory.mktemp("data") / "data.safetensors"
    save_arrays(tensors, file, {"identity": "noise:0123456789abcdef"})
    return file, tensors


@pytest.fixture
def training(network, data):
    """training(**more): a cell of epochs, in batches of 8, 8 and 5."""
    def cell(name="tiny-wrn", **more):
        where = {"kind": "synthetic", "path": str(data[0]), "count": TRAIN, "fallback": False, "description": "noise"}
        epochs = more.get("epochs", 2)
        return network(name, **{"task": "train", "update": True, "epochs": epochs, "data": where, "data_on_device": False, "batch": 8, "images": TRAIN,
                                "repeat": max(epochs - 1, 1), "warmup": 0, **more})
    return cell


def plainly_trained(cell, tensors):
    """(losses, accuracy) of the same work by PyTorch's own means."""
    model = networks.build(json.loads(cell["model"]["source"])["network"])
    model.load_state_dict(load_file(cell["weights"]["path"]))
    mean, std = (torch.from_numpy(tensors[name]).view(3, 1, 1) for name in ("mean", "std"))
    images, tested = ((torch.from_numpy(tensors[f"{split}_images"]).float() / 255 - mean) / std for split in ("train", "test"))
    labels, answers = (torch.from_numpy(tensors[f"{split}_labels"]).long() for split in ("train", "test"))
    epochs, rate, losses = cell["epochs"], 0.1 * cell["batch"] / 128, []
    optimizer = torch.optim.SGD(model.parameters(), rate, 0.9)
    schedule = torch.optim.lr_scheduler.MultiStepLR(optimizer, [-(-epochs // 2), -(-4 * epochs // 5)])
    with torch.enable_grad():
        for epoch in range(epochs):
            for rows in torch.from_numpy(shuffled_order(len(labels), cell["seed"], epoch)).split(cell["batch"]):
                optimizer.zero_grad()
                loss = functional.cross_entropy(model(images[rows]), labels[rows])
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            schedule.step()
    with torch.no_grad():
        return losses, (model.eval()(tested).argmax(1) == answers).float().mean().item()


@pytest.mark.parametrize("epochs, on_device", [(1, False), (2, True), (10, False)])
def test_epochs_are_those_of_plain_torch_with_their_order_and_their_schedule(workers, training, data, epochs, on_device):
    cell = training(epochs=epochs, data_on_device=on_device)
    result = workers("pytorch").row(cell)
    losses, accuracy = plainly_trained(cell, data[1])
    assert result["loss_first"] == pytest.approx(losses[0], rel=1e-5) and result["loss_last"] == pytest.approx(losses[-1], rel=1e-3)
    assert result["accuracy"] == pytest.approx(accuracy) and result["test_s"] > 0 and result["data_identity"] == "noise:0123456789abcdef"
    samples = result["samples"] if epochs == 1 else [result["first_image"], *result["samples"]]  # a single one is timed itself
    assert len(samples) == epochs and ("first_image" in result) == (epochs > 1)
    for sample in samples:
        assert [part["name"] for part in sample["parts"]] == ["input", "forward", "backward", "update"] and len(sample["step_s"]) == 3
        assert sum(part["seconds"] for part in sample["parts"]) == pytest.approx(sum(sample["step_s"])) and sum(sample["step_s"]) <= sample["e2e_s"]


def test_a_single_epoch_is_the_timed_run_so_that_peaks_and_sensors_are_its_own(training):
    with Worker("pytorch") as worker:
        result = worker.row(training(epochs=1))
        assert worker.stages() == ["load", "warmup", "measure", "test"]
    assert result["stop_reason"] == "repeat" and result["warmup"] == 0


@pytest.mark.parametrize("dtype", ["fp32", "bf16"])
def test_images_on_host_and_device_give_the_same_bits(workers, training, dtype):
    here, there = (workers("pytorch").row(training(data_on_device=place, dtype={"dtype": dtype, "autocast": False})) for place in (False, True))
    assert (here["loss_last"], here["accuracy"]) == (there["loss_last"], there["accuracy"])


def test_what_is_compiled_has_each_of_its_batches_and_the_same_losses(workers, training):
    with Worker("pytorch-compile", PATCHED) as worker:
        result = worker.row(training())
        assert result["prepared"] == "new" and worker.stages() == ["load", "prepare", "first_image", "warmup", "measure", "test"]
        assert worker.row(training())["prepared"] == "kept"
        assert worker.row(training(images=TRAIN - 1))["prepared"] == "new"
    eager = workers("pytorch").row(training())
    assert result["loss_last"] == pytest.approx(eager["loss_last"], rel=1e-3) and result["accuracy"] == eager["accuracy"]


def test_a_gpu_has_the_moments_of_an_epoch_s_parts(training):
    with Worker("pytorch", PRETENDED_GPU) as worker:
        result = worker.row(training(device="cuda:0"))
    assert [part["name"] for part in result["first_image"]["parts"]] == ["input", "forward", "backward", "update"]
    assert result["accuracy"] >= 0


def test_an_epoch_that_time_ends_has_its_steps_and_no_accuracy(workers, training):
    result = workers("pytorch").row(training(epochs=2000, max_time_s=1.5))
    assert result["stop_reason"] == "max_time" and len(result["samples"]) < 1999 and "accuracy" not in result and "test_s" not in result


@pytest.mark.parametrize("epochs", [1, 2])
def test_a_loss_that_is_not_finite_is_told_with_its_iteration(workers, training, tmp_path, epochs):
    """The first loss is huge and finite; its gradients make the next one overflow."""
    cell = training("tiny-resnet", epochs=epochs)
    tensors = load_file(cell["weights"]["path"])
    save_file({**tensors, "fc.weight": 1e30 * tensors["fc.weight"]}, tmp_path / "huge.safetensors")
    outcome = workers("pytorch").run({**cell, "weights": {**cell["weights"], "path": str(tmp_path / "huge.safetensors")}})
    assert outcome["status"] == "invalid_output", outcome
    assert "the loss must be finite, but is NaN or infinite from iteration 2 of epoch 1 on" in outcome["message"], outcome


def test_a_stop_in_the_middle_of_an_epoch_leaves_its_steps(training):
    with Worker("pytorch") as worker:
        worker.send("run", cell=training(epochs=100_000))
        worker.wait_for("sample", first_image=False)
        worker.stop()
        outcome = worker.wait_for("outcome")["outcome"]
        assert (outcome["status"], outcome["stage"]) == ("interrupted", "measure") and outcome["result"]["samples"]
        assert worker.process.wait(10) == 0


def test_an_order_is_sdbench_s_own():
    assert shuffled_order(10, 0, 0).tolist() == [9, 7, 1, 4, 2, 6, 5, 0, 8, 3]  # of tests/unit/base/dataset/test_shuffled_order.cpp


def one_by_one(bounds, key, stream):
    """random_below() as src/base/dataset/random_words.cpp has it, and how many words were passed over."""
    blocks = numpy.stack(philox(key, stream, numpy.arange(-(-len(bounds) // 64) * LANES, dtype=numpy.uint64))).reshape(4, -1, LANES)
    words = iter(blocks.transpose(1, 0, 2).reshape(-1).tolist())
    numbers, passed = [], 0
    for bound in bounds:
        while (product := next(words) * bound) % 2**32 < 2**32 % bound:
            passed += 1
        numbers.append(product >> 32)
    return numbers, passed


def test_words_that_would_make_numbers_likelier_are_passed_over():
    bounds = [3_000_000_000, 7, 2_147_483_649, 50_000] * 8
    numbers, passed = one_by_one(bounds, 5, 6)
    assert passed > 3 and random_below(numpy.array(bounds, numpy.uint64), 5, 6).tolist() == numbers


def test_each_part_of_a_batch_has_its_neighbours_also_of_the_last_batch():
    parts = [EpochOrder(7, 5, seed=3, is_shuffled=True, part=(number, 2)) for number in (0, 1)]
    taken = []
    for _ in range(4):
        for order in parts:
            order.advance()
            taken += order.all[order.own()].tolist()
    assert taken == [*shuffled_order(7, 3, 0), *shuffled_order(7, 3, 1)]
    assert [even_part(5, number, 2) for number in (0, 1)] == [(0, 3), (3, 2)]


def test_a_thread_makes_one_value_ahead_and_tells_what_it_met():
    asked, made = threading.Semaphore(0), []

    def make():
        made.append(len(made))
        asked.release()
        if len(made) > 2:
            raise ValueError("no third")
        return made[-1]

    ahead = Prefetched(make)
    assert asked.acquire(timeout=5) and not asked.acquire(timeout=0.1), "a second value is made before the first is taken"
    assert ahead.next() == 0 and asked.acquire(timeout=5) and ahead.next() == 1
    with pytest.raises(ValueError, match="no third"):
        ahead.next()
    ahead.end()
