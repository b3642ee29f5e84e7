"""GPUs as torch sees them, with the names of src/engine/worker/cuda_facts.cpp."""
import ctypes
import pathlib
import re

import torch

_GENERATIONS = {3: "Kepler", 5: "Maxwell", 6: "Pascal", 8: "Ampere", 9: "Hopper", 10: "Blackwell", 11: "Blackwell", 12: "Blackwell"}


def generation(major, minor):
    if major == 7:
        return "Turing" if minor >= 5 else "Volta"
    return "Ada Lovelace" if (major, minor) >= (8, 9) and major == 8 else _GENERATIONS.get(major, "unknown")


def _driver_version():
    try:
        line = pathlib.Path("/proc/driver/nvidia/version").read_text().split("\n")[0]
    except OSError:
        return ""
    return next((word for word in line.split() if re.fullmatch(r"[0-9]*\.[0-9.]*", word)), "")


def _cuda_driver_version():
    """The newest CUDA version that the driver supports, like "13.0". Empty if unknown. Not every version of torch has a function for it."""
    number = ctypes.c_int(0)
    try:
        ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(number))
    except (OSError, AttributeError):
        return ""
    return f"{number.value // 1000}.{number.value % 1000 // 10}" if number.value else ""


def _cudnn_text():
    number = torch.backends.cudnn.version() if torch.backends.cudnn.is_available() else None
    if not number:
        return ""
    major = 10000 if number >= 90000 else 1000
    return f"{number // major}.{number % major // 100}.{number % 100}"


def _pci_address(properties):
    """The PCI address; empty if this torch does not report it."""
    numbers = [getattr(properties, name, None) for name in ("pci_domain_id", "pci_bus_id", "pci_device_id")]
    return "" if None in numbers else "{:08x}:{:02x}:{:02x}.0".format(*numbers)


def _describe(index):
    properties = torch.cuda.get_device_properties(index)
    uuid = str(getattr(properties, "uuid", ""))
    return {"kind": "cuda", "name": properties.name, "arch": generation(properties.major, properties.minor),
            "compute_capability": f"{properties.major}.{properties.minor}", "driver_version": _driver_version(), "index": index,
            "memory_total_bytes": properties.total_memory, "uuid": uuid if uuid.startswith("GPU-") or not uuid else f"GPU-{uuid}",
            "pci_address": _pci_address(properties), "sm_count": properties.multi_processor_count,
            "cuda_runtime_version": torch.version.cuda or "", "cudnn_version": _cudnn_text(),
            "cuda_driver_version": _cuda_driver_version()}


def all_gpus():
    return [_describe(index) for index in range(torch.cuda.device_count())] if torch.cuda.is_available() else []


def free_bytes(index):
    return torch.cuda.mem_get_info(index)[0]


def is_ampere_or_newer(device):
    return device["kind"] == "cuda" and int(device["compute_capability"].split(".")[0]) >= 8
