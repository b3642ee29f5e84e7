"""What a network's cell cannot do: weights that explode, data that are not CIFAR-10, batches that cannot be. Each is one row, or a word."""

import csv
import json
import os
import pickle

import pytest
from program import environment, run
from safetensors.numpy import load_file, save_file

TRAIN = ("-m", "tiny-resnet", "--task", "train", "--device", "cpu", "--threads", 1, "--dtype", "fp32", "--repeat", 1, "--warmup", 0, "-o", "x.csv")
BATCHES = [f"data_batch_{number}" for number in range(1, 6)] + ["test_batch"]


def rows_of(folder):
    with open(folder / "x.csv") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exported")
    code, _, err = run(folder, "export-weights", "-m", "tiny-resnet", "-o", "model")
    assert code == 0, err
    return folder / "model" / "model.safetensors"


def with_tensor(exported, folder, name, change):
    tensors = load_file(exported)
    tensors[name] = change(tensors[name])
    save_file(tensors, folder / "changed.safetensors")
    return folder / "changed.safetensors"


def test_a_loss_that_becomes_nan_is_invalid_output_with_its_iteration(exported, tmp_path):
    """The first loss is huge and finite; its gradients make the next one overflow."""
    weights = with_tensor(exported, tmp_path, "fc.weight", lambda tensor: 1e30 * tensor)
    code, _, err = run(tmp_path, *TRAIN, "--weights", weights, "--update", "on", "-b", 8, "--iterations", 4)
    row = rows_of(tmp_path)[0]
    assert (code, row["status"], row["output_check"]) == (1, "invalid_output", "non_finite"), err
    assert "the loss must be finite, but is NaN or infinite from iteration 2 of a run on; look at the weights, or take --update off" in row["error"]


@pytest.mark.parametrize("epochs", [1, 3])
def test_a_loss_that_becomes_nan_in_an_epoch_is_told_with_the_epoch(exported, tmp_path, epochs):
    weights = with_tensor(exported, tmp_path, "fc.weight", lambda tensor: 1e30 * tensor)
    code, _, err = run(tmp_path, *TRAIN[:10], "-o", "x.csv", "--weights", weights, "-b", 8, "--epochs", epochs, "--data", "synthetic:40")
    row = rows_of(tmp_path)[0]
    assert (code, row["status"], row["output_check"], row["accuracy"]) == (1, "invalid_output", "non_finite", ""), err
    assert "the loss must be finite, but is NaN or infinite from iteration 2 of epoch 1 on" in row["error"]


def test_weights_of_another_network_that_the_environment_led_to_name_the_variable(exported, tmp_path):
    for environ, more, ends in (({"SDBENCH_WEIGHTS": str(exported)}, (), "; SDBENCH_WEIGHTS leads there"), ({}, ("--weights", exported), "")):
        (tmp_path / "x.csv").unlink(missing_ok=True)
        code, _, err = run(tmp_path, "-m", "tiny-vgg", *TRAIN[2:], "-b", 2, "--iterations", 1, *more, env=environment(**environ))
        error = rows_of(tmp_path)[0]["error"]
        assert code == 1 and f"({exported}) must be those of the architecture" in error, err
        assert ("SDBENCH_WEIGHTS" in error) == bool(ends) and error.endswith(ends)


def test_answers_that_are_not_finite_are_invalid_output(exported, tmp_path):
    weights = with_tensor(exported, tmp_path, "fc.bias", lambda tensor: tensor + float("nan"))
    code, _, err = run(tmp_path, *TRAIN[:2], "--task", "infer", *TRAIN[4:], "--weights", weights, "-b", 2, "--iterations", 1)
    row = rows_of(tmp_path)[0]
    assert (code, row["status"], row["output_check"]) == (1, "invalid_output", "non_finite"), err
    assert "the network's answers must be finite" in row["error"]


def binary(folder, labels=(0, 1)):
    folder.mkdir()
    for name in BATCHES:
        (folder / f"{name}.bin").write_bytes(b"".join(bytes([label]) + bytes(3072) for label in labels))


