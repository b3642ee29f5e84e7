#!/usr/bin/env python3
"""Checks that includes go in one direction: a folder sees only folders of lower layers, and the peers named here.

Usage: include_direction.py CHECKOUT. Prints each include that goes the wrong way; exit code 1 if there is one.
"""
import pathlib
import re
import sys

CORE = {"core": 0, "config": 1, "tokenizer": 1, "weights": 1, "image": 1, "device": 1, "plan": 2, "executor": 2,
        "telemetry": 2, "record": 3}
FRONT = {"database": 4, "results": 4, "words": 4, "sink": 5, "compare": 6, "bench": 6, "report": 7, "quality": 7, "cli": 8}
TORCH = {"kernels": 1, "nn": 1, "models": 2, "scheduler": 2, "timing": 2, "pipeline": 3, "worker": 4}
LAYERS = {**CORE, **FRONT, **TORCH}

# Of one layer, yet one may include the other: a tokenizer and a look-up need a model's configuration, layers take weights,
# layers call kernels, the executor runs cells, and a database is one of the results' files.
PEERS = {("tokenizer", "config"), ("weights", "config"), ("nn", "weights"), ("nn", "kernels"), ("executor", "plan"),
         ("results", "database")}

# Libraries that only some folders see. torch carries a fmt of its own, so spdlog and torch never meet in a file.
LIBRARIES = {
    r"(ATen|c10|torch|caffe2)/|cuda|nvrtc": TORCH,
    r"(spdlog|fmt|CLI)/": FRONT,
}
FORBIDDEN = re.compile(r"torch/(torch|nn)\.h|torch/nn/")  # ten times the compile time
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


def complaint(folder, included):
    """Why a file of `folder` must not include `included`; None if it may."""
    if FORBIDDEN.match(included):
        return "ATen headers only"
    for library, allowed in LIBRARIES.items():
        if re.match(library, included) and folder not in allowed:
            return "only " + ", ".join(sorted(allowed)) + " see it"
    ours = re.match(r"sdbench/(\w+)/", included)
    if not ours or ours[1] == folder:
        return None
    other = ours[1]
    if other not in LAYERS:
        return f"folder '{other}' has no layer in tests/house/include_direction.py"
    if other in TORCH and folder not in TORCH:
        return "the front and the core see no torch"
    if LAYERS[other] < LAYERS[folder] or (folder, other) in PEERS:
        return None
    return f"layer {LAYERS[folder]} must include lower layers only, but {other} is layer {LAYERS[other]}"


def check(checkout):
    """(number of files looked at, complaints), over include/sdbench/ and src/."""
    complaints, files = [], 0
    for top in ("include/sdbench", "src"):
        for path in sorted((checkout / top).rglob("*")):
            place = path.relative_to(checkout / top)
            if path.suffix not in (".h", ".cpp", ".cu") or len(place.parts) < 2:
                continue  # src/main.cpp and src/worker_main.cpp join what they need
            files += 1
            folder = place.parts[0]
            if folder not in LAYERS:
                complaints.append(f"{path}: folder '{folder}' has no layer in tests/house/include_direction.py")
                continue
            for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
                reason = complaint(folder, included)
                if reason:
                    complaints.append(f"{path}: includes {included}: {reason}")
    return files, complaints


def self_test():
    """The check must be able to fail."""
    for folder, included in [("core", "sdbench/config/model_config.h"), ("models", "sdbench/scheduler/euler_discrete.h"),
                             ("scheduler", "sdbench/models/unet.h"), ("nn", "sdbench/models/unet.h"),
                             ("sink", "sdbench/bench/runner.h"), ("bench", "sdbench/pipeline/stable_diffusion.h"),
                             ("sink", "ATen/ATen.h"), ("nn", "spdlog/spdlog.h"), ("nn", "torch/torch.h"),
                             ("pipeline", "sdbench/record/run_record.h")]:
        assert complaint(folder, included), f"{folder} must not include {included}"
    for folder, included in [("nn", "ATen/ATen.h"), ("nn", "sdbench/weights/checkpoint.h"), ("cli", "CLI/CLI.hpp"),
                             ("cli", "sdbench/record/run_record.h"), ("core", "vector")]:
        assert not complaint(folder, included), f"{folder} may include {included}"


def main():
    self_test()
    files, complaints = check(pathlib.Path(sys.argv[1]))
    print("\n".join(complaints) or f"{files} files, all includes go down")
    sys.exit(1 if complaints or files == 0 else 0)


if __name__ == "__main__":
    main()
