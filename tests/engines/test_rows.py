"""What a row of another's engine has, on a CPU."""
import importlib
import json
import pathlib
import re
import shutil

import numpy
import pytest
import safetensors.torch
import torch
from compvis_layout import single_file
from conftest import require
from front import ROOT, Worker, cell_of
from PIL import Image
from safetensors.numpy import load_file, save_file

PRECISION = {name: {"dtype": name.removeprefix("autocast-"), "autocast": name.startswith("autocast")} for name in
             ("fp32", "bf16", "fp16", "autocast-bf16")}
# Of a difference of the final latents by their size: fp32 shows whether the same is computed, bf16 rounds in other places. With OpenVINO's
# text encoders tiny-sdxl is 0.354 off; unrelated latents are by 1.4.
BOUNDS = {"fp32": 1e-3, "bf16": 0.45, "autocast-bf16": 0.35}


def latents_of(worker, cell, path):
    result = worker.row({**cell, "dump_latents": str(path)})
    return result, load_file(path)["latents"]


def difference(one, other):
    return numpy.linalg.norm(one.astype(float) - other) / numpy.linalg.norm(other)


@pytest.fixture(scope="module")
def made_up(models, tmp_path_factory):
    """A new Python's worker, of an engine that is pytorch by another name: its greeting, its row, its refusal of bf16, and its words."""
    engines = shutil.copytree(ROOT / "engines", tmp_path_factory.mktemp("made_up") / "engines", ignore=shutil.ignore_patterns("__pycache__"))
    table = json.loads((engines / "generated_table.json").read_text())
    rows = table["engines"]
    rows["made-up"] = {**rows["pytorch"], "program": "numpy", "packages": [], "dtypes": {"cpu": ["fp32"]}}
    (engines / "generated_table.json").write_text(json.dumps(table))
    (engines / "kinds/made_up.py").write_text("from kinds.pytorch import Engine, key_of\nWHY_NOT = {'bf16': 'which nobody has made up'}\n")
    cell = cell_of(models / "tiny-sd15")
    with Worker("made-up", program=engines / "worker.py", is_forked=False) as worker:
        return worker.wait_for("hello"), worker.row(cell), worker.run({**cell, "dtype": PRECISION["bf16"]}), worker.words


def test_an_engine_is_a_row_of_the_table_and_a_file_and_no_other_list_names_it(made_up):
    hello, row, refused, _ = made_up
    assert hello["runtime_version"].startswith(f"numpy {numpy.__version__}, torch ") and row["engine"] == "made-up"
    assert refused["message"] == ("--dtype must be fp32 with --engine made-up on a cpu device, but is bf16, which nobody has made up; "
                                  "take one of these")


def test_no_progress_bar_is_among_the_words_of_a_worker(made_up):
    assert "%|" not in "".join(made_up[-1])


@pytest.mark.parametrize("engine", ["pytorch", "pytorch-compile", "onnxruntime", "openvino", "tensorrt"])
def test_an_engine_has_networks_where_the_table_says_so(engine):
    require(engine)
    has_networks = json.loads((ROOT / "engines/generated_table.json").read_text())["engines"][engine]["networks"]
    assert hasattr(importlib.import_module("kinds." + engine.replace("-", "_")), "NETWORKS") == has_networks


def test_a_worker_begins_with_its_version_before_it_imports_anything():
    with Worker("pytorch", is_forked=False) as worker:
        hello = worker.event()
        assert hello["type"] == "hello" and hello["version"] == 11
        assert hello["runtime_version"].startswith("torch ")


def test_an_unknown_engine_is_refused():
    worker = Worker("cupboard", is_forked=False)
    assert worker.process.wait(20) == 2


def test_devices_end_with_the_cpu(workers):
    worker = workers("pytorch")
    assert worker.ask("devices") == {"status": "ok"}
    cpu = worker.of("device")[-1]["device"]
    assert cpu["kind"] == "cpu" and cpu["name"] and cpu["arch"] and cpu["memory_total_bytes"] > 0


