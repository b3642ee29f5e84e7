"""Prints in one line how far latents are from those of the first file. Exit code 1 if a file is missing or has no finite numbers.

    latents.py FILE FILE...
"""
import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file


def difference(latents, first):
    if not np.isfinite(latents).all():
        return "not finite"
    apart = np.abs(latents.astype(np.float64) - first)
    if not apart.any():
        return "same bits"
    return f"{np.mean(apart > 0):.0%} differ, at most {apart.max():.2g} of {np.abs(first).max():.2g}"


def main():
    files = [pathlib.Path(name) for name in sys.argv[1:]]
    there = {file.stem: load_file(file)["latents"] for file in files if file.exists()}
    first = there.get(files[0].stem)
    if first is None:
        print(f"{files[0].name} is missing")
        return 1
    words = {file.stem: difference(there[file.stem], first) if file.stem in there else "missing" for file in files[1:]}
    print(f"beside {files[0].stem}: " + ", ".join(f"{name} {word}" for name, word in words.items()))
    return int(any(word in ("missing", "not finite") for word in words.values()))


if __name__ == "__main__":
    sys.exit(main())
