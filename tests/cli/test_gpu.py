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
    assert "allocating" not in record["flags"]


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
        assert np.abs(ours - exact).max() <= 1e-3 * np.abs(exact).max()  # golden_bounds(): cuDNN may choose Winograd's algorithm
    else:
        assert rms(ours - exact) <= 1.25 * rms(theirs - exact)


def test_the_sensors_tell_of_the_gpu_that_computed(tmp_path):
    code, out, err = run(tmp_path, "-m", "sd15", *ON_GPU, "--steps", 20, "--repeat", 20, timeout=600)
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


def assert_same_bits(latents, others):
    """Where they differ, how far: by some units in the last place, cuDNN or cuBLAS chose another algorithm, and that is no fault of ours."""
    difference = np.abs(latents.astype(np.float64) - others).max()
    assert (latents == others).all(), f"latents of up to {np.abs(latents).max():.2g} differ by up to {difference:.2g}"


def run_on_gpu(folder, *more, size="512x512", model="sd15", dtype="fp16"):
    """Record and final latents of two steps."""
    code, out, err = run(folder, "-m", model, *ON_GPU, "--dtype", dtype, "--steps", 2, "--repeat", 1,
                         "--size", size, "--dump-latents", "out.safetensors", *more, timeout=600)
    assert code == 0, err
    return record_of(out), load_file(folder / "out.safetensors")["latents"]


def test_offload_holds_one_stage_at_a_time_and_changes_no_bit_on_a_gpu(tmp_path):
    whole, latents = run_on_gpu(tmp_path, "--graphs", "off")
    turns, same_latents = run_on_gpu(tmp_path, "--offload", "stages")
    assert_same_bits(latents, same_latents)
    saved = whole["peak_device_allocated_bytes"] - turns["peak_device_allocated_bytes"]
    assert saved >= 0.8 * 2 * 123_060_480  # at least the text encoder, fp16; the VAE's part depends on its activations


def test_tiles_take_the_memory_of_a_tile_on_a_gpu(tmp_path):
    whole, _ = run_on_gpu(tmp_path, size="1536x1536")
    tiled, _ = run_on_gpu(tmp_path, "--vae-tiling", size="1536x1536")
    assert tiled["vae_tiles"] == 16
    feature_map = 1536 * 1536 * 256 * 2
    saved = whole["peak_device_allocated_bytes"] - tiled["peak_device_allocated_bytes"]
    assert saved >= feature_map


@pytest.mark.parametrize("kernel", ["flash", "efficient", "cudnn"])
def test_the_attention_that_is_asked_for_runs_and_gives_the_same_image(tmp_path, kernel):
    if torch.cuda.get_device_capability(0) < (8, 0) and kernel != "efficient":
        pytest.skip("flash and cuDNN attention want Ampere")
    math, latents = run_on_gpu(tmp_path, "--attention", "math")
    record, near = run_on_gpu(tmp_path, "--attention", kernel)
    assert math["attention_used"] == "math"
    assert record["attention_used"].split("+")[0] == kernel
    assert record["golden_check"] == "pass"
    assert rms(near - latents) <= 0.05 * rms(latents)  # fp16's, as between sdbench and other engines


def test_sliced_attention_saves_memory_on_a_gpu(tmp_path):
    # A graph's intermediate results are not among what is allocated.
    math, latents = run_on_gpu(tmp_path, "--attention", "math", "--graphs", "off", dtype="fp32")
    sliced, same_latents = run_on_gpu(tmp_path, "--attention", "sliced", "--graphs", "off", dtype="fp32")
    assert np.abs(latents - same_latents).max() <= 1e-3 * np.abs(latents).max()
    assert sliced["peak_device_allocated_bytes"] < math["peak_device_allocated_bytes"]


def test_a_run_that_is_cut_before_it_is_recorded_says_that_it_had_no_graph(tmp_path):
    code, out, err = run(tmp_path, "-m", "tiny-sd15", *ON_GPU, "--steps", 100, "--graphs", "on", "--max-time", 0.01)
    assert code == 0, err
    record = record_of(out)
    assert record["stop_reason"] == "max_time" and record["repeat"] == 0
    assert record["graphs_used"] == "off" and "cut short" in record["graphs_obstacle"]


def test_with_graphs_max_time_ends_a_cell_within_an_image(tmp_path):
    def record(*more):
        code, out, err = run(tmp_path, "-m", "sd15", *ON_GPU, "--dtype", "fp16", "--steps", 300, "--graphs", "on", "--warmup", 0, *more,
                             timeout=600)
        assert code == 0, err
        return record_of(out)

    whole = record("--repeat", 1)
    bound = whole["load_s"] + (whole["prepare_s"] or 0) + whole["first_image_s"] + 1.5 * whole["e2e_s"]
    cut = record("--repeat", 1000, "--max-time", bound)
    assert cut["stop_reason"] == "max_time" and cut["graphs_used"] == "on"
    # A host that had enqueued the whole image would hear of its first steps alone before it is over.
    steps = (cut["partial_run"] or {"step_s": []})["step_s"]
    told = cut["load_s"] + (cut["prepare_s"] or 0) + cut["first_image_s"] + sum(sample["e2e_s"] for sample in cut["samples"]) + sum(steps)
    assert abs(told - bound) < 0.5, (told, bound, len(steps))


