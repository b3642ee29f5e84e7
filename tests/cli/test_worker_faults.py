"""Faults of the real worker in the middle of a sweep: the rest runs, and --resume completes the set."""

import csv
import json
import os
import resource
import signal

from program import children, finish, run, start

# Packed alike for all sizes, so that only a fresh worker loads; in fp32, auto chooses by the number of pixels.
SWEEP = ("-m", "tiny-sd15", "--host-allocator", "system", "--packed-weights", "onednn", "--weights", "synthetic", "--device", "cpu",
         "--dtype", "fp32", "--attention", "math", "--threads", 1, "--steps", 1, "--warmup", 0, "-o", "r.csv", "--config", "cells.json")


def rows_of(folder):
    with open(folder / "r.csv", newline="") as file:
        return list(csv.DictReader(file))


def outcomes(rows):
    return [(row["width"] + "x" + row["height"], row["status"]) for row in rows]


def strike_in_the_second_cell(folder, size, fault):
    """The sweep's rows, where `fault` has met the worker in the timed part of the second cell, of this size."""
    (folder / "cells.json").write_text(json.dumps({"repeat": 1, "cells": [{"size": "64x64"}, {"size": size, "repeat": 1000}, {"size": "64x96"}]}))
    process = start(folder, *SWEEP, "-v")
    for sign in ("[1/3]", "stage      measure"):
        while sign not in (line := process.stderr.readline()):
            assert line, f"the sweep ended before {sign}"
    [worker] = children(process.pid)
    fault(worker)
    code, _, err = finish(process)
    assert code == 3, err
    return rows_of(folder)


def complete(folder, size):
    code, _, err = run(folder, *SWEEP, "--repeat", 1, "--resume", "--retry-failed")
    assert code == 0, err
    assert outcomes(rows_of(folder)[3:]) == [(size, "ok")]


def test_a_worker_that_is_killed_costs_its_cell_alone(tmp_path):
    rows = strike_in_the_second_cell(tmp_path, "128x128", lambda worker: os.kill(worker, signal.SIGKILL))
    assert outcomes(rows) == [("64x64", "ok"), ("128x128", "crash"), ("64x96", "ok")]
    assert "SIGKILL" in rows[1]["error"] and rows[1]["stage"] == "measure"
    assert rows[1]["first_image_s"] != "" and rows[1]["warmup"] == ""  # the worker did not live to say that it was none
    assert rows[0]["warmup"] == "0"
    assert [row["load_s"] != "" for row in rows] == [True, False, True]  # a fresh worker loads
    complete(tmp_path, "128x128")


def test_a_worker_that_the_system_refuses_memory_costs_its_cell_alone(tmp_path):
    # The attention's scores, 20 MiB a head and image, are asked of the system anew for each step.
    def refuse(worker):
        resource.prlimit(worker, resource.RLIMIT_AS, (1 << 20, resource.RLIM_INFINITY))

    rows = strike_in_the_second_cell(tmp_path, "384x384", refuse)
    assert outcomes(rows) == [("64x64", "ok"), ("384x384", "oom_host"), ("64x96", "ok")]
    assert "too little free memory" in rows[1]["error"] or "refused memory" in rows[1]["error"]
    assert rows[1]["stage"] == "measure"
    complete(tmp_path, "384x384")
