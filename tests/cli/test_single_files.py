"""Folders and single checkpoint files as people have them, from the command line to latents and image, beside diffusers on the same weights."""

import copy
import functools
import json
import pathlib
import shutil

import numpy as np
import pytest
import torch
from PIL import Image
from compvis_layout import UNET, VAE, single_file, with_text_model
from make_models import load_oracle, make_model, saved
from program import record_of, run
from safetensors.torch import load_file, save_file

torch.set_num_threads(1)  # of so small models: more would wait for each other

KINDS = {"sd15": "sd1", "sd21": "sd2", "sdxl": "sdxl"}
PARTS = ("unet", "vae", "text_encoder", "text_encoder_2")
STEPS, SIZE = 3, 64


class Model:
    """diffusers' pipeline, and beside it a folder of configs alone and the weights as a single file has them."""

    def __init__(self, kind, folder):
        self.folder = folder
        self.oracle = make_model(kind, 3, "plain", folder / "model")
        configs, states = {}, {}
        for part in PARTS:
            for weights in (folder / "model" / part).glob("*.safetensors"):
                states[part] = load_file(weights)
                configs[part] = json.loads((folder / "model" / part / "config.json").read_text())
                weights.unlink()
        self.tensors = single_file(KINDS[kind], configs, states, torch.cat)
        self.states = states
        self.packing = "off"
        self.noise = torch.randn((1, 4, SIZE // 8, SIZE // 8), generator=torch.Generator().manual_seed(1))
        save_file({"latents": self.noise}, folder / "noise.safetensors")

    def copy_in(self, folder):
        """The same for one test, which may change files, tensors and the pipeline's parts; not what is in a part."""
        own = copy.copy(self)
        own.folder = shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        own.oracle, own.tensors = copy.copy(self.oracle), dict(self.tensors)
        return own

    def save(self, extra=(), **more):
        tensors = {**self.tensors, **dict(extra)}
        save_file({name: value.contiguous() for name, value in tensors.items()}, self.folder / "a.safetensors", **more)

    def latents_of_diffusers(self):
        with torch.no_grad():
            return self.oracle("a photo of a cat", num_inference_steps=STEPS, width=SIZE, height=SIZE, latents=self.noise,
                               guidance_scale=6.0, output_type="latent").images.numpy()

    def run(self, *weights):
        return run(self.folder, *(weights or ("--model", "model", "--weights", "a.safetensors")), "--device", "cpu",
                   "--dtype", "fp32", "--prompt", "a photo of a cat", "--steps", STEPS, "--size", f"{SIZE}x{SIZE}",
                   "--guidance", 6, "--repeat", 1, "--warmup", 0, "--threads", 1, "--packed-weights", self.packing, "--no-save", "--format", "json",
                   "--init-latents", "noise.safetensors", "--dump-latents", "out.safetensors")

    def assert_like_diffusers(self, *weights):
        """(the record, what was said on stderr)"""
        expected = self.latents_of_diffusers()
        code, out, err = self.run(*weights)
        assert code == 0, err
        ours = load_file(self.folder / "out.safetensors")["latents"].numpy()
        assert np.abs(ours - expected).max() <= 1e-4 * np.abs(expected).max()
        return record_of(out), err


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A model of each kind."""
    return functools.cache(lambda kind: Model(kind, tmp_path_factory.mktemp(kind)))


@pytest.fixture
def sdxl(made, tmp_path):
    return made("sdxl").copy_in(tmp_path)


@pytest.fixture
def sd15(made, tmp_path):
    return made("sd15").copy_in(tmp_path)


MARKER = torch.tensor([])  # has a name and no values


@pytest.mark.parametrize("markers", [["v_pred"], ["v_pred", "ztsnr"], ["ztsnr"]])
def test_marker_tensors_are_taken_for_what_they_say(sdxl, markers):
    from diffusers import EulerDiscreteScheduler

    sdxl.save((name, MARKER) for name in markers)
    sdxl.oracle.scheduler = EulerDiscreteScheduler.from_config(
        sdxl.oracle.scheduler.config, prediction_type="v_prediction" if "v_pred" in markers else "epsilon",
        rescale_betas_zero_snr="ztsnr" in markers)
    _, err = sdxl.assert_like_diffusers()
    assert ("v-prediction" in err) == ("v_pred" in markers)
    assert ("zero terminal SNR" in err) == ("ztsnr" in markers)
    plan = run(sdxl.folder, "--model", "model", "--weights", "a.safetensors", "--dry-run")[1]
    assert ("v-prediction" in plan) == ("v_pred" in markers)
    assert ("zero terminal SNR" in plan) == ("ztsnr" in markers)
    assert "ignored" not in err


@pytest.mark.parametrize("marker, name", [("edm_mean", "Playground"), ("edm_vpred.sigma_max", "CosXL")])
def test_markers_of_other_processes_are_refused_by_name_before_anything_runs(sdxl, marker, name):
    sdxl.save([(marker, torch.tensor(120.0))])
    code, _, err = sdxl.run()
    assert code != 0 and name in err
    dry = run(sdxl.folder, "--model", "model", "--weights", "a.safetensors", "--dry-run")
    assert dry[0] == code and name in dry[2]


def test_tensors_that_no_part_uses_are_ignored_with_one_note_and_recorded(sd15):
    strays = {"scale_factor": torch.tensor(0.18215), "epoch": torch.tensor(3, dtype=torch.uint16),
              "embedding_manager.a": torch.ones(2, dtype=torch.uint64), "embedding_manager.b.c": torch.ones(2),
              "control_model.input_blocks.0.0.weight": torch.ones(2, dtype=torch.complex64),
              "ema_model.x": torch.ones(2).to(torch.float8_e5m2), "ema_model.y": torch.ones(2).to(torch.float8_e8m0fnu),
              **{f"lora_unet_down_{i}.lora_up.weight": torch.ones(2) for i in range(7)}}
    sd15.save(strays)
    record, err = sd15.assert_like_diffusers()
    assert err.count("ignored") == 1
    for prefix, count in {"control_": 1, "ema_": 2, "embedding_": 2, "epoch": 1, "lora_": 7, "scale_": 1}.items():
        assert f'"{prefix}" ({count})' in record["weights_ignored"]
    assert '"control_" (1), "ema_" (2), "embedding_" (2), "epoch" (1) and 2 more (8)' in err
    assert record["weights_dtype"] == "fp32"


def test_few_strays_are_named_whole(sd15):
    sd15.save({"scale_factor": torch.tensor(1.0), "embedding_manager.a": torch.ones(1), "embedding_manager.b": torch.ones(1)})
    record, _ = sd15.assert_like_diffusers()
    assert record["weights_ignored"] == '"embedding_manager." (2), "scale_factor" (1)'


@pytest.mark.parametrize("name", [UNET + "surprise.weight", VAE + "decoder.surprise.weight",
                                  "cond_stage_model.transformer.text_model.surprise.weight"])
def test_an_unexpected_tensor_within_a_part_is_refused(sd15, name):
    sd15.save({name: torch.ones(1)})
    code, _, err = sd15.run()
    assert code != 0 and "1 unexpected" in err and "surprise" in err


def test_metadata_may_be_null(sd15):
    sd15.save()
    file = sd15.folder / "a.safetensors"
    data = file.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + length])
    text = json.dumps({"__metadata__": None, **header}).encode()
    file.write_bytes(len(text).to_bytes(8, "little") + text + data[8 + length:])
    sd15.assert_like_diffusers()


def test_a_whole_clip_model_and_a_switched_off_convolution_are_ignored_in_a_folder(sd15):
    """text_encoder as transformers' CLIPModel saves it; a VAE whose config has no post_quant_conv, and its file one."""
    from diffusers import AutoencoderKL

    folder = sd15.folder / "model"
    config = json.loads((folder / "vae" / "config.json").read_text()) | {"use_quant_conv": False, "use_post_quant_conv": False}
    (folder / "vae" / "config.json").write_text(json.dumps(config))
    text = with_text_model(sd15.states["text_encoder"])
    width = sd15.oracle.text_encoder.config.hidden_size
    text |= {"logit_scale": torch.tensor(4.6), "text_projection.weight": torch.ones(width, width),
             "visual_projection.weight": torch.ones(width, 8), "vision_model.post_layernorm.bias": torch.ones(8),
             "vision_model.embeddings.position_ids": torch.arange(5)[None]}
    save_file(text, folder / "text_encoder" / "model.safetensors", metadata={"format": "pt"})
    for part in ("unet", "vae"):
        save_file(sd15.states[part], folder / part / "diffusion_pytorch_model.safetensors", metadata={"format": "pt"})
    sd15.oracle.vae = AutoencoderKL.from_pretrained(folder / "vae", local_files_only=True)
    record, _ = sd15.assert_like_diffusers("--weights", "model")
    assert record["weights_ignored"] == ('"logit_scale" (1), "text_projection." (1), "vision_model." (1), '
                                         '"visual_projection." (1) of text_encoder, "post_quant_conv." (2) of vae')


def test_a_folder_with_leftovers_and_older_files_is_read_as_diffusers_reads_it(sd15):
    """A UNet in shards beside an older file, with what LoRA training left; the text half of a CLIPModel's config, with fewer layers than the file."""
    from diffusers import UNet2DConditionModel
    from transformers import CLIPTextModel

    folder = sd15.folder / "model"
    unet, text = dict(sd15.states["unet"]), with_text_model(sd15.states["text_encoder"])
    save_file({name: value * 2 for name, value in unet.items()}, folder / "unet" / "diffusion_pytorch_model.safetensors")
    attention = "mid_block.attentions.0.transformer_blocks.0.attn1"
    unet |= {f"{attention}.to_q.lora_layer.up.weight": torch.ones(2, 2), f"{attention}.processor.to_k_lora.down.weight": torch.ones(2, 2)}
    unet |= {f"{attention}.to_v.lora_{end}": torch.ones(2, 2) for end in ("A.default.weight", "B.default.weight", "embedding_A.default")}  # PEFT's
    save_file(unet, folder / "unet" / "new.safetensors", metadata={"format": "pt"})
    index = {"metadata": {}, "weight_map": {name: "new.safetensors" for name in unet}}
    (folder / "unet" / "diffusion_pytorch_model.safetensors.index.json").write_text(json.dumps(index))
    save_file(text, folder / "text_encoder" / "model.safetensors", metadata={"format": "pt"})
    save_file({f"_orig_mod.{name}": value for name, value in sd15.states["vae"].items()}, folder / "vae" / "diffusion_pytorch_model.safetensors")
    for part, change in {"unet": lambda config: config | {"dual_cross_attention": None, "center_input_sample": None, "attention_type": None},
                         "text_encoder": lambda config: {"model_type": "clip", "architectures": ["CLIPModel"], "vision_config": {},
                                                         "text_config": config | {"num_hidden_layers": 2}}}.items():
        file = folder / part / "config.json"
        file.write_text(json.dumps(change(json.loads(file.read_text()))))
    sd15.oracle.unet = UNet2DConditionModel.from_pretrained(folder / "unet", local_files_only=True)
    sd15.oracle.text_encoder = CLIPTextModel.from_pretrained(folder / "text_encoder", local_files_only=True)
    assert sd15.oracle.text_encoder.config.num_hidden_layers == 2
    record, err = sd15.assert_like_diffusers("--weights", "model")
    assert record["weights_ignored"] == '"text_model." (16) of text_encoder, "mid_block." (5) of unet'
    words = " ".join(err.split())
    assert "those of diffusion_pytorch_model.safetensors.index.json; other weights lie beside them" in words
    assert 'have "_orig_mod."' in words and words.count("_orig_mod.") == 1


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2])
@pytest.mark.parametrize("scaled", [None, "scale_weight", "weight_scale"])
def test_fp8_weights_are_widened_and_scaled_and_recorded(sd15, dtype, scaled):
    """ComfyUI's plain and scaled files. A scale beside a weight is what it is to be multiplied by."""
    sd15.oracle.unet = copy.deepcopy(sd15.oracle.unet)
    unet = sd15.oracle.unet.state_dict()
    scales = {}
    for name, value in sd15.tensors.items():
        if name.startswith(UNET) and name.endswith(".weight") and value.ndim > 1:
            scale = value.abs().max() / 448 if scaled else torch.tensor(1.0)
            sd15.tensors[name] = (value / scale).to(dtype)
            if scaled:
                scales[name.replace(".weight", f".{scaled}")] = scale.reshape([1])
                scales[name.replace(".weight", ".scale_input")] = torch.ones(1)
    for name, value in unet.items():
        if name.endswith(".weight") and value.ndim > 1:
            scale = value.abs().max() / 448 if scaled else torch.tensor(1.0)
            unet[name] = (value / scale).to(dtype).float() * scale
    sd15.oracle.unet.load_state_dict(unet)
    if scaled:
        scales[UNET + "scaled_fp8"] = torch.empty(2).to(dtype)
    sd15.save(scales)
    sd15.packing = "auto"
    record, err = sd15.assert_like_diffusers()
    name = {torch.float8_e4m3fn: "fp8_e4m3", torch.float8_e5m2: "fp8_e5m2"}[dtype]
    assert set(record["weights_dtype"].split("+")) == {name, "fp32"}
    assert record["dtype_unet"] == "fp32" and record["weights_ignored"] == "" and "ignored" not in err