@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32"])
@pytest.mark.parametrize("model", ["sd15", "tiny-sdxl"])
@pytest.mark.parametrize("more", [(), ("--kv-cache", "off", "--time-cache", "off", "--shared-prefix", "off")])
def test_graphs_are_recorded_and_change_no_bit(tmp_path, model, dtype, more):
    size = {"sd15": "512x512", "tiny-sdxl": "128x128"}[model]
    alone, latents = run_on_gpu(tmp_path, "--graphs", "off", *more, model=model, dtype=dtype, size=size)
    record, same_latents = run_on_gpu(tmp_path, "--graphs", "on", *more, model=model, dtype=dtype, size=size)
    assert (alone["graphs_used"], alone["graphs_obstacle"]) == ("off", "")
    assert (record["graphs_used"], record["graphs_obstacle"]) == ("on", "")
    assert record["golden_check"] == "pass"
    assert_same_bits(latents, same_latents)


@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32"])
@pytest.mark.parametrize("model", ["sd15", "tiny-sdxl"])
@pytest.mark.parametrize("more", [(), ("--kv-cache", "off", "--time-cache", "off", "--shared-prefix", "off"), ("--batch", "2", "--images", "4")])
def test_the_loop_is_recorded_as_one_graph_and_changes_no_bit(tmp_path, model, dtype, more):
    size = {"sd15": "512x512", "tiny-sdxl": "128x128"}[model]
    _, latents = run_on_gpu(tmp_path, "--graphs", "off", *more, model=model, dtype=dtype, size=size)
    # The runs behind the first are replays, and the latents are the last one's.
    record, same_latents = run_on_gpu(tmp_path, "--graphs", "loop", *more, model=model, dtype=dtype, size=size)
    assert (record["graphs_used"], record["graphs_obstacle"]) == ("loop", "")
    assert record["golden_check"] == "pass"
    assert_same_bits(latents, same_latents)


@pytest.mark.parametrize("dtype", ["auto", "bf16"])  # auto looks at the first call's numbers
def test_each_step_within_a_graph_of_the_loop_has_its_time(tmp_path, dtype):
    def samples(graphs):
        code, out, err = run(tmp_path, "-m", "sd15", *ON_GPU, "--dtype", dtype, "--steps", 20, "--graphs", graphs, timeout=600)
        assert code == 0, err
        record = record_of(out)
        assert (record["graphs_used"], record["graphs_obstacle"]) == (graphs, "")
        return record["samples"]

    by_step = np.median([step for sample in samples("on") for step in sample["step_s"]])
    for sample in samples("loop"):
        assert len(sample["step_s"]) == 20
        assert sum(sample["step_s"]) == pytest.approx(sample["unet_s"], rel=0.02)
        assert sample["unet_s"] < sample["e2e_s"]
        # The same work: no step is missing, none has another's time.
        assert all(0.5 * by_step < step < 2 * by_step for step in sample["step_s"][1:])


@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32"])
@pytest.mark.parametrize("model", ["sd15", "tiny-sdxl"])
def test_own_kernels_compute_what_aten_does(tmp_path, model, dtype):
    size = {"sd15": "512x512", "tiny-sdxl": "128x128"}[model]
    by_aten, latents = run_on_gpu(tmp_path, "--kernels", "aten", model=model, dtype=dtype, size=size)
    # By name, for in fp32 and without tensor cores it is not what the engine takes by itself.
    record, near = run_on_gpu(tmp_path, "--kernels", "own", "--memory-format", "channels-last", model=model, dtype=dtype,
                              size=size)
    assert by_aten["kernels_used"] == "aten"
    if tuple(torch.cuda.get_device_capability(0)) < (6, 0):
        assert record["kernels_used"] == "aten" and "6.0" in record["kernels_obstacle"]
        return
    assert (record["kernels_used"], record["kernels_obstacle"]) == ("own", "")
    assert (by_aten["memory_format_used"], record["memory_format_used"]) == ("contiguous", "channels-last")
    assert by_aten["golden_check"] == record["golden_check"] == "pass"
    bound = {"fp16": 0.05, "bf16": 0.35, "fp32": 1e-3}[dtype]  # as between sdbench and other engines: docs/other-engines.md
    assert rms(near - latents) <= bound * rms(latents)


@pytest.mark.parametrize("dtype", ["fp16", "bf16", "fp32"])
def test_own_kernels_and_graphs_together_change_no_bit_of_the_kernels_numbers(tmp_path, dtype):
    _, latents = run_on_gpu(tmp_path, "--kernels", "own", "--graphs", "off", dtype=dtype)
    record, same_latents = run_on_gpu(tmp_path, "--kernels", "own", "--graphs", "on", dtype=dtype)
    assert record["graphs_used"] == "on"
    assert_same_bits(latents, same_latents)


