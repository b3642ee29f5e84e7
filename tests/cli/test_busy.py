"""A busy machine: seen, named, said beside verdicts, and waited for."""

import contextlib
import json
import os
import signal
import subprocess
import sys

import pytest

from ids import with_ids
from made_up_cards import slower
from program import environment, finish, record_of, run, start

TINY = ["-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--steps", 4]
NO_FILES = ["--no-save", "--format", "json"]
QUICK = [*TINY[:-1], 2, "--size", "64x64", "--repeat", 1, "--warmup", 0, *NO_FILES]


@contextlib.contextmanager
def competing():
    """A program for each core, at our own priority, that wants all of it."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in os.sched_getaffinity(0)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


@pytest.fixture
def competitors():
    with competing():
        yield


@pytest.fixture(scope="module")
def busy_row(tmp_path_factory):
    """A row beside them, and what was said. Runs long enough for the kernel's clock, which ticks a hundred times a second."""
    with competing():
        code, out, err = run(tmp_path_factory.mktemp("busy"), *TINY, "--threads", 1, "--repeat", 20, *NO_FILES)
    assert code == 0, err
    return record_of(out), err


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """A row where no variable sets anything, and what was said."""
    code, out, err = run(tmp_path_factory.mktemp("usual"), *QUICK)
    assert code == 0, err
    return record_of(out), err


def test_a_row_beside_other_programs_is_flagged_and_names_them(tmp_path, busy_row):
    row, err = busy_row
    assert "busy" in row["flags"].split()
    assert 5 < row["foreign_cpu_percent_mean"] <= row["foreign_cpu_percent_max"] <= 100
    assert 0 <= row["steal_percent"] < 100
    assert "python" in row["busy_programs"]
    assert "the machine is busy: other programs had" in err and "python" in err and "--wait-quiet" in err


def test_the_table_and_verdicts_say_whose_figures_stand_beside_other_programs(tmp_path, busy_row):
    twice = []
    for number, host in enumerate(["alpha", "alpha", "beta", "beta"]):
        flags = "busy" if host == "alpha" else ""
        row = busy_row[0] if flags else slower(busy_row[0], 1 / 3)
        twice.append(with_ids({**row, "run_id": f"{number}" * 16, "host": host, "flags": flags, "busy_programs": "cc1plus 184 %" if flags else ""}))
    (tmp_path / "rows.json").write_text(json.dumps(twice))
    code, out, err = run(tmp_path, "compare", "rows.json")
    assert code == 0, err
    plain = " ".join(out.split())
    assert ", beside other programs on " in plain and "alpha" in plain.split("beside other programs on ")[1][:60]
    assert "(busy)" in plain
    assert "busy: other programs or virtual machines used the processors, too (cc1plus 184 %)" in plain
    code, _, err = run(tmp_path, "merge", "rows.json", "-o", "shared.json", "--redact", "processes")
    assert code == 0, err
    assert "cc1plus" not in (tmp_path / "shared.json").read_text()


def test_a_cell_waits_for_a_quiet_machine_no_longer_than_it_may(tmp_path, program, competitors):
    code, out, err = run(tmp_path, *QUICK, "--wait-quiet", 1.5, env=environment(SDBENCH_STUB=""), program=program)
    assert code == 0, err
    assert "waiting    at most 1.5 s for a quiet machine: other programs had" in err and "python" in err
    assert "waiting    ended: the machine is still busy" in err
    assert record_of(out)["status"] == "ok"


def test_an_interrupt_ends_the_wait(tmp_path, program, competitors):
    process = start(tmp_path, *TINY, "--wait-quiet", 1000, "--no-save", program=program)
    while "for a quiet machine" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    code, _, _ = finish(process, timeout=30)
    assert code == 130


@pytest.mark.parametrize("seconds", ["-1", "inf", "soon"])
def test_a_wait_that_is_no_time_is_refused(tmp_path, seconds):
    code, _, err = run(tmp_path, *TINY, "--no-save", f"--wait-quiet={seconds}")
    assert code == 2 and "wait-quiet must be" in err


def test_omp_num_threads_is_the_number_of_threads_where_none_is_given(tmp_path, usual):
    code, out, err = run(tmp_path, *QUICK, env=environment(OMP_NUM_THREADS="1"))
    assert code == 0, err
    one = record_of(out)
    assert one["threads"] == 1 and one["openmp_config"] == "OMP_NUM_THREADS=1"  # never pooled with rows of all cores
    assert "OMP_NUM_THREADS is set" in err
    assert usual[0]["variant_id"] != one["variant_id"]
    many = len(os.sched_getaffinity(0)) + 1
    code, out, err = run(tmp_path, *QUICK, "--threads", many, env=environment(OMP_NUM_THREADS="1"))
    assert code == 0, err
    assert record_of(out)["threads"] == many
    assert f"--threads {many} is more than the " in err and "threads take turns" in err
    code, out, err = run(tmp_path, *QUICK, env=environment(OMP_NUM_THREADS="4096"))
    assert code == 0, err
    assert record_of(out)["threads"] == record_of(out)["core_count"]


def test_how_the_user_lets_threads_wait_wins_and_is_said(tmp_path, usual):
    code, out, err = run(tmp_path, *QUICK, env=environment(GOMP_SPINCOUNT="77"))
    assert code == 0, err
    assert "GOMP_SPINCOUNT=77" in record_of(out)["openmp_config"]
    assert "GOMP_SPINCOUNT=77 is set" in err
    row, err = usual
    assert row["openmp_config"] == "" and " is set" not in err
