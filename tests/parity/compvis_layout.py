"""Writes diffusers' weights the way CompVis and SGM name them: the reverse of what sdbench reads.

Written apart from sdbench's own rules, and checked against diffusers' converters by test_checkpoint.py.
"""

import re

UNET, VAE = "model.diffusion_model.", "first_stage_model."
SD1_TEXT, SD2_TEXT = "cond_stage_model.transformer.", "cond_stage_model.model."
SDXL_TEXT, SDXL_TEXT_2 = "conditioner.embedders.0.transformer.", "conditioner.embedders.1.model."
TURBO_TEXT = "conditioner.embedders.0.model."

UNET_ENDS = {
    "time_embedding.linear_1": "time_embed.0",
    "time_embedding.linear_2": "time_embed.2",
    "add_embedding.linear_1": "label_emb.0.0",
    "add_embedding.linear_2": "label_emb.0.2",
    "conv_in": "input_blocks.0.0",
    "conv_norm_out": "out.0",
    "conv_out": "out.2",
}
RESNET = {
    "norm1": "in_layers.0",
    "conv1": "in_layers.2",
    "time_emb_proj": "emb_layers.1",
    "norm2": "out_layers.0",
    "conv2": "out_layers.3",
    "conv_shortcut": "skip_connection",
}
VAE_ATTENTION = {
    "group_norm": "norm",
    "to_q": "q",
    "to_k": "k",
    "to_v": "v",
    "to_out.0": "proj_out",
}
CLIP_LAYER = {
    "layer_norm1": "ln_1",
    "layer_norm2": "ln_2",
    "mlp.fc1": "mlp.c_fc",
    "mlp.fc2": "mlp.c_proj",
    "self_attn.out_proj": "attn.out_proj",
}


def split_end(name):
    """conv1.weight → conv1, weight"""
    return tuple(name.rsplit(".", 1))


def unet_name(name, config):
    stem, end = split_end(name)
    if stem in UNET_ENDS:
        return f"{UNET_ENDS[stem]}.{end}"
    layers = config["layers_per_block"]
    if match := re.fullmatch(r"mid_block\.(resnets|attentions)\.(\d)\.(.+)", stem):
        kind, number, rest = match.groups()
        place = {"resnets0": 0, "attentions0": 1, "resnets1": 2}[kind + number]
        return f"middle_block.{place}.{RESNET.get(rest, rest)}.{end}"
    side, block, kind, layer, rest = re.fullmatch(
        r"(down|up)_blocks\.(\d)\.(\w+)\.(\d)\.(.+)", stem
    ).groups()
    block, layer = int(block), int(layer)
    if side == "down":
        first, where = 1 + block * (layers + 1), "input_blocks"
    else:
        first, where = block * (layers + 1), "output_blocks"
    if kind == "resnets":
        return f"{where}.{first + layer}.0.{RESNET[rest]}.{end}"
    if kind == "attentions":
        return f"{where}.{first + layer}.1.{rest}.{end}"
    if kind == "downsamplers":
        return f"{where}.{first + layers}.0.op.{end}"
    has_attention = "CrossAttn" in config["up_block_types"][block]
    return f"{where}.{first + layers}.{2 if has_attention else 1}.conv.{end}"


def vae_name(name, config):
    top = len(config["block_out_channels"]) - 1
    name = name.replace("conv_norm_out", "norm_out").replace("conv_shortcut", "nin_shortcut")
    name = re.sub(r"mid_block\.resnets\.(\d)", lambda m: f"mid.block_{int(m[1]) + 1}", name)
    if match := re.fullmatch(r"(.+)\.mid_block\.attentions\.0\.(.+)\.(\w+)", name):
        return f"{match[1]}.mid.attn_1.{VAE_ATTENTION[match[2]]}.{match[3]}"
    name = re.sub(r"down_blocks\.(\d)\.resnets", r"down.\1.block", name)
    name = re.sub(r"down_blocks\.(\d)\.downsamplers\.0", r"down.\1.downsample", name)
    name = re.sub(r"up_blocks\.(\d)\.resnets", lambda m: f"up.{top - int(m[1])}.block", name)
    return re.sub(
        r"up_blocks\.(\d)\.upsamplers\.0", lambda m: f"up.{top - int(m[1])}.upsample", name
    )


def open_clip(tensors, cat):
    """`tensors` with `text_model.` in their names; `cat` joins three along the first dimension."""
    ends = {
        "text_model.embeddings.position_embedding.weight": "positional_embedding",
        "text_model.embeddings.token_embedding.weight": "token_embedding.weight",
        "text_model.final_layer_norm.weight": "ln_final.weight",
        "text_model.final_layer_norm.bias": "ln_final.bias",
    }
    out = {}
    for name, value in tensors.items():
        if name in ends:
            out[ends[name]] = value
        elif name == "text_projection.weight":
            out["text_projection"] = value.T.contiguous()
        else:
            layer, rest = re.fullmatch(r"text_model\.encoder\.layers\.(\d+)\.(.+)", name).groups()
            scope = f"transformer.resblocks.{layer}."
            stem, end = split_end(rest)
            if stem in CLIP_LAYER:
                out[f"{scope}{CLIP_LAYER[stem]}.{end}"] = value
            elif stem == "self_attn.q_proj":
                parts = [tensors[name.replace("q_proj", f"{part}_proj")] for part in "qkv"]
                out[f"{scope}attn.in_proj_{end}"] = cat(parts)
    return out


def with_text_model(tensors):
    """The names before transformers 5.6, which every published checkpoint has."""
    has_prefix = any(name.startswith("text_model.") for name in tensors)
    return dict(tensors) if has_prefix else {f"text_model.{n}": v for n, v in tensors.items()}


def single_file(kind, configs, states, cat):
    """All components as one CompVis/SGM state dict. `kind`: sd1, sd2, turbo (SD2 as SGM lays it out) or sdxl."""
    out = {UNET + unet_name(n, configs["unet"]): v for n, v in states["unet"].items()}
    for name, value in states["vae"].items():
        is_conv = ".attentions." in name and value.ndim == 2
        out[VAE + vae_name(name, configs["vae"])] = value[:, :, None, None] if is_conv else value
    text = with_text_model(states["text_encoder"])
    if kind in ("sd2", "turbo"):
        prefix = SD2_TEXT if kind == "sd2" else TURBO_TEXT
        out |= {prefix + n: v for n, v in open_clip(text, cat).items()}
    else:
        prefix = SD1_TEXT if kind == "sd1" else SDXL_TEXT
        out |= {prefix + n: v for n, v in text.items()}
    if kind == "sdxl":
        text_2 = open_clip(with_text_model(states["text_encoder_2"]), cat)
        out |= {SDXL_TEXT_2 + n: v for n, v in text_2.items()}
    return out

