"""The settings of torch.compile for this engine: max-autotune on a GPU, frozen weights for inference on a CPU."""
import os
import tempfile

import torch
import torch._dynamo.config
import torch._inductor.config
from torch._dynamo.utils import counters

from shared import scratch
from shared.failure import CellFailure

# Compiler settings from diffusers' guide "Accelerate inference" for a GPU, besides max-autotune and channels-last.
ON_GPU = {"conv_1x1_as_mm": True, "coordinate_descent_tuning": True, "coordinate_descent_check_all_directions": True, "epilogue_fusion": False}
# If one of these is set, a compiled function silently runs uncompiled.
_SILENCERS = ("TORCHDYNAMO_DISABLE", "TORCH_COMPILE_DISABLE")


def warm_steps(device):
    """Calls until everything is compiled: strides change after the first step; on a GPU, CUDA graphs first warm up and are then recorded."""
    return 2 if device["kind"] == "cpu" else 4


def _may_run_programs(folder):
    return not os.statvfs(folder).f_flag & os.ST_NOEXEC


def _folder(job):
    """The folder for compiled code. Its files may also be loaded."""
    places = [tempfile.gettempdir(), job.keep.folder]
    if job.keep.folder:
        os.makedirs(job.keep.folder, exist_ok=True)
    for place in filter(None, places):
        if _may_run_programs(place):
            return scratch.lasting_folder(place)
    raise CellFailure("error", f"the compiler must have a folder whose programs may run, but {' and '.join(filter(None, places))} is mounted noexec; "
                               "name another with TMPDIR")


def require_compiled():
    """Raises CellFailure if nothing was compiled. Call it once everything is warm."""
    if not counters["frames"]["ok"]:
        named = [name for name in _SILENCERS if os.environ.get(name)]
        raise CellFailure("error", "torch.compile must compile, but has compiled nothing; " +
                          (f"unset {' and '.join(named)}" if named else "look at the variables TORCH… of the environment"))


def settings(job, is_trained=False):
    """Configures the compiler for the job and returns the arguments of torch.compile."""
    # Compiled files of other processes would make a first compilation look like a second one.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = _folder(job)
    os.environ["TRITON_CACHE_DIR"] = os.path.join(os.environ["TORCHINDUCTOR_CACHE_DIR"], "triton")
    torch._dynamo.reset()
    torch._dynamo.config.suppress_errors = False  # else code that cannot be compiled would run uncompiled
    counters.clear()
    for name, value in ON_GPU.items():
        setattr(torch._inductor.config, name, value == job.on_gpu)
    # On a CPU weights are packed once for oneDNN. It fails with "could not create a memory" for weights that autocast casts.
    torch._inductor.config.freezing = not job.on_gpu and not is_trained and not job.stages["unet"]["autocast"]
    return {"dynamic": job.is_dynamic, **({"mode": "max-autotune"} if job.on_gpu else {})}