def test_a_row_says_what_computed_and_how_long_each_part_took(workers, sd15):
    worker = workers("pytorch")
    result = worker.row(sd15(steps=3, repeat=2, warmup=1))
    assert worker.stages() == ["load", "first_image", "warmup", "measure", "save"]
    assert result["engine"] == "pytorch" and result["engine_revision"] > 2_000_000 and result["attention_used"] == "sdpa"
    assert result["dtype_unet"] == result["dtype_vae"] == result["dtype_text"] == PRECISION["fp32"]
    assert (result["threads"], result["unet_calls"], result["warmup"], result["warmup_reason"]) == (2, 3, 1, "asked")
    assert (result["stop_reason"], result["output_check"]) == ("repeat", "pass")
    assert result["prepared"] == "" and result["prepare_s"] == 0 and result["load_s"] > 0 and result["peak_host_bytes"] > 0
    assert result["weights_identity"].startswith("meta:") and result["weights_dtype"] == "fp32"
    assert len(result["samples"]) == 2
    for sample in [result["first_image"], *result["samples"]]:
        assert [part["name"] for part in sample["parts"]] == ["text", "unet", "vae"] and len(sample["step_s"]) == 3
        assert sum(part["seconds"] for part in sample["parts"]) <= sample["e2e_s"] and sample["start_s"] > 0
    steps = worker.of("step")
    assert {(event["step"], event["steps"]) for event in steps} <= {(0, 3), (1, 3), (2, 3)} and steps[-1]["step"] == 2
    assert [event["first_image"] for event in worker.of("sample")] == [True, False, False]


def test_what_is_loaded_stays_while_the_same_is_asked_for(workers, sd15):
    worker = workers("pytorch")
    worker.row(sd15(seed=1))
    again = worker.row(sd15(seed=2, steps=3, karras=True))
    assert again["load_s"] == 0 and again["prepare_s"] == 0


def test_images_are_computed_batch_after_batch_each_with_its_seed(workers, sd15, tmp_path):
    worker = workers("pytorch")
    result, four = latents_of(worker, sd15(images=4, batch=2, prompts=["a", "b", "c", "d"], seed=5), tmp_path / "four.safetensors")
    assert len(result["samples"][0]["step_s"]) == 4 and result["unet_calls"] == 2
    _, third = latents_of(worker, sd15(prompts=["c"], seed=7), tmp_path / "third.safetensors")
    assert difference(four[2:3], third) < 1e-4


@pytest.mark.parametrize("name, kind", [("tiny-sd15", "sd1"), ("tiny-sdxl", "sdxl")])
def test_a_single_file_is_the_same_weights(workers, models, tmp_path, name, kind):
    folder = models / name
    configs, states = {}, {}
    for file in folder.glob("*/*.safetensors"):
        states[file.parent.name] = safetensors.torch.load_file(file)
        configs[file.parent.name] = json.loads((file.parent / "config.json").read_text())
    tensors = single_file(kind, configs, states, torch.cat)
    path = tmp_path / "all.safetensors"
    safetensors.torch.save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path)
    worker = workers("pytorch")
    _, of_folder = latents_of(worker, cell_of(folder), tmp_path / "folder.safetensors")
    weights = {"kind": "single_file", "path": str(path), "seed": 0, "fallback": False, "description": str(path)}
    _, of_file = latents_of(worker, cell_of(folder, weights=weights), tmp_path / "file.safetensors")
    assert difference(of_file, of_folder) < 1e-5  # open_clip's matrices lie in memory otherwise, so products round in another order


def test_noise_of_a_file_is_taken_and_a_wrong_shape_is_refused(workers, sd15, tmp_path):
    worker = workers("pytorch")
    noise = numpy.random.default_rng(0).standard_normal((1, 4, 8, 8)).astype(numpy.float32)
    save_file({"latents": noise}, tmp_path / "noise.safetensors")
    _, one = latents_of(worker, sd15(init_latents=str(tmp_path / "noise.safetensors"), seed=1), tmp_path / "one.safetensors")
    _, two = latents_of(worker, sd15(init_latents=str(tmp_path / "noise.safetensors"), seed=2), tmp_path / "two.safetensors")
    assert (one == two).all()
    outcome = worker.run(sd15(init_latents=str(tmp_path / "noise.safetensors"), width=128))
    assert outcome["status"] == "error" and "must hold a tensor" in outcome["message"]


def test_pictures_and_dumps_are_saved_as_sdbench_does(workers, sd15, tmp_path):
    worker = workers("pytorch")
    result = worker.row(sd15(save_images=str(tmp_path / "images"), dump_run=str(tmp_path / "run"), dump_step_images=True, prompts=["ein Häuschen"]))
    file = tmp_path / "images/tiny-sd15-64x64-2steps-seed3.png"
    assert result["image_files"] == [str(file)] and worker.stages()[-1] == "step_images"
    with Image.open(file) as image:
        assert image.size == (64, 64) and image.text["prompt"] == "ein Häuschen" and image.text["seed"] == "3"
        assert image.text["scheduler"] == "euler"
        pixels = numpy.asarray(image)
    run = load_file(tmp_path / "run")
    assert set(run) == {"step_1", "step_2", "pixels"} and (run["pixels"][0] == pixels).all()
    assert load_file(tmp_path / "run.step_1")["pixels"].shape == (1, 64, 64, 3)
    worker.row(sd15(save_images=str(tmp_path / "images"), prompts=["another"], karras=True))
    with Image.open(tmp_path / "images/tiny-sd15-64x64-2steps-seed3-2.png") as image:
        assert image.text["scheduler"] == "euler_karras"


