#!/usr/bin/env python3
"""Writes the rows of five INVENTED machines beside this file: nothing in them was ever measured.

    python3 tests/data/compare/make_rows.py

They are test data for `sdbench compare` alone. Each machine is there for something that a comparison must get right; see MACHINES. Only a part of
the record's columns is written: readers take what is there.
"""
import csv
import hashlib
import pathlib
import random
import statistics
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "cli"))
from ids import with_ids  # noqa: E402


def short_hash(*parts):
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:16]


def text_of(value):
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def workload(model, size, batch=1, steps=50):
    return {"model": model, "width": size, "height": size, "steps": steps, "batch": batch, "images": batch, "guidance": 7.5,
            "scheduler": "euler", "noise_levels": "training", "timestep_spacing": "leading"}


SD15, SDXL, BATCH8 = workload("sd15", 512), workload("sdxl", 1024, steps=30), workload("sd15", 512, batch=8)


class Machine:
    def __init__(self, host, device, arch, kind="cuda", driver="570.86", **facts):
        self.facts = {"host": host, "device_name": device, "device_arch": arch, "device_kind": kind, "driver_version": driver, "os": "Invented OS 1",
                      "runtime_version": "2.11.0", "engine": "plain", "engine_revision": 1, "weights": "synthetic:0", "dtype_unet": "fp16",
                      "attention": "auto", "attention_used": "flash", "memory_format": "contiguous", "tf32": "off", "tf32_used": "off",
                      "cudnn_benchmark": "off", "offload": "none", "vae_tiling": "off", "threads": 8, "label": "", "note": "invented", **facts}
        self.random = random.Random(host)
        self.rows = []

    def row(self, work, it_s=None, runs=5, noise=0.004, between=0.003, memory=3_000_000_000, joules=None, status="ok", flags="", error="", **more):
        """One row; its runs spread by `noise`, and its mean lies off by about `between`."""
        facts = {**self.facts, **more}
        variant = "v" + short_hash(*(facts[name] for name in ("dtype_unet", "attention", "memory_format", "runtime_version")))
        row = {"schema_version": 4, "run_id": short_hash(facts["host"], len(self.rows)), "workload_id": "", "variant_id": variant,
               "env_id": "e" + short_hash(facts["host"], facts["device_name"], facts["driver_version"]),
               "time_utc": f"2026-01-0{1 + len(self.rows) % 9}T12:00:00Z",
               "sdbench_version": "0.1.0", "git_sha": "invented", "device": facts["device_kind"], **facts, **work, "seed": 0,
               "status": status, "flags": flags, "error": error, "repeat": runs if it_s else 0}
        row |= {name: with_ids(row)[name] for name in ("workload_id", "cell_id")}  # an env_id is of more than these columns
        if it_s:
            times = [work["steps"] / (it_s * (1 + self.random.gauss(0, noise))) for _ in range(runs)]
            shift = 1 + self.random.gauss(0, between)
            times = [time * shift for time in times]
            e2e = [time * 1.08 + 0.05 for time in times]
            mean, mean_e2e = statistics.fmean(times), statistics.fmean(e2e)
            row |= {"unet_s": mean, "e2e_s": mean_e2e, "unet_it_s": work["steps"] / mean, "s_per_it": mean / work["steps"],
                    "e2e_it_s": work["steps"] / mean_e2e, "images_per_min": 60 * work["batch"] / mean_e2e,
                    "first_image_it_s": work["steps"] / mean * 0.8, "peak_device_allocated_bytes": memory if facts["device_kind"] == "cuda" else None,
                    "peak_host_bytes": 4_000_000_000, "j_per_image": joules}
            if runs > 1:
                row |= {"unet_s_sd": statistics.stdev(times), "e2e_s_sd": statistics.stdev(e2e)}
        self.rows.append(row)

    def save(self, name):
        columns = list(dict.fromkeys(column for row in self.rows for column in row))
        with open(HERE / f"{name}.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([text_of(row.get(column)) for column in columns] for row in self.rows)


def main():
    # Three rows a cell: intervals between rows.
    alpha = Machine("alpha", "Invented RTX 9000", "Ada Lovelace", core_count=16, device_uuid="GPU-invented-alpha")
    for _ in range(3):
        alpha.row(SD15, 40.0, joules=300.0)
    for _ in range(3):
        alpha.row(BATCH8, 7.0, memory=9_000_000_000, joules=240.0)
    alpha.row(SDXL, 9.5, memory=8_000_000_000, joules=900.0)
    alpha.row(SD15, 22.0, dtype_unet="fp32", attention_used="efficient", memory=6_000_000_000)
    alpha.save("invented-alpha")

    # The same device in another host, another driver, throttled in one row of two.
    bravo = Machine("bravo", "Invented RTX 9000", "Ada Lovelace", driver="580.10", core_count=8, device_uuid="GPU-invented-bravo")
    bravo.row(SD15, 39.0, joules=310.0)
    bravo.row(SD15, 36.0, joules=325.0, flags="throttled")
    bravo.row(SDXL, 9.4, memory=8_000_000_000, runtime_version="2.7.1")
    bravo.save("invented-bravo")

    # A small card: slow, and out of memory for SDXL and for batch 8; one row failed for another reason.
    charlie = Machine("charlie", "Invented GTX 500", "Maxwell", core_count=4, attention_used="math", device_uuid="GPU-invented-charlie")
    charlie.row(SD15, 0.9, runs=3)
    charlie.row(SD15, status="timeout", error="measure: no step for 600 s")
    charlie.row(BATCH8, status="oom_device", error="first_image: out of memory")
    charlie.row(SDXL, status="oom_device", error="load: out of memory")
    charlie.save("invented-charlie")

    # A processor: one run, so no interval; and one that was cut short.
    delta = Machine("delta", "Invented Processor", "avx512", kind="cpu", driver="", core_count=64, dtype_unet="bf16")
    delta.row(SD15, 0.25, runs=1)
    delta.row(SD15, 0.21, runs=1, flags="partial")
    delta.save("invented-delta")

    # Hostile names, real weights, another engine revision.
    echo = Machine("<script>alert(1)</script>", "Invented | <b>`Card`</b> \x1b[31m", "Hopper", core_count=32, engine_revision=2,
                   weights="invented-checkpoint", note='"; DROP TABLE runs; --', device_uuid="GPU-invented-echo")
    echo.row(SD15, 39.9, runs=4)
    echo.row(SDXL, 14.0, runs=4, memory=8_100_000_000, joules=700.0)
    echo.save("invented-echo")


if __name__ == "__main__":
    main()
