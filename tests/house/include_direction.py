#!/usr/bin/env python3
"""Checks that includes go in one direction: a folder includes only folders of lower layers, and the peers named here.

Usage: include_direction.py CHECKOUT. Prints each include that goes the wrong way; exit code 1 if there is one.

The wings are the folders of src/: `base` includes only itself; `front` and `engine` also include `base`, but never each other. A header in include/
is for other folders and their tests; one that only its own folder includes lies beside its source.
"""
import collections
import pathlib
import re
import sys

WINGS = {"base": {"base"}, "front": {"front", "base"}, "engine": {"engine", "base"}}  # what each may include
LAYERS = {"text": 0, "numbers": 0, "errors": 1, "system": 2, "files": 3, "types": 3, "config": 4, "weights": 4, "dataset": 4, "device": 4, "plan": 5,
          "executor": 5,
          "machine": 6, "telemetry": 7, "record": 8, "database": 9, "results": 9, "slurm": 9, "words": 9, "sink": 10, "compare": 11, "bench": 11,
          "other_engines": 12, "trend": 12, "report": 13, "quality": 13, "terminal": 14, "options": 15, "progress": 15, "inventory": 16, "reproduce": 17,
          "commands": 18, "shells": 19,
          "kernels": 4, "nn": 4, "tokenizer": 5, "models": 5, "pipeline": 6, "training": 6, "distributed": 6, "worker": 7}

# Pairs of one layer where the first may include the second: a look-up needs a model's configuration, an engine's row has dtypes for each kind of
# device, synthetic images use the generator of synthetic weights, layers take weights, layers call kernels, the executor runs cells, and a database
# is a results' file.
PEERS = {("config", "device"), ("weights", "config"), ("dataset", "weights"), ("nn", "weights"), ("nn", "kernels"), ("executor", "plan"),
         ("results", "database")}

# Libraries that only one wing uses. torch has its own fmt, so spdlog and torch must never meet in a file.
LIBRARIES = {r"(ATen|c10|torch|caffe2)/|cuda|nvrtc": "engine", r"(spdlog|fmt|CLI)/": "front"}
FORBIDDEN = re.compile(r"torch/(torch|nn)\.h|torch/nn/")  # ten times the compile time
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)
PLACE = re.compile(r"sdbench/(\w+)/(\w+)/")


def complaint(wing, folder, included):
    """Why a file of `folder` in `wing` must not include `included`; None if it may."""
    if FORBIDDEN.match(included):
        return "ATen headers only"
    for library, allowed in LIBRARIES.items():
        if re.match(library, included) and wing != allowed:
            return f"only {allowed} sees it"
    if ".." in included:
        return "a path goes from include/ or from the file's own folder"
    ours = PLACE.match(included)
    if not ours or ours.groups() == (wing, folder):
        return None
    other_wing, other = ours.groups()
    if other not in LAYERS:
        return f"folder '{other}' has no layer in tests/house/include_direction.py"
    if other_wing not in WINGS[wing]:
        return f"{wing} does not see {other_wing}"
    if LAYERS[other] < LAYERS[folder] or (folder, other) in PEERS:
        return None
    return f"layer {LAYERS[folder]} must include lower layers only, but {other} is layer {LAYERS[other]}"


def sources_of(checkout):
    """(path, wing, folder) of each source and header, over include/sdbench/ and src/."""
    for top in ("include/sdbench", "src"):
        for path in sorted((checkout / top).rglob("*")):
            place = path.relative_to(checkout / top).parts
            if path.suffix in (".h", ".cpp", ".cu") and len(place) > 1:  # src/main.cpp and src/worker_main.cpp may include anything
                yield path, place[0], place[1] if len(place) > 2 else ""


def is_private(header, folders):
    """True if only sources of its own folder include a header of include/; both are paths in the checkout."""
    own = pathlib.PurePath("src", *header.parts[2:-1])
    return set(folders) <= {own}


def private_headers(checkout):
    """Headers in include/ that no other folder includes."""
    users = collections.defaultdict(set)
    for top in ("include", "src", "tests", "benchmarks"):
        for path in (checkout / top).rglob("*"):
            if path.suffix in (".h", ".cpp"):
                for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
                    users[included].add(path.parent.relative_to(checkout))
    for path in sorted((checkout / "include").rglob("*.h")):
        header = path.relative_to(checkout)
        if is_private(header, users[str(header.relative_to("include"))]):
            yield path


def check(checkout):
    """(number of files checked, complaints)."""
    complaints, files = [], 0
    for path, wing, folder in sources_of(checkout):
        files += 1
        if wing not in WINGS or folder not in LAYERS:
            complaints.append(f"{path}: folder '{wing}/{folder}' has no layer in tests/house/include_direction.py")
            continue
        for included in INCLUDE.findall(path.read_text(encoding="utf-8")):
            reason = complaint(wing, folder, included)
            if reason:
                complaints.append(f"{path}: includes {included}: {reason}")
    complaints += [f"{path}: only its own folder includes it, so it belongs beside its source" for path in private_headers(checkout)]
    return files, complaints


def self_test():
    """Proves that the check can fail."""
    for place, included in [("base/text", "sdbench/base/config/model_config.h"), ("engine/models", "sdbench/engine/pipeline/euler_discrete.h"),
                            ("engine/nn", "sdbench/engine/models/unet.h"), ("front/sink", "sdbench/front/bench/cell_to_record.h"),
                            ("front/bench", "sdbench/engine/pipeline/stable_diffusion.h"), ("base/plan", "sdbench/front/results/rows.h"),
                            ("engine/worker", "sdbench/front/results/rows.h"), ("front/sink", "ATen/ATen.h"),
                            ("engine/nn", "spdlog/spdlog.h"), ("engine/nn", "torch/torch.h"),
                            ("engine/pipeline", "sdbench/front/record/run_record.h"), ("front/commands", "sdbench/front/unknown/file.h"),
                            ("front/nn", "sdbench/engine/nn/conv.h"), ("front/commands", "../../engine/pipeline/pipeline_models.h")]:
        assert complaint(*place.split("/"), included), f"{place} must not include {included}"
    for place, included in [("engine/nn", "ATen/ATen.h"), ("engine/nn", "sdbench/base/weights/checkpoint.h"), ("front/commands", "CLI/CLI.hpp"),
                            ("front/commands", "sdbench/front/record/run_record.h"), ("base/text", "vector")]:
        assert not complaint(*place.split("/"), included), f"{place} may include {included}"
    header, own = pathlib.PurePath("include/sdbench/base/errors/error.h"), pathlib.PurePath("src/base/errors")
    assert is_private(header, [own]) and is_private(header, [])
    assert not is_private(header, [own, pathlib.PurePath("src/front/commands")]) and not is_private(header, [pathlib.PurePath("tests/unit/base/errors")])


def main():
    self_test()
    files, complaints = check(pathlib.Path(sys.argv[1]))
    print("\n".join(complaints) or f"{files} files, all includes go down")
    sys.exit(1 if complaints or files == 0 else 0)


if __name__ == "__main__":
    main()
