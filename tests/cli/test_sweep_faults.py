"""The fault matrix over a sweep: after each fault all finished cells can be read, the failed one is a row, the rest ran, and
--resume completes the set. Through the real front, with a worker that misbehaves in one cell."""

import json
import random
import resource
import shutil
import signal
import time

import pytest
from program import children, finish, is_alive, wait_until
from stub import csv_rows, json_lines

SWEEP = ("--steps", "1,2,3,4,5", "-o", "r.csv", "-o", "r.jsonl", "-o", "r.json", "-o", "r.md")


def all_rows(folder):
    """The rows, which must be the same in every format."""
    rows = csv_rows(folder / "r.csv")
    identities = [row["run_id"] for row in rows]
    assert [row["run_id"] for row in json_lines(folder / "r.jsonl")] == identities
    assert [row["run_id"] for row in json.loads((folder / "r.json").read_text())] == identities
    assert len((folder / "r.md").read_text().splitlines()) == 3 + len(rows)
    return rows


def outcomes(rows):
    return [(int(row["steps"]), row["status"]) for row in rows]


def complete(stub, failed, *options):
    """--resume runs the cells that are not ok, and no other."""
    before = all_rows(stub.folder)
    code, _, err = stub.run("", *SWEEP, "--resume", "--retry-failed", *options)
    assert code == 0, err
    rows = all_rows(stub.folder)
    assert rows[:len(before)] == before
    assert outcomes(rows[len(before):]) == [(steps, "ok") for steps in failed]
    assert {int(row["steps"]) for row in rows if row["status"] == "ok"} == {1, 2, 3, 4, 5}


def start_and_wait_for_cell_3(stub, how, *options, **more):
    """A sweep whose third cell hangs; its worker."""
    process = stub.start(f"{how}@3", *SWEEP, *options, "-v", **more)
    worker = wait_until(lambda: children(process.pid))[0]
    file = stub.folder / "r.jsonl"
    wait_until(lambda: file.exists() and file.read_bytes().count(b"\n") == 2)
    time.sleep(0.2)
    return process, worker


def csv_bytes(stub, rows):
    """A size into which so many rows fit, and not one more."""
    stub.run("", "--steps", 1, "-o", "probe.csv")
    lines = (stub.folder / "probe.csv").read_bytes().splitlines(keepends=True)
    return len(lines[0]) + int((rows + 0.5) * sum(map(len, lines[1:])))


@pytest.mark.parametrize("how, status", [
    ("sigkill", "crash"), ("segfault", "crash"), ("abort", "crash"), ("hang", "timeout"), ("deaf", "timeout"),
    ("exit0", "error"), ("exit3", "crash"), ("garbage", "error"), ("half_line", "error"), ("endless", "error"),
    ("closes_pipes", "error"), ("nan", "invalid_output"), ("fails", "oom_device")])
def test_a_worker_that_fails_costs_its_cell_alone(stub, how, status):
    code, _, err = stub.run(f"{how}@3", *SWEEP, "--timeout", 3 if status == "timeout" else 20)  # a busy machine takes a second for what is not hanging
    assert code == 3, err
    assert outcomes(all_rows(stub.folder)) == [(1, "ok"), (2, "ok"), (3, status), (4, "ok"), (5, "ok")]
    complete(stub, [3])


def test_memory_that_the_system_refuses_costs_one_cell(stub):
    limit = 3 << 30
    code, _, _ = stub.run("allocates@3", *SWEEP,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert code == 3
    assert outcomes(all_rows(stub.folder)) == [(1, "ok"), (2, "ok"), (3, "oom_host"), (4, "ok"), (5, "ok")]
    complete(stub, [3])


def test_failed_cells_are_not_tried_again_unless_asked(stub):
    stub.run("sigkill@3", *SWEEP)
    before = all_rows(stub.folder)
    stub.run("", *SWEEP, "--resume")
    assert all_rows(stub.folder) == before


@pytest.mark.parametrize("number, expected", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
@pytest.mark.parametrize("how", ["hang", "deaf", "hang_load", "hang_golden"])
def test_an_interrupted_sweep_keeps_its_rows_and_is_resumed(stub, how, number, expected):
    process, worker = start_and_wait_for_cell_3(stub, how)
    process.send_signal(number)
    code, _, err = finish(process)
    assert code == expected, err
    assert outcomes(all_rows(stub.folder)) == [(1, "ok"), (2, "ok"), (3, "interrupted")]
    assert not is_alive(worker)
    complete(stub, [3, 4, 5])


@pytest.mark.parametrize("outputs, advice", [(("-o", "r.csv"), "; --resume runs the rest"), (("--no-save",), ""), (("-o", "r.md", "--no-save"), "")])
def test_resume_is_advised_where_rows_are_kept_to_go_on_from(stub, outputs, advice):
    process = stub.start("hang@3", "--steps", "1,2,3,4,5", *outputs)
    while "[2/5]" not in (line := process.stderr.readline()):
        assert line, "the sweep ended too early"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)
    assert code == 130
    assert f"1 not, interrupted{advice}\n" in err, err


def test_a_signal_between_two_cells_ends_the_sweep_without_a_row(stub):
    process = stub.start("", *SWEEP, "--cooldown", 60)
    file = stub.folder / "r.md"
    wait_until(lambda: file.exists() and len(file.read_text().splitlines()) == 4)
    [worker] = children(process.pid)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process, 10)
    assert code == 130, err
    assert outcomes(all_rows(stub.folder)) == [(1, "ok")]
    assert not is_alive(worker)
    complete(stub, [2, 3, 4, 5])


