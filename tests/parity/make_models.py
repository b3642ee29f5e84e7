"""Small random pipelines of each kind that sdbench knows, and the ways in which they lie on disk."""

import functools
import hashlib
import json
import math
import pathlib
import shutil
import tempfile

import torch
from clip_vocabulary import END, reference_tokenizer, shared_tokenizer
from diffusers import (AutoencoderKL, DDIMScheduler, EulerDiscreteScheduler, PNDMScheduler,
                       StableDiffusionPipeline, StableDiffusionXLPipeline, UNet2DConditionModel)
from safetensors.torch import load_file, save_file
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection, CLIPTokenizer

BETAS = dict(beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear")
CROSS_DOWN, DOWN = "CrossAttnDownBlock2D", "DownBlock2D"
CROSS_UP, UP = "CrossAttnUpBlock2D", "UpBlock2D"


def randomize(model, generator, gain=1.0):
    """Weights so large that an error in any layer shows: a fresh model's hardly move its input."""
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape, generator=generator)
        if parameter.dim() > 1:
            fan_in = parameter[0].numel()
            scale = 0.5 if "embedding.weight" in name else gain / math.sqrt(fan_in)
            parameter.data = noise * scale
        else:
            parameter.data = 0.2 * noise + (1.0 if "norm" in name and "weight" in name else 0.0)
    return model.eval()


def make_text(generator, hidden, layers, heads, activation, projection=None, eos=49407, pad=49407):
    config = CLIPTextConfig(hidden_size=hidden, intermediate_size=4 * hidden,
                            num_hidden_layers=layers, num_attention_heads=heads,
                            hidden_act=activation, projection_dim=projection or hidden,
                            bos_token_id=49406, eos_token_id=eos, pad_token_id=pad)
    return randomize((CLIPTextModelWithProjection if projection else CLIPTextModel)(config),
                     generator)


def make_vae(generator, channels, layers, **more):
    kinds = len(channels)
    return randomize(AutoencoderKL(block_out_channels=channels, layers_per_block=layers,
                                   down_block_types=["DownEncoderBlock2D"] * kinds,
                                   up_block_types=["UpDecoderBlock2D"] * kinds, latent_channels=4,
                                   sample_size=64, **more), generator)


def sd15(generator, **unet_changes):
    unet = UNet2DConditionModel(**dict(dict(
        block_out_channels=(32, 64, 96, 96), attention_head_dim=8, layers_per_block=2,
        cross_attention_dim=32, sample_size=16, down_block_types=[CROSS_DOWN] * 3 + [DOWN],
        up_block_types=[UP] + [CROSS_UP] * 3), **unet_changes))
    return StableDiffusionPipeline(
        vae=make_vae(generator, (32, 64, 64, 64), 2), unet=randomize(unet, generator),
        text_encoder=make_text(generator, 32, 3, 4, "quick_gelu", eos=2),
        tokenizer=shared_tokenizer(END),
        scheduler=PNDMScheduler(**BETAS, skip_prk_steps=True, steps_offset=1,
                                timestep_spacing="leading"),
        safety_checker=None, feature_extractor=None, requires_safety_checker=False)


def sd21(generator, **scheduler_changes):
    unet = UNet2DConditionModel(block_out_channels=(32, 64, 96, 96), attention_head_dim=(2, 4, 6, 6),
                                layers_per_block=1, cross_attention_dim=48, sample_size=16,
                                use_linear_projection=True, upcast_attention=True,
                                down_block_types=[CROSS_DOWN] * 3 + [DOWN],
                                up_block_types=[UP] + [CROSS_UP] * 3)
    return StableDiffusionPipeline(
        vae=make_vae(generator, (32, 32, 64, 64), 1), unet=randomize(unet, generator),
        text_encoder=make_text(generator, 48, 3, 6, "gelu", pad=0),
        tokenizer=shared_tokenizer("!"),
        scheduler=DDIMScheduler(**BETAS, steps_offset=1, clip_sample=False, set_alpha_to_one=False,
                                prediction_type="v_prediction",
                                **dict(dict(timestep_spacing="linspace"), **scheduler_changes)),
        safety_checker=None, feature_extractor=None, requires_safety_checker=False)


def sdxl(generator, **unet_changes):
    unet = UNet2DConditionModel(**dict(dict(
        block_out_channels=(32, 64, 96), attention_head_dim=(2, 4, 6), layers_per_block=2,
        cross_attention_dim=32 + 48, sample_size=16, use_linear_projection=True,
        transformer_layers_per_block=(1, 2, 3), addition_embed_type="text_time",
        addition_time_embed_dim=8, projection_class_embeddings_input_dim=40 + 6 * 8,
        down_block_types=[DOWN, CROSS_DOWN, CROSS_DOWN], up_block_types=[CROSS_UP, CROSS_UP, UP]),
        **unet_changes))
    return StableDiffusionXLPipeline(
        vae=make_vae(generator, (32, 32, 64, 64), 1, scaling_factor=0.13025),
        unet=randomize(unet, generator),
        text_encoder=make_text(generator, 32, 3, 4, "quick_gelu", eos=2),
        text_encoder_2=make_text(generator, 48, 4, 6, "gelu", projection=40, pad=0),
        tokenizer=shared_tokenizer(END), tokenizer_2=shared_tokenizer("!"),
        scheduler=EulerDiscreteScheduler(**BETAS, steps_offset=1, timestep_spacing="leading"),
        force_zeros_for_empty_prompt=True, add_watermarker=False)


