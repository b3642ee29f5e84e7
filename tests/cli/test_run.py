"""sdbench with its real worker: what a user types, and what a machine does to it."""

import contextlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal

import numpy as np
import pytest
from PIL import Image
from program import children, environment, finish, has_cuda_driver, is_alive, record_of, run, start, wait_until
from safetensors.numpy import load_file, save_file
from stub import csv_rows

TINY = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64")
SHORT = (*TINY, "--steps", "2", "--format", "json", "--no-save")
ONE_THREAD = ("--threads", "1")  # of so small models: more would wait for each other where tests run side by side
QUICK = (*SHORT, *ONE_THREAD)
ENDLESS = (*TINY, "--steps", "20", "--repeat", "1000", "--warmup", "0", "--format", "json",
           "--no-save", "-v", *ONE_THREAD)


@contextlib.contextmanager
def measuring(folder, **options):
    """A run in its timed part and the id of its worker; whatever is left of it is killed at the end."""
    process = start(folder, *ENDLESS, "--timeout", "5", **options)
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


@pytest.fixture
def endless(tmp_path):
    with measuring(tmp_path) as found:
        yield found


def test_openmps_binding_leaves_all_cores_their_threads_and_is_recorded(tmp_path):
    # libgomp binds the worker's main thread to one core before main: whom it asks there counts one.
    code, out, err = run(tmp_path, *SHORT, env=environment(OMP_PROC_BIND="close", OMP_PLACES="cores"))
    assert code == 0, err
    record = record_of(out)
    assert record["threads"] == record["core_count"]
    assert record["openmp_config"].startswith("OMP_PROC_BIND=close OMP_PLACES=cores")


@pytest.mark.parametrize("limit", [{"OMP_DYNAMIC": "true"}, {"OMP_THREAD_LIMIT": "1"}, {"OMP_MAX_ACTIVE_LEVELS": "0"}])
def test_an_openmp_that_gives_fewer_threads_computes_the_same_image_and_the_record_says_how_many(tmp_path, limit):
    code, out, err = run(tmp_path, *SHORT, "--dtype", "fp32", "--threads", 3, "--repeat", 1, "--packed-weights", "auto,off,winograd",
                         env=environment(**limit))
    assert code == 0, err
    records = json.loads(out)
    assert [record["packed_weights"] for record in records] == ["auto", "off", "winograd"]
    [[name, value]] = limit.items()
    is_heeded = name != "OMP_DYNAMIC"
    for record in records:
        assert (record["output_check"], record["golden_check"]) == ("pass", "pass")
        assert f"{name}={value}" in record["openmp_config"].split()
        assert record["threads"] == (1 if is_heeded else 3)
    assert (f"OpenMP gives 1 of 3 threads; unset {name}={value}" if is_heeded else "OMP_DYNAMIC has no effect") in err


def test_hours_on_a_processor_are_told_before_anything_is_loaded(tmp_path):
    process = start(tmp_path, "-m", "sdxl", "--weights", "synthetic", "--device", "cpu", "--steps", "50", "--no-save")
    lines = []
    while "takes about" not in (line := process.stderr.readline()):
        lines.append(line)
        assert line and "loaded  " not in line, "".join(lines)
    assert "on this processor, by its arithmetic" in line and "--model tiny-sdxl, or a GPU" in line
    process.kill()  # a worker that loads SDXL heeds no other signal for seconds
    finish(process)


def test_a_dry_runs_estimates_stand_on_one_look_at_the_processor(tmp_path):
    cells = ("-m", "sdxl", "--weights", "synthetic", "--device", "cpu", "--steps", "49,50", "--rounds", "2", "--no-save")
    planned = json.loads(run(tmp_path, *cells, "--dry-run", "--format", "json")[1])["cells"]
    assert [cell["expected_by"] for cell in planned] == ["arithmetic"] * 4
    fewer, more = ({cell["expected_s"] for cell in planned if cell["steps"] == steps} for steps in (49, 50))
    assert len(fewer) == len(more) == 1 and min(fewer) < min(more), planned


