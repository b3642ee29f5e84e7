"""The dtypes of a cell's stages: the rules of src/engine/worker/dtype_choice.cpp. A precision is a dict, as in the protocol."""
import torch

TORCH = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def precision(name):
    return {"dtype": name.removeprefix("autocast-"), "autocast": name.startswith("autocast-")}


def name_of(stage):
    return ("autocast-" if stage["autocast"] else "") + stage["dtype"]


def weights_dtype(stage):
    return torch.float32 if stage["autocast"] else TORCH[stage["dtype"]]


def choose(asked, device_kind, has_bf16, able):
    """The UNet's precision. `able`: dtypes that the engine has for the device; they include the requested one."""
    if asked:
        return {"dtype": asked["dtype"], "autocast": bool(asked.get("autocast"))}
    wanted = fastest(device_kind != "cpu", has_bf16)
    return precision(wanted if wanted in able else "fp32")


def fastest(on_gpu, has_bf16):
    return "fp16" if on_gpu else "bf16" if has_bf16 else "fp32"


def instead_of_fp16(has_bf16):
    return "bf16" if has_bf16 else "fp32"


def of_stages(unet, vae_overflows, has_bf16):
    vae = unet
    if vae_overflows and unet["dtype"] == "fp16":
        vae = {"dtype": instead_of_fp16(has_bf16), "autocast": unet["autocast"] and has_bf16}
    return {"text": unet, "unet": unet, "vae": vae}


def warnings(stages, on_gpu, has_bf16):
    faster = f"--dtype {fastest(on_gpu, has_bf16)}"
    if not on_gpu and stages["unet"]["dtype"] == "fp16":
        yield f"fp16 on a CPU is slower than fp32, on most of them hundreds of times; {faster} is what this processor is fast in"
    if stages["unet"]["dtype"] == "bf16" and not has_bf16:
        yield f"this device has no bf16 arithmetic and emulates it slowly; {faster} is what it is fast in"
