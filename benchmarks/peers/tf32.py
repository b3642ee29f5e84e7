"""Which products of fp32 a GPU may round to TF32. PyTorch's own default is `conv`, and no peer changes it."""
import torch

SWITCHES = {"off": (False, False), "conv": (True, False), "on": (True, True)}  # of convolutions (cuDNN), of other products (cuBLAS)


def allow(asked):
    """`asked`: as --tf32 of sdbench. Of the whole process."""
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = SWITCHES[asked]


def used(device, dtypes):
    """The record's tf32_used, by what is in force. `device`: its facts as the protocol has them; `dtypes`: of all stages."""
    in_force = torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32
    has_tf32 = device["kind"] == "cuda" and int(device["compute_capability"].split(".")[0]) >= 8
    return next(name for name, switches in SWITCHES.items() if switches == in_force) if has_tf32 and "fp32" in dtypes else "off"
