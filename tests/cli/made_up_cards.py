"""Rows of made-up cards: what an H100 measured, with other names and at other speeds. All figures of a row fit together, as those of a measured one."""

import json
import re
from pathlib import Path

from ids import AXES, WAY, with_ids

RECORDS = Path(__file__).parents[2] / "benchmarks/records"
GIB = 2**30
# name: how many times the H100's time it takes, SMs, memory, power limit, compute capability, generation
KINDS = {
    "NVIDIA GeForce RTX 4090": (1.31, 128, 24, 450, "8.9", "Ada"),
    "NVIDIA GeForce RTX 3060": (5.17, 28, 12, 170, "8.6", "Ampere"),
    "NVIDIA L4": (4.05, 58, 24, 72, "8.9", "Ada"),
    "NVIDIA A100-SXM4-40GB": (1.62, 108, 40, 400, "8.0", "Ampere"),
    "NVIDIA GeForce RTX 4070 Ti SUPER": (2.13, 66, 16, 285, "8.9", "Ada"),
    "Tesla T4": (9.4, 40, 16, 70, "7.5", "Turing"),
    "NVIDIA GeForce RTX 2080 Ti": (3.3, 68, 11, 250, "7.5", "Turing"),
    "NVIDIA H100 80GB HBM3": (1.0, 132, 80, 700, "9.0", "Hopper"),
}
TIME = re.compile(r"^(prepare|first_image|text|unet|vae|e2e|step)_s(_|$)|^s_per_it$")
RATE = re.compile(r"_it_s(_|$)|^(images_per_min|megapixels_per_s|achieved_tflops)(_|$)")
POWER = re.compile(r"^power_w_|^(energy_j|j_per_image)$")


def of_h100(file="2026-11-26-h100-axes.jsonl"):
    return [json.loads(line) for line in (RECORDS / file).read_text().splitlines()]


def cells():
    """Of each work and engine, with nothing else chosen, the first row of the H100's sweep."""
    found = {}
    for row in of_h100():
        usual = all(row[axis] == "auto" for axis in ("graphs", "kernels", "memory_format", "attention", "packed_weights", "kv_cache", "time_cache"))
        if usual and row["dtype_unet"] == "fp16" and row["steps"] == 20 and row["batch"] in (1, 4, 8):
            found.setdefault((row["workload_id"], row["engine"]), row)
    return list(found.values())


def slower(row, factor, power=1.0):
    """The row with every time `factor` times as long, drawing `power` times as much: raw times, statistics and rates alike."""
    def run(times):
        return {name: [second * factor for second in value] if isinstance(value, list) else value * factor for name, value in times.items()}

    made = dict(row)
    for name, value in row.items():
        if value is None or isinstance(value, (str, dict, list)):
            continue
        if TIME.search(name):
            made[name] = value * factor
        elif RATE.search(name):
            made[name] = value / factor
        elif POWER.search(name):
            made[name] = value * power * (1 if name.startswith("power_w_") else factor)
    made["first_image"] = run(row["first_image"])
    made["samples"] = [run(sample) for sample in row["samples"]]
    return made


def out_of_memory(row):
    """The row of a card that the same work does not fit into: what a measured one of that kind says, of this work."""
    failed = next(other for other in of_h100("2026-11-26-h100-steps.jsonl") if other["status"] == "oom_device")
    asked = (*AXES, *WAY, "asked_dtype", "asked_threads", "variant_id", "time_utc", "engine_revision", "sweep_id", "model", "width", "height",
             "steps", "batch", "images", "guidance", "scheduler", "noise_levels", "scheduler_source", "timestep_spacing", "unet_tflop")
    return {**failed, **{name: row[name] for name in asked if name in row}}


def on_card(row, place, restart):
    """As the place-th made-up card would have it: kinds come again from the ninth on, in other hosts."""
    name, (factor, sms, memory, watts, capability, generation) = list(KINDS.items())[place % len(KINDS)]
    host = f"desk{place + 1}"
    jitter = 1 + 0.002 * ((7 * place + 3 * restart) % 5 - 2)
    fits = memory > 12 or (row["peak_device_allocated_bytes"] or 0) < 10 * GIB or row["model"] != "sdxl" or row["batch"] == 1
    made = slower(row, factor * (1 + 0.01 * (place // len(KINDS))) * jitter, watts / 700) if fits else out_of_memory(row)
    return with_ids({**made, "run_id": f"{place}-{restart}-{row['run_id']}", "host": host, "device_name": name, "device_arch": generation, "label": "",
                     "device_uuid": f"GPU-{place}", "sm_count": sms, "compute_capability": capability, "power_limit_w": float(watts),
                     "device_memory_bytes": memory * GIB, "sweep_id": f"sweep of {host}", "restart": restart})


def made_up_cards(count, restarts=3):
    """Rows of `count` cards, each of which ran every cell of the H100's sweep, in so many starts."""
    return [on_card(row, place, restart) for place in range(count) for restart in range(1, restarts + 1) for row in cells()]


def write_rows(file, rows):
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file