def test_a_dry_run_tells_the_hours_as_the_runs_head_does_and_loads_nothing(tmp_path):
    cell = ("-m", "sdxl", "--weights", "synthetic", "--device", "cpu", "--steps", "50")
    code, out, err = run(tmp_path, *cell, "--dry-run", timeout=30)
    assert code == 0, err
    assert re.search(r" about \d+ (h|min)$", out.splitlines()[1]), out
    assert re.search(r"^expected time: about \d+ (h|min) on this processor, by its arithmetic and the measured speed of a matrix product; "
                     "to shorten it, take .*--model tiny-sdxl, or a GPU$", out, re.MULTILINE), out
    [planned] = json.loads(run(tmp_path, *cell, "--dry-run", "--format", "json")[1])["cells"]
    assert planned["expected_by"] == "arithmetic" and planned["expected_s"] > 300
    code, out, _ = run(tmp_path, "-m", "sdxl,tiny-sd15", *cell[2:], "--dry-run")
    assert re.search(r"^expected time: about \d+ (h|min) and 1 of unknown time .*of 1 run by its arithmetic", out, re.MULTILINE), out


def test_hours_on_a_processor_are_told_by_a_row_of_the_same_cell_where_there_is_one(tmp_path):
    cell = ["-m", "sdxl", "--weights", "synthetic", "--device", "cpu", "--steps", "50", "--dtype", "bf16", "-o", "rows.jsonl"]
    code, out, err = run(tmp_path, "-m", "sdxl", "--dry-run", *cell[2:])
    assert code == 0 and "about" in out, err
    failed = start(tmp_path, *cell)
    while "takes about" not in failed.stderr.readline():
        assert failed.poll() is None
    [worker] = wait_until(lambda: children(failed.pid))
    os.kill(worker, signal.SIGKILL)  # while it loads SDXL it heeds no other signal for seconds
    finish(failed)
    [row] = [json.loads(line) for line in (tmp_path / "rows.jsonl").read_text().splitlines()]
    good = {**row, "run_id": "0" * 16, "status": "ok", "error": "", "e2e_s": 4000.0, "repeat": 3, "warmup": 1}
    (tmp_path / "rows.jsonl").write_text(json.dumps(good) + "\n")
    process = start(tmp_path, *cell)
    while "takes about" not in (line := process.stderr.readline()):
        assert process.poll() is None
    assert "takes about 4 h on this processor, by the latest row of the same cell in the outputs" in line
    process.kill()
    finish(process)


