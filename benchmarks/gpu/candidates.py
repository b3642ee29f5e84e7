"""Times what could replace operators of the UNet and the VAE. It needs torch alone, and nothing is built. About 60 s on an H100.

    candidates.py FILE [--device cpu] [--seconds 90]    cpu: tiny shapes, so that no minute of a GPU is lost to a typing error

A case is an operator: today's form first, then its candidates, on the same numbers and by turns. On a GPU each form is a graph of at least 20 calls,
on so many copies of its tensors that none is left in the L2. FILE gets a line of JSON for each form:

    group, shape, dtype, form     what it is
    us_min, us_median             microseconds of a call
    ratio                         the median by that of today's form
    saves_ms                      what a step or a decode would save, by its launches there
    rel_err                       how far its numbers are from those of today's form
    error                         why this card or this torch refuses it, which is no failure

A group takes at most twice its share of the time that is left, so that a slow one costs the others nothing. Exit code 1 if a form is wrong.
"""
import argparse
import collections
import json
import math
import statistics
import time
import traceback
from types import SimpleNamespace

import torch

from candidate_forms import GROUPS

ROUNDS = 7
LEAST_CALLS, MOST_COPIES = 20, 20
LARGEST_ERROR = 0.1  # fp8 has 0.05; what computes something else has about 1


class Place:
    """Where the forms run, and in which sizes."""

    def __init__(self, device):
        self.device = device
        self.on_gpu = device == "cuda"
        self.half = torch.float16 if self.on_gpu else torch.bfloat16
        self.cache_bytes = torch.cuda.get_device_properties(0).L2_cache_size if self.on_gpu else 0
        self.name = torch.cuda.get_device_name() if self.on_gpu else "cpu"

    def sized(self, *sizes):
        """On a CPU at most a sixty-fourth, and multiples of 16."""
        return [size if self.on_gpu or size <= 10 else 16 * math.ceil(size / 1024) for size in sizes]

    def random(self, *shape, dtype=None):
        return torch.randn(shape, device=self.device).to(dtype or self.half)

    def image(self, *shape):
        return self.random(*shape).contiguous(memory_format=torch.channels_last)

    def weight(self, *shape):
        """Keeps the size of numbers: no sum leaves fp16's range."""
        weight = self.random(*shape) / math.prod(shape[1:])**0.5
        return weight.contiguous(memory_format=torch.channels_last) if len(shape) == 4 else weight


def tensors_of(found):
    return [found] if isinstance(found, torch.Tensor) else list(found)


def copied(tensors):
    return SimpleNamespace(**{name: value.clone() if isinstance(value, torch.Tensor) else value for name, value in vars(tensors).items()})


def error_of(found, expected):
    apart = sum(float((a.double() - b.double()).square().sum()) for a, b in zip(found, expected, strict=True))
    return (apart / sum(float(b.double().square().sum()) for b in expected))**0.5


class Timer:
    """A form that is ready to be timed; the GPU's is a graph."""

    def __init__(self, form, copies, on_gpu):
        self.form, self.copies, self.graph = form, copies, None
        if not on_gpu:
            return
        self.calls = max(LEAST_CALLS, len(copies))
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for tensors in copies:
                form(tensors)
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        results = [None] * len(copies)  # kept for a turn, for otherwise all calls would write to the same place
        with torch.cuda.graph(self.graph):
            for call in range(self.calls):
                results[call % len(copies)] = form(copies[call % len(copies)])
        self.seconds()  # uploads the graph

    def seconds(self):
        if self.graph is None:
            begin = time.perf_counter()
            self.form(self.copies[0])
            return time.perf_counter() - begin
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        self.graph.replay()
        end.record()
        end.synchronize()
        return 1e-3 * begin.elapsed_time(end) / self.calls


