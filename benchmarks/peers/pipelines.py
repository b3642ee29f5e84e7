"""diffusers' own pipeline over a cell of sdbench, as each peer computes it."""
import torch
from diffusers import DiffusionPipeline, EulerDiscreteScheduler

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}


def as_it_is(pipe, cell):
    """Eager diffusers."""


def compiled(pipe, cell):
    if pipe.device.type == "cpu":
        import torch._inductor.config

        torch._inductor.config.freezing = True  # weights are packed once, for oneDNN
        mode = None
    else:
        mode = "max-autotune"
    pipe.unet = torch.compile(pipe.unet, mode=mode, dynamic=False)
    pipe.vae.decode = torch.compile(pipe.vae.decode, mode=mode, dynamic=False)


def with_xformers(pipe, cell):
    pipe.unet.enable_xformers_memory_efficient_attention()


def by_openvino(pipe, cell):
    from openvino_parts import compute_by_openvino  # no other peer needs the package

    compute_by_openvino(pipe, cell)


def upcasts_vae(pipe):
    """Whether it decodes in fp32 in fp16: diffusers' SDXL does, whose VAE overflows there."""
    return hasattr(pipe, "upcast_vae") and pipe.vae.dtype == torch.float16 and pipe.vae.config.force_upcast


def load_pipeline(prepare, cell, device):
    """The pipeline of a cell's weights, on its device and ready but for what its first image does. `prepare`: see PEERS."""
    dtype = DTYPES[cell["dtype"]["dtype"]]
    pipe = DiffusionPipeline.from_pretrained(cell["weights"]["path"], torch_dtype=dtype, safety_checker=None)
    pipe.scheduler = EulerDiscreteScheduler.from_config(pipe.scheduler.config, timestep_spacing=cell["timestep_spacing"],
                                                        use_karras_sigmas=cell["karras"])
    pipe.set_progress_bar_config(disable=True)
    pipe.to(device)
    if cell["memory_format"] == "channels-last":
        pipe.unet.to(memory_format=torch.channels_last)
        pipe.vae.to(memory_format=torch.channels_last)
    globals()[prepare](pipe, cell)
    return pipe
