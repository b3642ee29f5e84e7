"""Classic networks by the engines of others: the same work as ours, rows of the same form, and the same answers."""

import json
import pathlib
import sys

import numpy
import pytest
from engine_folder import made_up, of_oracle
from program import environment, run
from safetensors.numpy import load_file, save_file
from stub import csv_rows

QUICK = ("--device", "cpu", "--threads", 1, "--dtype", "fp32", "--iterations", 2, "--repeat", 2, "--warmup", 1, "-b", 4)
# Filled in rows of both, or of neither.
FORM = ("images_per_s", "e2e_s", "step_s_mean", "step_s_p50", "achieved_tflops", "first_image_s", "peak_host_bytes", "threads", "dtype_unet",
        "dtype_vae", "unet_s", "vae_s", "unet_calls", "golden_check", "golden_rel_err", "output_check", "memory_format_used", "tf32_used",
        "weight_update", "loss_first", "loss_last", "warmup_reason", "stop_reason")

EPOCHS = ("accuracy", "data", "data_identity", "epoch_s_first", "epoch_s_median", "train_s", "test_s", "loss_first", "loss_last", "epochs", "images_per_s")


MODELS = ["tiny-resnet", "tiny-wrn", "tiny-vgg"]  # the last drops out, by the seed


@pytest.fixture(scope="module")
def env(tmp_path_factory):
    return of_oracle(tmp_path_factory.mktemp("engine"), "pytorch")


def swept(folder, *options, env, code=0):
    """(rows, stderr)"""
    (folder / "rows.csv").unlink(missing_ok=True)
    got, _, err = run(folder, *options, *QUICK, "-o", "rows.csv", env=environment(**env), timeout=300)
    assert got == code, err
    return csv_rows(folder / "rows.csv"), err


def cifar_10(folder):
    random = numpy.random.default_rng(3)
    folder.mkdir()
    for name in [f"data_batch_{number}" for number in range(1, 6)] + ["test_batch"]:
        images = random.integers(0, 256, (7, 3073), numpy.uint8)
        images[:, 0] %= 10
        (folder / f"{name}.bin").write_bytes(images.tobytes())
    return str(folder)


@pytest.fixture(scope="module")
def measured(tmp_path_factory, env):
    """A sweep of all that needs a worker with the usual weights, whose imports take longer than all else: the rows of iterations, as texts of a CSV file
    and with their samples, and those of epochs by data, engine and data place."""
    folder = tmp_path_factory.mktemp("measured")
    place = folder / "tmp"
    place.mkdir()
    # In one memory format, for another rounds otherwise, which training multiplies.
    epochs = {"model": "tiny-resnet", "task": "train", "engine": ["plain", "pytorch"], "batch": 16, "memory-format": "channels-last"}
    cells = [{"model": MODELS, "task": ["infer", "train"], "update": "on", "engine": ["tuned", "openvino", "pytorch"], "iterations": 2, "repeat": 2,
              "warmup": 1, "batch": 4},
             {**epochs, "epochs": 3, "data": "synthetic:101", "data-place": ["host", "device"]}, {**epochs, "epochs": 1, "data": cifar_10(folder / "cifar")}]
    (folder / "cells.json").write_text(json.dumps({"device": "cpu", "threads": 1, "dtype": "fp32", "seed": 5, "cells": cells}))
    code, out, err = run(folder, "--config", "cells.json", "-o", "rows.csv", "--format", "json", env=environment(**env, TMPDIR=str(place)), timeout=500)
    assert code == 3, err  # openvino is skipped
    rows = json.loads(out)
    trained = {(row["data"].partition(":")[0], row["engine"], row["data_place"]): row for row in rows if row["epochs"]}
    assert not list(place.glob("sdbench*"))  # what goes between engines is gone; torch leaves an empty folder of its compiler's there
    return [row for row in csv_rows(folder / "rows.csv") if not row["epochs"]], [row for row in rows if not row["epochs"]], trained


def test_pytorch_computes_our_networks_and_its_rows_have_the_form_of_ours(measured):
    rows = measured[0]
    assert len(rows) == 6 * len(MODELS)
    by = {(row["model"], row["task"], row["engine"]): row for row in rows}
    for model in MODELS:
        for task in ("infer", "train"):
            ours, theirs = (by[model, task, engine] for engine in ("tuned", "pytorch"))
            assert {ours["status"], theirs["status"]} == {"ok"}, (model, task, ours["error"], theirs["error"])
            assert [bool(ours[field]) for field in FORM] == [bool(theirs[field]) for field in FORM]
            assert not theirs["unet_s"] and float(theirs["images_per_s"]) > 0
            assert ours["workload_id"] == theirs["workload_id"] and ours["env_id"] == theirs["env_id"]
            assert theirs["golden_check"] == "pass" and float(theirs["golden_rel_err"]) < 1e-5
            assert theirs["weights"] == "synthetic:0" and "torchvision 0." in theirs["runtime_version"]
            assert theirs["memory_format_used"] == "channels-last" and theirs["agreement_rel_err"] == ""
        losses = [[float(by[model, "train", engine][field]) for field in ("loss_first", "loss_last")] for engine in ("tuned", "pytorch")]
        assert losses[1][0] == pytest.approx(losses[0][0], rel=1e-4), model
        assert losses[1][1] == pytest.approx(losses[0][1], rel=1e-2), model  # after the same steps


