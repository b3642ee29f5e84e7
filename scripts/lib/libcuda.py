"""Asks the driver's library about this machine's GPUs if there is no nvidia-smi.

  libcuda.py file    the library that programs here would load, with its size and time; nothing if there is none
  libcuda.py gpus    "8.6, 13.0, NAME" of each GPU: compute capability, the newest CUDA that the driver supports, name.
                     Nothing without a library or GPU; if CUDA fails: code 1, and the reason on stderr
"""

import ctypes
import os
import sys

NO_DEVICE, STUB = 100, 34
CAPABILITY_MAJOR, CAPABILITY_MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_*


def load():
    """The library; None if it cannot be loaded."""
    os.environ.pop("CUDA_VISIBLE_DEVICES", None)  # asks about all GPUs of the machine
    try:
        return ctypes.CDLL("libcuda.so.1")
    except OSError:
        return None


def loaded_file():
    with open("/proc/self/maps", encoding="utf-8") as maps:
        paths = {line.split(maxsplit=5)[5].strip() for line in maps if "/libcuda.so" in line}
    for path in sorted(paths):
        facts = os.stat(path)
        print(path, facts.st_size, facts.st_mtime_ns)


def explain(cuda, code):
    """The library's text for an error: 803 -> "system has unsupported display driver / cuda driver combination"."""
    if code == STUB:
        return "this is the stub of a CUDA toolkit and no driver"
    text = ctypes.c_char_p()
    cuda.cuGetErrorString(code, ctypes.byref(text))
    return (text.value or b"no reason given").decode()


def call(cuda, name, *arguments):
    code = getattr(cuda, name)(*arguments)
    if code == NO_DEVICE:
        sys.exit(0)
    if code != 0:
        sys.exit(f"libcuda: {name} answers {code}, {explain(cuda, code)}")


def print_gpus(cuda):
    call(cuda, "cuInit", 0)
    number = ctypes.c_int()
    call(cuda, "cuDriverGetVersion", ctypes.byref(number))
    version = f"{number.value // 1000}.{number.value % 1000 // 10}"
    call(cuda, "cuDeviceGetCount", ctypes.byref(number))
    for index in range(number.value):
        device, major, minor, name = ctypes.c_int(), ctypes.c_int(), ctypes.c_int(), ctypes.create_string_buffer(256)
        call(cuda, "cuDeviceGet", ctypes.byref(device), index)
        call(cuda, "cuDeviceGetAttribute", ctypes.byref(major), CAPABILITY_MAJOR, device)
        call(cuda, "cuDeviceGetAttribute", ctypes.byref(minor), CAPABILITY_MINOR, device)
        call(cuda, "cuDeviceGetName", name, len(name), device)
        print(f"{major.value}.{minor.value}, {version}, {name.value.decode()}")


library = load()
if library is not None and sys.argv[1] == "gpus":
    print_gpus(library)
elif library is not None:
    loaded_file()
