"""One text-to-image run, by diffusers' own pipeline objects and by ours, with every number on the way."""

import dataclasses
import json
import pathlib
import tempfile

import line_probe
import torch
from diffusers import EulerDiscreteScheduler
from safetensors.torch import load_file, save_file


@dataclasses.dataclass
class Request:
    prompts: list
    steps: int
    guidance: float
    negative: str | None = None
    width: int = 104  # 13 latent pixels: does not halve evenly
    height: int = 72
    dtype: str = "fp32"
    dtype_vae: str = "fp32"
    attention: str = "auto"
    timestep_spacing: str | None = None
    karras: bool = False
    clip_skip: int = 0
    channels_last: bool = False
    packing: str = "off"
    kv_cache: bool = False
    time_cache: bool = False
    shared_prefix: bool = False
    vae_tiling: bool = False
    own_kernels: bool = False
    host_allocator: str = "system"
    offload: str = "none"

    def noise(self):
        """Unit noise, [N, 4, H/8, W/8], fp32."""
        generator = torch.Generator().manual_seed(1234)
        shape = (len(self.prompts), 4, self.height // 8, self.width // 8)
        return torch.randn(shape, generator=generator)


# As the tuned engine computes on a CPU.
TUNED = {"channels_last": True, "packing": "winograd", "kv_cache": True, "time_cache": True,
         "shared_prefix": True, "attention": "own", "own_kernels": True, "host_allocator": "caching"}


def euler_for(oracle, request):
    changes = {"use_karras_sigmas": request.karras}
    if request.timestep_spacing:
        changes["timestep_spacing"] = request.timestep_spacing
    return EulerDiscreteScheduler.from_config(oracle.scheduler.config, **changes)


def token_ids(tokenizer, prompts):
    return tokenizer(prompts, padding="max_length", max_length=77, truncation=True,
                     return_tensors="pt").input_ids


def set_for(oracle, request):
    """Each way, for an oracle serves many cases."""
    oracle.enable_attention_slicing("auto" if request.attention == "sliced" else None)
    oracle.vae.use_tiling = request.vae_tiling


def as_an_oracle_sees(request):
    """Without what says how an engine of ours computes: requests that are equal then have the same run."""
    seen = ("prompts", "steps", "guidance", "negative", "width", "height", "timestep_spacing", "karras", "clip_skip", "vae_tiling")
    return Request(**{name: getattr(request, name) for name in seen}, attention="sliced" if request.attention == "sliced" else "auto")


def run_oracle(oracle, request):
    """Named tensors as the probe writes them, from the pipeline object's own call."""
    xl = hasattr(oracle, "text_encoder_2")
    usual, oracle.scheduler = oracle.scheduler, euler_for(oracle, request)
    out = {}
    for number, tokenizer in enumerate((oracle.tokenizer, *((oracle.tokenizer_2,) if xl else ()))):
        out[f"ids.{number}"] = token_ids(tokenizer, oracle.maybe_convert_prompt(request.prompts, tokenizer))

    def on_unet(_module, positional, named, result):
        step = sum(name.startswith("unet.") for name in out)
        out["context"] = named["encoder_hidden_states"]
        if xl:
            out["pooled"] = named["added_cond_kwargs"]["text_embeds"]
            out["time_ids"] = named["added_cond_kwargs"]["time_ids"]
        out[f"unet.{step}"] = result[0].clone()

    def on_step(_pipeline, step, _timestep, tensors):
        out[f"latents.{step}"] = tensors["latents"].clone()
        return {}

    if request.clip_skip and not hasattr(oracle.text_encoder, "text_model"):
        # diffusers looks for the final norm in text_model, which is no layer of its own since transformers 5.
        object.__setattr__(oracle.text_encoder, "text_model", oracle.text_encoder)
    hook = oracle.unet.register_forward_hook(on_unet, with_kwargs=True)
    set_for(oracle, request)
    try:
        out["image"] = torch.from_numpy(oracle(
            prompt=request.prompts, negative_prompt=None if request.negative is None
            else [request.negative] * len(request.prompts), width=request.width,
            height=request.height, num_inference_steps=request.steps,
            guidance_scale=request.guidance, clip_skip=request.clip_skip or None, latents=request.noise().to(oracle.unet.dtype),
            output_type="np", callback_on_step_end=on_step).images).permute(0, 3, 1, 2)
    finally:
        hook.remove()
        oracle.scheduler = usual
    return {name: tensor.float() if tensor.is_floating_point() else tensor
            for name, tensor in out.items()}


def run_ours(folder, request):
    with tempfile.TemporaryDirectory() as scratch:
        given, result = pathlib.Path(scratch, "in"), pathlib.Path(scratch, "out")
        save_file({"latents": request.noise()}, given,
                  metadata={"request": json.dumps(dataclasses.asdict(request))})
        line_probe.ask("SDBENCH_PARITY_PROBE", {"folder": str(folder), "in": str(given), "out": str(result)})
        return load_file(result)


def relative_error(ours, wanted):
    """max |a - b| / max |b|"""
    assert ours.shape == wanted.shape
    return float((ours.double() - wanted.double()).abs().max() / wanted.double().abs().max())


def rms(difference):
    return float(difference.double().square().mean().sqrt())
