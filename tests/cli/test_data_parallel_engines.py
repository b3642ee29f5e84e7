"""Networks on several devices at the same time by PyTorch: torch's own DistributedDataParallel between shares of this machine's cores."""

import csv
import json
import os
import pathlib
import signal
import time

import pytest
from engine_folder import of_oracle
from program import children, command_line, environment, finish, is_alive, run, start, wait_until

PAIR = ("--device", "cpu:0,cpu:1", "--parallel", "--dtype", "fp32")
NETWORK = ("-m", "tiny-resnet", *PAIR, "--memory-format", "channels-last")  # another rounds otherwise, which training multiplies
TRAIN = (*NETWORK, "--task", "train")


@pytest.fixture
def env(tmp_path):
    place = tmp_path / "tmp"
    place.mkdir()
    return {**of_oracle(tmp_path, "pytorch"), "TMPDIR": str(place)}


def left_in(env):
    """What is ours: torch leaves an empty folder of its compiler's."""
    return list(pathlib.Path(env["TMPDIR"]).glob("sdbench*"))


def by_engine(folder, *options, env, code=0):
    """Five rows of each task and engine: each device alone, both together, and their sum."""
    got, out, err = run(folder, *options, "--no-save", "--format", "json", env=environment(**env), timeout=400)
    assert got == code, err
    rows = json.loads(out)
    return {engine: [row for row in rows if row["engine"] == engine] for engine in ("plain", "pytorch")}


def test_pytorch_shares_each_batch_as_ours_do_and_its_losses_are_ours(tmp_path, env):
    rows = by_engine(tmp_path, *NETWORK, "--task", "infer,train", "--engine", "plain,pytorch", "-b", 9, "--update", "on", "--iterations", 4, "--repeat", 2,
                     env=env)
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
    assert not left_in(env)


def test_pytorch_shares_epochs_with_their_last_partial_batch(tmp_path, env):
    rows = by_engine(tmp_path, *TRAIN, "--engine", "plain,pytorch", "-b", 16, "--epochs", 2, "--data", "synthetic:101", env=env)
    for row, own in zip(rows["pytorch"][2:], rows["plain"][2:]):
        assert (row["status"], row["images"], row["batch"]) == ("ok", own["images"], own["batch"]), row["error"]
        assert row["loss_last"] == pytest.approx(own["loss_last"], rel=1e-3) and row["accuracy"] == own["accuracy"]
        assert row["data_identity"] == own["data_identity"]
    assert {"input_s", "all_reduce_s"} <= set(rows["pytorch"][2]["samples"][0])


def test_a_device_that_is_killed_ends_the_other_at_once_with_a_row_each(tmp_path, env):
    process = start(tmp_path, *TRAIN, "--engine", "pytorch", "-b", 8, "--update", "on", "--warmup", 0, "--iterations", 20, "--repeat", 40, "-o",
                    "r.csv", "-v", env=environment(**env))
    while "cpu:1: measure" not in (line := process.stderr.readline()):
        assert line, "the run ended too early"
    time.sleep(0.5)
    workers = [child for child in children(process.pid) if "worker.py" in command_line(child)]
    assert len(workers) == 2
    os.kill(workers[1], signal.SIGKILL)
    killed = time.monotonic()
    code, _, err = finish(process, 60)
    assert time.monotonic() - killed < 30
    with open(tmp_path / "r.csv", newline="") as file:
        rows = list(csv.DictReader(file))[-3:]
    by_status = {row["status"]: row for row in rows[:2]}
    assert set(by_status) == {"crash", "error"} and rows[2]["status"] == "error", rows
    assert f"all devices must train together, but {by_status['crash']['device']} has ended; its row says why" in by_status["error"]["error"]
    wait_until(lambda: not any(map(is_alive, workers)), 5)
    assert not left_in(env)
