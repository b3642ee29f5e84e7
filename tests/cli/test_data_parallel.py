"""Networks on several devices at the same time, truly: shares of this machine's cores with the real worker."""

import csv
import json
import os
import pathlib
import signal
import subprocess
import time

import pytest
from program import children, environment, finish, is_alive, run, start, wait_until

PAIR = ("--device", "cpu:0,cpu:1", "--parallel", "--dtype", "fp32")
TRAIN = ("-m", "tiny-resnet", "--task", "train", *PAIR)


def json_rows(folder, *options, code=0, **more):
    got, out, err = run(folder, *options, "--no-save", "--format", "json", **more)
    assert got == code, err
    return json.loads(out)


def temporary(folder):
    """An environment whose temporary files are in a folder that a test can look into."""
    place = folder / "tmp"
    place.mkdir()
    return place, environment(TMPDIR=str(place))


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Rows of one sweep by their label: of each cell those of each device alone, of each device together, and their sum."""
    folder = tmp_path_factory.mktemp("measured")
    cells = [{"label": "shared", "task": "train", "batch": 9, "update": "on", "iterations": 4, "repeat": 3},
             {"label": "statistics", "task": "train", "batch": 8, "update": "off", "iterations": 2, "repeat": 1},
             {"label": "epochs", "task": "train", "batch": 16, "epochs": 3, "data": "synthetic:101", "data-place": ["host", "device"]},
             {"label": "16 bits", "task": "train", "dtype": ["bf16", "autocast-bf16"], "batch": 4, "iterations": 2, "repeat": 1},
             {"label": "inference", "task": "infer", "batch": 4, "iterations": 5, "repeat": 2},
             {"label": "each", "task": ["infer", "train"], "share": "each", "batch": 4, "iterations": 3, "repeat": 2},
             {"label": "tasks", "task": ["infer", "train"], "batch": 2, "iterations": 2, "repeat": 1}]
    common = {"model": "tiny-resnet", "device": ["cpu:0", "cpu:1"], "parallel": True}
    (folder / "cells.json").write_text(json.dumps({**common, "cells": [{"dtype": "fp32", **cell} for cell in cells]}))
    place, variables = temporary(folder)
    rows = json_rows(folder, "--config", "cells.json", env=variables, timeout=400)
    assert not list(place.iterdir())
    return {cell["label"]: [row for row in rows if row["label"] == cell["label"]] for cell in cells}


def test_devices_share_each_batch_and_the_row_of_their_sum_is_of_all(measured):
    rows = measured["shared"]
    alone, other, first, second, whole = rows
    assert [row["status"] for row in rows] == ["ok"] * 5, rows
    assert [(row["parallel_role"], row["share"], row["batch"], row["images"]) for row in rows] == [
        ("", "", 9, 36), ("", "", 9, 36), ("device", "batch", 5, 20), ("device", "batch", 4, 16), ("sum", "batch", 9, 36)]
    assert [row["device"] for row in (alone, other)] == ["cpu:0", "cpu:1"]
    assert {row["warmup"] for row in rows} == {2}
    assert {row["threads"] for row in rows} == {1}
    assert first["loss_first"] == second["loss_first"] == whole["loss_first"] and whole["loss_last"] == first["loss_last"]
    assert whole["loss_last"] < 0.9 * whole["loss_first"]
    for row in (first, second):
        for sample in row["samples"]:
            parts = sum(sample[name] for name in ("forward_s", "backward_s", "all_reduce_s", "update_s"))
            assert parts == pytest.approx(sum(sample["step_s"]), rel=0.01) and len(sample["step_s"]) == 4
        assert row["all_reduce_s"] == pytest.approx(sum(sample["all_reduce_s"] for sample in row["samples"]) / 3) and row["all_reduce_s"] >= 0
    assert "all_reduce_s" not in alone["samples"][0]
    assert alone["all_reduce_s"] is None and whole["all_reduce_s"] is None
    assert whole["alone_images_per_min"] == pytest.approx(alone["images_per_min"] + other["images_per_min"])
    assert whole["scaling_efficiency"] == pytest.approx(whole["images_per_min"] / whole["alone_images_per_min"])
    assert whole["images_per_s"] == pytest.approx(whole["images_per_min"] / 60)


def test_a_shared_batch_has_the_statistics_of_its_parts(tmp_path, measured):
    """Batch norm has each device's own statistics, so the loss is near that of one device, and not the same."""
    together = measured["statistics"][4]
    whole = json_rows(tmp_path, "-m", "tiny-resnet", "--task", "train", "--device", "cpu", "--dtype", "fp32", "-b", 8, "--update", "off",
                      "--iterations", 2, "--repeat", 1)[0]
    assert together["loss_first"] == pytest.approx(together["loss_last"], rel=1e-5)
    assert together["loss_first"] == pytest.approx(whole["loss_first"], rel=0.2)
    assert together["loss_first"] != pytest.approx(whole["loss_first"], rel=1e-4)  # whose statistics are of all 8


