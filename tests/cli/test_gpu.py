"""What only a GPU can show. Without one this ends at once with exit code 77, which ctest counts as skipped."""

import numpy as np
import pytest
import torch
from program import record_of, run
from safetensors.numpy import load_file, save_file

ON_GPU = ("--device", "cuda", "--weights", "synthetic", "--format", "json", "--no-save")


@pytest.fixture(autouse=True, scope="session")
def gpu():
    if not torch.cuda.is_available():
        pytest.exit("skipped: these tests need an NVIDIA GPU and its driver, and there is none", 77)


def rms(values):
    return float(np.sqrt(np.mean(np.square(values.astype(np.float64)))))


@pytest.mark.parametrize("model", ["tiny-sd15", "tiny-sdxl", "sd15"])
def test_the_events_times_agree_with_the_wall_clock(tmp_path, model):
    code, out, err = run(tmp_path, "-m", model, *ON_GPU, "--steps", 20, timeout=600)
    assert code == 0, err
    record = record_of(out)
    assert record["dtype_unet"] == "fp16"
    for sample in record["samples"]:
        stages = sample["text_s"] + sample["unet_s"] + sample["vae_s"]
        assert 0.5 * sample["e2e_s"] < stages <= 1.02 * sample["e2e_s"]
        assert sum(sample["step_s"]) == pytest.approx(sample["unet_s"], rel=0.02)
    assert record["golden_check"] == "pass"


def test_the_peaks_of_device_memory_are_in_order(tmp_path):
    code, out, err = run(tmp_path, "-m", "sd15", *ON_GPU, "--steps", 2, timeout=600)
    assert code == 0, err
    record = record_of(out)
    weights = 2 * (859_520_964 + 49_490_199 + 123_060_480)  # fp16, without the VAE's encoder
    assert weights < record["peak_device_allocated_bytes"] < 2 * weights
    assert record["peak_device_allocated_bytes"] <= record["peak_device_reserved_bytes"]
    assert record["peak_device_reserved_bytes"] <= record["peak_device_used_bytes"]


@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32"])
@pytest.mark.parametrize("kind", ["sd15", "sd21", "sdxl"])
def test_latents_are_as_near_to_fp32_as_diffusers_are(tmp_path, kind, dtype):
    from make_models import load_oracle, make_model  # takes seconds

    folder = tmp_path / "model"
    oracle = make_model(kind, 3, "plain", folder)
    noise = torch.randn((1, 4, 8, 8), generator=torch.Generator().manual_seed(1))
    save_file({"latents": noise.numpy()}, tmp_path / "noise.safetensors")

    def latents_of(pipeline, element_type):
        with torch.no_grad():
            return pipeline(prompt="a photo of a cat", num_inference_steps=4, width=64, height=64,
                            guidance_scale=6.0, output_type="latent",
                            latents=noise.to(pipeline.device, element_type)
                            ).images.float().cpu().numpy()

    exact = latents_of(oracle, torch.float32)
    element_type = {"fp16": torch.float16, "bf16": torch.bfloat16, "fp32": torch.float32}[dtype]
    theirs = latents_of(load_oracle(folder, element_type).to("cuda"), element_type)

    code, _, err = run(tmp_path, "--weights", "model", "--device", "cuda", "--dtype", dtype,
                       "--prompt", "a photo of a cat", "--steps", 4, "--size", "64x64",
                       "--guidance", 6, "--repeat", 1, "--warmup", 0, "--no-save",
                       "--init-latents", "noise.safetensors", "--dump-latents", "out.safetensors")
    assert code == 0, err
    ours = load_file(tmp_path / "out.safetensors")["latents"]
    print(f"{kind} {dtype}: ours {rms(ours - exact):.1e}, theirs {rms(theirs - exact):.1e}")
    if dtype == "fp32":
        assert np.abs(ours - exact).max() <= 1e-4 * np.abs(exact).max()
    else:
        assert rms(ours - exact) <= 1.25 * rms(theirs - exact)


def test_the_sensors_tell_of_the_gpu_that_computed(tmp_path):
    code, out, err = run(tmp_path, "-m", "sd15", *ON_GPU, "--steps", 20, timeout=600)
    assert code == 0, err
    record = record_of(out)
    assert record["device_uuid"].startswith("GPU-") and record["sm_count"] == torch.cuda.get_device_properties(0).multi_processor_count
    assert record["telemetry_samples"] >= 10
    assert 0 < record["power_w_idle"] and 0 < record["power_w_mean"] <= record["power_w_max"] <= 1.2 * record["power_limit_w"]
    assert record["energy_j"] > 0 and record["energy_source"] in ("counter", "integrated")
    assert record["j_per_image"] == pytest.approx(record["energy_j"] / (record["repeat"] * record["images"]))
    assert record["sm_clock_hz_mean"] > 1e8 and record["temperature_c_max"] >= record["temperature_c_start"] - 5
    assert record["device_memory_used_max_bytes"] >= 0.9 * record["peak_device_reserved_bytes"]
    assert "no telemetry" not in err