def flags_of_processor():
    """Of x86; none elsewhere."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    return next((set(line.split()) for line in lines if line.startswith("flags")), set())


needs_avx2 = pytest.mark.skipif(not {"avx2", "fma"} <= flags_of_processor(), reason="this processor has no AVX2 with FMA")


@needs_avx2
@pytest.mark.parametrize("packed, packed_used", [("auto", "onednn"), ("winograd", "winograd")])
def test_what_libtorch_may_not_use_of_a_processor_our_kernels_do_not_use_either(tmp_path, packed, packed_used):
    # On a machine with AVX-512 these are the ways of one without.
    code, out, err = run(tmp_path, *QUICK, "--dtype", "fp32", "--packed-weights", packed, "--repeat", 1,
                         env=environment(ATEN_CPU_CAPABILITY="avx2"))
    assert code == 0, err
    record = record_of(out)
    assert record["status"] == "ok"
    assert record["attention_used"] == "avx2"
    assert "ATEN_CPU_CAPABILITY=avx2" in record["instruction_config"].split()
    assert (record["kernels_used"], record["kernels_obstacle"]) == ("own", "")
    assert record["packed_weights_used"] == packed_used
    assert record["golden_check"] == "pass"


def test_a_locale_that_does_not_exist_no_temporary_folder_and_a_preloaded_library_are_survived(tmp_path):
    odd = environment(LC_ALL="xx_YY.UTF-8", LANG="xx_YY.UTF-8", TMPDIR=str(tmp_path / "nowhere"), LD_PRELOAD="libm.so.6")
    for start_alone in (["--version"], ["list", "models"]):
        code, _, err = run(tmp_path, *start_alone, env=odd)
        assert (code, err) == (0, "")
    odd["LD_PRELOAD"] += ":/nowhere/libjemalloc.so.2"  # which the loader passes over, with a line of its own for each program
    code, out, err = run(tmp_path, *QUICK, "--repeat", 1, env=odd)
    assert code == 0, err
    assert (record_of(out)["status"], record_of(out)["preloaded"]) == ("ok", "libm.so.6")


@needs_avx2
def test_a_processor_limited_to_none_of_our_instructions_has_libtorchs_kernels_and_it_is_said(tmp_path):
    limit = {"ATEN_CPU_CAPABILITY": "default"}
    asked = (*QUICK, "--dtype", "fp32", "--repeat", 1)
    code, out, err = run(tmp_path, *asked, "--packed-weights", "winograd", env=environment(**limit))
    assert code == 0, err
    record = record_of(out)
    assert record["status"] == "ok"
    assert record["attention_used"] in ("flash", "math")
    reason = "ATEN_CPU_CAPABILITY=default leaves none of the instructions with which sdbench's kernels compute in fp32 (avx2, avx512)"
    assert (record["kernels_used"], record["kernels_obstacle"]) == ("aten", reason)
    assert record["packed_weights_used"] == "onednn"
    assert f"--packed-weights winograd is onednn here: {reason}" in err
    assert record["golden_check"] == "pass"
    code, _, err = run(tmp_path, *asked, env=environment(**limit))  # nothing asked for: that, too, is to be known
    assert code == 0 and err.count(f"ATen's kernels are used: {reason}") == 1, err
    code, out, _ = run(tmp_path, *asked, "--attention", "own", env=environment(**limit))
    assert code == 1
    assert "under ATEN_CPU_CAPABILITY=default, but is own" in record_of(out)["error"]


def test_where_onednn_may_not_use_bf16_auto_is_fp32_and_bf16_is_warned_about(tmp_path):
    limit = {"ONEDNN_MAX_CPU_ISA": "AVX2"}
    code, out, err = run(tmp_path, *QUICK, "--repeat", 1, env=environment(**limit))
    assert code == 0, err
    record = record_of(out)
    assert (record["status"], record["golden_check"]) == ("ok", "pass")
    assert record["dtype_unet"] == "fp32"
    assert "ONEDNN_MAX_CPU_ISA=AVX2" in record["instruction_config"].split()
    warning = "this device has no bf16 arithmetic, or oneDNN may not use it, and emulates it slowly; --dtype fp32 is what it is fast in"
    assert warning not in err
    code, _, err = run(tmp_path, *QUICK, "--dtype", "bf16", "--repeat", 1, env=environment(**limit))
    assert code == 0, err
    assert err.count(warning) == 1


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
    assert image.text["timestep_spacing"] == "linspace"
    assert image.text["batch"] == "1"
    assert image.text["attention"] == record["attention_used"]
    assert record["dtype_unet"] in image.text["dtype"]


def test_a_prompts_state_before_the_last_layer_makes_another_picture_that_says_so(tmp_path):
    code, out, err = run(tmp_path, *QUICK, "--repeat", 1, "--clip-skip", "0,1", "--save-images", "images")
    assert code == 0, err
    assert [record["clip_skip"] for record in json.loads(out)] == [None, 1]
    assert [record["golden_check"] for record in json.loads(out)] == ["pass", "pass"]  # of a prompt of its own, with all layers
    pictures = sorted((tmp_path / "images").glob("*/*.png"))
    assert pictures[0].read_bytes() != pictures[1].read_bytes()
    assert [Image.open(picture).text.get("clip_skip") for picture in pictures] == [None, "1"]


def test_a_picture_of_another_cell_is_not_overwritten(tmp_path):
    """Names do not say everything that pictures differ by; the same cell has the same file."""
    for guidance in (1, 1, 7.5):
        code, _, err = run(tmp_path, *QUICK, "--repeat", 1, "--guidance", guidance, "--save-images", "images")
        assert code == 0, err
    first, second = sorted((tmp_path / "images").iterdir())
    assert second.name == first.name.replace(".png", "-2.png") or first.name == second.name.replace(".png", "-2.png")
    assert first.read_bytes() != second.read_bytes()


def test_a_run_with_synthetic_weights_proves_itself(tmp_path):
    code, out, err = run(tmp_path, "-m", "tiny-sd15,tiny-sdxl", *QUICK[2:], "--dtype", "auto,fp32", "--repeat", 1)
    assert code == 0, err
    records = json.loads(out)
    assert [(record["model"], record["asked_dtype"]) for record in records] == [
        (model, dtype) for model in ("tiny-sd15", "tiny-sdxl") for dtype in ("auto", "fp32")]
    for record in records:
        assert record["golden_check"] == "pass"
        assert 0 <= record["golden_rel_err"] <= (1e-4 if record["asked_dtype"] == "fp32" else 0.2)


def test_a_run_that_misses_the_golden_latents_is_invalid(tmp_path, share_of_other_latents):
    code, out, err = run(tmp_path, *QUICK, "--repeat", 1,
                         env=environment(SDBENCH_SHARE=str(share_of_other_latents)))
    assert code == 1
    record = record_of(out)
    assert record["status"] == "invalid_output"
    assert record["golden_check"] == "fail"
    assert record["golden_rel_err"] > 0.2
    assert "sdbench: invalid_output: golden: the golden run must give diffusers' numbers" in err


def test_a_shipped_model_without_its_golden_file_is_not_passed_unchecked(tmp_path, own_share):
    (own_share / "golden" / "tiny-sd15.safetensors").unlink()
    code, out, _ = run(tmp_path, *QUICK, "--repeat", 1,
                       env=environment(SDBENCH_SHARE=str(own_share)))
    assert code == 1
    record = record_of(out)
    assert record["status"] == "error"
    assert "tiny-sd15.safetensors must be there" in record["error"]


def test_given_noise_is_used_and_the_same_noise_gives_the_same_latents(tmp_path):
    noise = np.random.default_rng(0).standard_normal((2, 4, 8, 8), dtype=np.float32)
    save_file({"latents": noise}, tmp_path / "noise.safetensors")
    cells = [{"batch": batch, "init-latents": "noise.safetensors", "dump-latents": f"{batch}.safetensors"} for batch in (1, 2)]
    (tmp_path / "cells.json").write_text(json.dumps({"cells": [*cells, {"dump-latents": "seed.safetensors"}]}))
    code, _, err = run(tmp_path, *QUICK, "--dtype", "fp32", "--images", 2, "--repeat", 1, "--config", "cells.json")
    assert code == 0, err
    one, two, by_seed = (load_file(tmp_path / f"{name}.safetensors")["latents"] for name in (1, 2, "seed"))
    assert np.abs(one - two).max() <= 1e-4 * np.abs(one).max()
    assert np.abs(one - by_seed).max() > 0.1 * np.abs(by_seed).max()


@pytest.mark.parametrize("content, word", [
    ({"noise": np.zeros((1, 4, 8, 8), np.float32)}, "latents"),
    ({"latents": np.zeros((1, 4, 8, 9), np.float32)}, "[1, 4, 8, 8]"),
    ({"latents": np.zeros((1, 4, 8, 8), np.float16)}, "fp16"),
])
def test_noise_of_another_form_is_refused_before_anything_runs(tmp_path, content, word):
    save_file(content, tmp_path / "noise.safetensors")
    options = ("--init-latents", "noise.safetensors", "--dump-latents", "out.safetensors")
    code, out, err = run(tmp_path, *QUICK, *options)
    assert code == 1 and out == "" and word in err and err.count("\n") == 1, err
    assert not (tmp_path / "out.safetensors").exists()


def test_noise_that_fits_one_size_of_a_sweep_skips_the_others(tmp_path):
    save_file({"latents": np.ones((1, 4, 8, 8), np.float32)}, tmp_path / "noise.safetensors")
    code, _, err = run(tmp_path, *TINY[:-1], "64x64,72x64", *ONE_THREAD, "--steps", 2, "--repeat", 1, "--init-latents", "noise.safetensors", "-o", "rows.csv")
    rows = csv_rows(tmp_path / "rows.csv")
    assert code == 3 and [row["status"] for row in rows] == ["ok", "skipped"], err
    assert "fp32 [1, 4, 8, 9] for this size and --images, but holds fp32 [1, 4, 8, 8]" in rows[1]["error"]


def test_noise_that_is_not_finite_is_an_error(tmp_path):
    save_file({"latents": np.full((1, 4, 8, 8), np.nan, np.float32)}, tmp_path / "noise.safetensors")
    code, out, _ = run(tmp_path, *QUICK, "--init-latents", "noise.safetensors", "--dump-latents", "out.safetensors")
    assert code == 1 and record_of(out)["status"] == "error" and "NaN" in record_of(out)["error"]
    assert not (tmp_path / "out.safetensors").exists()


def test_an_image_of_nans_is_an_invalid_output(tmp_path):
    assert run(tmp_path, "export-weights", "-m", "tiny-sd15", "-o", "model")[0] == 0
    [file] = (tmp_path / "model" / "vae").glob("*.safetensors")
    tensors = load_file(file)
    tensors["decoder.conv_out.bias"][0] = np.nan
    save_file(tensors, file)
    code, out, _ = run(tmp_path, "--weights", "model", *QUICK[4:])
    assert code == 1
    record = record_of(out)
    assert record["status"] == "invalid_output"
    assert record["output_check"] == "non_finite"
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

    code, out, err = run(tmp_path, "-m", "sdxl", "--weights", "synthetic", "--dtype", "fp32",
                         "--device", "cpu", "--format", "json", "--no-save", preexec_fn=limit)
    assert code == 1
    record = record_of(out)
    assert record["status"] == "oom_host"
    assert record["error"].count("GiB") == 2
    assert record["device_kind"] == "cpu" and record["device_name"]
    assert record["warmup"] is None  # it never came to it
    assert err.count("sdbench: oom_host: load: the host must have about") == 1
    assert "of free memory for this model and size" in err  # its own is a GPU's matter


def test_attention_scores_that_cannot_fit_are_said_before_loading_in_a_row_of_the_same_environment_as_a_good_one(tmp_path):
    good = record_of(run(tmp_path, *QUICK, "--repeat", 1)[1])
    code, out, _ = run(tmp_path, *QUICK[:6], "--size", "8192x8192", "--attention", "math", *QUICK[8:])
    assert code == 1
    failed = record_of(out)
    assert failed["status"] == "oom_host"
    assert failed["error"].count("GiB") == 2
    assert failed["env_id"] == good["env_id"]


def test_tensors_that_do_not_fit_are_one_short_line_and_all_names_with_v(tmp_path):
    assert run(tmp_path, "export-weights", "-m", "tiny-sd15", "-o", "model")[0] == 0
    file = tmp_path / "model" / "unet" / "diffusion_pytorch_model.safetensors"
    tensors = load_file(file)
    names = sorted(tensors)[:50]
    save_file({name: value for name, value in tensors.items() if name not in names}, file)
    quick = ("--weights", "model", "--device", "cpu", "--size", "64x64", "--no-save")
    code, _, err = run(tmp_path, *quick)
    assert code == 1
    [line] = [line for line in err.splitlines() if line.startswith("sdbench: error: load: ")]
    assert "50 missing" in line and "-v lists all names" in line and len(line) < 600
    _, _, err = run(tmp_path, *quick, "-v")
    assert all(f"unet: missing: {name}" in err for name in names)


def test_an_empty_and_a_very_long_prompt_are_run_with_a_note(tmp_path):
    code, _, err = run(tmp_path, *QUICK, "--repeat", 1, "--prompt", "")
    assert code == 0
    assert err.count("the prompt is empty: it is encoded as it is") == 1
    code, _, err = run(tmp_path, *QUICK, "--repeat", 1, "--prompt", "lake " * 10_000)
    assert code == 0
    assert err.count("9925 are cut off") == 1


def test_a_checkpoint_in_the_environment_decides_the_architecture(tmp_path):
    assert run(tmp_path, "export-weights", "-m", "tiny-sdxl", "-o", "mine")[0] == 0
    code, out, err = run(tmp_path, *QUICK[4:], "--repeat", 1,
                         env=environment(SDBENCH_WEIGHTS=str(tmp_path / "mine")))
    assert code == 0, err
    assert record_of(out)["model"] == "mine"


def test_a_libtorch_that_cannot_be_loaded_is_an_error_with_the_loaders_line(tmp_path):
    version = json.loads(run(tmp_path, "--version", "--json")[1])["workers"][0]["libtorch_version"]
    fake = tmp_path / "torch"
    (fake / "lib").mkdir(parents=True)
    (fake / "lib" / "libtorch_cpu.so").write_bytes(b"no library")
    (fake / "version.py").write_text(f"__version__ = '{version}'\n")
    code, out, _ = run(tmp_path, *QUICK, env=environment(SDBENCH_LIBTORCH=str(fake)))
    assert code == 1
    record = record_of(out)
    assert record["status"] == "error"
    assert "libtorch_cpu.so" in record["error"]


def loads_cuda(worker):
    return "libtorch_cuda.so" in pathlib.Path(f"/proc/{worker}/maps").read_text()


def test_a_worker_loads_libtorchs_cuda_half_where_there_is_a_driver(tmp_path):
    # Any library will do: what is looked for is whether it can be loaded.
    shutil.copy(os.environ["SDBENCH_FAKE_NVML_LIBRARY"], tmp_path / "libcuda.so.1")
    with measuring(tmp_path, env=environment(LD_LIBRARY_PATH=str(tmp_path))) as (_, worker):
        program = pathlib.Path(f"/proc/{worker}/exe").readlink()
        assert program.name == "sdbench-worker"
        assert loads_cuda(worker) == (program.parent / "sdbench-worker-cpu").exists()


@pytest.mark.skipif(has_cuda_driver(), reason="this machine has a driver")
def test_a_worker_does_not_load_libtorchs_cuda_half_where_there_is_no_driver(endless):
    _, worker = endless
    assert not loads_cuda(worker)


def test_a_device_that_is_not_there_is_refused(tmp_path):
    code, out, err = run(tmp_path, *QUICK[:4], "--device", "cuda:99", "--format", "json",
                         "--no-save")
    assert code == 1
    assert "cuda:99" in record_of(out)["error"]
    [line] = [line for line in err.splitlines() if line.startswith("sdbench: ")]
    assert line.startswith("sdbench: error: load: --device must be") and "list devices" in line


def test_a_pipe_in_place_of_a_file_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    for option in (("--config", "pipe.json"), ("--prompt", "@pipe.json"), ("-o", "pipe.json"),
                   ("--dump-latents", "pipe.json")):
        code, _, err = run(tmp_path, *QUICK[:4], *option, timeout=20)
        assert code == 1
        assert "device or a pipe" in err
    assert [path.name for path in tmp_path.iterdir()] == ["pipe.json"]


def test_no_packed_weight_is_brought_into_another_order_element_by_element(tmp_path):
    # oneDNN's reference reorder of 1x1 convolutions' weights took a third of SD 1.5's steps. The sizes are what it depends on: the true UNet, a small image.
    code, _, err = run(tmp_path, "-m", "sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64", "--dtype", "bf16", "--steps", 1,
                       "--repeat", 1, "--warmup", 0, "--no-save", "-v", env=environment(ONEDNN_VERBOSE="profile_exec"))
    assert code == 0, err
    lines = [line for line in err.splitlines() if ",exec,cpu," in line]
    if not any("avx512_core_bf16" in line for line in lines):
        pytest.skip("this processor computes bf16 in another way")
    assert [line for line in lines if ",reorder,simple:any," in line] == []
