#!/usr/bin/env python3
"""Makes configs/golden/MODEL.safetensors: the results of diffusers or torchvision with our synthetic weights.

For maintainers, after any change to the synthetic weights or to a model's configs:

    sdbench export-weights --model MODEL --weights synthetic:0 -o FOLDER
    .deps/oracle/bin/python scripts/make_golden.py MODEL FOLDER

The run is short and small, but not square, and does not halve evenly: 2 steps, 96 x 64 pixels, one
image, fp32, the model's guidance and prompt defaults. The file contains the noise, so that the
check depends on no random generator. SDXL needs about 15 GB of memory.

For a network it contains the logits of two synthetic images in inference, in fp32, by tests/parity/networks.py.
"""

import argparse
import json
import pathlib
import sys

import torch
from safetensors import safe_open
from safetensors.torch import save_file

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROMPT = "a beautiful view of an isolated lake house in an island"
WIDTH, HEIGHT, STEPS, SEED = 96, 64, 2, 0
IMAGES = 2  # for a network


def export_metadata(file):
    with safe_open(file, "pt") as opened:
        metadata = opened.metadata()
    if metadata.get("weights") != "synthetic:0" or "architecture" not in metadata:
        raise SystemExit(f"{file} must be an export of synthetic:0, but says {metadata}")
    return metadata


def save(model, architecture, tensors, **metadata):
    target = ROOT / "configs/golden" / f"{model}.safetensors"
    target.parent.mkdir(exist_ok=True)
    save_file(tensors, target, metadata={"architecture": architecture, "weights": "synthetic:0", "seed": str(SEED),
                                         **metadata, "torch": torch.__version__})
    print(f"{target}: " + ", ".join(f"{name} sd {tensor.std():.3f}" for name, tensor in tensors.items()))


def make_network(model, folder):
    sys.path.insert(0, str(ROOT / "tests/parity"))
    import networks
    import torchvision

    file = folder / "model.safetensors"
    architecture = export_metadata(file)["architecture"]
    logits = networks.load(model, file)(networks.synthetic_images(networks.config_of(model), IMAGES))
    if not torch.isfinite(logits).all() or logits.std() < 0.05:
        raise SystemExit("the logits must be finite and not constant: look at the weights' scales")
    save(model, architecture, {"logits": logits}, torchvision=torchvision.__version__)


def make_pipeline(model, folder):
    import diffusers
    from diffusers import DiffusionPipeline, EulerDiscreteScheduler

    architecture = export_metadata(folder / "unet/diffusion_pytorch_model.safetensors")["architecture"]
    guidance = json.loads((ROOT / f"configs/models/{model}.json").read_text())["defaults"]["guidance"]
    pipeline = DiffusionPipeline.from_pretrained(folder, torch_dtype=torch.float32)
    pipeline.scheduler = EulerDiscreteScheduler.from_config(pipeline.scheduler.config)
    noise = torch.randn(1, 4, HEIGHT // 8, WIDTH // 8,
                        generator=torch.Generator().manual_seed(SEED))
    latents = pipeline(PROMPT, width=WIDTH, height=HEIGHT, num_inference_steps=STEPS,
                       guidance_scale=guidance, latents=noise, output_type="latent").images
    image = pipeline.vae.decode(latents / pipeline.vae.config.scaling_factor).sample
    pixels = (image / 2 + 0.5).clamp(0, 1)
    if not torch.isfinite(image).all() or pixels.std() < 0.05:
        raise SystemExit("the image must be finite and not constant: look at the weights' scales")

    save(model, architecture, {"noise": noise, "latents": latents.contiguous(), "pixels": pixels.contiguous()},
         prompt=PROMPT, width=str(WIDTH), height=str(HEIGHT), steps=str(STEPS), guidance=str(guidance),
         diffusers=diffusers.__version__)


@torch.no_grad()
def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("model", help="a name of configs/models")
    parser.add_argument("folder", type=pathlib.Path, help="its export, in fp32")
    arguments = parser.parse_args()
    document = json.loads((ROOT / f"configs/models/{arguments.model}.json").read_text())
    (make_network if "network" in document else make_pipeline)(arguments.model, arguments.folder)


if __name__ == "__main__":
    main()
