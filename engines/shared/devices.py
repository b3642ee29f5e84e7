"""Which device a cell computes on."""
from shared import gpus, host
from shared.failure import CellFailure


def all_devices():
    """GPUs in the order of their numbers, then the CPU. Nothing is put on them."""
    return [*gpus.all_gpus(), host.cpu_device()]


def choose(cell):
    """Its facts as the protocol has them, with the memory that is free now."""
    asked = cell["device_in_worker"] or cell["device"]
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
    return "cpu" if device["kind"] == "cpu" else f"cuda:{device['index']}"