def test_epochs_are_shared_with_their_last_partial_batch(measured):
    rows = measured["epochs"]
    assert len(rows) == 10
    for _, _, first, second, whole in (rows[:5], rows[5:]):
        assert [row["status"] for row in (first, second, whole)] == ["ok"] * 3, (first["error"], second["error"])
        assert (first["images"], second["images"], whole["images"]) == (51, 50, 101)
        assert {row["step_count"] for row in (first, second)} == {14}
        assert first["loss_last"] == second["loss_last"] == whole["loss_last"]
        assert whole["accuracy"] == first["accuracy"]
        assert whole["train_s"] == pytest.approx(whole["epoch_s_first"] + sum(sample["e2e_s"] for sample in whole["samples"]))
        assert {"input_s", "all_reduce_s"} <= set(first["samples"][0])
    assert rows[4]["loss_last"] == rows[9]["loss_last"]  # the same batches wherever the data lie


def test_dropout_is_the_same_again_on_each_device_alone_and_in_each_share(tmp_path):
    rows = json_rows(tmp_path, "-m", "tiny-vgg", *TRAIN[2:], "-b", 8, "--update", "on", "--iterations", 2, "--repeat", 1, "--rounds", 2)
    assert [row["status"] for row in rows] == ["ok"] * 10, rows
    alone = {row["loss_last"] for row in rows if not row["parallel_role"]}
    together = {row["loss_last"] for row in rows if row["parallel_role"]}
    assert len(alone) == len(together) == 1, (alone, together)


def test_gradients_in_16_bits_are_shared(measured):
    rows = measured["16 bits"]
    assert [row["status"] for row in rows] == ["ok"] * 10, rows
    for number, dtype in enumerate(("bf16", "autocast-bf16")):
        first, second = rows[5 * number + 2:5 * number + 4]
        assert (first["parallel_role"], first["dtype_unet"], second["parallel_role"], second["dtype_unet"]) == ("device", dtype) * 2
        assert first["loss_last"] == second["loss_last"]


def test_inference_shares_its_batches_and_each_device_has_whole_ones(measured):
    rows = measured["inference"]
    assert [(row["status"], row["share"], row["batch"], row["images"]) for row in rows] == [
        ("ok", "", 4, 20), ("ok", "", 4, 20), ("ok", "prompts", 4, 12), ("ok", "prompts", 4, 8), ("ok", "prompts", 4, 20)]
    assert rows[4]["scaling_efficiency"] > 0


@pytest.mark.parametrize("task", ["infer", "train"])
def test_independent_networks_run_at_the_same_time(measured, task):
    rows = [row for row in measured["each"] if row["task"] == task]
    assert [(row["status"], row["batch"], row["images"]) for row in rows] == [
        ("ok", 4, 12), ("ok", 4, 12), ("ok", 4, 12), ("ok", 4, 12), ("ok", 4, 24)]


def test_a_sweep_over_tasks_shares_each_in_its_way(measured):
    assert [row["share"] for row in measured["tasks"] if row["parallel_role"] == "sum"] == ["prompts", "batch"]


@pytest.mark.parametrize("options, message", [
    (("-b", 1), "--batch must be at least an image for each of the 2 devices"),
    (("-b", 10, "--epochs", 1, "--data", "synthetic:11"), "in an epoch's last batch, but 11 images in batches of 10 leave 1"),
    (("-b", 4, "--max-time", 5), "--max-time must be given without --share batch"),
    (("-b", 4, "--share", "prompts"), "--share must be batch or each with --task train, but is prompts"),
])
def test_batches_that_cannot_be_shared_are_refused(tmp_path, options, message):
    code, out, err = run(tmp_path, *TRAIN, *options)
    assert code == 2 and not out and message in err, err
    assert not list(tmp_path.iterdir())


LONG = (*TRAIN, "-b", 8, "--update", "on", "--warmup", 0, "--iterations", 20, "-o", "r.csv")


@pytest.fixture(scope="module")
def rows_alone(tmp_path_factory):
    """A file with the row of each device alone, of one run, which takes a hundredth of what a long training would measure alone first."""
    folder = tmp_path_factory.mktemp("alone")
    code, _, err = run(folder, *LONG, "--repeat", 1)
    assert code == 0, err
    head, *rows = (folder / "r.csv").read_text().splitlines(keepends=True)
    return "".join([head, *rows[:2]])


def begin_long(folder, rows_alone, *options, **more):
    """Training together that would last for minutes, once both devices are in it; each has its row alone already."""
    (folder / "r.csv").write_text(rows_alone)
    process = start(folder, *LONG, "--repeat", 100, "--resume", "-v", *options, **more)
    coming = {"cpu:0: measure", "cpu:1: measure"}
    while coming:
        line = process.stderr.readline()
        assert line, "the run ended too early"
        coming = {words for words in coming if words not in line}
    time.sleep(0.5)
    return process


def rows_of(folder):
    with open(folder / "r.csv", newline="") as file:
        return list(csv.DictReader(file))


def shared_memory():
    """Without the semaphores of Python's multiprocessing, which other programs make and remove meanwhile."""
    return {file for file in pathlib.Path("/dev/shm").iterdir() if not file.name.startswith("sem.mp-")}