def prepare(case, place):
    """The dtype, and for each form a timer or an error, and how far it is from today's."""
    copies = [case.make()]
    dtype = next(value.dtype for value in vars(copies[0]).values() if isinstance(value, torch.Tensor))
    byte_count = sum(value.nbytes for value in vars(copies[0]).values() if isinstance(value, torch.Tensor))
    while len(copies) < min(MOST_COPIES, 1 + 2 * place.cache_bytes // byte_count):
        copies.append(case.make())
    ready, expected = {}, None
    for name, form in case.forms.items():
        error = None
        try:
            found = tensors_of(form(copied(copies[0])))
            if name not in case.unlike:
                expected = expected or found
                error = error_of(found, expected)
            ready[name] = (Timer(form, copies, place.on_gpu), error)
        except (RuntimeError, OSError) as refused:
            ready[name] = (str(refused), error)
            if place.on_gpu:
                torch.cuda.synchronize()
    return str(dtype).removeprefix("torch."), ready


def rows_of(case, place):
    dtype, ready = prepare(case, place)
    timers = {name: timer for name, (timer, _) in ready.items() if isinstance(timer, Timer)}
    times = collections.defaultdict(list)
    for _ in range(ROUNDS if place.on_gpu else 2):
        for name, timer in timers.items():
            times[name].append(1e6 * timer.seconds())
    usual = times[next(iter(case.forms))]
    for name, (timer, error) in ready.items():
        row = {"group": case.group, "shape": case.shape, "dtype": dtype, "form": name, "rel_err": error}
        if name not in timers:
            yield row | {"error": timer.split("\n")[0][:300]}
            continue
        us = statistics.median(times[name])
        row |= {"us_min": min(times[name]), "us_median": us}
        if usual:
            today = statistics.median(usual)
            row |= {"ratio": us / today, "saves_ms": {where: 1e-3 * (today - us) * count for where, count in case.launches.items()}}
        row |= {"tflop_s": 1e-6 * case.flop / us} if case.flop else {}
        yield row | ({"gb_s": 1e-3 * case.bytes / us} if case.bytes else {})


def shown(row):
    if "error" in row:
        words = f"not possible: {row['error'][:100]}"
    else:
        rate = "".join(f" {row[name]:7.1f} {words}" for name, words in (("tflop_s", "TFLOP/s"), ("gb_s", "GB/s")) if name in row)
        error = f" rel_err {row['rel_err']:.1e}" if row["rel_err"] else ""
        saves = "".join(f"; saves {ms:+.3f} ms of {where}" for where, ms in row.get("saves_ms", {}).items() if row["ratio"] != 1)
        words = f"{row['us_median']:9.2f} us (least {row['us_min']:9.2f}) {row.get('ratio', math.nan):5.2f}{rate}{error}{saves}"
    return f"{row['group']} {row['shape']:34s} {row['form']:48s} {words}"


def run_group(group, place, end, file):
    """Whether all forms were right."""
    right = True
    cases = list(group(place))
    for number, case in enumerate(cases):
        if time.monotonic() > end:
            print(f"{case.group}: {len(cases) - number} of {len(cases)} cases are left out, because the group's time is up", flush=True)
            break
        try:
            for row in rows_of(case, place):
                print(shown(row), flush=True)
                file.write(json.dumps({"device": place.name, "torch": torch.__version__, **row}) + "\n")
                file.flush()
                if (row["rel_err"] or 0) > LARGEST_ERROR:
                    print(f"rel_err must be at most {LARGEST_ERROR}, but is {row['rel_err']:.2g}: the form computes something else")
                    right = False
        except Exception:  # a typing error costs its case, not the others
            traceback.print_exc()
            right = False
    return right


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("file")
    arguments.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    arguments.add_argument("--seconds", type=float, default=90)
    asked = arguments.parse_args()
    end = time.monotonic() + asked.seconds
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)  # for tiny shapes on a CPU; a GPU's work needs none
    place, right = Place(asked.device), True
    with open(asked.file, "w") as file:
        for number, group in enumerate(GROUPS):
            now = time.monotonic()
            right &= run_group(group, place, min(end, now + 2 * (end - now) / (len(GROUPS) - number)), file)
    return int(not right)


if __name__ == "__main__":
    raise SystemExit(main())