def test_kernels_are_compiled_once_and_a_damaged_file_is_compiled_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    option = ("--kernels", "own")
    if run_on_gpu(tmp_path, *option, model="tiny-sd15", size="64x64")[0]["kernels_used"] != "own":
        pytest.skip("this GPU has no kernels of ours")
    files = list((tmp_path / "cache/sdbench/kernels").iterdir())
    assert len(files) == 1  # fp16: UNet and VAE
    whole = files[0].read_bytes()
    files[0].write_bytes(whole[:-1])
    assert run_on_gpu(tmp_path, *option, model="tiny-sd15", size="64x64")[0]["kernels_used"] == "own"
    assert files[0].read_bytes() == whole


def test_graphs_take_less_of_the_host_than_kernels_one_by_one(tmp_path):
    # At this size the host is what a step waits for.
    def step(graphs):
        code, out, err = run(tmp_path, "-m", "sd15", *ON_GPU, "--size", "64x64", "--steps", 20, "--graphs", graphs, timeout=600)
        assert code == 0, err
        return min(min(sample["step_s"]) for sample in record_of(out)["samples"])

    assert step("on") < step("off")


def test_what_cannot_be_recorded_runs_kernel_by_kernel_and_says_why(tmp_path):
    record, latents = run_on_gpu(tmp_path, "--graphs", "on", "--offload", "stages")
    assert record["graphs_used"] == "off" and "--offload" in record["graphs_obstacle"]
    _, same_latents = run_on_gpu(tmp_path, "--graphs", "off")
    assert_same_bits(latents, same_latents)
    record, same_latents = run_on_gpu(tmp_path, "--graphs", "loop", "--offload", "stages")
    assert record["graphs_used"] == "off" and "--offload" in record["graphs_obstacle"]
    assert_same_bits(latents, same_latents)


@pytest.mark.parametrize("option", [("--memory-format", "channels-last"), ("--cudnn-benchmark", "on")])
def test_other_kernels_give_the_same_image(tmp_path, option):
    record, _ = run_on_gpu(tmp_path, *option)
    assert record["golden_check"] == "pass"
    assert record[option[0][2:].replace("-", "_")] == option[1]


def test_sums_in_fp16_round_more_and_pass_the_check_of_their_precision(tmp_path):
    _, latents = run_on_gpu(tmp_path, dtype="fp16")
    record, rounded = run_on_gpu(tmp_path, "--fp16-accumulation", "on", dtype="fp16")
    assert record["fp16_accumulation"] == "on" and record["golden_check"] == "pass"
    assert (latents != rounded).any()


def test_tf32_rounds_and_passes_the_check_of_its_precision(tmp_path):
    exact, latents = run_on_gpu(tmp_path, dtype="fp32")
    record, rounded = run_on_gpu(tmp_path, "--tf32", "on", dtype="fp32")
    some, less_rounded = run_on_gpu(tmp_path, "--tf32", "conv", dtype="fp32")
    assert record["golden_check"] == some["golden_check"] == exact["golden_check"] == "pass"
    if torch.cuda.get_device_capability(0) >= (8, 0):
        assert (exact["tf32_used"], record["tf32_used"], some["tf32_used"]) == ("off", "on", "conv")
        assert (latents != rounded).any() and (latents != less_rounded).any() and (rounded != less_rounded).any()
    else:
        assert record["tf32_used"] == some["tf32_used"] == "off"
        assert (latents == rounded).all() and (latents == less_rounded).all()


@pytest.mark.parametrize("dtype", ["fp16", "bf16"])
@pytest.mark.parametrize("kind", ["sd15", "sdxl"])
def test_autocast_is_as_near_to_fp32_as_torch_autocast_is(tmp_path, kind, dtype):
    from make_models import make_model  # takes seconds

    oracle = make_model(kind, 3, "plain", tmp_path / "model")
    noise = torch.randn((1, 4, 8, 8), generator=torch.Generator().manual_seed(1))
    save_file({"latents": noise.numpy()}, tmp_path / "noise.safetensors")

    def latents_on(device, autocast):
        element_type = {"fp16": torch.float16, "bf16": torch.bfloat16}[dtype]
        with torch.no_grad(), torch.autocast("cuda", dtype=element_type, enabled=autocast):
            return oracle.to(device)(prompt="a photo of a cat", num_inference_steps=4, width=64,
                                     height=64, guidance_scale=6.0, output_type="latent",
                                     latents=noise.to(device)).images.float().cpu().numpy()

    exact, theirs = latents_on("cpu", False), latents_on("cuda", True)
    code, _, err = run(tmp_path, "--weights", "model", "--device", "cuda", "--dtype",
                       f"autocast-{dtype}", "--prompt", "a photo of a cat", "--steps", 4, "--size",
                       "64x64", "--guidance", 6, "--repeat", 1, "--warmup", 0, "--no-save",
                       "--init-latents", "noise.safetensors", "--dump-latents", "out.safetensors")
    assert code == 0, err
    ours = load_file(tmp_path / "out.safetensors")["latents"]
    assert rms(ours - exact) <= 1.25 * rms(theirs - exact)
