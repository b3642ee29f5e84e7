"""Parallel executions whose workers misbehave: the others finish, every row is written. With a worker that needs no libtorch."""

import json
import pathlib
import signal
import time

import pytest
from program import children, environment, finish, is_alive, start, wait_until
from stub import CELL, csv_rows, json_lines

PAIR = (*CELL[:4], "--size", "64x64", "--device", "cpu:0,cpu:1", "--parallel", "--steps", 2)


class Pair:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def start(self, how, *arguments, gpus=0, device=(), **variables):
        return start(self.folder, *(device or PAIR), *arguments, program=self.program,
                     env=environment(SDBENCH_STUB=how, SDBENCH_STUB_GPUS=str(gpus), TMPDIR=str(self.folder), **variables))

    def run(self, how, *arguments, **more):
        return finish(self.start(how, *arguments, **more), 60)


@pytest.fixture
def pair(program, tmp_path):
    return Pair(program, tmp_path)


ALONE = [("", "cpu:0", "ok"), ("", "cpu:1", "ok")]


def outcomes(rows):
    return [(row["parallel_role"], row["device"], row["status"]) for row in rows]


@pytest.mark.parametrize("how, status", [
    ("sigkill", "crash"), ("dies_before_go", "crash"), ("segfault", "crash"), ("hang", "timeout"), ("hang_load", "timeout"),
    ("deaf", "timeout"), ("exit0", "error"), ("garbage", "error"), ("closes_pipes", "error"), ("refuses", "oom_host"),
    ("nan", "invalid_output")])
def test_a_device_that_fails_leaves_the_other_to_finish(pair, how, status):
    code, _, err = pair.run(f"{how}@cpu:1+", "--timeout", 1, "-o", "r.csv", "-o", "r.jsonl")
    assert code == 3, err
    rows = csv_rows(pair.folder / "r.csv")
    assert outcomes(rows) == [*ALONE, ("device", "cpu:0", "ok"), ("device", "cpu:1", status), ("sum", "cpu:0+cpu:1", "error")]
    assert f"1 of 2 devices failed: cpu:1 ({status}: " in rows[4]["error"]
    assert rows[2]["flags"].split().count("partner_lost") == 1
    assert not any("partner_lost" in rows[number]["flags"] for number in (0, 1, 3))
    assert rows[2]["images_per_min"] and not rows[4]["images_per_min"] and not rows[4]["scaling_efficiency"]
    assert [row["run_id"] for row in json_lines(pair.folder / "r.jsonl")] == [row["run_id"] for row in rows]

    # once it works, --resume makes the execution anew, and nothing else
    code, _, err = pair.run("", "-o", "r.csv", "--resume", "--retry-failed")
    assert code == 0, err
    assert outcomes(csv_rows(pair.folder / "r.csv")[5:]) == [
        ("device", "cpu:0", "ok"), ("device", "cpu:1", "ok"), ("sum", "cpu:0+cpu:1", "ok")]
    assert csv_rows(pair.folder / "r.csv")[-1]["scaling_efficiency"]


def test_the_devices_wait_for_the_slowest(pair):
    code, out, err = pair.run("slow@cpu:1+", "--no-save", "--format", "json")
    assert code == 0, err
    rows = json.loads(out)
    starts = [row["samples"][0]["start_s"] for row in rows if row["parallel_role"] == "device"]
    assert starts[1] - starts[0] < 0.3  # the second is half a second slower to be ready


@pytest.mark.parametrize("how", ["hang", "deaf", "hang_load"])
def test_ctrl_c_ends_all_workers_with_their_rows(pair, how):
    process = pair.start(f"{how}@cpu:1+", "-o", "r.csv", "-v")
    while "cpu:1: load" not in (line := process.stderr.readline()):
        assert line
    workers = wait_until(lambda: children(process.pid))
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process, 30)
    assert code == 130, err
    statuses = outcomes(csv_rows(pair.folder / "r.csv"))
    assert statuses[:2] == ALONE and statuses[3] == ("device", "cpu:1", "interrupted")
    assert statuses[4] == ("sum", "cpu:0+cpu:1", "interrupted") and len(statuses) == 5
    wait_until(lambda: not any(map(is_alive, workers)), 5)


def test_a_killed_front_leaves_no_worker(pair):
    process = pair.start("hang@cpu:1+", "-o", "r.csv", "-v")
    while "cpu:1: load" not in (line := process.stderr.readline()):
        assert line
    workers = wait_until(lambda: children(process.pid))
    process.kill()
    finish(process)
    wait_until(lambda: not any(map(is_alive, workers)), 5)