def test_sd_turbos_official_file_is_sd_turbo(tmp_path):
    """Of its full size, with a header and nothing behind it: what --dry-run says of it."""
    architecture = json.loads((pathlib.Path(__file__).parents[2] / "configs/models/sd21.json").read_text())
    from diffusers import AutoencoderKL, UNet2DConditionModel
    from transformers import CLIPTextConfig, CLIPTextModel

    with torch.device("meta"):
        models = {"unet": UNet2DConditionModel.from_config(architecture["unet"]),
                  "vae": AutoencoderKL.from_config(architecture["vae"]),
                  "text_encoder": CLIPTextModel(CLIPTextConfig(**architecture["text_encoder"]))}
    tensors = single_file("turbo", architecture, {n: m.state_dict() for n, m in models.items()}, torch.cat)
    header, offset = {}, 0
    for name, value in {**tensors, "denoiser.sigmas": torch.empty(1000)}.items():
        end = offset + 2 * value.numel()
        header[name] = {"dtype": "F16", "shape": list(value.shape), "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    with (tmp_path / "sd_turbo.safetensors").open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + offset)
    code, out, err = run(tmp_path, "--weights", "sd_turbo.safetensors", "--dry-run")
    assert code == 0, err
    assert "sd-turbo" in out and "512x512" in out


def test_sd_turbos_layout_runs_like_diffusers(tmp_path):
    """SD 2.1's parts, with the text encoder below SGM's first embedder; the scheduler is that of the configs beside them."""
    model = Model("sd21", tmp_path)
    model.tensors = {name.replace("cond_stage_model.model.", "conditioner.embedders.0.model."): value
                     for name, value in model.tensors.items()}
    model.save({"denoiser.sigmas": torch.ones(1000)})
    model.assert_like_diffusers()


@pytest.mark.parametrize("kind, layout, size, negative", [
    ("sd15", "plain", (72, 104), None), ("sd21", "plain", (64, 64), "ugly"),
    ("sdxl", "plain", (104, 72), None), ("sdxl", "plain", (64, 64), ""),
    ("sd21", "fp16", (64, 64), None), ("sdxl", "shards", (64, 64), None),
    ("sd15", "single file", (64, 64), None)])
def test_the_image_is_diffusers_image(made, tmp_path, kind, layout, size, negative):
    """A folder that diffusers made, from the command line to the PNG, against diffusers."""
    oracle = made(kind).oracle
    if layout == "single file":  # which holds no configs: they come from a folder that holds nothing else
        made(kind).copy_in(tmp_path).save()
        weights = ("--model", "model", "--weights", "a.safetensors")
    else:
        weights = ("--weights", saved(kind, 3, layout).name)
        if layout == "fp16":  # whose numbers are others
            oracle = load_oracle(weights[1], torch.float32)
    width, height = size
    noise = torch.randn((1, 4, height // 8, width // 8), generator=torch.Generator().manual_seed(1))
    save_file({"latents": noise}, tmp_path / "noise.safetensors")
    final = {}
    with torch.no_grad():
        expected = oracle("a photo of a cat", negative_prompt=negative, num_inference_steps=4, width=width, height=height, latents=noise,
                          guidance_scale=6.0, output_type="np", callback_on_step_end=lambda *step: final.update(step[3]) or {}).images[0]
    latents = final["latents"].numpy()

    code, _, err = run(tmp_path, *weights, "--device", "cpu", "--dtype", "fp32",
                       "--prompt", "a photo of a cat", "--steps", 4, "--size", f"{width}x{height}",
                       *(() if negative is None else ("--negative-prompt", negative)),
                       "--guidance", 6, "--repeat", 1, "--warmup", 0, "--threads", 1, "--no-save",
                       "--init-latents", "noise.safetensors", "--dump-latents", "out.safetensors",
                       "--save-images", "images")
    assert code == 0, err
    ours = load_file(tmp_path / "out.safetensors")["latents"].numpy()
    error = np.abs(ours - latents).max() / np.abs(latents).max()
    print(f"{kind} {layout} {width}x{height}: latents {error:.1e}")
    assert error <= 1e-4
    [image] = (tmp_path / "images").iterdir()
    pixels = np.asarray(Image.open(image)).astype(int)
    assert np.abs(pixels - np.round(expected * 255).astype(int)).max() <= 1
    assert pixels.std() > 5
