#!/usr/bin/env python3
"""Are the times of the engines true? Compares each row with a second clock.

    benchmarks/true_timing.py build/release/bin/sdbench -o FILE.json [--engines tuned,pytorch,openvino] [OPTIONS OF SDBENCH...]

Without options: SD 1.5 at 256x256 in fp32, 10 steps, 5 runs, which is a minute on two cores. Each engine's own worker runs.
Writes one JSON record, prints a line for each engine; exit code 1 if one differs by more than 1 %.

External engines must be set up (sdbench setup engine NAME). Their `e2e_s` is compared with a clock around diffusers' `pipeline(...)` in the same
process, their `unet_it_s` with the final rate of diffusers' progress bar.

sdbench's own engines (`tuned`, `plain`) are watched from outside: a process of its own stands in the pipe between worker and sdbench, and stamps each
message of docs/worker-protocol.md with CLOCK_MONOTONIC_RAW as it arrives. It shares no code with the worker, and no clock: the worker reads
CLOCK_MONOTONIC, whose rate NTP adjusts. All timed runs together are compared with the time from the stage `measure` to the last `sample`, which
also has what passes between runs. The steps are compared from the first message of a step to the last one of each run. The steps up to that first
message have no begin that can be seen from outside, so their own times are taken; `unseen_share` is their part of `unet_s`, and ends the script with
exit code 1 above a quarter: messages are at least 50 ms apart, so a run must be longer than that.
"""
import argparse
import io
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

USUAL = {"--model": "sd15", "--size": "256x256", "--dtype": "fp32", "--steps": "10", "--repeat": "5", "--warmup": "1", "--weights": "synthetic"}
BOUND = 0.01
MOST_UNSEEN = 0.25  # of unet_s
OWN = ("tuned", "plain")  # sdbench's own engines


def watch(log):
    """From now on, writes every call of a pipeline as a line of the log."""
    import torch
    from diffusers import StableDiffusionPipeline, StableDiffusionXLPipeline

    def end():
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        return time.perf_counter()

    def clocked(pipeline):
        call, progress_bar = pipeline.__call__, pipeline.progress_bar
        rates = []

        def with_bar(self, *args, **more):
            self.set_progress_bar_config(file=io.StringIO(), disable=False)  # the worker has it disabled
            bar = progress_bar(self, *args, **more)
            close = bar.close

            def close_and_tell():
                if not bar.disable:  # not closed yet
                    rates.append(bar.n / bar.format_dict["elapsed"])
                close()

            bar.close = close_and_tell
            return bar

        def with_clock(self, *args, **more):
            rates.clear()
            began = end()
            result = call(self, *args, **more)
            log.write(json.dumps({"e2e_s": end() - began, "bar_it_s": rates[-1], "size": [more["width"], more["height"]]}) + "\n")
            log.flush()
            return result

        pipeline.__call__, pipeline.progress_bar = with_clock, with_bar

    clocked(StableDiffusionPipeline)
    clocked(StableDiffusionXLPipeline)


def serve(log_file, worker, engine):
    """Runs in the engine's Python: its worker, watched."""
    sys.path.insert(0, str(pathlib.Path(worker).resolve().parent))
    import worker as its_worker
    from shared import serving

    import_packages = serving.Server.import_packages

    def import_and_watch(self):
        import_packages(self)
        watch(open(log_file, "a"))

    serving.Server.import_packages = import_and_watch
    sys.argv = [worker, engine]
    return its_worker.main()