def test_a_signal_while_the_devices_are_asked_for_ends_the_sweep(stub):
    process = stub.start("silent", *SWEEP, "--resume")
    [worker] = wait_until(lambda: children(process.pid))
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process, 20)
    assert code == 130, err
    assert not is_alive(worker)


def test_a_killed_front_leaves_whole_rows_and_is_resumed(stub):
    process, worker = start_and_wait_for_cell_3(stub, "hang")
    process.kill()
    finish(process)
    wait_until(lambda: not is_alive(worker), 5)
    assert outcomes(all_rows(stub.folder)) == [(1, "ok"), (2, "ok")]
    complete(stub, [3, 4, 5])


def test_a_front_that_is_killed_anywhere_and_again_loses_no_finished_cell(stub):
    chance = random.Random(4)
    sweep = ("--steps", ",".join(map(str, range(1, 101))), "-o", "r.csv", "-o", "r.jsonl", "-o", "r.json")
    finished = set()
    for _ in range(8):
        process = stub.start("", *sweep, "--resume", "-q")
        time.sleep(chance.uniform(0.02, 0.5))
        process.kill()
        finish(process)
        if (stub.folder / "r.json").exists():
            json.loads((stub.folder / "r.json").read_text())
    code, _, err = stub.run("", *sweep, "--resume", "-q")
    assert code == 0, err
    for rows in (csv_rows(stub.folder / "r.csv"), json_lines(stub.folder / "r.jsonl"),
                 json.loads((stub.folder / "r.json").read_text())):
        finished = {int(row["steps"]) for row in rows if row["status"] == "ok"}
        assert finished == set(range(1, 101))
    assert not list(stub.folder.glob("r.json.tmp*"))


def test_an_output_that_is_full_gets_its_rows_once_there_is_room(stub):
    limit = csv_bytes(stub, 2)
    process = stub.start("hang@5", *SWEEP, "-v", "--timeout", 5,
                         preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)))
    while "its rows are kept" not in (line := process.stderr.readline()):
        assert line
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    code, _, err = finish(process)
    assert code == 3, err
    assert "can be written again" in err
    assert outcomes(all_rows(stub.folder)) == [(1, "ok"), (2, "ok"), (3, "ok"), (4, "ok"), (5, "timeout")]
    complete(stub, [5])


def test_a_disk_that_stays_full_leaves_whole_rows_and_is_resumed(stub):
    limit = csv_bytes(stub, 2)
    code, out, err = stub.run("", *SWEEP, "--format", "jsonl",
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert code == 1
    assert len(out.splitlines()) == 5  # standard output is one of the others
    assert "lacks" in err
    assert outcomes(csv_rows(stub.folder / "r.csv")) == [(1, "ok"), (2, "ok")]
    code, _, err = stub.run("", "--steps", "1,2,3,4,5", "-o", "r.csv", "--resume")
    assert code == 0, err
    assert outcomes(csv_rows(stub.folder / "r.csv")) == [(steps, "ok") for steps in range(1, 6)]


def test_an_output_folder_that_is_removed_half_way_is_made_again_with_all_rows(stub):
    inside = stub.folder / "results"
    inside.mkdir()
    outputs = [part.replace("r.", "results/r.") if part.startswith("r.") else part for part in SWEEP]
    process = stub.start("hang@3", *outputs, "-v", "--timeout", 2)
    wait_until(lambda: (inside / "r.md").exists() and len((inside / "r.md").read_text().splitlines()) == 5)
    shutil.rmtree(inside)
    code, _, err = finish(process)
    assert code == 3, err
    assert "made again" in err
    assert outcomes(all_rows(inside)) == [(1, "ok"), (2, "ok"), (3, "timeout"), (4, "ok"), (5, "ok")]


def test_two_sweeps_at_once_lose_nothing(stub):
    sweep = ("--steps", ",".join(map(str, range(1, 101))), "-o", "r.csv", "-o", "r.jsonl", "-q")
    processes = [stub.start("", *sweep, "--label", label) for label in ("left", "right")]
    assert [finish(process)[0] for process in processes] == [0, 0]
    for rows in (csv_rows(stub.folder / "r.csv"), json_lines(stub.folder / "r.jsonl")):
        assert sorted((row["label"], int(row["steps"])) for row in rows) == [
            (label, steps) for label in ("left", "right") for steps in range(1, 101)]


def test_a_row_cut_by_a_power_failure_is_run_again(stub):
    stub.run("", *SWEEP)
    for name in ("r.csv", "r.jsonl"):
        whole = (stub.folder / name).read_bytes()
        (stub.folder / name).write_bytes(whole[:-100])
    (stub.folder / "r.json").unlink()
    (stub.folder / "r.md").unlink()
    code, _, err = stub.run("", *SWEEP, "--resume")
    assert code == 0 and err.count("cut off") == 2, err
    assert outcomes(all_rows(stub.folder)) == [(steps, "ok") for steps in (1, 2, 3, 4, 5)]


@pytest.mark.parametrize("name", ["r.csv", "r.jsonl"])
def test_a_dry_run_reads_a_file_whose_last_row_was_cut_and_leaves_it(stub, name):
    stub.run("", *SWEEP)
    cut = (stub.folder / name).read_bytes()[:-100]
    (stub.folder / name).write_bytes(cut)
    code, out, err = stub.run("", *SWEEP[:2], "-o", name, "--resume", "--dry-run")
    assert code == 0, err
    assert out.count("ok in the outputs") == 4 and "4 would be left out" in out
    assert (stub.folder / name).read_bytes() == cut and not (stub.folder / f"{name}.cut").exists()
