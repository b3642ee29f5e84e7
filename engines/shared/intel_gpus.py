"""Intel GPUs as OpenVINO counts them, according to its documents "GPU Device" and "Query Device Properties". Never tried on such a GPU."""


def openvino_name(index):
    return f"GPU.{index}"


def _describe(core, index):
    arch = core.get_property(openvino_name(index), "DEVICE_ARCHITECTURE")  # "GPU: vendor=0x8086 arch=v12.55.8"
    return {"kind": "intel", "index": index, "name": core.get_property(openvino_name(index), "FULL_DEVICE_NAME"), "arch": arch.split("arch=")[-1],
            "memory_total_bytes": int(core.get_property(openvino_name(index), "GPU_DEVICE_TOTAL_MEM_SIZE"))}


def all_of(core):
    """OpenVINO calls a single GPU "GPU", and also accepts GPU.0 for it."""
    count = sum(name.split(".")[0] == "GPU" for name in core.available_devices)
    return [_describe(core, index) for index in range(count)]
