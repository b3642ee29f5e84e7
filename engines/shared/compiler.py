"""torch.compile as this engine asks for it: max-autotune on a GPU, frozen weights in inference on a CPU."""
import os

import torch
import torch._inductor.config

from shared import scratch

# The compiler's settings that diffusers' guide "Accelerate inference" asks for on a GPU, beside max-autotune and channels-last.
ON_GPU = {"conv_1x1_as_mm": True, "coordinate_descent_tuning": True, "coordinate_descent_check_all_directions": True, "epilogue_fusion": False}
# Calls until all is compiled: strides differ after the first step; on a GPU CUDA graphs warm up, then are recorded.
WARM_STEPS = {"cpu": 2, "cuda": 4}


def settings(job, is_trained=False):
    """What torch.compile is called with, once the compiler is set for the job."""
    # Compiled files of other processes would make a first compilation look like a second one.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = scratch.lasting_folder()
    os.environ["TRITON_CACHE_DIR"] = os.path.join(os.environ["TORCHINDUCTOR_CACHE_DIR"], "triton")
    torch._dynamo.reset()
    for name, value in ON_GPU.items():
        setattr(torch._inductor.config, name, value == job.on_gpu)
    # Weights are packed once, for oneDNN, which fails with "could not create a memory" for those that autocast casts.
    torch._inductor.config.freezing = not job.on_gpu and not is_trained and not job.stages["unet"]["autocast"]
    return {"dynamic": job.is_dynamic, **({"mode": "max-autotune"} if job.on_gpu else {})}