# What is distilled of them, with the fields that the published configs have, and other lists where those have one number.
DISTILLED = {
    "tiny-sd": (sd15, dict(mid_block_type=None, layers_per_block=1, block_out_channels=(32, 64, 96),
                           down_block_types=[CROSS_DOWN] * 3, up_block_types=[CROSS_UP] * 3)),
    "small-sd": (sd15, dict(mid_block_type=None, layers_per_block=[1, 2, 1, 2])),
    "ssd-1b": (sdxl, dict(mid_block_type="UNetMidBlock2D", transformer_layers_per_block=[1, [2, 1], [2, 3]],
                          reverse_transformer_layers_per_block=[[3, 1, 2], [2, 1, 1], 1])),
    "vega": (sdxl, dict(mid_block_type="UNetMidBlock2D", layers_per_block=1, transformer_layers_per_block=[1, [1], [2]],
                        reverse_transformer_layers_per_block=[[2, 1], [1, 1], 1])),
    "koala": (sdxl, dict(layers_per_block=[1, 1, 2], transformer_layers_per_block=[0, 2, [3, 1, 9]],
                         reverse_transformer_layers_per_block=[2, [1, 2, 9], 0])),
    "lcm": (sd15, dict(time_cond_proj_dim=64)),
    "lcm-sdxl": (sdxl, dict(time_cond_proj_dim=64)),
}

def inverted(generator):
    """With tokens of textual inversion, of which one has two vectors."""
    pipeline = sd15(generator)
    pipeline.tokenizer = reference_tokenizer(END)
    pipeline.tokenizer.add_tokens(["<cat-toy>", "<cat-toy>_1", "<style>"])
    pipeline.text_encoder.resize_token_embeddings(len(pipeline.tokenizer), mean_resizing=False)
    randomize(pipeline.text_encoder, generator)
    return pipeline


def sample(generator):
    """Whose UNet gives the image without noise."""
    pipeline = sd15(generator)
    pipeline.scheduler = EulerDiscreteScheduler(**BETAS, prediction_type="sample", steps_offset=1, timestep_spacing="leading")
    return pipeline


KINDS = {"sd15": sd15, "sd15-sample": sample, "inverted": inverted, "sd21": sd21, "sdxl": sdxl,
         "sd21-zero-snr": lambda generator: sd21(generator, rescale_betas_zero_snr=True, timestep_spacing="trailing"),
         **{name: lambda generator, make=make, changes=changes: make(generator, **changes)
            for name, (make, changes) in DISTILLED.items()}}


def rename_keys(file, rename):
    save_file({rename(key): tensor.contiguous() for key, tensor in load_file(file).items()}, file,
              metadata={"format": "pt"})


def old_vae_name(key):
    """As diffusers wrote attention before 0.18."""
    if ".attentions." in key:
        for new, old in (("to_q", "query"), ("to_k", "key"), ("to_v", "value"),
                         ("to_out.0", "proj_attn")):
            key = key.replace(f".{new}.", f".{old}.")
    return key


def old_text_name(key):
    """As transformers 4 wrote it."""
    return key if key.startswith("text_") else f"text_model.{key}"


def save(pipeline, folder, layout):
    """`layout`: plain, fp16 (variant files), shards, or old (the key names of 2022)."""
    folder = pathlib.Path(folder)
    if layout == "fp16":
        pipeline.to(torch.float16).save_pretrained(folder, variant="fp16")
    elif layout == "shards":
        pipeline.save_pretrained(folder, max_shard_size="300KB")
        assert len(list((folder / "unet").glob("*.safetensors"))) > 2
    else:
        pipeline.save_pretrained(folder)
    if layout == "old":
        rename_keys(folder / "vae" / "diffusion_pytorch_model.safetensors", old_vae_name)
        rename_keys(folder / "text_encoder" / "model.safetensors", old_text_name)
    return folder


@functools.cache
def saved(kind, seed, layout):
    """A temporary folder with a pipeline of `kind`, which nobody changes: to copy one is quicker than to make it."""
    folder = tempfile.TemporaryDirectory()
    save(KINDS[kind](torch.Generator().manual_seed(seed)), folder.name, layout)
    return folder


def make_model(kind, seed, layout, folder):
    """Writes a pipeline of `kind` into `folder` and gives back diffusers' own reading of it, in fp32, with Euler's scheduler."""
    shutil.copytree(saved(kind, seed, layout).name, folder)
    return load_oracle(folder, torch.float32)


tokenizers = {}  # by the content of their files: most models have the same, which transformers reads for a second


def tokenizer_of(folder):
    files = tuple((file.name, hashlib.sha256(file.read_bytes()).digest()) for file in sorted(folder.iterdir()))
    if files not in tokenizers:
        tokenizers[files] = CLIPTokenizer.from_pretrained(folder)
    return tokenizers[files]


def load_oracle(folder, dtype):
    index = json.loads((pathlib.Path(folder) / "model_index.json").read_text())
    cls = {"StableDiffusionPipeline": StableDiffusionPipeline,
           "StableDiffusionXLPipeline": StableDiffusionXLPipeline}[index["_class_name"]]
    fp16 = any(pathlib.Path(folder).glob("*/*.fp16.safetensors"))
    oracle = cls.from_pretrained(folder, torch_dtype=dtype, variant="fp16" if fp16 else None, local_files_only=True,
                                 **{place.name: tokenizer_of(place) for place in pathlib.Path(folder).glob("tokenizer*")})
    if not isinstance(oracle.scheduler, EulerDiscreteScheduler):
        oracle.scheduler = EulerDiscreteScheduler.from_config(oracle.scheduler.config)
    oracle.set_progress_bar_config(disable=True)
    return oracle
