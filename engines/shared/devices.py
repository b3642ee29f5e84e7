"""Chooses the device of a cell."""
from shared import gpus, host
from shared.failure import CellFailure


def _intel_gpus(kind):
    """The Intel GPUs for an engine; empty if it does not support them."""
    return kind.intel_gpus() if hasattr(kind, "intel_gpus") else []


def all_devices(kind):
    """GPUs in the order of their numbers, then the CPU. Allocates nothing on them. `kind`: the engine's module of kinds/."""
    return [*gpus.all_gpus(), *_intel_gpus(kind), host.cpu_device()]


def _choose_intel(asked, kind):
    if not hasattr(kind, "intel_gpus"):
        return {"kind": "intel", "name": "", "index": 0}  # refused later for its kind
    there, index = _intel_gpus(kind), int(asked.partition(":")[2] or 0)
    if index >= len(there):
        known = ", ".join(f"intel:{gpu['index']} ({gpu['name']})" for gpu in there) or "the CPU alone"
        raise CellFailure("error", f"Intel GPU {index} must be seen by OpenVINO, but it sees {known}; install Intel's driver with OpenCL (Debian's and "
                                   "Ubuntu's package intel-opencl-icd) and join the group render, or name another --device")
    return there[index]


def choose(cell, kind):
    """The device's facts in the protocol's form, with the memory that is free now. `kind`: as above."""
    asked = cell["device_in_worker"] or cell["device"]
    if asked.startswith("intel"):
        return _choose_intel(asked, kind)
    there = gpus.all_gpus()
    if asked == "cpu" or asked.startswith("cpu:") or (asked == "auto" and not there):
        return host.cpu_device()
    index = int(asked[5:]) if asked.startswith("cuda:") else 0
    if index >= len(there):
        known = ", ".join(["cpu", *(f"cuda:{gpu['index']} ({gpu['name']})" for gpu in there)])
        raise CellFailure("error", f"--device must be one that this engine's torch sees ({known}), but is {cell['device']}; name one of "
                                   "these, or leave --device out")
    return {**there[index], "memory_free_bytes": gpus.free_bytes(index)}


def has_bf16(device):
    return host.cpu_has_bf16() if device["kind"] == "cpu" else gpus.is_ampere_or_newer(device)


def torch_name(device):
    """torch's device for tensors. For an Intel GPU it is the CPU: OpenVINO copies them from the host."""
    return f"cuda:{device['index']}" if device["kind"] == "cuda" else "cpu"
