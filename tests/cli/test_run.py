"""sdbench with its real worker: what a user types, and what a machine does to it."""

import os
import resource
import signal

import numpy as np
import pytest
from PIL import Image
from program import children, environment, finish, is_alive, record_of, run, start, wait_until
from safetensors.numpy import load_file, save_file

TINY = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64")
QUICK = (*TINY, "--steps", "2", "--format", "json", "--no-save")
ENDLESS = (*TINY, "--steps", "20", "--repeat", "1000", "--warmup", "0", "--format", "json",
           "--no-save", "-v")


@pytest.fixture
def endless(tmp_path):
    """A run in its timed part and the id of its worker; whatever is left of it is killed at the end."""
    process = start(tmp_path, *ENDLESS, "--timeout", "5")
    lines = []
    while "measure" not in (line := process.stderr.readline()):
        lines.append(line)
        assert line, "".join(lines)
    [worker] = children(process.pid)
    yield process, worker
    for pid in (process.pid, worker):
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)
    process.communicate()


def test_a_run_gives_a_record_an_image_and_latents(tmp_path):
    code, out, err = run(tmp_path, *QUICK, "--images", 2, "--repeat", 2, "--seed", 7,
                         "--save-images", "images", "--dump-latents", "out.safetensors",
                         "--prompt", "ein schöner See")
    assert code == 0, err
    record = record_of(out)
    assert record["status"] == "ok"
    assert record["output_check"] == "pass"
    assert record["repeat"] == 2
    assert record["unet_it_s"] > 0
    assert record["e2e_s"] >= record["text_s"] + record["unet_s"] + record["vae_s"]
    assert [len(sample["step_s"]) for sample in record["samples"]] == [4, 4]
    assert load_file(tmp_path / "out.safetensors")["latents"].shape == (2, 4, 8, 8)
    names = sorted(path.name for path in (tmp_path / "images").iterdir())
    assert names == ["tiny-sd15-64x64-2steps-seed7.png", "tiny-sd15-64x64-2steps-seed8.png"]
    image = Image.open(tmp_path / "images" / names[1])
    assert image.size == (64, 64)
    assert image.text["prompt"] == "ein schöner See"
    assert image.text["seed"] == "8"
    assert image.text["weights"] == "synthetic:0"
    assert image.text["size"] == "64x64"


def test_given_noise_is_used_and_the_same_noise_gives_the_same_latents(tmp_path):
    noise = np.random.default_rng(0).standard_normal((2, 4, 8, 8), dtype=np.float32)
    save_file({"latents": noise}, tmp_path / "noise.safetensors")
    results = []
    for batch in (1, 2):
        code, _, err = run(tmp_path, *QUICK, "--dtype", "fp32", "--batch", batch, "--images", 2,
                           "--repeat", 1, "--init-latents", "noise.safetensors",
                           "--dump-latents", f"{batch}.safetensors")
        assert code == 0, err
        results.append(load_file(tmp_path / f"{batch}.safetensors")["latents"])
    assert np.abs(results[0] - results[1]).max() <= 1e-4 * np.abs(results[0]).max()
    code, _, err = run(tmp_path, *QUICK, "--dtype", "fp32", "--images", 2, "--repeat", 1,
                       "--dump-latents", "seed.safetensors")
    assert code == 0, err
    by_seed = load_file(tmp_path / "seed.safetensors")["latents"]
    assert np.abs(results[0] - by_seed).max() > 0.1 * np.abs(by_seed).max()


@pytest.mark.parametrize("content, word", [
    ({"noise": np.zeros((1, 4, 8, 8), np.float32)}, "latents"),
    ({"latents": np.zeros((1, 4, 8, 9), np.float32)}, "[1, 4, 8, 8]"),
    ({"latents": np.zeros((1, 4, 8, 8), np.float16)}, "fp16"),
    ({"latents": np.full((1, 4, 8, 8), np.nan, np.float32)}, "NaN"),
])
def test_noise_of_another_form_is_refused(tmp_path, content, word):
    save_file(content, tmp_path / "noise.safetensors")
    code, out, err = run(tmp_path, *QUICK, "--init-latents", "noise.safetensors",
                         "--dump-latents", "out.safetensors")
    assert code == 1
    assert word in record_of(out)["error"]
    assert record_of(out)["status"] == "error"
    assert not (tmp_path / "out.safetensors").exists()


def test_an_image_of_nans_is_an_invalid_output(tmp_path):
    assert run(tmp_path, "export-weights", "-m", "tiny-sd15", "-o", "model")[0] == 0
    [file] = (tmp_path / "model" / "vae").glob("*.safetensors")
    tensors = load_file(file)
    tensors["decoder.conv_out.bias"][0] = np.nan
    save_file(tensors, file)
    code, out, _ = run(tmp_path, "--weights", "model", "--device", "cpu", "--size", "64x64", "--steps", 2,
                       "--format", "json", "--no-save")
    assert code == 1
    record = record_of(out)
    assert record["status"] == "invalid_output"
    assert record["output_check"] == "nan"
    assert record["stage"]
    assert record["unet_it_s"] > 0  # what was measured is there all the same


