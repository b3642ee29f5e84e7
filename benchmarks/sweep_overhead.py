#!/usr/bin/env python3
"""The cost of a cell in a sweep beyond its own time, and leaks of a long sweep: 1,000 tiny cells in one sdbench.

    benchmarks/sweep_overhead.py build/release/bin/sdbench [--cells 1000]

Prints the overhead of a cell (wall time of the sweep, without the rows' load, first image and timed runs, divided by the number
of cells), and descriptors, threads and memory of front and worker early and late in the sweep. tests/cli/test_long_sweep.py checks for
leaks with a worker that does nothing; times are only printed, because they depend on the machine.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time


def status_number(pid, key):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1])
    raise KeyError(key)


def children(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def footprint(pid):
    """Descriptors, threads and resident KiB of a process: the least of several readings, because a sensor's file may be open at one of them."""
    looks = []
    for _ in range(20):
        looks.append({"descriptors": len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir())),
                      "threads": status_number(pid, "Threads"), "resident_kib": status_number(pid, "VmRSS")})
        time.sleep(0.001)
    return {key: min(look[key] for look in looks) for key in looks[0]}


def row_count(file):
    return file.read_bytes().count(b"\n") if file.exists() else 0


def cell_options(cells):
    """So many different cells: the guidance scale costs nothing."""
    return ["--model", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64", "--steps", "1",
            "--warmup", "0", "--repeat", "1", "--guidance", ",".join(str(2 + i / 1000) for i in range(cells))]


def sweep(program, cells, folder, **more):
    """Runs a sweep of so many cells. Returns (exit code, wall seconds, rows, footprints of [front, worker] at a tenth and near the end)."""
    file = folder / "rows.jsonl"
    began = time.monotonic()
    process = subprocess.Popen([program, *cell_options(cells), "-q", "-o", file.with_suffix(".csv"), "-o", file],
                               stdout=subprocess.DEVNULL, **more)
    seen = []
    for share in (0.1, 0.9):
        while process.poll() is None and row_count(file) < share * cells:
            time.sleep(0.01)
        if process.poll() is None:
            seen.append([footprint(pid) for pid in (process.pid, *children(process.pid))])
    code = process.wait()
    wall_s = time.monotonic() - began
    return code, wall_s, [json.loads(line) for line in file.read_text().splitlines()], seen


def own_time_s(row):
    """The seconds that the row accounts for."""
    return (row["load_s"] or 0) + (row["prepare_s"] or 0) + row["first_image_s"] + sum(run["e2e_s"] for run in row["samples"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cells", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        code, wall_s, rows, seen = sweep(options.program, options.cells, pathlib.Path(folder))
    own_s = sum(own_time_s(row) for row in rows)
    print(f"{len(rows)} rows of {options.cells} cells in {wall_s:.1f} s, exit code {code}")
    print(f"own time {1e3 * own_s / len(rows):.2f} ms a cell, overhead {1e3 * (wall_s - own_s) / len(rows):.2f} ms a cell")
    for when, processes in zip(("a tenth in", "near the end"), seen):
        for name, values in zip(("front", "worker"), processes):
            print(f"{when:12} {name:6} " + ", ".join(f"{value} {key}" for key, value in values.items()))
    return 0 if code == 0 and len(rows) == options.cells else 1


if __name__ == "__main__":
    sys.exit(main())
