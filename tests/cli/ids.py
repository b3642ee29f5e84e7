"""The ids of a row by docs/record.md, for rows that a test changes: computed beside the program, not by it."""

import hashlib

WORK = ("batch", "clip_skip", "guidance", "height", "images", "model", "steps", "timestep_spacing", "width")
# The axes of docs/engine.md, each with the choice that an id leaves out.
AXES = {"engine": "tuned", "offload": "none", "tf32": "off"} | dict.fromkeys(
    ("attention", "memory_format", "packed_weights", "host_allocator", "kv_cache", "time_cache", "shared_prefix", "graphs", "kernels"), "auto") | (
    dict.fromkeys(("fp16_accumulation", "cudnn_benchmark", "vae_tiling", "dynamic_shapes"), "off"))
WAY = {name: name for name in ("cpu_share", "share", "openmp_config", "instruction_config", "cuda_config")} | {
    "asked_libtorch": "libtorch_version", "asked_devices": "parallel_devices"}
PLACE = ("device_kind", "device_name", "driver_version", "os", "host", "cpu")


def text_of(value):
    """As in CSV: what is absent is empty, and a whole number has no point."""
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def digits(values):
    return hashlib.sha256("".join(f"{name}={value}\n" for name, value in values).encode()).hexdigest()[:16]


def of_sorted(letter, values):
    return letter + digits(sorted((name, value) for name, value in values.items() if value))


def with_ids(row):
    """The row with the ids that its columns give. Of its variant the id stays where the row does not say how it was asked for."""
    text = {name: text_of(value) for name, value in row.items()}
    work = {name: text.get(name, "") for name in WORK}
    work["clip_skip"] = "" if work["clip_skip"] == "0" else work["clip_skip"]
    work["scheduler"] = text["scheduler"] + ("_karras" if text.get("noise_levels") == "karras" else "")
    if text.get("task", "") not in ("", "generate"):
        work |= {"guidance": "", "task": text["task"], "update": text["weight_update"], "loss": text["loss"], "epochs": text["epochs"], "data": text["data"]}
    kernel = text.get("kernel", "")
    place = {name: text.get(name, "") for name in PLACE} | {
        "os": ", ".join(part for part in (text.get("os", ""), kernel and f"Linux {kernel}") if part), "core_count": text.get("core_count") or "0",
        "memory_gib": str(int(float(text.get("host_memory_bytes") or 0)) >> 30)}
    variant_id = text["variant_id"]
    if text.get("asked_libtorch"):
        way = {name: text.get(name, "") for name, usual in AXES.items() if text.get(name) != usual} | {name: text.get(field, "") for field, name in WAY.items()}
        way |= {"dtype": text["asked_dtype"].replace("auto", ""), "threads": "" if text["asked_threads"] == "0" else text["asked_threads"],
                "data_place": "device" if text.get("data_place") == "device" else ""}
        variant_id = of_sorted("v", way)
    workload_id, env_id = of_sorted("w", work), "e" + digits(place.items())
    cell_id = of_sorted("c", {"workload_id": workload_id, "variant_id": variant_id, "device": text["device"]})
    return {**row, "workload_id": workload_id, "variant_id": variant_id, "env_id": env_id, "cell_id": cell_id}
