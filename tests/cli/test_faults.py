"""Whatever happens to worker, front or disk: no finished row is lost, and what failed is a row. Through the real front, with
a worker that misbehaves as it is told."""

import json
import os
import resource
import shutil
import signal
import time

import pytest
from program import children, environment, finish, is_alive, run, start, wait_until
from stub import CELL, csv_rows, json_lines


def is_one_line_of_text(text):
    return all(character.isprintable() for character in text)


# What a worker may do to one cell: how it shall misbehave, the status and stage of the row, words of its error and its stderr.
WORKER_FAULTS = [
    ("sigkill", "crash", "measure", "SIGKILL", ""),
    ("segfault", "crash", "measure", "SIGSEGV", ""),
    ("abort", "crash", "measure", "SIGABRT", "terminate called: boom\n"),
    ("hang", "timeout", "measure", "--timeout", ""),
    ("deaf", "timeout", "measure", "--timeout", ""),
    ("hang_load", "timeout", "load", "--timeout", ""),
    ("silent", "timeout", "start", "--timeout", ""),
    ("exit0", "error", "measure", "exit code 0", ""),
    ("exit3", "crash", "measure", "exit code 3", "first line\nthe reason\n\n"),
    ("garbage", "error", "measure", "this is no JSON", ""),
    ("half_line", "error", "measure", "exit code 0", ""),
    ("nested", "error", "measure", "must be a JSON object", ""),
    ("endless", "error", "measure", "a line must be at most", ""),
    ("other_version", "error", "start", "version 99", ""),
    ("no_hello", "error", "start", "hello", ""),
    ("closes_pipes", "error", "measure", "still runs", ""),
    ("noisy", "crash", "measure", "SIGSEGV", "stray output 19999\n"),
    ("escapes", "crash", "measure", "exit code 3", "\\x1b[2Jred\n"),
    ("nan", "invalid_output", "measure", "NaN", "a warning of the math library\n"),
    ("told_to_end", "crash", "measure", "SIGTERM", ""),
    ("fails", "oom_device", "measure", "too little memory", ""),
]


@pytest.mark.parametrize("how, status, stage, error, last_words", WORKER_FAULTS,
                         ids=[fault[0] for fault in WORKER_FAULTS])
def test_a_worker_that_fails_is_a_row_with_stage_and_last_words(stub, how, status, stage, error, last_words):
    process = stub.start(how, "-o", "r.csv", "-o", "r.jsonl", "-o", "r.json", "-o", "r.md", "--timeout", 1)
    code, _, err = finish(process)
    assert code == 1, err
    rows = [csv_rows(stub.folder / "r.csv"), json_lines(stub.folder / "r.jsonl"),
            json.loads((stub.folder / "r.json").read_text())]
    for [row] in rows:
        assert row["status"] == status
        assert row["stage"] == stage
        assert error in row["error"] and is_one_line_of_text(row["error"])
        assert row["stderr_tail"].endswith(last_words) and len(row["stderr_tail"]) <= 4096
    assert status in (stub.folder / "r.md").read_text()
    assert all(is_one_line_of_text(line) for line in err.splitlines())


def test_what_does_not_fit_a_card_is_a_row_of_its_preset(stub):
    code, _, err = stub.run("fails", "--preset", "card", "-o", "r.csv")
    assert code == 1, err
    rows = csv_rows(stub.folder / "r.csv")
    assert sorted((row["engine"], row["batch"], row["restart"], row["status"]) for row in rows) == sorted(
        (engine, batch, restart, "skipped" if batch == "4" else "oom_device")
        for engine in ("plain", "tuned") for batch in ("1", "4", "1") for restart in "123")


