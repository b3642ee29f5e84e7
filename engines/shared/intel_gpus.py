"""Intel GPUs as OpenVINO counts them, by its documents "GPU Device" and "Query Device Properties". None has been here to try it on."""


def openvino_name(index):
    return f"GPU.{index}"


def _describe(core, index):
    arch = core.get_property(openvino_name(index), "DEVICE_ARCHITECTURE")  # "GPU: vendor=0x8086 arch=v12.55.8"
    return {"kind": "intel", "index": index, "name": core.get_property(openvino_name(index), "FULL_DEVICE_NAME"), "arch": arch.split("arch=")[-1],
            "memory_total_bytes": int(core.get_property(openvino_name(index), "GPU_DEVICE_TOTAL_MEM_SIZE"))}


def all_of(core):
    """OpenVINO calls one alone GPU, and takes GPU.0 for it, too."""
    count = sum(name.split(".")[0] == "GPU" for name in core.available_devices)
    return [_describe(core, index) for index in range(count)]
