"""sdbench reads the CIFAR-10 that Python wrote, and a network can learn its synthetic images where a linear model cannot.

SDBENCH_DATASET_PROBE names the program that reads (dataset_probe.cpp).
"""

import io
import json
import os
import pickle
import subprocess

import numpy as np
import pytest
import torch
from torch import nn

BATCHES = [f"data_batch_{number}" for number in range(1, 6)] + ["test_batch"]


class Python2Pickler(pickle._Pickler):
    """Writes bytes as Python 2 wrote its str, so that the files are as in CIFAR-10's archive."""

    def save_old_text(self, text):
        length = bytes([len(text)]) if len(text) < 256 else len(text).to_bytes(4, "little")
        self.write((b"U" if len(text) < 256 else b"T") + length + text)
        self.memoize(text)

    dispatch = {**pickle._Pickler.dispatch, bytes: save_old_text}


def python2_pickle(batch):
    stream = io.BytesIO()
    Python2Pickler(stream, protocol=2).dump(batch)
    return stream.getvalue().replace(b"cnumpy._core.", b"cnumpy.core.")


def random_batches(rows, more=1):
    """`more`: how many rows each batch has more than the one before; 0 as the binary form must."""
    random = np.random.default_rng(7)
    counts = {name: rows + more * place for place, name in enumerate(BATCHES)}
    return {name: (random.integers(0, 10, count).tolist(), random.integers(0, 256, (count, 3072), dtype=np.uint8)) for name, count in counts.items()}


def pickled_batches(folder, batches, written):
    """`written`: a dict's bytes; "archive" is as Python 2 wrote them, a number a protocol of this Python."""
    folder.mkdir(parents=True)
    for name, (labels, data) in batches.items():
        if written == "archive":
            content = python2_pickle({b"batch_label": b"batch", b"labels": labels, b"data": data,
                                      b"filenames": [b"%d.png" % number for number in range(len(labels))]})
        else:
            content = pickle.dumps({"labels": labels, "data": data}, protocol=written)
        assert np.array_equal(pickle.loads(content, encoding="bytes")[b"data" if written == "archive" else "data"], data)
        (folder / name).write_bytes(content)


def binary_batches(folder, batches):
    folder.mkdir(parents=True)
    for name, (labels, data) in batches.items():
        rows = np.concatenate([np.array(labels, dtype=np.uint8)[:, None], data], axis=1)
        (folder / f"{name}.bin").write_bytes(rows.tobytes())


def read(data, folder):
    """What sdbench reads: (facts, pixels to train with, pixels to test with)."""
    folder.mkdir(exist_ok=True)
    done = subprocess.run([os.environ["SDBENCH_DATASET_PROBE"], str(data), str(folder)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    pixels = [np.fromfile(folder / part, dtype=np.uint8).reshape(-1, 3, 32, 32) for part in ("train", "test")]
    return json.loads(done.stdout), *pixels


@pytest.mark.parametrize("written", ["archive", 0, 1, 2, 3, 4, 5])
def test_pickles_of_every_protocol_are_read_as_python_reads_them(tmp_path, written):
    batches = random_batches(1 if written == 5 else 3)
    pickled_batches(tmp_path / "data" / "cifar-10-batches-py", batches, written)
    facts, train, test = read(tmp_path / "data", tmp_path / "read")
    assert np.array_equal(train.reshape(-1, 3072), np.concatenate([batches[name][1] for name in BATCHES[:5]]))
    assert np.array_equal(test.reshape(-1, 3072), batches["test_batch"][1])
    assert facts["train_labels"] == sum((batches[name][0] for name in BATCHES[:5]), [])
    assert facts["test_labels"] == batches["test_batch"][0]


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
@pytest.mark.parametrize("labels_of", [
    lambda labels: np.array(labels), lambda labels: np.array(labels, np.uint8)[:, None], lambda labels: np.array(labels, ">i2"),
    lambda labels: [np.int64(label) for label in labels], lambda labels: tuple(map(np.uint8, labels))])
def test_labels_are_a_list_a_tuple_or_an_array_of_whole_numbers_of_python_or_numpy(tmp_path, labels_of, protocol):
    batches = random_batches(2)
    pickled_batches(tmp_path / "data", {name: (labels_of(labels), data) for name, (labels, data) in batches.items()}, protocol)
    assert read(tmp_path / "data", tmp_path / "read")[0]["train_labels"] == sum((batches[name][0] for name in BATCHES[:5]), [])


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4, 5])
def test_arrays_by_columns_are_taken_and_values_that_no_batch_needs_passed_over(tmp_path, protocol):
    batches = random_batches(2)
    (tmp_path / "data").mkdir()
    for name, (labels, data) in batches.items():
        more = {"mean": 0.5, "seen": {1, 2}, "kinds": [frozenset([3]), -2**70, 2**70, 1e300, None, True, np.float32(0.5), np.array([0.5, 1.5])]}
        (tmp_path / "data" / name).write_bytes(pickle.dumps({**more, "labels": labels, "data": np.asfortranarray(data)}, protocol))
    facts, train, _ = read(tmp_path / "data", tmp_path / "read")
    assert np.array_equal(train.reshape(-1, 3072), np.concatenate([batches[name][1] for name in BATCHES[:5]]))
    assert facts["train_labels"] == sum((batches[name][0] for name in BATCHES[:5]), [])