def test_each_sampler_of_sdbench_has_its_class_of_diffusers():
    from shared import samplers

    table = pathlib.Path(__file__).parents[2] / "include/sdbench/base/config/sampler_table.h"
    rows = re.findall(r'\{"(\w+)", "[^"]+", "(\w+)"', table.read_text())
    assert rows and dict(rows) == {name: kind.__name__ for name, kind in samplers.SAMPLERS.items()}


@pytest.mark.parametrize("karras", [False, True])
@pytest.mark.parametrize("keys, usual", [
    ({"trained_betas": [0.1, 0.2]}, {}), ({"beta_schedule": "sigmoid"}, {"beta_schedule": "linear"}), ({"use_beta_sigmas": True}, {}),
    ({"sigma_min": 0.1, "sigma_max": 3.0}, {}), ({"final_sigmas_type": "sigma_min"}, {}), ({"interpolation_type": "log_linear"}, {})])
def test_keys_that_scheduler_euler_leaves_out_change_no_noise_level(sd15, keys, usual, karras):
    from shared import cell_facts, samplers

    def sigmas(more):
        cell = cell_facts.parsed_cell(sd15(karras=karras))
        cell["model"]["source"]["scheduler"].update(more)
        scheduler = samplers.scheduler_for(cell)
        scheduler.set_timesteps(4)
        return scheduler.sigmas.tolist()

    assert sigmas(keys) == sigmas(usual)


@pytest.mark.parametrize("attention", ["math", "sliced", "sdpa"])
def test_each_attention_gives_the_same_image(workers, sd15, tmp_path, attention):
    worker = workers("pytorch")
    _, auto = latents_of(worker, sd15(), tmp_path / "auto.safetensors")
    result, other = latents_of(worker, sd15(attention=attention), tmp_path / "other.safetensors")
    assert result["attention_used"] == attention and difference(other, auto) < BOUNDS["fp32"]


@pytest.mark.parametrize("engine, dtype", [("pytorch", "bf16"), ("pytorch", "autocast-bf16"), ("onnxruntime", "fp32"), ("openvino", "fp32"),
                                           ("openvino", "bf16")])
@pytest.mark.parametrize("model", ["tiny-sd15", "tiny-sdxl"])
def test_engines_agree_with_pytorch_in_fp32(workers, sd15, sdxl, tmp_path, engine, dtype, model):
    cell = {"tiny-sd15": sd15, "tiny-sdxl": sdxl}[model]
    _, expected = latents_of(workers("pytorch"), cell(), tmp_path / "expected.safetensors")
    result, latents = latents_of(workers(engine), cell(dtype=PRECISION[dtype]), tmp_path / "latents.safetensors")
    assert result["engine"] == engine and result["dtype_unet"] == PRECISION[dtype]
    assert 0 < difference(latents, expected) < BOUNDS[dtype]


@pytest.mark.parametrize("engine", ["onnxruntime", "openvino"])
@pytest.mark.parametrize("model", ["tiny-sd15", "tiny-sdxl"])
def test_layers_left_out_batches_and_open_shapes_give_the_same_image(workers, sd15, sdxl, tmp_path, engine, model):
    """They are prepared where all is least, for a tracer takes an axis of one for a constant: the batch, and the UNet's lowest level."""
    cell = {"tiny-sd15": sd15, "tiny-sdxl": sdxl}[model](clip_skip=1 if model == "tiny-sd15" else 0, negative_prompt="blue", guidance=1.0)
    _, expected = latents_of(workers("pytorch"), cell, tmp_path / "expected.safetensors")
    result, latents = latents_of(workers(engine), {**cell, "dynamic_shapes": "on"}, tmp_path / "latents.safetensors")
    assert result["prepared"] == "new" and difference(latents, expected) < BOUNDS["fp32"]
    other = {**cell, "batch": 2, "images": 2, "width": 128, "guidance": 5.0}
    _, expected = latents_of(workers("pytorch"), other, tmp_path / "expected.safetensors")
    result, latents = latents_of(workers(engine), {**other, "dynamic_shapes": "on"}, tmp_path / "latents.safetensors")
    assert (result["load_s"], result["prepare_s"], result["prepared"]) == (0, 0, "kept"), "open shapes must take another size"
    assert difference(latents, expected) < BOUNDS["fp32"]