def test_a_killed_worker_is_a_record_and_exit_code_1(endless):
    process, worker = endless
    os.kill(worker, signal.SIGKILL)
    code, out, _ = finish(process)
    assert code == 1
    record = record_of(out)
    assert record["status"] == "crash"
    assert "SIGKILL" in record["error"]
    assert record["device_kind"] == "cpu"
    assert record["first_image_s"] > 0


def test_a_worker_that_stops_answering_runs_into_the_timeout(endless):
    process, worker = endless
    os.kill(worker, signal.SIGSTOP)
    code, out, _ = finish(process)
    assert code == 1
    assert record_of(out)["status"] == "timeout"
    assert not is_alive(worker)


@pytest.mark.parametrize("number, expected", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_is_a_record_and_the_signals_exit_code(endless, number, expected):
    process, worker = endless
    process.send_signal(number)
    code, out, _ = finish(process)
    assert code == expected
    record = record_of(out)
    assert record["status"] == "interrupted"
    assert record["first_image_s"] > 0
    assert not is_alive(worker)


def test_no_worker_outlives_a_killed_front(endless):
    process, worker = endless
    process.kill()
    wait_until(lambda: not is_alive(worker), 20)


def test_too_little_memory_is_said_before_loading_with_both_figures(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (9 << 30, 9 << 30))

    code, out, _ = run(tmp_path, "-m", "sdxl", "--weights", "synthetic", "--dtype", "fp32",
                       "--device", "cpu", "--format", "json", "--no-save", preexec_fn=limit)
    assert code == 1
    record = record_of(out)
    assert record["status"] == "oom_host"
    assert record["error"].count("GiB") == 2


def test_a_libtorch_that_cannot_be_loaded_is_an_error_with_the_loaders_line(tmp_path):
    version = run(tmp_path, *QUICK, "--repeat", 1)
    fake = tmp_path / "torch"
    (fake / "lib").mkdir(parents=True)
    (fake / "lib" / "libtorch_cpu.so").write_bytes(b"no library")
    (fake / "version.py").write_text(f"__version__ = '{record_of(version[1])['libtorch_version']}'\n")
    code, out, _ = run(tmp_path, *QUICK, env=environment(SDBENCH_LIBTORCH=str(fake)))
    assert code == 1
    record = record_of(out)
    assert record["status"] == "error"
    assert "libtorch_cpu.so" in record["error"]


def test_a_device_that_is_not_there_is_refused(tmp_path):
    code, out, _ = run(tmp_path, *QUICK[:4], "--device", "cuda:99", "--format", "json", "--no-save")
    assert code == 1
    assert "cuda:99" in record_of(out)["error"]


@pytest.mark.parametrize("kind, size, negative", [
    ("sd15", (72, 104), None), ("sd21", (64, 64), "ugly"), ("sdxl", (104, 72), None),
    ("sdxl", (64, 64), "")])
def test_the_image_is_diffusers_image(tmp_path, kind, size, negative):
    """A folder that diffusers made, from the command line to the PNG, against diffusers."""
    import torch
    from make_models import make_model

    oracle = make_model(kind, 3, "plain", tmp_path / "model")
    width, height = size
    noise = torch.randn((1, 4, height // 8, width // 8), generator=torch.Generator().manual_seed(1))
    save_file({"latents": noise.numpy()}, tmp_path / "noise.safetensors")
    asked = dict(prompt="a photo of a cat", negative_prompt=negative, num_inference_steps=4,
                 width=width, height=height, latents=noise.clone(), guidance_scale=6.0)
    with torch.no_grad():
        latents = oracle(**asked, output_type="latent").images.numpy()
        expected = oracle(**{**asked, "latents": noise.clone()}, output_type="np").images[0]

    code, _, err = run(tmp_path, "--weights", "model", "--device", "cpu", "--dtype", "fp32",
                       "--prompt", "a photo of a cat", "--steps", 4, "--size", f"{width}x{height}",
                       *(() if negative is None else ("--negative-prompt", negative)),
                       "--guidance", 6, "--repeat", 1, "--warmup", 0, "--no-save",
                       "--init-latents", "noise.safetensors", "--dump-latents", "out.safetensors",
                       "--save-images", "images")
    assert code == 0, err
    ours = load_file(tmp_path / "out.safetensors")["latents"]
    error = np.abs(ours - latents).max() / np.abs(latents).max()
    print(f"{kind} {width}x{height}: latents {error:.1e}")
    assert error <= 1e-4
    [image] = (tmp_path / "images").iterdir()
    pixels = np.asarray(Image.open(image)).astype(int)
    assert np.abs(pixels - np.round(expected * 255).astype(int)).max() <= 1
    assert pixels.std() > 5