def test_both_forms_of_thousands_of_images_are_the_same_data_with_numpys_mean_and_deviation(tmp_path):
    batches = random_batches(2_500, more=0)
    pickled_batches(tmp_path / "py", batches, "archive")
    binary_batches(tmp_path / "bin", batches)
    facts, train, _ = read(tmp_path / "py", tmp_path / "read")
    assert facts["name"] == "cifar10" and len(train) == 12_500
    assert facts["identity"] == read(tmp_path / "bin", tmp_path / "other")[0]["identity"]
    values = train / 255.0
    assert np.allclose(facts["mean"], values.mean(axis=(0, 2, 3)), rtol=1e-6)
    assert np.allclose(facts["std"], values.std(axis=(0, 2, 3)), rtol=1e-6)


def test_a_pickle_that_would_run_a_program_is_refused_and_runs_nothing(tmp_path):
    batches = random_batches(1)
    pickled_batches(tmp_path / "data", batches, "archive")

    class Program:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "it_ran"),)

    (tmp_path / "data" / "data_batch_3").write_bytes(pickle.dumps({"labels": Program()}, protocol=2))
    done = subprocess.run([os.environ["SDBENCH_DATASET_PROBE"], tmp_path / "data", tmp_path], capture_output=True, text=True)
    assert done.returncode == 1
    assert 'data_batch_3 must be the pickle of a batch of CIFAR-10, but asks for "posix.mkdir"' in done.stderr
    assert not (tmp_path / "it_ran").exists()


@pytest.fixture(scope="module")
def synthetic(tmp_path_factory):
    """(images, labels) to train with and to test with, normalised."""
    facts, *pixels = read("synthetic:2048", tmp_path_factory.mktemp("synthetic"))
    mean, std = (torch.tensor(facts[name]).view(1, 3, 1, 1) for name in ("mean", "std"))
    images = [(torch.from_numpy(part).float() / 255 - mean) / std for part in pixels]
    return list(zip(images, (torch.tensor(facts["train_labels"]), torch.tensor(facts["test_labels"]))))


def accuracies_after(network, synthetic, epochs, rate):
    """The accuracies on the images to train with and to test with, after so many epochs of SGD in batches of 32."""
    images, labels = synthetic[0]
    optimiser = torch.optim.SGD(network.parameters(), lr=rate, momentum=0.9)
    generator = torch.Generator().manual_seed(1)
    with torch.enable_grad():
        for rows in (rows for _ in range(epochs) for rows in torch.randperm(len(labels), generator=generator).split(32)):
            optimiser.zero_grad()
            nn.functional.cross_entropy(network(images[rows]), labels[rows]).backward()
            optimiser.step()
    network.eval()
    with torch.no_grad():
        return [(network(images).argmax(1) == labels).float().mean().item() for images, labels in synthetic]


def small_cnn():
    def block(channels, out):
        return [nn.Conv2d(channels, out, 3, padding=1, bias=False), nn.BatchNorm2d(out), nn.ReLU(), nn.AvgPool2d(2)]

    return nn.Sequential(*block(3, 16), *block(16, 32), *block(32, 64), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


def test_a_small_cnn_learns_the_synthetic_images_and_a_linear_model_does_not(synthetic):
    torch.manual_seed(0)
    _, tested = accuracies_after(small_cnn(), synthetic, 2, 0.05)
    assert tested > 0.9
    trained, tested = accuracies_after(nn.Sequential(nn.Flatten(), nn.Linear(3072, 10)), synthetic, 10, 0.001)
    assert trained > 0.8  # it has learnt the images by heart, and yet
    assert tested < 0.5
