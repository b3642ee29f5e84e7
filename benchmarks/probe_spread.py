#!/usr/bin/env python3
"""How far do probes of one device differ? Repeats `sdbench probe`, and measures the matrix product with PyTorch beside it.

    benchmarks/probe_spread.py build/release/bin/sdbench -o FILE.json [--probes 20] [--device cpu]

Run it on a quiet machine, with a Python that has PyTorch; it takes two minutes on two cores. Each probe is a process of its own. Between
probes, PyTorch multiplies square matrices of 1,024 (GPU: 8,192) for a tenth of a second; its best call is the micro-benchmark. Exit code 1 if the
best of the probes' products is over 5 % away from it. On a CPU, where PyTorch is the same libtorch, only the method differs.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

BOUND = 0.05
DTYPES = {"product_fp32": "float32", "product_bf16": "bfloat16", "product_fp16": "float16"}


def probe(program, device):
    """The figures of one probe, and its seconds."""
    begin = time.monotonic()
    done = subprocess.run([program, "probe", "--device", device, "--format", "json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"probe_spread.py: sdbench probe must end well, but says: {done.stderr.strip()}")
    found, = json.loads(done.stdout)
    return found, time.monotonic() - begin


def products(device, names):
    """TFLOP/s of PyTorch's best call in a tenth of a second, by name of figure."""
    import torch

    side = 1024 if device == "cpu" else 8192
    rates = {}
    for name in names:
        a, b = (torch.rand(side, side, device=device, dtype=torch.float32).to(getattr(torch, DTYPES[name])) for _ in range(2))
        times, end = [], time.monotonic() + 0.1
        while time.monotonic() < end or len(times) < 3:
            begin = time.perf_counter()
            torch.mm(a, b)
            if device != "cpu":
                torch.cuda.synchronize()
            times.append(time.perf_counter() - begin)
        rates[name] = 2 * side**3 / min(times) / 1e12
    return rates


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    parser.add_argument("--probes", type=int, default=20)
    parser.add_argument("--device", default="cpu")
    arguments = parser.parse_args()
    first, _ = probe(arguments.program, arguments.device)  # reads the program's files into memory
    names = [name for name in DTYPES if name in first["figures"]]
    values, best, seconds = {name: [] for name in first["figures"]}, dict.fromkeys(names, 0.0), []
    for _ in range(arguments.probes):
        one, took = probe(arguments.program, arguments.device)
        seconds.append(took)
        for name, value in one["figures"].items():
            values[name].append(value)
        for name, rate in products(arguments.device, names).items():
            best[name] = max(best[name], rate)
    spread = {name: {"median": statistics.median(of), "sd_percent": 100 * statistics.stdev(of) / statistics.mean(of),
                     "least_percent": 100 * (min(of) / statistics.median(of) - 1), "most_percent": 100 * (max(of) / statistics.median(of) - 1)}
              for name, of in values.items()}
    ratios = {name: max(values[name]) / best[name] for name in names}
    arguments.output.write_text(json.dumps({"device": first["device_name"], "probes": arguments.probes,
                                            "seconds_median": statistics.median(seconds), "spread": spread,
                                            "micro_benchmark_tflops": best, "best_product_by_micro_benchmark": ratios,
                                            "values": values}, indent=1) + "\n")
    for name, one in spread.items():
        print(f"{name:<24} {one['median']:10.4g}  sd {one['sd_percent']:5.2f} %  from {one['least_percent']:+6.2f} to {one['most_percent']:+6.2f} %"
              + (f"  its best is {ratios[name]:.3f} of PyTorch's" if name in ratios else ""))
    print(f"a probe takes {statistics.median(seconds):.1f} s, its program and worker started anew")
    return int(any(abs(ratio - 1) > BOUND for ratio in ratios.values()))


if __name__ == "__main__":
    sys.exit(main())
