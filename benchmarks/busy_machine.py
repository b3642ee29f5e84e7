#!/usr/bin/env python3
"""Times of a CPU cell on a quiet machine and beside other programs, with sdbench's placing of threads and with libgomp's.

    benchmarks/busy_machine.py build/release/bin/sdbench [--rounds 20] [--busy-rounds 4] [--cell "-m tiny-sd15 --steps 20"] [-o FILE.json]

The ways take turns in random order in each round: sdbench's own, and libgomp's (300,000 looks, threads unbound). In the busy rounds each has a
competitor on each core at the same priority (a loop in Python). Prints the ratio of the quiet medians of a step with
the 95 % interval of the rounds' ratios. Also prints the slowdown of each way beside the competitors, compared with its own quiet time: for a
step (the mean, because a slow mode may affect only some), and for the first image. Nothing else may run.
"""

import argparse
import json
import math
import os
import pathlib
import platform
import random
import shlex
import statistics
import subprocess
import sys
import time

OURS, LIBGOMP = "sdbench's", "libgomp's"
WAYS = {OURS: {}, LIBGOMP: {"GOMP_SPINCOUNT": "300000", "OMP_PROC_BIND": "false"}}


def row_of(program, cell, way, repeat):
    """The row of one process."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_", "KMP_", "SDBENCH_"))}
    output = subprocess.run([program, *cell, "--weights", "synthetic", "--device", "cpu", "--warmup", "1", "--repeat", str(repeat),
                             "--no-save", "--format", "json", "-q"], env={**environment, **WAYS[way]}, check=True,
                            capture_output=True, text=True).stdout
    return json.loads(output)[0]


def median_interval(values):
    """95 % interval of the median by order statistics, which outliers do not widen."""
    ordered = sorted(values)
    count = len(ordered)
    below, chance = 0, 0.0
    while chance + math.comb(count, below) / 2**count < 0.025:
        chance += math.comb(count, below) / 2**count
        below += 1
    return ordered[max(below - 1, 0)], ordered[min(count - below, count - 1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--busy-rounds", type=int, default=4)
    parser.add_argument("--cell", default="-m tiny-sd15 --steps 20")
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    options = parser.parse_args()
    cell = shlex.split(options.cell)
    quiet, quiet_first, busy, busy_first = ({way: [] for way in WAYS} for _ in range(4))
    for _ in range(options.rounds):
        for way in random.sample(list(WAYS), len(WAYS)):
            row = row_of(options.program, cell, way, 4)
            quiet[way].append(row["step_s_p50"])
            quiet_first[way].append(row["first_image_s"])
    cores = len(os.sched_getaffinity(0))
    competitors = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(cores)]
    try:
        for _ in range(options.busy_rounds):
            for way in random.sample(list(WAYS), len(WAYS)):
                row = row_of(options.program, cell, way, 2)
                busy[way].append(row["step_s_mean"])
                busy_first[way].append(row["first_image_s"])
    finally:
        for competitor in competitors:
            competitor.kill()
            competitor.wait()
    ratios = [ours / theirs for ours, theirs in zip(quiet[OURS], quiet[LIBGOMP])]
    low, high = median_interval(ratios)
    print(f"quiet, a step by sdbench's way by libgomp's: {statistics.median(ratios):.4f} ({low:.4f} to {high:.4f}), {len(ratios)} pairs")
    for way in WAYS:
        for what, alone, beside in (("a step", quiet, busy), ("the first image", quiet_first, busy_first)):
            times = [value / statistics.median(alone[way]) for value in beside[way]]
            print(f"beside {cores} competitors, {way} way, {what}: {statistics.median(times):.2f} times its quiet time "
                  f"({', '.join(f'{value:.2f}' for value in sorted(times))})")
    if options.output:
        version = subprocess.run([options.program, "--version"], check=True, capture_output=True, text=True).stdout
        options.output.write_text(json.dumps({"version": version, "machine": platform.processor() or platform.machine(),
                                              "time_utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "cell": options.cell,
                                              "cores": cores, "quiet_step_s": quiet, "busy_step_s": busy,
                                              "quiet_first_image_s": quiet_first, "busy_first_image_s": busy_first}, indent=1) + "\n")


if __name__ == "__main__":
    main()