def test_a_device_that_is_killed_ends_the_other_at_once_with_a_row_each(tmp_path, rows_alone):
    place, variables = temporary(tmp_path)
    shared_before = shared_memory()
    process = begin_long(tmp_path, rows_alone, env=variables)
    workers = children(process.pid)
    assert len(workers) == 2
    os.kill(workers[1], signal.SIGKILL)
    killed = time.monotonic()
    code, _, err = finish(process, 60)
    assert code == 3, err
    assert time.monotonic() - killed < 30
    rows = rows_of(tmp_path)
    assert [row["parallel_role"] for row in rows] == ["", "", "device", "device", "sum"]
    assert [row["status"] for row in rows[:2]] == ["ok"] * 2 and rows[4]["status"] == "error"
    by_status = {row["status"]: row for row in rows[2:4]}
    assert set(by_status) == {"crash", "error"}, rows
    assert "SIGKILL" in by_status["crash"]["error"]
    assert f"all devices must train together, but {by_status['crash']['device']} has ended" in by_status["error"]["error"]
    wait_until(lambda: not any(map(is_alive, workers)), 5)
    assert not list(place.iterdir()) and shared_memory() <= shared_before


def test_a_device_that_stands_still_is_waited_for_half_of_the_timeout_and_both_say_what_was(tmp_path, rows_alone):
    process = begin_long(tmp_path, rows_alone, "--timeout", 24)
    workers = children(process.pid)
    os.kill(workers[1], signal.SIGSTOP)
    stopped = time.monotonic()
    code, _, err = finish(process, 90)
    assert code == 3, err
    assert 12 < time.monotonic() - stopped < 60
    rows = rows_of(tmp_path)
    by_status = {row["status"]: row for row in rows[2:4]}
    assert set(by_status) == {"timeout", "error"}, rows
    assert "must give a sign of life every 24 s" in by_status["timeout"]["error"]
    assert (f"all devices must train together, but {by_status['timeout']['device']} did not come within 12 s (half of --timeout)"
            in by_status["error"]["error"])
    assert rows[4]["status"] == "error"
    wait_until(lambda: not any(map(is_alive, workers)), 5)


def test_where_a_killed_sdbench_left_its_meeting_the_next_one_trains(tmp_path, rows_alone):
    place, variables = temporary(tmp_path)
    process = begin_long(tmp_path, rows_alone, env=variables)
    workers = children(process.pid)
    process.kill()
    process.communicate(timeout=60)
    wait_until(lambda: not any(map(is_alive, workers)), 60)
    left = list(place.rglob("*"))
    assert any(path.is_file() for path in left), "what is left must be a store's file, or this tries nothing"
    code, _, err = run(tmp_path, *TRAIN, "-b", 8, "--iterations", 2, "--repeat", 1, "-o", "again.csv", env=variables)
    assert code == 0, err
    assert [path for path in place.rglob("*") if path not in left] == []


def test_ctrl_c_ends_devices_that_wait_for_each_other_with_their_rows(tmp_path, rows_alone):
    place, variables = temporary(tmp_path)
    process = begin_long(tmp_path, rows_alone, env=variables)
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process, 60)
    assert code == 130, err
    rows = rows_of(tmp_path)
    assert [row["parallel_role"] for row in rows] == ["", "", "device", "device", "sum"]
    assert rows[4]["status"] == "interrupted" and {row["status"] for row in rows[2:4]} <= {"ok", "interrupted"}
    wait_until(lambda: not any(map(is_alive, workers)), 5)
    assert not list(place.iterdir())


def test_where_devices_cannot_meet_each_row_says_so(tmp_path):
    code, _, err = run(tmp_path, *TRAIN, "-b", 4, "--iterations", 2, "--repeat", 1, "-o", "r.csv", env=environment(TMPDIR="/proc"))
    assert code == 3, err
    rows = rows_of(tmp_path)
    assert [row["status"] for row in rows] == ["ok", "ok", "error", "error", "error"]
    assert all("cannot make a temporary folder in /proc" in row["error"] for row in rows[2:])


def test_a_small_shared_memory_filesystem_does_not_matter(tmp_path):
    """Containers have 64 MiB there, or none: what the devices share stands elsewhere."""
    no_room = "mount -t tmpfs -o size=4k none /dev/shm && head -c 8k /dev/zero > /dev/shm/full; exec \"$0\" \"$@\""
    inside = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
    if subprocess.run([*inside, "mount -t tmpfs none /dev/shm"], capture_output=True, check=False).returncode != 0:
        pytest.skip("this machine lets nobody mount a file system of his own")
    program = os.environ["SDBENCH_PROGRAM"]
    code, _, err = run(tmp_path, *inside[1:], no_room, program, *TRAIN, "-b", 4, "--iterations", 2, "--repeat", 1, "-o", "r.csv",
                       program=inside[0])
    assert code == 0, err
    assert [row["status"] for row in rows_of(tmp_path)] == ["ok"] * 5
