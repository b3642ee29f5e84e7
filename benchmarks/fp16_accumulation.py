#!/usr/bin/env python3
"""How far latents and images move if products of fp16 numbers are summed in fp16, computed on a CPU.

For maintainers: it stands behind the bounds of golden_bounds() for --fp16-accumulation on.

    sdbench export-weights --model MODEL --weights synthetic:0 -o FOLDER
    .deps/oracle/bin/python benchmarks/fp16_accumulation.py MODEL FOLDER [-o RECORD.json]

Everything runs in fp32, but the weights and inputs of each linear layer and 1x1 convolution, and of the VAE's
attention, are rounded to fp16, and their products are summed as a tensor core does: 16 (8 on Turing) products
exactly, then one addition to a sum in fp16. Without a step the sums stay in fp32, which shows what the other
rounding costs. Convolutions stay in fp32: cuDNN sums them in fp32 whatever the option says.
"""

import argparse
import json
import pathlib

import torch
from diffusers import DiffusionPipeline, EulerDiscreteScheduler
from safetensors import safe_open

ROOT = pathlib.Path(__file__).resolve().parents[1]
STEPS_OF_TENSOR_CORES = (16, 8)


def rounded(x):
    return x.half().float()


def summed_in_fp16(a, b, step):
    """a [..., M, K] times b [..., K, N]; the sum is rounded to fp16 after each `step` products, or once at the end."""
    a, b = rounded(a), rounded(b)
    if not step:
        return rounded(a @ b)
    total = torch.zeros(())
    for k in range(0, a.shape[-1], step):
        total = rounded(total + a[..., k:k + step] @ b[..., k:k + step, :])
    return total


class Emulation:
    """Replaces torch's products while it is entered."""

    def __init__(self, step):
        self.step = step

    def linear(self, x, weight, bias=None):
        y = summed_in_fp16(x, weight.t(), self.step)
        return y if bias is None else y + bias

    def conv2d(self, x, weight, bias=None, *rest, **more):
        if weight.shape[2:] != (1, 1):
            return self.conv2d_before(x, weight, bias, *rest, **more)
        return self.linear(x.movedim(1, -1), weight.flatten(1), bias).movedim(-1, 1)

    def attention(self, q, k, v, *rest, **more):
        if q.shape[-1] <= 256:  # the UNet's, which flash attention and cuDNN sum in fp32
            return self.attention_before(q, k, v, *rest, **more)
        weights = (rounded(q) @ rounded(k).mT / q.shape[-1]**0.5).softmax(-1)
        return summed_in_fp16(weights, v, self.step)

    def __enter__(self):
        functional = torch.nn.functional
        self.before = functional.linear, functional.conv2d, functional.scaled_dot_product_attention
        _, self.conv2d_before, self.attention_before = self.before
        functional.linear, functional.conv2d, functional.scaled_dot_product_attention = self.linear, self.conv2d, self.attention

    def __exit__(self, *_):
        functional = torch.nn.functional
        functional.linear, functional.conv2d, functional.scaled_dot_product_attention = self.before


def largest_error(ours, exact):
    return ((ours - exact).abs().max() / exact.abs().max()).item()


@torch.inference_mode()
def errors(pipeline, golden, metadata, step):
    with Emulation(step):
        latents = pipeline(metadata["prompt"], width=int(metadata["width"]), height=int(metadata["height"]),
                           num_inference_steps=int(metadata["steps"]), guidance_scale=float(metadata["guidance"]),
                           latents=golden["noise"], output_type="latent").images
        image = pipeline.vae.decode(golden["latents"] / pipeline.vae.config.scaling_factor).sample
    return {"products_a_sum": step or "all", "latents": largest_error(latents, golden["latents"]),
            "image": largest_error((image / 2 + 0.5).clamp(0, 1), golden["pixels"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model")
    parser.add_argument("folder", type=pathlib.Path, help="the model's exported synthetic weights")
    parser.add_argument("-o", dest="record", type=pathlib.Path, help="JSON file to which the model's lines are added")
    arguments = parser.parse_args()
    with safe_open(ROOT / f"configs/golden/{arguments.model}.safetensors", "pt") as opened:
        metadata = opened.metadata()
        golden = {name: opened.get_tensor(name) for name in opened.keys()}
    pipeline = DiffusionPipeline.from_pretrained(arguments.folder, torch_dtype=torch.float32)
    pipeline.scheduler = EulerDiscreteScheduler.from_config(pipeline.scheduler.config)
    pipeline.set_progress_bar_config(disable=True)
    lines = []
    for step in (None, *STEPS_OF_TENSOR_CORES):
        lines.append({"model": arguments.model, **errors(pipeline, golden, metadata, step)})
        print(lines[-1], flush=True)
    if arguments.record:
        known = json.loads(arguments.record.read_text()) if arguments.record.exists() else []
        known = [line for line in known if line["model"] != arguments.model] + lines
        arguments.record.write_text(json.dumps(known, indent=1) + "\n")


main()
