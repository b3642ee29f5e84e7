#!/usr/bin/env python3
"""How long sdbench takes to start and to load: the program, its worker's first event, synthetic and mapped weights.

    benchmarks/start_cost.py build/release/bin/sdbench [--models sd15,sdxl] [--rounds 3] [--idle 15] [-o FILE.json]

Loads take turns in rounds. Prints a line for each with all its times, and writes them to FILE.json. A virtual machine gets memory that was free
for some seconds from its host again. So synthetic weights are loaded twice: after an idle pause, and again at once. For comparison, a
program on all processors measures between rounds how long it takes to touch as much memory (the process's peak) after such a pause:
the time that the machine itself needs for memory.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

RECORDS = sorted((pathlib.Path(__file__).parent / "records").glob("2026-11-23-sd*-beside-peers.jsonl"))[:3]
GIB = 1 << 30


def seconds(run):
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def program_s(program, *arguments):
    return seconds(lambda: subprocess.run([program, *arguments], check=True, stdout=subprocess.DEVNULL))


def worker_of(program):
    """The worker that sdbench chooses here: without CUDA's driver, the one that does not load libtorch's CUDA half."""
    folders = sorted((program.resolve().parents[1] / "libexec/sdbench").iterdir())
    has_driver = pathlib.Path("/proc/driver/nvidia/version").exists()
    return next(file for name in (["sdbench-worker"] if has_driver else ["sdbench-worker-cpu", "sdbench-worker"])
                if (file := folders[-1] / name).exists())


def first_event_s(worker):
    """From its start to its first line. It has requests on descriptor 3 and events on 4."""
    began = time.perf_counter()
    process = subprocess.Popen(["sh", "-c", 'exec "$0" 3<&0 4>&1 </dev/null >/dev/null', worker], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    process.stdout.readline()
    found = time.perf_counter() - began
    process.stdin.close()
    process.wait()
    return found


def touch_s(count):
    """Seconds to write a byte to each page of so many bytes, on huge pages like ours, each processor its share."""
    script = ("import mmap, sys, time; memory = mmap.mmap(-1, int(sys.argv[1])); memory.madvise(mmap.MADV_HUGEPAGE); "
              "pages = bytes(len(range(0, len(memory), mmap.PAGESIZE))); began = time.monotonic(); "
              "memory[::mmap.PAGESIZE] = pages; print(began, time.monotonic())")
    processors = len(os.sched_getaffinity(0))
    programs = [subprocess.Popen([sys.executable, "-c", script, str(count // processors)], stdout=subprocess.PIPE, text=True)
                for _ in range(processors)]
    spans = [[float(word) for word in program.communicate()[0].split()] for program in programs]
    if any(program.returncode for program in programs):
        raise SystemExit("a program that touches memory failed: is there enough of it?")
    return max(end for _, end in spans) - min(began for began, _ in spans)


def load(program, model, weights, dtype):
    """The row of a load in a separate process."""
    output = subprocess.run([program, "-m", model, "--weights", weights, "--dtype", dtype, "--size", "256x256", "--steps", "1",
                             "--warmup", "0", "--repeat", "1", "--device", "cpu", "--no-save", "--format", "json", "-q"],
                            check=True, capture_output=True, text=True).stdout
    return json.loads(output)[0]


def loads(program, model, dtype, folder, idle_s, times, bytes_of):
    if not folder.exists():
        subprocess.run([program, "export-weights", "-m", model, "--dtype", dtype, "-o", folder, "-q"], check=True)
    name = f"{model} in {dtype}"
    if name in bytes_of:
        time.sleep(idle_s)
        times.setdefault(f"{name}: as much memory, touched", []).append(touch_s(bytes_of[name]))
    time.sleep(idle_s)
    for kind, weights in (("synthetic, after a pause", "synthetic:0"), ("synthetic, at once", "synthetic:0"),
                          ("mapped, at once", folder)):
        row = load(program, model, str(weights), dtype)
        times.setdefault(f"{name}, {kind}: load", []).append(row["load_s"] + (row["prepare_s"] or 0))
        times.setdefault(f"{name}, {kind}: of it packing", []).append(row["prepare_s"])
        bytes_of.setdefault(name, row["peak_host_bytes"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--models", default="sd15,sdxl")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--idle", type=float, default=15, help="seconds until the host has taken free memory back")
    parser.add_argument("-o", dest="output", type=pathlib.Path)
    options = parser.parse_args()
    worker = worker_of(options.program)
    times, bytes_of = {}, {}
    for _ in range(11):
        times.setdefault("sdbench --version", []).append(program_s(options.program, "--version"))
        times.setdefault("sdbench compare of three files", []).append(program_s(options.program, "compare", *RECORDS))
    for _ in range(options.rounds):
        times.setdefault("the worker's first event", []).append(first_event_s(worker))
    with tempfile.TemporaryDirectory() as scratch:
        for _ in range(options.rounds):
            for model in options.models.split(","):
                for dtype in ("bf16", "fp32") if model == "sd15" else ("bf16",):
                    loads(options.program, model, dtype, pathlib.Path(scratch) / f"{model}-{dtype}", options.idle,
                          times, bytes_of)
    for name, found in times.items():
        print(f"{name}: median {statistics.median(found):.3g} s ({', '.join(f'{value:.3g}' for value in found)})")
    if options.output:
        version = subprocess.run([options.program, "--version"], check=True, capture_output=True, text=True).stdout
        options.output.write_text(json.dumps({"version": version, "machine": platform.processor() or platform.machine(),
                                              "time_utc": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                                              "peak_gib": {name: count / GIB for name, count in bytes_of.items()},
                                              "seconds": times}, indent=1) + "\n")


if __name__ == "__main__":
    main()