class Program:
    def __reduce__(self):
        return os.mkdir, ("it_ran",)


def cut_off(folder):
    binary(folder)
    (folder / "data_batch_3.bin").write_bytes(bytes(3000))
    return "data_batch_3.bin must be rows of 3073 bytes, but has 3000 bytes; it is cut off"


def cut_off_between_two_images(folder):
    binary(folder)
    (folder / "data_batch_4.bin").write_bytes(bytes(3073))
    return "data_batch_4.bin must have as many images as the longest of the six batches, which has 2, but has 1; it is cut off"


def label_out_of_range(folder):
    binary(folder)
    (folder / "data_batch_2.bin").write_bytes(bytes(3073) + bytes([10]) + bytes(3072))
    return "must be from 0 to 9, but row 1 (the first is 0) has 10"


def without_a_batch(folder):
    binary(folder)
    (folder / "data_batch_5.bin").unlink()
    return "has no data_batch_5.bin"


def without_any(folder):
    folder.mkdir()
    return "has neither a batch (data_batch_1.bin or data_batch_1) nor one of these folders"


def not_there(folder):
    return "is not there"


def pickle_of_a_program(folder):
    folder.mkdir()
    for name in BATCHES:
        (folder / name).write_bytes(pickle.dumps({"labels": Program(), "data": b""}, protocol=2))
    return 'must be the pickle of a batch of CIFAR-10, but asks for "posix.mkdir"'


def pickle_of_something_else(folder):
    folder.mkdir()
    for name in BATCHES:
        (folder / name).write_bytes(pickle.dumps(["no", "dict"], protocol=4))
    return "data_batch_1"


@pytest.mark.parametrize("spoil", [cut_off, cut_off_between_two_images, label_out_of_range, without_a_batch, without_any, not_there,
                                   pickle_of_a_program, pickle_of_something_else])
def test_data_that_are_not_cifar_10_cost_one_row_and_are_named(tmp_path, spoil):
    said = spoil(tmp_path / "data")
    (tmp_path / "c.json").write_text(json.dumps({"cells": [{"data": "data"}, {"data": "synthetic:20"}]}))
    code, _, err = run(tmp_path, *TRAIN[:10], "--epochs", 1, "-b", 16, "--config", "c.json", "-o", "x.csv")
    bad, good = rows_of(tmp_path)
    assert code == 3 and good["status"] == "ok", err
    assert bad["status"] == "skipped" and said in bad["error"], bad["error"]
    assert (bad["data"], bad["model"], bad["weights"]) == ("data", "tiny-resnet", "synthetic:0")
    assert not (tmp_path / "it_ran").exists()
    code, out, err = run(tmp_path, *TRAIN[:10], "--epochs", 1, "--data", "data", "--no-save")  # alone it is refused before a worker starts
    assert code == 1 and said in err and err.startswith("sdbench: ") and not out


def test_images_and_labels_are_in_the_row_wherever_they_lie(tmp_path):
    for name, labels in (("here", (0, 1)), ("there", (0, 1)), ("other", (0, 2))):
        binary(tmp_path / name, labels)
    (tmp_path / "c.json").write_text(json.dumps({"cells": [{"data": name} for name in ("here", "there", "other")]}))
    code, _, err = run(tmp_path, *TRAIN[:10], "--epochs", 1, "-b", 4, "--config", "c.json", "-o", "x.csv")
    assert code == 0, err
    here, there, other = rows_of(tmp_path)
    assert here["images"] == "10" and here["data"] == "cifar10" and here["data_identity"].startswith("cifar10:")
    assert here["data_identity"] == there["data_identity"] != other["data_identity"]


