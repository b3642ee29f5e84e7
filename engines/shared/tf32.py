"""Sets which fp32 products a GPU may round to TF32, with PyTorch's own switches."""
import torch

from shared import dtypes, gpus

TF32 = {"off": (False, False), "conv": (True, False), "on": (True, True)}  # convolutions (cuDNN), other products (cuBLAS)


def allow_tf32(asked):
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = TF32[asked]


def tf32_used(job):
    computes_fp32 = any(dtypes.name_of(stage) == "fp32" for stage in job.stages.values())
    return job.cell["tf32"] if gpus.is_ampere_or_newer(job.device) and computes_fp32 else "off"
