"""UNet and VAE decoder of a diffusers pipeline computed by OpenVINO in static shapes, converted at their first call."""
import os

import openvino
import torch
from openvino.frontend.pytorch.ts_decoder import TorchScriptPythonDecoder

PRECISIONS = {"fp32": "f32", "bf16": "bf16", "fp16": "f16"}


class UNetInFp32(torch.nn.Module):
    """Numbers go in and out in fp32, whatever the weights are: numpy, which OpenVINO speaks, has no bf16."""

    def __init__(self, unet):
        super().__init__()
        self.unet = unet

    def forward(self, sample, timestep, text, text_embeds=None, time_ids=None):
        dtype = self.unet.dtype
        added = None if text_embeds is None else {"text_embeds": text_embeds.to(dtype), "time_ids": time_ids.to(dtype)}
        return self.unet(sample.to(dtype), timestep, text.to(dtype), added_cond_kwargs=added, return_dict=False)[0].float()


class DecoderInFp32(torch.nn.Module):
    def __init__(self, vae):
        super().__init__()
        self.vae = vae

    def forward(self, latents):
        return self.vae.decode(latents.to(self.vae.dtype), return_dict=False)[0].float()


class Converted:
    """A module of fp32 tensors, converted and compiled for the shapes of its first call."""

    def __init__(self, module, settings):
        self.module = module
        self.settings = settings
        self.request = None

    def __call__(self, *inputs):
        inputs = [tensor.detach().float() for tensor in inputs]
        if self.request is None:
            # torch's check of a trace computes the module several times more: with SDXL that is half of the time until the first image,
            # and 4 GiB that are not given back. The image that comes out is compared anyway.
            trace = TorchScriptPythonDecoder(self.module, example_input=tuple(inputs), trace_kwargs={"check_trace": False})
            model = openvino.convert_model(trace)
            model.reshape({place: list(tensor.shape) for place, tensor in enumerate(inputs)})
            self.request = openvino.Core().compile_model(model, "CPU", self.settings).create_infer_request()
            self.module = None
        return torch.from_numpy(self.request.infer([tensor.numpy() for tensor in inputs])[0].copy())


def compute_by_openvino(pipe, cell):
    settings = {"INFERENCE_PRECISION_HINT": PRECISIONS[cell["dtype"]["dtype"]], "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1,
                "INFERENCE_NUM_THREADS": cell["threads"] or len(os.sched_getaffinity(0))}
    # A copy of the module's object with the same weights, so that the pipeline's own can be given another forward.
    unet = Converted(UNetInFp32(shallow_copy(pipe.unet)), settings)
    vae = Converted(DecoderInFp32(shallow_copy(pipe.vae)), settings)

    def unet_forward(sample, timestep, encoder_hidden_states, added_cond_kwargs=None, **_):
        added = added_cond_kwargs or {}
        more = [added[name] for name in ("text_embeds", "time_ids") if name in added]
        return (unet(sample, timestep, encoder_hidden_states, *more).to(sample.dtype),)

    def vae_decode(latents, **_):
        return (vae(latents).to(latents.dtype),)

    pipe.unet.forward = unet_forward
    pipe.vae.decode = vae_decode


def shallow_copy(module):
    copy = module.__class__.__new__(module.__class__)
    copy.__dict__ = dict(module.__dict__)
    return copy
