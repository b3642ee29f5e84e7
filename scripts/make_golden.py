#!/usr/bin/env python3
"""Makes configs/golden/MODEL.safetensors: what diffusers computes from our synthetic weights.

For maintainers, after any change to the synthetic weights or to a model's configs:

    sdbench export-weights --model MODEL --weights synthetic:0 -o FOLDER
    .deps/oracle/bin/python scripts/make_golden.py MODEL FOLDER

The run is short and small, but not square, and does not halve evenly: 2 steps, 96 x 64 pixels, one
image, fp32, the model's guidance and prompt defaults. The noise is kept in the file, so that the
check depends on no random generator. SDXL needs about 15 GB of memory.
"""

import argparse
import json
import pathlib

import diffusers
import torch
from diffusers import DiffusionPipeline, EulerDiscreteScheduler
from safetensors import safe_open
from safetensors.torch import save_file

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROMPT = "a beautiful view of an isolated lake house in an island"
WIDTH, HEIGHT, STEPS, SEED = 96, 64, 2, 0


def export_metadata(folder):
    with safe_open(folder / "unet/diffusion_pytorch_model.safetensors", "pt") as file:
        metadata = file.metadata()
    if metadata.get("weights") != "synthetic:0" or "architecture" not in metadata:
        raise SystemExit(f"{folder} must be an export of synthetic:0, but says {metadata}")
    return metadata


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="a name of configs/models")
    parser.add_argument("folder", type=pathlib.Path, help="its export, in fp32")
    arguments = parser.parse_args()
    architecture = export_metadata(arguments.folder)["architecture"]
    guidance = json.loads((ROOT / f"configs/models/{arguments.model}.json").read_text()
                          )["defaults"]["guidance"]

    pipeline = DiffusionPipeline.from_pretrained(arguments.folder, torch_dtype=torch.float32)
    pipeline.scheduler = EulerDiscreteScheduler.from_config(pipeline.scheduler.config)
    noise = torch.randn(1, 4, HEIGHT // 8, WIDTH // 8,
                        generator=torch.Generator().manual_seed(SEED))
    latents = pipeline(PROMPT, width=WIDTH, height=HEIGHT, num_inference_steps=STEPS,
                       guidance_scale=guidance, latents=noise, output_type="latent").images
    image = pipeline.vae.decode(latents / pipeline.vae.config.scaling_factor).sample
    pixels = (image / 2 + 0.5).clamp(0, 1)
    if not torch.isfinite(image).all() or pixels.std() < 0.05:
        raise SystemExit("the image must be finite and not constant: look at the weights' scales")

    target = ROOT / "configs/golden" / f"{arguments.model}.safetensors"
    target.parent.mkdir(exist_ok=True)
    save_file(
        {"noise": noise, "latents": latents.contiguous(), "pixels": pixels.contiguous()},
        target,
        metadata={
            "architecture": architecture,
            "weights": "synthetic:0",
            "prompt": PROMPT,
            "width": str(WIDTH),
            "height": str(HEIGHT),
            "steps": str(STEPS),
            "seed": str(SEED),
            "guidance": str(guidance),
            "diffusers": diffusers.__version__,
            "torch": torch.__version__,
        })
    print(f"{target}: latents sd {latents.std():.3f}, pixels sd {pixels.std():.3f}")


if __name__ == "__main__":
    main()
