"""A pipeline's parts as functions of tensors only, as converters read them, with their input shapes."""
import dataclasses
import math

import torch
from diffusers.models.embeddings import Timesteps

from shared import dtypes
from shared.models import STAGES

TOKENS = 77
# Range of profiles and dynamic axes: 512 to 1024 pixels, and 1 to 8 images.
LEAST_SIDE, GREATEST_SIDE, GREATEST_BATCH = 512, 1024, 8


@dataclasses.dataclass(frozen=True)
class Input:
    name: str
    shape: tuple  # the cell's
    dtype: torch.dtype
    axes: dict = dataclasses.field(default_factory=dict)  # "batch", "height" or "width", by dimension number


@dataclasses.dataclass(frozen=True)
class Part:
    """`name`: diffusers' component. `outputs`: names of the outputs."""
    name: str
    inputs: tuple
    outputs: tuple

    def example(self, device="cpu"):
        """Example tensors of ones in the cell's shapes. One is valid for any model, both as a timestep and as a token."""
        return tuple(torch.ones(each.shape, dtype=each.dtype, device=device) for each in self.inputs)

    def open_example(self, multiple, device="cpu"):
        """Like example(), for axes that must stay open. No such axis may be 1, because a tracer takes a 1 for a constant. A side equal to the UNet's
        `multiple` (see Job.latent_multiple) is 1 at the lowest level, so `multiple` is added to it."""
        def size(axis, of_cell):
            if axis == "batch":
                return max(of_cell, 2)
            return of_cell + multiple if axis and of_cell <= multiple else of_cell

        shapes = ([size(each.axes.get(place), of_cell) for place, of_cell in enumerate(each.shape)] for each in self.inputs)
        return tuple(torch.ones(shape, dtype=each.dtype, device=device) for each, shape in zip(self.inputs, shapes))


class Frequencies(torch.nn.Module):
    """diffusers' sinusoidal timestep embedding with frequencies computed by torch. A converter's exp differs in the last bit, which becomes an
    error of 1e-4 near the schedule's end (timestep 999)."""

    def __init__(self, sines):
        super().__init__()
        half = sines.num_channels // 2
        exponent = -math.log(10000) * torch.arange(half, dtype=torch.float32) / (half - sines.downscale_freq_shift)
        self.register_buffer("frequencies", torch.exp(exponent), persistent=False)
        self.cosines_first, self.scale = sines.flip_sin_to_cos, sines.scale

    def forward(self, timesteps):
        angles = self.scale * (timesteps[:, None].float() * self.frequencies[None, :])
        both = (angles.cos(), angles.sin()) if self.cosines_first else (angles.sin(), angles.cos())
        return torch.cat(both, dim=-1)


class UNetPart(torch.nn.Module):
    def __init__(self, unet, numbers):
        super().__init__()
        self.unet, self.numbers = unet, numbers
        for name in ("time_proj", "add_time_proj"):
            if isinstance(getattr(unet, name, None), Timesteps):
                setattr(unet, name, Frequencies(getattr(unet, name)))
        self.to(unet.device)

    def forward(self, sample, timestep, text, text_embeds=None, time_ids=None):
        dtype = self.unet.dtype
        added = None if text_embeds is None else {"text_embeds": text_embeds.to(dtype), "time_ids": time_ids.to(dtype)}
        result = self.unet(sample.to(dtype), timestep, text.to(dtype), added_cond_kwargs=added, return_dict=False)[0]
        return result.to(self.numbers)


class DecoderPart(torch.nn.Module):
    def __init__(self, vae, numbers):
        super().__init__()
        self.vae, self.numbers = vae, numbers

    def forward(self, latents):
        return self.vae.decode(latents.to(self.vae.dtype), return_dict=False)[0].to(self.numbers)


class TextPart(torch.nn.Module):
    """The outputs of a text encoder that diffusers reads: its first output; for SDXL the state before the last layer; with clip skip the state
    without the skipped layers. SD 1 and 2 normalise the last of these, SDXL does not."""

    def __init__(self, encoder, numbers, is_sdxl, clip_skip):
        super().__init__()
        self.encoder, self.numbers, self.is_sdxl, self.clip_skip = encoder, numbers, is_sdxl, clip_skip

    def forward(self, ids):
        result = self.encoder(ids, output_hidden_states=True)
        states = [result[0]]
        if self.is_sdxl:
            states.append(result.hidden_states[-2])
        if self.clip_skip:
            state = result.hidden_states[-(self.clip_skip + (2 if self.is_sdxl else 1))]
            norm = self.encoder.text_model.final_layer_norm if hasattr(self.encoder, "text_model") else self.encoder.final_layer_norm
            states.append(state if self.is_sdxl else norm(state))
        return tuple(state.to(self.numbers) for state in states)


def module_of(part, component, job, numbers):
    """The module to convert. `numbers`: dtype of inputs and outputs."""
    if part.name == "unet":
        return UNetPart(component, numbers).eval()
    if part.name == "vae":
        return DecoderPart(component, numbers).eval()
    return TextPart(component, numbers, job.is_sdxl, job.cell["clip_skip"]).eval()


def parts_of(job, models, numbers=None):
    """The cell's parts in its shapes. `numbers`: dtype of inputs and outputs; None: each part's own dtype."""
    def of(stage):
        return numbers or dtypes.weights_dtype(job.stages[stage])

    batch, halves = job.cell["batch"], 2 if job.guided else 1
    channels, height, width = job.latent_size
    image_axes = {0: "batch", 2: "height", 3: "width"}
    context = models.config("unet").cross_attention_dim
    unet = [Input("sample", (batch * halves, channels, height, width), of("unet"), image_axes), Input("timestep", (), torch.float32),
            Input("text", (batch * halves, TOKENS, context), of("unet"), {0: "batch"})]
    if job.is_sdxl:
        projected = models.config("text_encoder_2").projection_dim
        unet += [Input("text_embeds", (batch * halves, projected), of("unet"), {0: "batch"}),
                 Input("time_ids", (batch * halves, 6), of("unet"), {0: "batch"})]
    states = ["first"] + ["state"] * job.is_sdxl + ["earlier"] * bool(job.cell["clip_skip"])
    ids = Input("ids", (batch, TOKENS), torch.int64, {0: "batch"})
    texts = [Part(name, (ids,), tuple(states)) for name in models.names if STAGES[name] == "text"]
    latents = Input("latents", (batch, models.config("vae").latent_channels, height, width), of("vae"), image_axes)
    return [*texts, Part("unet", tuple(unet), ("noise",)), Part("vae", (latents,), ("image",))]