def test_open_shapes_take_sides_that_the_unet_does_not_halve_evenly(workers, sd15, tmp_path):
    """diffusers enlarges them by another branch, which a trace of even sides has not."""
    for size, prepared in (((128, 64), "new"), ((96, 64), "new"), ((160, 96), "kept"), ((64, 64), "new")):
        cell = sd15(width=size[0], height=size[1], guidance=6.0)
        _, expected = latents_of(workers("pytorch"), cell, tmp_path / "expected.safetensors")
        result, latents = latents_of(workers("openvino"), {**cell, "dynamic_shapes": "on"}, tmp_path / "latents.safetensors")
        assert result["prepared"] == prepared and difference(latents, expected) < BOUNDS["fp32"], size


@pytest.mark.parametrize("engine, more, words", [
    ("onnxruntime", {"dtype": PRECISION["bf16"]}, "--dtype must be fp32"), ("openvino", {"dtype": PRECISION["fp16"]}, "--dtype must be fp32 or bf16"),
    ("pytorch", {"attention": "xformers"}, "xformers must have"), ("pytorch", {"attention": "own"}, "--attention must be auto"),
    ("pytorch", {"offload": "stages"}, "--offload must be none"), ("pytorch", {"kv_cache": "on"}, "--kv-cache must be auto"),
    ("openvino", {"vae_tiling": "on"}, "--vae-tiling must be off"),
    ("pytorch-compile", {"attention": "sliced"}, "--attention must be auto")])
def test_what_an_engine_cannot_is_refused_before_anything_is_loaded(workers, sd15, engine, more, words):
    worker = workers(engine)
    outcome = worker.run(sd15(**more))
    assert outcome["status"] == "skipped" and outcome["stage"] == "load" and words in outcome["message"] and ", but " in outcome["message"]
    assert "result" not in outcome


def test_a_device_that_is_not_there_and_weights_that_are_no_files_are_told_in_one_line(workers, sd15):
    worker = workers("pytorch")
    outcome = worker.run(sd15(device="cuda:99"))
    assert outcome["status"] == "error" and "--device must be" in outcome["message"]
    cell = sd15()
    outcome = worker.run({**cell, "weights": {**cell["weights"], "kind": "synthetic", "description": "synthetic:0", "path": ""}})
    assert outcome["status"] == "error" and "synthetic:0" in outcome["message"] and "\n" not in outcome["message"]


@pytest.mark.parametrize("content", [b"abc", b"\xff" * 7 + b"\x7f{}"])
def test_a_weights_file_that_is_cut_or_says_a_length_beyond_its_end_is_named(workers, sd15, tmp_path, content):
    file = tmp_path / "model.safetensors"
    file.write_bytes(content)
    outcome = workers("pytorch").run(sd15(weights={"kind": "single_file", "path": str(file), "seed": 0, "fallback": False, "description": str(file)}))
    assert outcome["status"] == "error" and f"{file} must be a safetensors file, but has {len(content)} bytes" in outcome["message"]


def test_other_requests_are_refused(workers):
    worker = workers("pytorch")
    for kind in ("export", "go", "dance"):
        outcome = worker.ask(kind)
        assert outcome["status"] == "error" and kind in outcome["message"]


def test_a_parallel_run_waits_for_go_before_each_timed_run_and_after_the_last(workers, sd15):
    worker = workers("pytorch")
    worker.events.clear()
    worker.send("run", cell=sd15(parallel_devices=["cpu:0", "cpu:1"], repeat=2))
    for run in range(3):
        assert worker.wait_for("ready")["run"] == run
        worker.send("go")
    assert worker.wait_for("outcome")["outcome"]["status"] == "ok"
    assert worker.stages() == ["load", "first_image", "warmup", "wait", "measure", "wait", "measure", "wait", "save"][-len(worker.stages()):]


def test_max_time_ends_a_run_and_keeps_its_steps(workers, sd15):
    worker = workers("pytorch")
    worker.row(sd15())
    result = worker.row(sd15(steps=200, max_time_s=0.3))
    assert result["stop_reason"] == "max_time" and result["warmup_reason"] == "max_time" and result["partial_run"]["step_s"]
    assert json.dumps(result["samples"]) == "[]"


def test_initial_latents_that_are_no_safetensors_file_are_named(workers, sd15, tmp_path):
    (tmp_path / "cut.safetensors").write_bytes(bytes(300))
    outcome = workers("pytorch").run(sd15(init_latents=str(tmp_path / "cut.safetensors")))
    assert outcome["status"] == "error" and "cut.safetensors must hold" in outcome["message"] and "--init-latents" in outcome["message"]
