"""An exported folder is a diffusers pipeline: nothing missing, nothing unused, the same ids and bits.

SDBENCH_WEIGHTS_PROBE exports (weights_probe.cpp), SDBENCH_TOKENIZER_PROBE gives our ids.
"""

import json
import os
import pathlib
import subprocess

import pytest
import torch
from diffusers import AutoencoderKL, StableDiffusionPipeline, StableDiffusionXLPipeline
from diffusers import UNet2DConditionModel
from safetensors import safe_open
from transformers import CLIPTextModel, CLIPTextModelWithProjection

PIPELINES = {"tiny-sd15": StableDiffusionPipeline, "tiny-sdxl": StableDiffusionXLPipeline}
TEXTS = ["", "a photo of a cat", "Hello, world! 123 it's", "!! <|endoftext|> <|startoftext|>x",
         "résumé 猫 😀", "long " * 100]


def export(model, folder, seed=0, dtype="fp32"):
    return subprocess.run([os.environ["SDBENCH_WEIGHTS_PROBE"], "export", model, str(seed), dtype,
                           str(folder)], capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module", params=sorted(PIPELINES))
def exported(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param) / "exported"
    done = export(request.param, folder)
    assert done.returncode == 0, done.stderr
    return request.param, folder


def component_classes(folder):
    classes = {"unet": UNet2DConditionModel, "vae": AutoencoderKL, "text_encoder": CLIPTextModel}
    if (folder / "text_encoder_2").exists():
        classes["text_encoder_2"] = CLIPTextModelWithProjection
    return classes


def test_every_component_loads_without_missing_or_unexpected_keys(exported):
    _, folder = exported
    for name, kind in component_classes(folder).items():
        _, info = kind.from_pretrained(folder, subfolder=name, output_loading_info=True)
        problems = {key: list(value) for key, value in info.items() if value}
        assert problems == {}, name


def test_the_pipeline_loads_runs_and_makes_an_image_that_is_not_constant(exported):
    model, folder = exported
    pipeline = PIPELINES[model].from_pretrained(folder, torch_dtype=torch.float32)
    pipeline.set_progress_bar_config(disable=True)
    image = pipeline("a lake", width=64, height=64, num_inference_steps=2, output_type="pt",
                     generator=torch.Generator().manual_seed(0)).images
    assert torch.isfinite(image).all()
    assert image.std() > 0.05


def test_the_tokenizers_give_our_ids(exported):
    model, folder = exported
    pipeline = PIPELINES[model].from_pretrained(folder, torch_dtype=torch.float32)
    for name in ("tokenizer", "tokenizer_2"):
        tokenizer = getattr(pipeline, name, None)
        if tokenizer is None:
            continue
        request = {"model": model, "tokenizer": name,
                   "texts_hex": [text.encode().hex() for text in TEXTS]}
        done = subprocess.run([os.environ["SDBENCH_TOKENIZER_PROBE"]], capture_output=True,
                              input=json.dumps(request) + "\n", text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        theirs = tokenizer(TEXTS, padding="max_length", max_length=77, truncation=True).input_ids
        assert json.loads(done.stdout)["padded"] == theirs, name


@pytest.mark.parametrize("dtype, torch_dtype", [("fp16", torch.float16), ("bf16", torch.bfloat16)])
def test_half_precision_is_the_full_precision_rounded(exported, tmp_path, dtype, torch_dtype):
    model, folder = exported
    done = export(model, tmp_path / "half", dtype=dtype)
    assert done.returncode == 0, done.stderr
    for file in folder.rglob("*.safetensors"):
        with safe_open(file, "pt") as full, \
                safe_open(tmp_path / "half" / file.relative_to(folder), "pt") as half:
            assert full.keys() == half.keys()
            for name in full.keys():
                assert torch.equal(full.get_tensor(name).to(torch_dtype), half.get_tensor(name))
    config = json.loads((tmp_path / "half/text_encoder/config.json").read_text())
    assert config["torch_dtype"] == str(torch_dtype).removeprefix("torch.")


def test_another_seed_gives_other_weights(exported, tmp_path):
    model, folder = exported
    assert export(model, tmp_path / "other", seed=1).returncode == 0
    file = "unet/diffusion_pytorch_model.safetensors"
    assert (tmp_path / "other" / file).read_bytes() != (folder / file).read_bytes()


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    target = tmp_path / "mine"
    target.mkdir()
    (target / "thesis.txt").write_text("three years of work")
    done = export("tiny-sd15", target)
    assert done.returncode == 1
    assert "must be new or empty" in done.stderr and done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["mine", "thesis.txt"]


def test_an_empty_folder_is_filled_and_a_missing_parent_refused(tmp_path):
    target = tmp_path / "empty"
    target.mkdir()
    assert export("tiny-sd15", str(target) + "/").returncode == 0
    assert (target / "model_index.json").exists()
    done = export("tiny-sd15", tmp_path / "no" / "such")
    assert done.returncode == 1 and "parent" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


def test_nothing_is_left_behind_when_writing_fails(tmp_path):
    # The file-size limit makes the first large tensor fail, as a full disk would.
    probe = os.environ["SDBENCH_WEIGHTS_PROBE"]
    command = f"ulimit -f 100; trap '' XFSZ; exec '{probe}' export tiny-sd15 0 fp32 out"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
