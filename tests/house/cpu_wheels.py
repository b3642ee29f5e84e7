#!/usr/bin/env python3
"""Makes wheels, as sdbench setup libtorch --from needs them, of those parts of an installed torch that a worker for CPUs loads.

    cpu_wheels.py SITE_PACKAGES FOLDER
"""
import pathlib
import re
import sys
import zipfile

OF_TORCH = ("torch/version.py", "torch/lib/libtorch_cpu.so", "torch/lib/libc10.so", "torch/lib/libgomp*.so*")
OF_NVIDIA = ("nvidia/*/lib/libcudart.so*", "nvidia/*/lib/libcupti.so*")


def make(wheel, packages, patterns):
    with zipfile.ZipFile(wheel, "w") as file:
        for pattern in patterns:
            for found in sorted(packages.glob(pattern)):
                file.write(found, found.relative_to(packages))


if __name__ == "__main__":
    packages, folder = map(pathlib.Path, sys.argv[1:])
    version = re.search(r"__version__ = '([\d.]+)", (packages / "torch/version.py").read_text())[1]
    folder.mkdir(parents=True, exist_ok=True)
    make(folder / f"torch-{version}-cp311-cp311-manylinux_2_28_x86_64.whl", packages, OF_TORCH)
    make(folder / "nvidia_cuda_runtime-1-py3-none-manylinux_2_17_x86_64.whl", packages, OF_NVIDIA)