def watched_environments(program, folder, log_file):
    """Makes environments below `folder` whose Python runs a watched worker. Returns the names of the engines that are set up."""
    listed = json.loads(subprocess.run([program, "list", "engines", "--format", "json"], check=True, capture_output=True, text=True).stdout)
    there = [engine for engine in listed if engine["folder"] and engine["set_up"]]
    for engine in there:
        real, made = pathlib.Path(engine["folder"]), folder / pathlib.Path(engine["folder"]).name
        (made / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy(real / ".complete", made)
        python = made / "bin/python"
        words = [str(real / "bin/python"), "-s", str(pathlib.Path(__file__).resolve()), "--serve", str(log_file)]
        python.write_text(f"#!/bin/sh\nshift\nexec {shlex.join(words)} \"$@\"\n")  # without the script's own -s
        python.chmod(0o755)
    return [engine["name"] for engine in there]


def stamp_messages(log_file, worker):
    """Becomes the worker. A child process stands between it and sdbench, and writes each message with the time of its arrival."""
    from_worker, to_observer = os.pipe()
    if os.fork() != 0:
        os.dup2(to_observer, 4)
        os.execv(worker, [worker])
    os.close(to_observer)
    os.close(3)
    log = os.open(log_file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    rest = b""
    while piece := os.read(from_worker, 1 << 16):
        now = time.clock_gettime(time.CLOCK_MONOTONIC_RAW)
        *lines, rest = (rest + piece).split(b"\n")
        os.write(log, b"".join(b"%.9f %s\n" % (now, line) for line in lines))
        while piece:
            piece = piece[os.write(4, piece):]


def observed_program(program, folder, log_file):
    """Makes a tree below `folder` whose workers are the program's, observed. Returns its sdbench."""
    root = program.resolve().parents[1]
    (folder / "bin").mkdir(parents=True)
    shutil.copy(program.resolve(), folder / "bin/sdbench")
    (folder / "share").symlink_to(root / "share")
    for real in sorted((root / "libexec/sdbench").glob("*/*")):
        made = folder / real.relative_to(root)
        made.parent.mkdir(parents=True, exist_ok=True)
        if not real.name.startswith("sdbench-worker"):
            made.symlink_to(real)
            continue
        words = [sys.executable, "-s", str(pathlib.Path(__file__).resolve()), "--observe", str(log_file), str(real)]
        made.write_text(f"#!/bin/sh\nexec {shlex.join(words)}\n")
        made.chmod(0o755)
    return folder / "bin/sdbench"


def timed_messages(log_file):
    """Times of the stage `measure` and of the last sample in it, and the stamped steps of each timed run: [[(step, time), ...], ...]."""
    began = ended = None
    runs = [[]]
    for line in log_file.read_text().splitlines():
        stamp, _, text = line.partition(" ")
        message = json.loads(text)
        if message["type"] == "stage":
            began = float(stamp) if message["stage"] == "measure" else began
            measuring = message["stage"] == "measure"
        elif message["type"] == "step" and measuring:
            runs[-1].append((message["step"], float(stamp)))
        elif message["type"] == "sample" and measuring:
            ended = float(stamp)
            runs.append([])
    return began, ended, runs[:-1]


def row_of(program, engine, options, folder, log_file, environment):
    rows = folder / f"{engine}.jsonl"
    log_file.write_text("")
    subprocess.run([program, *options, "--engine", engine, "--no-save", "-o", rows], check=True, env=environment, stdout=sys.stderr)
    return json.loads(rows.read_text())


def beside_observer(row, log_file):
    """The record's times, and those of the observer for the same runs."""
    began, ended, runs = timed_messages(log_file)
    steps = [sample["step_s"] for sample in row["samples"]]
    if [len(run) for run in steps] != [run[-1][0] + 1 for run in runs]:
        sys.exit(f"true_timing.py: the record and the worker's messages must have the same steps, but have {steps} and {runs}")
    seen_s = sum(run[-1][1] - run[0][1] for run in runs)
    same_steps_s = sum(sum(own[run[0][0] + 1:]) for own, run in zip(steps, runs))
    unet_s = sum(map(sum, steps))
    e2e_s, it_s = (ended - began) / len(runs), sum(map(len, steps)) / (unet_s - same_steps_s + seen_s)
    return {"engine": row["engine"], "runtime_version": row["runtime_version"], "dtype": row["dtype_unet"], "runs": len(runs),
            "timed_s": ended - began, "e2e_s": row["e2e_s"], "second_clock_e2e_s": e2e_s, "e2e_off": row["e2e_s"] / e2e_s - 1,
            "unet_it_s": row["unet_it_s"], "second_clock_it_s": it_s, "it_s_off": row["unet_it_s"] / it_s - 1, "unseen_share": 1 - same_steps_s / unet_s}


def measured(program, engine, options, folder, log_file, environment):
    """Returns (the row, the watched calls of its timed runs)."""
    row = row_of(program, engine, options, folder, log_file, environment)
    calls = [json.loads(line) for line in log_file.read_text().splitlines()]
    calls = [call for call in calls if call["size"] == [row["width"], row["height"]]]  # without the golden run after them
    per_run = row["images"] // row["batch"]
    last = calls[-len(row["samples"]) * per_run:]  # before them come compilation, first image and warm-up
    return row, [last[place:place + per_run] for place in range(0, len(last), per_run)]


def beside(row, runs):
    """The record's times, and those of the second clock and the bar for the same runs."""
    steps = [len(sample["step_s"]) for sample in row["samples"]]
    bar_s = sum(count / len(run) / call["bar_it_s"] for count, run in zip(steps, runs) for call in run)
    e2e_s, bar_it_s = sum(call["e2e_s"] for run in runs for call in run) / len(runs), sum(steps) / bar_s
    each = [sample["e2e_s"] / sum(call["e2e_s"] for call in run) - 1 for sample, run in zip(row["samples"], runs)]
    return {"engine": row["engine"], "runtime_version": row["runtime_version"], "dtype": row["dtype_unet"], "runs": len(runs),
            "e2e_s": row["e2e_s"], "second_clock_e2e_s": e2e_s, "e2e_off": row["e2e_s"] / e2e_s - 1, "e2e_off_of_each_run": each,
            "unet_it_s": row["unet_it_s"], "progress_bar_it_s": bar_it_s, "it_s_off": row["unet_it_s"] / bar_it_s - 1}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    parser.add_argument("--engines", help="by commas; tuned and all that are set up and run here")
    arguments, more = parser.parse_known_args()
    program = arguments.program.resolve()
    with tempfile.TemporaryDirectory() as scratch:
        folder, log_file = pathlib.Path(scratch), pathlib.Path(scratch) / "calls.jsonl"
        there = watched_environments(program, folder / "engines", log_file)
        observed = observed_program(program, folder / "observed", log_file)
        wanted = arguments.engines.split(",") if arguments.engines else [OWN[0], *there]
        if missing := [name for name in wanted if name not in OWN and name not in there]:
            sys.exit(f"true_timing.py: --engines must be set up, but these are not: {', '.join(missing)}; see sdbench list engines")
        environment = {**os.environ, "SDBENCH_ENGINES": str(folder / "engines")}
        options = [word for name, value in USUAL.items() if name not in more for word in (name, value)] + more
        pairs = []
        for engine in wanted:
            if engine in OWN:
                row = row_of(observed, engine, options, folder, log_file, environment)
                pairs.append(beside_observer(row, log_file))
            else:
                row, runs = measured(program, engine, options, folder, log_file, environment)
                pairs.append(beside(row, runs))
            print(f"{engine}: e2e_s {100 * pairs[-1]['e2e_off']:+.2f} % of the second clock's, "
                  f"unet_it_s {100 * pairs[-1]['it_s_off']:+.2f} % of the {'second clock' if engine in OWN else 'progress bar'}'s", flush=True)
    work = {name: row[name] for name in ("sdbench_version", "git_sha", "model", "width", "height", "steps", "batch", "device_name", "threads")}
    arguments.output.write_text(json.dumps({"bound": BOUND, **work, "engines": pairs}, indent=1) + "\n")
    return int(any(max(abs(pair["e2e_off"]), abs(pair["it_s_off"])) > BOUND or pair.get("unseen_share", 0) > MOST_UNSEEN for pair in pairs))


if __name__ == "__main__":
    inner = {"--serve": serve, "--observe": stamp_messages}.get(sys.argv[1] if len(sys.argv) > 1 else "")
    sys.exit(inner(*sys.argv[2:]) if inner else main())