def test_memory_that_the_system_refuses_is_oom_host(stub):
    limit = 3 << 30
    code, _, _ = stub.run("allocates", "-o", "r.csv",
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert code == 1
    [row] = csv_rows(stub.folder / "r.csv")
    assert row["status"] == "oom_host"
    assert "bad_alloc" in row["stderr_tail"]


@pytest.mark.parametrize("how", ["hang", "deaf", "hang_load", "hang_golden", "silent"])
@pytest.mark.parametrize("number, expected", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_the_run_with_an_interrupted_row(stub, how, number, expected):
    process = stub.start(how, "-o", "r.csv", "-v")
    worker = hanging_worker(process, how)
    process.send_signal(number)
    code, _, err = finish(process)
    assert code == expected, err
    [row] = csv_rows(stub.folder / "r.csv")
    assert row["status"] == "interrupted"
    measured = how in ("hang", "deaf", "hang_golden")
    assert row["repeat"] == ("1" if measured else "0")
    assert not is_alive(worker)


def hanging_worker(process, how):
    """The worker's id, once it hangs."""
    last = {"hang_load": "stage      load", "silent": "stage      start", "hang_golden": "stage      golden"}
    while last.get(how, "request 0") not in (line := process.stderr.readline()):
        assert line
    return wait_until(lambda: children(process.pid))[0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_at_once(stub, number):
    process = stub.start("deaf", "-o", "r.csv", "-v")
    worker = hanging_worker(process, "deaf")
    process.send_signal(number)
    with pytest.raises(Exception):
        process.wait(1)
    process.send_signal(number)
    process.wait(2)
    assert process.returncode == -number
    wait_until(lambda: not is_alive(worker), 5)
    finish(process)


@pytest.mark.parametrize("number, then", [(signal.SIGTERM, signal.SIGTERM), (signal.SIGHUP, signal.SIGTERM)])
def test_signals_at_nearly_the_same_time_are_one(stub, number, then):
    """`timeout` sends one to the program and one to its group; a terminal that closes and its shell send one each."""
    process = stub.start("hang", "-o", "r.csv", "-v")
    hanging_worker(process, "hang")
    process.send_signal(number)
    time.sleep(0.05)  # or they would be one to the kernel, too
    process.send_signal(then)
    code, _, err = finish(process)
    assert code == 128 + number, err
    assert [row["status"] for row in csv_rows(stub.folder / "r.csv")] == ["interrupted"]


@pytest.mark.parametrize("number, expected", [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_to_all_processes_that_ends_the_worker_first_interrupts_its_cell(stub, number, expected):
    """So Slurm preempts a job, and a worker that is still being loaded heeds no signal."""
    process = stub.start("hang_load", "-o", "r.csv", "-v")
    os.kill(hanging_worker(process, "hang_load"), number)
    time.sleep(0.2)  # the front knows of the worker's end
    process.send_signal(number)
    code, _, err = finish(process)
    assert code == expected, err
    row, = csv_rows(stub.folder / "r.csv")
    assert (row["status"], row["error"]) == ("interrupted", "during stage load")


@pytest.mark.parametrize("how", ["hang", "deaf", "hang_load", "silent"])
def test_the_worker_dies_with_a_killed_front(stub, how):
    process = stub.start(how, "-o", "r.csv", "-v")
    worker = hanging_worker(process, how)
    process.kill()
    finish(process)
    wait_until(lambda: not is_alive(worker), 5)


def test_nohup_is_heeded(stub):
    process = stub.start("hang", "-o", "r.csv", "-v", "--timeout", 2,
                         preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    hanging_worker(process, "hang")
    process.send_signal(signal.SIGHUP)
    code, _, _ = finish(process)
    assert code == 1
    assert csv_rows(stub.folder / "r.csv")[0]["status"] == "timeout"


def test_a_full_disk_is_said_and_the_row_goes_to_the_others_and_to_a_safe_place(stub):
    limit = 100  # bytes: the header alone is longer
    code, out, err = stub.run("", "-o", "r.csv", "--format", "json",
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert code == 1
    assert json.loads(out)[0]["status"] == "ok"
    assert "r.csv" in err and "lacks 1 row" in err and "could not be saved anywhere" in err
    assert (stub.folder / "r.csv").read_text() == ""


def test_a_lost_output_folder_is_made_again(stub):
    results = stub.folder / "results"
    results.mkdir()
    process = stub.start("hang", "-o", "results/r.csv", "-o", "results/r.json", "-v", "--timeout", 2)
    hanging_worker(process, "hang")
    shutil.rmtree(results)
    code, _, err = finish(process)
    assert code == 1  # because of the timeout
    assert "made again" in err
    assert csv_rows(results / "r.csv")[0]["status"] == "timeout"
    assert json.loads((results / "r.json").read_text())[0]["status"] == "timeout"


def test_an_output_that_became_a_folder_costs_no_row(stub):
    process = stub.start("hang", "-o", "r.csv", "-v", "--timeout", 2, "--format", "json")
    hanging_worker(process, "hang")
    (stub.folder / "r.csv").mkdir()  # before the first row makes the file
    code, out, err = finish(process)
    assert code == 1
    assert json.loads(out)[0]["status"] == "timeout"
    assert "r.csv lacks 1 row" in err
    [rescued] = stub.folder.glob("sdbench-rescued-*.jsonl")
    assert json_lines(rescued)[0]["status"] == "timeout"


def test_a_file_cut_by_a_power_failure_is_mended_and_said(stub):
    stub.run("", "-o", "r.csv", "-o", "r.jsonl", "--label", "two\nlines")
    for file in ("r.csv", "r.jsonl"):
        whole = (stub.folder / file).read_bytes()
        start = whole.index(b"\n") + 1 if file == "r.csv" else 0
        half = whole[start:whole.index(b"two") + 6]  # inside of a quoted field with a line end
        (stub.folder / file).write_bytes(whole + half)
        code, _, err = stub.run("", "-o", file)
        assert code == 0
        assert f"{file}.cut" in err and err.count("cut off") == 1
        assert (stub.folder / f"{file}.cut").read_bytes() == half + b"\n"
    assert [row["label"] for row in csv_rows(stub.folder / "r.csv")] == ["two\nlines", ""]
    assert [row["label"] for row in json_lines(stub.folder / "r.jsonl")] == ["two\nlines", ""]
    assert all(None not in row for row in csv_rows(stub.folder / "r.csv"))


def test_fronts_that_append_to_one_file_at_once_lose_nothing(stub):
    processes = [stub.start("", "-o", "r.csv", "-o", "r.jsonl", "--label", number) for number in range(8)]
    assert [finish(process)[0] for process in processes] == [0] * 8
    for rows in (csv_rows(stub.folder / "r.csv"), json_lines(stub.folder / "r.jsonl")):
        assert sorted(row["label"] for row in rows) == [str(number) for number in range(8)]


def test_a_closed_standard_output_costs_no_row(stub):
    process = stub.start("hang", "-o", "r.csv", "-v", "--timeout", 2)
    hanging_worker(process, "hang")
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(60) == 1
    assert "standard output" not in err  # its reader left on purpose
    assert csv_rows(stub.folder / "r.csv")[0]["status"] == "timeout"


def test_an_error_message_cannot_command_the_terminal(stub):
    code, _, err = stub.run("", "--weights", "x\x1b[2J\nfake")
    assert code != 0
    assert err.count("\n") == 1 and is_one_line_of_text(err[:-1])


def test_an_export_that_fails_leaves_no_folder(stub):
    for folder in ("new", "empty"):
        (stub.folder / "empty").mkdir(exist_ok=True)
        process = start(stub.folder, "export-weights", "-m", "tiny-sd15", "-o", folder, program=stub.program,
                        env=environment(SDBENCH_STUB=""))  # the stub knows no such request and dies
        code, _, err = finish(process)
        assert code == 1 and "worker" in err
    assert not (stub.folder / "new").exists()
    assert (stub.folder / "empty").exists()


def test_one_card_under_three_power_limits_is_three_lines(stub):
    card = "00000000-0000-0000-0000-0000000000aa"  # as fake_nvml.cpp has it
    for limit in (200, 150, 250, 200, 150, 250):
        env = environment(SDBENCH_STUB="", SDBENCH_NVML=os.environ["SDBENCH_FAKE_NVML_LIBRARY"], SDBENCH_FAKE_NVML_LIMIT_W=str(limit),
                          CUDA_VISIBLE_DEVICES=card, TMPDIR=str(stub.folder))
        code, _, err = run(stub.folder, *CELL[:4], "--device", "cuda:0", "--size", "64x64", "-o", "r.jsonl", program=stub.program, env=env)
        assert code == 0, err
    assert sorted({row["power_limit_w"] for row in json_lines(stub.folder / "r.jsonl")}) == [150, 200, 250]
    code, out, err = run(stub.folder, "compare", "r.jsonl", "--format", "json", program=stub.program)
    assert code == 0, err
    assert sorted((place["machine"], place["rows"]) for place in json.loads(out)["places"]) == [
        (f"Stub GPU, power limit {limit} W", 2) for limit in (150, 200, 250)]