def test_the_times_of_pytorch_s_run_are_those_of_its_parts(measured):
    rows = [row for row in measured[1] if (row["engine"], row["task"]) == ("pytorch", "train")]
    assert len(rows) == len(MODELS)
    for sample in [sample for row in rows for sample in row["samples"]]:
        parts = sample["forward_s"] + sample["backward_s"] + sample["update_s"]
        assert len(sample["step_s"]) == 2 and parts == pytest.approx(sum(sample["step_s"]), rel=0.01) and parts <= sample["e2e_s"]


def test_engines_that_compute_no_networks_are_refused_alone_and_skipped_beside_others(tmp_path, env, measured):
    code, _, err = run(tmp_path, "-m", "tiny-vgg", "--engine", "openvino", *QUICK, "--no-save", env=environment(**env))
    assert code == 2 and '--engine must be tuned, plain, pytorch or pytorch-compile for "tiny-vgg", but is openvino' in err
    rows = [row for row in measured[0] if row["engine"] != "tuned"]
    assert {(row["engine"], row["status"]) for row in rows} == {("openvino", "skipped"), ("pytorch", "ok")}
    assert all("-engine must be tuned, plain" in row["error"] for row in rows if row["engine"] == "openvino")


def test_epochs_of_pytorch_are_those_of_plain_image_by_image(measured):
    rows = {key[1:]: row for key, row in measured[2].items() if key[0] == "synthetic"}
    ours = rows["plain", "host"]
    assert len(rows) == 4
    for row in rows.values():
        assert [bool(row[field]) for field in EPOCHS] == [True] * len(EPOCHS), row
        assert (row["status"], row["images"], row["repeat"], row["step_count"]) == ("ok", 101, 2, 14)  # 6 batches of 16, and one of 5
        assert row["data_identity"] == ours["data_identity"] and row["golden_check"] == "pass"
        assert row["loss_first"] == pytest.approx(ours["loss_first"], rel=1e-5) and row["loss_last"] == pytest.approx(ours["loss_last"], rel=1e-3)
        assert row["accuracy"] == ours["accuracy"]
        assert row["train_s"] == pytest.approx(row["epoch_s_first"] + sum(sample["e2e_s"] for sample in row["samples"]))
        assert set(row["samples"][0]) == set(ours["samples"][0]) and "input_s" in row["samples"][0]
    for place in ("host", "device"):
        assert rows["pytorch", place]["workload_id"] == rows["plain", place]["workload_id"]


def test_cifar_10_of_another_engine_is_read_by_our_reader(measured):
    ours, theirs = (row for key, row in measured[2].items() if key[0] == "cifar10")
    assert (ours["engine"], theirs["engine"]) == ("plain", "pytorch")
    assert theirs["data"] == "cifar10" and theirs["data_identity"] == ours["data_identity"] and theirs["accuracy"] == ours["accuracy"]
    assert theirs["loss_last"] == pytest.approx(ours["loss_last"], rel=1e-3)


def test_no_place_for_what_goes_between_engines_is_one_row(tmp_path, env):
    code, _, err = run(tmp_path, "-m", "tiny-resnet", "--task", "train", "--device", "cpu", "--epochs", 1, "--data", "synthetic:20", "--engine", "pytorch",
                       "-o", "rows.csv", env=environment(**env, TMPDIR="/proc"), timeout=300)
    row = csv_rows(tmp_path / "rows.csv")[0]
    assert (code, row["status"]) == (1, "error") and "cannot make a temporary folder in /proc" in row["error"], err


def test_other_answers_than_the_golden_ones_are_no_result(tmp_path):
    env = made_up(tmp_path, "pytorch", f"exec '{sys.executable}' '{pathlib.Path(__file__).parent}/made_up_engine.py'")
    rows, err = swept(tmp_path, "-m", "tiny-resnet", "--engine", "pytorch", env=env, code=1)
    assert (rows[0]["status"], rows[0]["golden_check"]) == ("invalid_output", "fail")
    assert "the golden run must give PyTorch's numbers, but its answers differ" in err


def test_a_file_of_weights_is_read_by_torchvision_s_names(tmp_path, env):
    code, _, err = run(tmp_path, "export-weights", "--model", "tiny-resnet", "--weights", "synthetic:3", "-o", "model")
    assert code == 0, err
    file = tmp_path / "model/model.safetensors"
    cell = ("-m", "tiny-resnet", "--weights", str(file), "--task", "train", "--engine", "tuned,pytorch")
    rows, _ = swept(tmp_path, *cell, env=env)
    assert float(rows[1]["loss_first"]) == pytest.approx(float(rows[0]["loss_first"]), rel=1e-4)
    assert rows[0]["weights"] == rows[1]["weights"] and [row["golden_check"] for row in rows] == ["", ""]
    tensors = load_file(file)
    save_file({**tensors, "fc.bias": tensors["fc.bias"] * float("nan")}, file)
    for row in swept(tmp_path, *cell, env=env, code=1)[0]:
        assert row["status"] == "invalid_output" and "NaN or infinite from iteration 1 of a run on" in row["error"], row["error"]
    del tensors["fc.bias"]
    save_file(tensors, file)
    theirs = swept(tmp_path, *cell, env=env, code=1)[0][1]
    assert theirs["status"] == "error" and "1 are missing and 0 are unknown (fc.bias)" in theirs["error"]