def test_a_device_that_dies_between_two_runs_leaves_the_other_to_make_them_all(pair):
    code, _, err = pair.run("dies_in_second_run@cpu:1+", "--repeat", 3, "-o", "r.csv", "-o", "r.jsonl")
    assert code == 3, err
    rows = csv_rows(pair.folder / "r.csv")
    assert [(row["device"], row["status"], row["repeat"]) for row in rows[2:]] == [
        ("cpu:0", "ok", "3"), ("cpu:1", "crash", "1"), ("cpu:0+cpu:1", "error", "0")]
    assert "SIGKILL" in rows[3]["error"] and "partner_lost" in rows[2]["flags"]
    assert not rows[4]["images_per_min"] and not rows[4]["energy_j"]
    assert [len(row["samples"]) for row in json_lines(pair.folder / "r.jsonl")[2:]] == [3, 1, 0]


def test_an_execution_whose_front_was_killed_is_made_anew(pair):
    process = pair.start("hang@cpu:1+", "-o", "r.csv", "-o", "r.jsonl", "-v")
    while "cpu:1: load" not in (line := process.stderr.readline()):
        assert line
    process.kill()
    finish(process)
    assert outcomes(csv_rows(pair.folder / "r.csv")) == ALONE
    whole = [("device", "cpu:0", "ok"), ("device", "cpu:1", "ok"), ("sum", "cpu:0+cpu:1", "ok")]
    code, _, err = pair.run("", "-o", "r.csv", "-o", "r.jsonl", "--resume")
    assert code == 0, err
    rows = csv_rows(pair.folder / "r.csv")
    assert outcomes(rows[2:]) == whole
    assert float(rows[4]["alone_images_per_min"]) == pytest.approx(sum(float(row["images_per_min"]) for row in rows[:2]))
    assert rows[4]["scaling_efficiency"]

    # killed between the rows of an execution: those that are there have no sum, and stay
    for name in ("r.csv", "r.jsonl"):
        file = pair.folder / name
        file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:-1]))
    code, _, err = pair.run("", "-o", "r.csv", "-o", "r.jsonl", "--resume")
    assert code == 0, err
    rows = csv_rows(pair.folder / "r.csv")
    assert outcomes(rows[2:]) == whole[:2] + whole
    assert len({row["parallel_id"] for row in rows[2:4]}) == len({row["parallel_id"] for row in rows[4:]}) == 1
    assert rows[2]["parallel_id"] != rows[6]["parallel_id"] == rows[6]["run_id"]
    assert [row["run_id"] for row in json_lines(pair.folder / "r.jsonl")] == [row["run_id"] for row in rows]


def test_rounds_restarts_and_sweeps_are_executions_of_their_own(pair):
    code, out, err = pair.run("", "--batch", "1,2", "--rounds", 2, "--restarts", 2, "--cooldown", 0.01, "--no-save",
                              "--format", "json")
    assert code == 0, err
    rows = json.loads(out)
    assert len(rows) == 2 * 2 * 2 * 5
    sums = [row for row in rows if row["parallel_role"] == "sum"]
    assert [(row["round"], row["batch"], row["restart"]) for row in sums] == [
        (round_, batch, restart) for round_ in (1, 2) for batch in (1, 2) for restart in (1, 2)]
    for number, row in enumerate(rows):  # each is compared with the rows that ran just before
        if row["parallel_role"] == "sum":
            alone = rows[number - 4:number - 2]
            assert outcomes(alone) == ALONE
            assert row["alone_images_per_min"] == pytest.approx(sum(one["images_per_min"] for one in alone))
            for key in ("round", "batch", "restart"):
                assert {one[key] for one in alone} == {row[key]}
    assert len({row["parallel_id"] for row in sums}) == 8
    assert "cells      24 ok, 0 not" in err


def test_after_a_device_is_out_of_memory_larger_batches_are_skipped(pair):
    code, out, _ = pair.run("fails@cpu:1+", "--batch", "1,2", "--no-save", "--format", "json")
    assert code == 3
    assert outcomes(json.loads(out)) == [
        *ALONE, ("device", "cpu:0", "ok"), ("device", "cpu:1", "oom_device"), ("sum", "cpu:0+cpu:1", "error"),
        *ALONE, ("sum", "cpu:0+cpu:1", "skipped")]


def test_a_device_that_fails_alone_leaves_the_sum_without_its_efficiency(pair):
    """The others run alone and together all the same."""
    code, out, err = pair.run("sigkill@cpu:1", "--no-save", "--format", "json")
    assert code == 3, err
    rows = json.loads(out)
    assert outcomes(rows[:3]) == [ALONE[0], ("", "cpu:1", "crash"), ("device", "cpu:0", "ok")]
    assert rows[-1]["parallel_role"] == "sum" and rows[-1]["scaling_efficiency"] is None


