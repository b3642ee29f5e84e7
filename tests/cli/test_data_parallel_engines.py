"""Networks on several devices at the same time by PyTorch: torch's own DistributedDataParallel between shares of this machine's cores."""

import json
import os
import signal
import time

import pytest
from engine_folder import of_oracle
from program import children, command_line, environment, finish, is_alive, run, start, wait_until

CELL = {"model": "tiny-resnet", "device": ["cpu:0", "cpu:1"], "parallel": True, "dtype": "fp32",
        "memory-format": "channels-last"}  # another rounds otherwise, which training multiplies
LONG = {"task": "train", "engine": "pytorch", "batch": 8, "update": "on", "warmup": 0, "iterations": 20}


def swept(folder, cells):
    (folder / "cells.json").write_text(json.dumps({**CELL, "cells": cells}))
    return "--config", "cells.json", "-o", "r.jsonl"


def rows_of(folder):
    return [json.loads(line) for line in (folder / "r.jsonl").read_text().splitlines()]


def left_in(place):
    """What is ours: torch leaves an empty folder of its compiler's."""
    return list(place.glob("sdbench*"))


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return of_oracle(tmp_path_factory.mktemp("engine"), "pytorch")


@pytest.fixture(scope="module")
def measured(tmp_path_factory, engine):
    """Rows by their work and engine, of one sweep, for workers take longest to start. Five of each work: each device alone, both together, and their sum."""
    folder = tmp_path_factory.mktemp("measured")
    place = folder / "tmp"
    place.mkdir()
    both = ["plain", "pytorch"]
    cells = [{"task": ["infer", "train"], "engine": both, "batch": 9, "update": "on", "iterations": 4, "repeat": 2, "label": "iterations"},
             {"task": "train", "engine": both, "batch": 16, "epochs": 2, "data": "synthetic:101", "label": "epochs"}, {**LONG, "repeat": 1, "label": "long"}]
    code, _, err = run(folder, *swept(folder, cells), env=environment(**engine, TMPDIR=str(place)), timeout=400)
    assert code == 0, err
    assert not left_in(place)
    made = {}
    for row in rows_of(folder):
        made.setdefault((row["label"], row["engine"]), []).append(row)
    return made


def test_pytorch_shares_each_batch_as_ours_do_and_its_losses_are_ours(measured):
    rows = {engine: measured["iterations", engine] for engine in ("plain", "pytorch")}
    (_, _, *ours), (alone, _, first, second, whole) = (rows[engine][5:] for engine in ("plain", "pytorch"))
    assert [row["status"] for row in rows["pytorch"]] == ["ok"] * 10, rows
    assert [(row["share"], row["batch"], row["images"]) for row in rows["pytorch"][2:5]] == [("prompts", 9, 18), ("prompts", 9, 18), ("prompts", 9, 36)]
    assert [(row["parallel_role"], row["share"], row["batch"], row["images"]) for row in rows["pytorch"][5:]] == [
        ("", "", 9, 36), ("", "", 9, 36), ("device", "batch", 5, 20), ("device", "batch", 4, 16), ("sum", "batch", 9, 36)]
    assert {row["warmup"] for row in (first, second)} == {2} and {row["threads"] for row in (first, second)} == {1}
    for theirs, own in zip((first, second, whole), ours):
        assert theirs["loss_first"] == pytest.approx(own["loss_first"], rel=1e-5) and theirs["loss_last"] == pytest.approx(own["loss_last"], rel=1e-3)
    assert first["loss_last"] == second["loss_last"] == whole["loss_last"] < 0.9 * whole["loss_first"]
    for row in (first, second):
        for sample in row["samples"]:
            parts = sum(sample[name] for name in ("forward_s", "backward_s", "all_reduce_s", "update_s"))
            assert parts == pytest.approx(sum(sample["step_s"]), rel=0.01) and len(sample["step_s"]) == 4
    assert "all_reduce_s" not in alone["samples"][0] and whole["scaling_efficiency"] > 0


def test_pytorch_shares_epochs_with_their_last_partial_batch(measured):
    rows = measured["epochs", "pytorch"]
    for row, own in zip(rows[2:], measured["epochs", "plain"][2:], strict=True):
        assert (row["status"], row["images"], row["batch"]) == ("ok", own["images"], own["batch"]), row["error"]
        assert row["loss_last"] == pytest.approx(own["loss_last"], rel=1e-3) and row["accuracy"] == own["accuracy"]
        assert row["data_identity"] == own["data_identity"]
    assert {"input_s", "all_reduce_s"} <= set(rows[2]["samples"][0])


def test_a_device_that_is_killed_ends_the_other_at_once_with_a_row_each(tmp_path, engine, measured):
    alone = measured["long", "pytorch"][:2]  # of one run, which takes a fortieth of what this training would measure alone first
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in alone))
    place = tmp_path / "tmp"
    place.mkdir()
    process = start(tmp_path, *swept(tmp_path, [{**LONG, "repeat": 40, "label": "long"}]), "--resume", "-v",
                    env=environment(**engine, TMPDIR=str(place)))
    while "cpu:1: measure" not in (line := process.stderr.readline()):
        assert line, "the run ended too early"
    time.sleep(0.5)
    workers = [child for child in children(process.pid) if "worker.py" in command_line(child)]
    assert len(workers) == 2
    os.kill(workers[1], signal.SIGKILL)
    killed = time.monotonic()
    code, _, err = finish(process, 60)
    assert time.monotonic() - killed < 30
    rows = rows_of(tmp_path)[-3:]
    by_status = {row["status"]: row for row in rows[:2]}
    assert set(by_status) == {"crash", "error"} and rows[2]["status"] == "error", rows
    assert f"all devices must train together, but {by_status['crash']['device']} has ended; its row says why" in by_status["error"]["error"]
    wait_until(lambda: not any(map(is_alive, workers)), 5)
    assert not left_in(place)
