"""What saves memory on a small card does so here too: the worker's own peak, with and without, on a model of some 400 MB.

No clock decides anything here. The architecture is tiny-sd15's, with wider text encoder and UNet, so that the weights stand
out of what libtorch itself takes, and VAE tiles of 128 pixels. What a test does not look at stays as small as there.
"""

import json
import pathlib

import numpy as np
import pytest
from PIL import Image
from program import record_of, run
from safetensors.numpy import load_file

CONFIGS = pathlib.Path(__file__).parents[2] / "configs" / "models"
MIB = 1 << 20
TOKENS, HEADS = 40 * 40, 8  # of the first UNet block, for an image of 320 x 320


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    config = json.loads((CONFIGS / "tiny-sd15.json").read_text())
    config["name"] = "middling"
    config["text_encoder"].update(hidden_size=512, intermediate_size=2048, num_attention_heads=8,
                                  num_hidden_layers=8, projection_dim=512)
    config["unet"].update(block_out_channels=[64, 256, 256, 256], cross_attention_dim=512,
                          attention_head_dim=HEADS)
    (folder / "narrow_vae.json").write_text(json.dumps(config))
    config["vae"].update(block_out_channels=[64, 128, 128, 128])
    (folder / "middling.json").write_text(json.dumps(config))
    vae_alone = json.loads((CONFIGS / "tiny-sd15.json").read_text()) | {"name": "wide VAE", "vae": config["vae"]}
    (folder / "wide_vae.json").write_text(json.dumps(vae_alone))
    code, _, err = run(folder, "export-weights", "--model", "middling.json", "-o", "weights",
                       "--weights", "synthetic")
    assert code == 0, err
    return folder


def peak_of(folder, model, *more, weights="synthetic", size="64x64", name="middling"):
    """The record, after a run of one step in fp32."""
    code, out, err = run(folder, "-m", model / f"{name}.json", "--weights", weights, "--device",
                         "cpu", "--dtype", "fp32", "--size", size, "--steps", 1, "--repeat", 1,
                         "--warmup", 0, "--threads", 1, "--format", "json", "--no-save", *more,
                         timeout=300)
    assert code == 0, err
    return record_of(out)


def resident_bytes(model, mapped):
    """What each stage's weights take once it has run."""
    text, unet, vae = (sum(file.stat().st_size for file in (model / "weights" / name).glob("*.safetensors"))
                       for name in ("text_encoder", "unet", "vae"))
    if mapped:
        text -= 49408 * 512 * 4  # the rows of a mapped embedding that no token asks for are never read
    return [text, unet, vae / 2]  # the VAE's encoder is not loaded


@pytest.mark.parametrize("weights", ["synthetic", "checkpoint"])
def test_offload_holds_one_stage_at_a_time_and_changes_no_bit(tmp_path, model, weights):
    source = "synthetic" if weights == "synthetic" else model / "weights"
    records = {}
    for offload in ("none", "stages"):
        records[offload] = peak_of(tmp_path, model, "--offload", offload, "--dump-latents",
                                   f"{offload}.safetensors", "--save-images", offload,
                                   weights=source)
        assert records[offload]["offload"] == offload
    assert records["none"]["variant_id"] != records["stages"]["variant_id"]
    latents = [load_file(tmp_path / f"{offload}.safetensors")["latents"] for offload in records]
    assert (latents[0] == latents[1]).all()
    images = [np.asarray(Image.open(next((tmp_path / offload).iterdir()))) for offload in records]
    assert (images[0] == images[1]).all()

    stages = resident_bytes(model, mapped=weights == "checkpoint")
    must_save = sum(stages) - max(stages)
    saved = records["none"]["peak_host_bytes"] - records["stages"]["peak_host_bytes"]
    print(f"{weights}: weights {sum(stages) / MIB:.0f} MiB, saved {saved / MIB:.0f} MiB of "
          f"{records['none']['peak_host_bytes'] / MIB:.0f}; must save {must_save / MIB:.0f}")
    assert must_save > 80 * MIB, "too little to tell from chance"
    assert saved >= 0.8 * must_save


def test_tiles_take_the_memory_of_a_tile(tmp_path, model):
    whole = peak_of(tmp_path, model, size="384x384", name="wide_vae")
    tiled = peak_of(tmp_path, model, "--vae-tiling", size="384x384", name="wide_vae")
    assert (whole["vae_tiling"], whole["vae_tiles"]) == ("off", 1)
    assert (tiled["vae_tiling"], tiled["vae_tiles"]) == ("on", 16)
    feature_map = 384 * 384 * 128 * 4  # of the last block's input; at least two live at a time
    saved = whole["peak_host_bytes"] - tiled["peak_host_bytes"]
    print(f"saved {saved / MIB:.0f} MiB; a feature map has {feature_map / MIB:.0f}")
    assert saved >= feature_map


def test_sliced_attention_holds_half_the_heads_scores_of_one_image(tmp_path, model):
    records, latents = {}, {}
    for kernel in ("math", "sliced"):
        records[kernel] = peak_of(tmp_path, model, "--attention", kernel, "--vae-tiling",
                                  "--dump-latents", f"{kernel}.safetensors", size="320x320", name="narrow_vae")
        latents[kernel] = load_file(tmp_path / f"{kernel}.safetensors")["latents"]
    assert np.abs(latents["math"] - latents["sliced"]).max() <= 1e-4 * np.abs(latents["math"]).max()
    all_scores = 2 * HEADS * TOKENS * TOKENS * 4  # guidance: twice the batch
    saved = records["math"]["peak_host_bytes"] - records["sliced"]["peak_host_bytes"]
    print(f"saved {saved / MIB:.0f} MiB; all scores have {all_scores / MIB:.0f}")
    assert saved >= all_scores / 2