def test_a_dry_run_says_all_executions(pair):
    code, out, err = pair.run("", "--dry-run")
    assert code == 0, err
    assert "cpu:0+cpu:1 (prompts)" in out and "3 runs planned" in out
    memory = [float(line.split(" MiB")[0].split()[-1]) for line in out.splitlines() if " MiB" in line]
    assert memory[0] == memory[1] and memory[2] == pytest.approx(2 * memory[0], rel=0.02)  # two models in the same memory


def test_a_workers_words_are_whole_lines_that_name_their_device(pair):
    code, _, err = pair.run("noisy@cpu:1+", "--no-save", "-v")
    lines = [line for line in err.splitlines() if "warning number" in line]
    assert len(lines) == 20000 and all(line.startswith("worker     cpu:1: warning number") for line in lines)
    code, _, err = pair.run("escapes@cpu:1+", "--no-save", "-v")
    assert "worker     cpu:1: \\x1b[2Jred\n" in err and "\x1b" not in err
    code, _, err = pair.run("noisy@cpu:1+", "--no-save")
    assert "warning number 5\n" not in err


def test_a_resumed_execution_names_its_devices(pair):
    pair.run("", "-o", "r.csv")
    code, _, err = pair.run("", "-o", "r.csv", "--resume")
    assert code == 0, err
    assert "cpu:0: ok in the outputs" in err and "cpu:0+cpu:1 (sum of 2): ok in the outputs" in err


def test_the_table_and_the_lines_can_be_read_cold(pair):
    code, out, err = pair.run("", "--no-save")
    assert code == 0, err
    head = out.splitlines()[1]
    assert "on" in head.split() and "together" in head.split() and "scaling" in head.split()
    assert "alone" in out and "part of 2" in out and "sum of 2" in out
    assert "cpu:0+cpu:1 (sum of 2)" in err and "of perfect scaling" in err


def test_all_gpus_each_see_themselves_alone(pair):
    gpus = (*CELL[:4], "--size", "64x64", "--device", "all", "--steps", 2)
    code, out, err = pair.run("seat", "--no-save", "--format", "json", gpus=3, device=gpus, CUDA_VISIBLE_DEVICES="4,7,2")
    assert code == 0, err
    rows = json.loads(out)
    assert [(row["device"], row["device_index"], row["device_uuid"]) for row in rows] == [
        ("cuda:0", 0, "GPU-4"), ("cuda:1", 1, "GPU-7"), ("cuda:2", 2, "GPU-2")]
    assert {row["cuda_visible_devices"] for row in rows} == {"4,7,2"}

    code, out, err = pair.run("", "--no-save", "--format", "json", "--parallel", gpus=3, device=gpus)
    assert code == 0, err
    rows = json.loads(out)
    assert [row["device"] for row in rows] == ["cuda:0", "cuda:1", "cuda:2"] * 2 + ["cuda:0+cuda:1+cuda:2"]
    assert [row["device_uuid"] for row in rows] == ["GPU-0", "GPU-1", "GPU-2"] * 2 + [""]
    assert rows[6]["device_name"] == "3 x Stub GPU" and rows[6]["device_index"] is None


def test_options_of_parallel_executions_may_stand_in_a_file(pair):
    (pair.folder / "sweep.json").write_text(json.dumps({
        "device": ["cpu:0", "cpu:1"], "parallel": True, "share": ["prompts", "each"], "images": 2}))
    code, out, err = pair.run("", "--config", "sweep.json", "--no-save", "--format", "json",
                              device=(*CELL[:4], "--size", "64x64", "--steps", 2))
    assert code == 0, err
    assert [row["share"] for row in json.loads(out) if row["parallel_role"] == "sum"] == ["prompts", "each"]



def test_many_executions_leak_no_process_thread_or_descriptor(pair):
    process = pair.start("", "--rounds", 150, "-o", "r.jsonl", "-v")
    seen = []
    for line in process.stderr:
        if line.startswith("[") and "sum of 2" in line:
            seen.append((len(list(pathlib.Path(f"/proc/{process.pid}/fd").iterdir())), sorted(children(process.pid))))
        if len(seen) == 100:
            break  # the table at the end is longer than a pipe holds
    process.communicate(timeout=60)
    assert process.returncode == 0 and len(seen) == 100
    assert all(len(workers) == 2 for _, workers in seen), seen
    assert seen[-1][1] == seen[1][1]  # the same two from the second execution on
    assert seen[-1][0] <= seen[1][0] + 3  # a sensor's file may be open for a moment
    wait_until(lambda: not any(map(is_alive, seen[-1][1])), 5)