def test_a_resumed_sweep_trains_with_other_images_of_the_same_number(tmp_path):
    for name, labels in (("here", (0, 1)), ("there", (0, 1)), ("other", (0, 2))):
        binary(tmp_path / name, labels)
    for name, count in (("here", 1), ("other", 2), ("there", 2)):
        code, _, err = run(tmp_path, *TRAIN[:10], "--epochs", 1, "-b", 4, "--data", name, "--resume", "-o", "x.csv")
        assert code == 0 and len(rows_of(tmp_path)) == count, (name, err)


@pytest.mark.parametrize("options, said", [
    (("--epochs", 0), "--epochs must be between 1 and 100000, but is 0"),
    (("--iterations", 0), "--iterations must be between 1 and 100000, but is 0"),
    (("--data", "synthetic:20"), "--data must be given with --epochs"),
    (("--data-place", "device"), "--data-place must be given with --epochs"),
    (("--epochs", 2, "--repeat", 3), "--repeat must be given without --epochs"),
    (("--epochs", 2, "--warmup", 1), "--warmup must be given without --epochs"),
    (("--epochs", 2, "--max-noise", "1%"), "--max-noise must be given without --epochs"),
    (("--epochs", 1, "--data", "synthetic:9"), "must be a whole number from 10 to 1000000, but is \"9\""),
    (("--epochs", 1, "--loss", "logit-sum"), "--loss must be cross-entropy with --epochs, but is logit-sum"),
    (("--batch", 4097), "--batch must be between 1 and 4096, but is 4097"),
])
def test_counts_that_cannot_be_are_refused_before_anything_runs(tmp_path, options, said):
    code, out, err = run(tmp_path, *TRAIN[:10], "-o", "x.csv", *options)
    assert code == 2 and said in err and not out
    assert not (tmp_path / "x.csv").exists()


def test_one_value_of_a_channel_is_no_batch_to_normalise_and_the_next_cell_runs(tmp_path):
    """Images of 8x8 leave one pixel behind the last stage."""
    architecture = {"name": "one-pixel", "network": {"kind": "resnet", "input_channels": 3, "image_size": 8, "classes": 10, "layers": [1, 1],
                                                     "stem_channels": 16, "expansion": 4}}
    (tmp_path / "one.json").write_text(json.dumps(architecture))
    code, _, err = run(tmp_path, "-m", "one.json", *TRAIN[2:], "--iterations", 2, "-b", "1,2")
    alone, pair = rows_of(tmp_path)
    assert code == 3 and pair["status"] == "ok", err
    assert alone["status"] == "error" and "batch norm in training must see more than one value of each channel" in alone["error"]
    code, _, err = run(tmp_path, "-m", "one.json", "--task", "infer", *TRAIN[4:-1], "y.csv", "--iterations", 2, "-b", 1)
    assert code == 0, err  # its running statistics do


def test_epochs_of_data_that_are_not_here_are_reproduced_with_as_many_made_up_images(tmp_path):
    binary(tmp_path / "data", labels=(0, 1, 2, 3))
    code, _, err = run(tmp_path, *TRAIN[:10], "--epochs", 2, "--data", "data", "-b", 4, "-o", "x.csv")
    assert code == 0, err
    code, out, err = run(tmp_path, "reproduce", "x.csv", "-o", "y.csv")
    said = "the record is of cifar10, and neither --data nor SDBENCH_DATA says where it is: training with synthetic:20"
    assert code == 0 and said in err, out + err
    code, out, err = run(tmp_path, "reproduce", "x.csv", "--data", "data", "-o", "y.csv")
    assert code == 0 and "synthetic:20" not in err, out + err
    code, out, err = run(tmp_path, "reproduce", "x.csv", "-o", "y.csv", env=environment(SDBENCH_DATA=str(tmp_path / "data")))
    assert code == 0 and "synthetic:20" not in err, out + err
    with open(tmp_path / "y.csv") as file:
        made_up, *own = csv.DictReader(file)
    assert made_up["images"] == "20" and made_up["data"] == "synthetic:20"
    assert {row["data_identity"] for row in own} == {rows_of(tmp_path)[0]["data_identity"]}
