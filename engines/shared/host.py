"""Facts of the host, word for word like src/base/device, because ids of rows are made of them."""
import math
import os
import pathlib
import platform

_WIDEST_FIRST = ("amx_bf16", "avx512_bf16", "avx512f", "avx2", "avx", "sse2")


def _read(path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ""


def _value(text, key, separator=":"):
    for line in text.splitlines():
        name, found, value = line.partition(separator)
        if found and name.strip() == key:
            return value.strip()
    return ""


def _bytes(text, key):
    words = _value(text, key).split()
    return int(words[0]) * 1024 if len(words) == 2 and words[1] == "kB" else 0


def cpu_name():
    cpuinfo = _read("/proc/cpuinfo")
    return next((name for key in ("model name", "Model", "Hardware", "cpu") if (name := _value(cpuinfo, key))), platform.machine())


def cpu_features():
    cpuinfo = _read("/proc/cpuinfo")
    return set((_value(cpuinfo, "flags") or _value(cpuinfo, "Features")).split())


def vector_set(features):
    for name in _WIDEST_FIRST:
        if name in features:
            return name
    suffix = "_bf16" if "bf16" in features else ""
    return "sve" + suffix if "sve" in features else "neon" + suffix if "asimd" in features else "unknown"


def cpu_has_bf16():
    """True if the processor and oneDNN have instructions for bf16. An environment variable may limit oneDNN's."""
    import torch

    return bool(cpu_features() & {"avx512_bf16", "amx_bf16", "bf16"}) and \
        torch.backends.mkldnn.is_available() and torch.ops.mkldnn._is_mkldnn_bf16_supported()


def _cgroup_folders(controller):
    mount = pathlib.Path("/sys/fs/cgroup")
    version2 = (mount / "cgroup.controllers").exists()
    top = mount if version2 else mount / controller
    own = "/"
    for line in _read("/proc/self/cgroup").splitlines():  # "4:cpu,cpuacct:/some/path"
        _, controllers, path = line.split(":", 2)
        if (not controllers and version2) or controller in controllers.split(","):
            own = path
            break
    group = top / own.lstrip("/")
    return version2, [folder for folder in (group, *group.parents) if folder == top or top in folder.parents]


def _quota(folder, version2):
    """Cores that a control group allows; None without a limit."""
    words = _read(folder / "cpu.max").split() if version2 else \
        (_read(folder / "cpu.cfs_quota_us") + " " + _read(folder / "cpu.cfs_period_us")).split()
    try:
        quota, period = (int(word) for word in words[:2])
    except ValueError:
        return None
    return quota / period if quota > 0 and period > 0 else None


def usable_cores():
    version2, folders = _cgroup_folders("cpu")
    quotas = [quota for folder in folders if (quota := _quota(folder, version2))]
    return max(1, min([len(os.sched_getaffinity(0)), *(math.ceil(quota) for quota in quotas)]))


def memory_total_bytes():
    return _bytes(_read("/proc/meminfo"), "MemTotal")


def memory_free_bytes():
    return _bytes(_read("/proc/meminfo"), "MemAvailable")


def cpu_device():
    return {"kind": "cpu", "name": cpu_name(), "arch": vector_set(cpu_features()), "memory_total_bytes": memory_total_bytes(),
            "memory_free_bytes": memory_free_bytes()}


def peak_resident_bytes():
    return _bytes(_read("/proc/self/status"), "VmHWM")


def reset_peak_resident():
    """Resets the peak. False if the system does not allow it: the peak then covers all cells."""
    try:
        pathlib.Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True
