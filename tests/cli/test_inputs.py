"""What people bring: checkpoints of other tools, schedulers, configs and texts in other encodings."""

import json
import shlex
import shutil

import numpy as np
import pytest
from program import environment, record_of, run
from safetensors.numpy import save_file

QUICK = ("--device", "cpu", "--size", "64x64", "--threads", 1, "--steps", 1, "--repeat", 1, "--warmup", 0, "--format", "json",
         "--no-save")


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A folder in diffusers' layout."""
    folder = tmp_path_factory.mktemp("exported")
    code, _, err = run(folder, "export-weights", "-m", "tiny-sd15", "-o", "model")
    assert code == 0, err
    return folder / "model"


@pytest.fixture
def model(exported, tmp_path):
    return shutil.copytree(exported, tmp_path / "model")


def change(file, **values):
    """Written as Python writes JSON."""
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


def with_scheduler(model, name, **values):
    change(model / "model_index.json", scheduler=["diffusers", name])
    change(model / "scheduler" / "scheduler_config.json", _class_name=name, **values)


PYTHONS_NUMBERS = ["DPMSolverMultistepScheduler", "DPMSolverSinglestepScheduler", "SASolverScheduler"]
WITHOUT_STAND_IN = ["LCMScheduler", "TCDScheduler", "EDMEulerScheduler"]
OTHER_NOISE = [("beta_schedule", "sigmoid"), ("trained_betas", [0.1, 0.2]), ("use_beta_sigmas", True), ("use_flow_sigmas", True)]


def test_configs_with_pythons_numbers_with_zero_terminal_snr_and_with_a_chosen_stand_in_run(exported, tmp_path):
    """All in one sweep: one worker is enough."""
    schedulers = [*((name, {"lambda_min_clipped": float("-inf")}, "auto") for name in PYTHONS_NUMBERS),
                  ("DDIMScheduler", {"rescale_betas_zero_snr": True, "timestep_spacing": "trailing"}, "auto"),
                  *((name, {}, "euler") for name in WITHOUT_STAND_IN),
                  *(("EulerDiscreteScheduler", {key: value}, "euler") for key, value in OTHER_NOISE)]
    cells = []
    for number, (name, values, choice) in enumerate(schedulers):
        model = shutil.copytree(exported, tmp_path / str(number))
        with_scheduler(model, name, **values)
        cells.append({"weights": str(model), "scheduler": choice})
    (tmp_path / "cells.json").write_text(json.dumps({"cells": cells}))
    code, out, err = run(tmp_path, "--config", "cells.json", *QUICK)
    assert code == 0, err
    assert [(row["scheduler"], row["scheduler_source"], row["output_check"]) for row in json.loads(out)] == [
        ("euler", name, "pass") for name, _, _ in schedulers]


def test_numbers_that_only_python_writes_are_exported_as_they_were(model, tmp_path):
    with_scheduler(model, "DPMSolverMultistepScheduler", lambda_min_clipped=float("-inf"))
    code, _, err = run(tmp_path, "export-weights", "-m", "model", "-o", "again")
    assert code == 0, err
    written = json.loads((tmp_path / "again" / "scheduler" / "scheduler_config.json").read_text())
    assert written["lambda_min_clipped"] == float("-inf")


@pytest.mark.parametrize("name", WITHOUT_STAND_IN)
def test_a_scheduler_that_euler_cannot_stand_in_for_runs_only_where_the_user_says_so(model, tmp_path, program, name):
    with_scheduler(model, name)
    code, out, err = run(tmp_path, "--weights", model, *QUICK)
    assert code == 2 and out == ""
    assert name in err and "--scheduler euler" in err and err.count("\n") == 1
    code, out, err = run(tmp_path, "--weights", model, "--scheduler", "euler", *QUICK, program=program)
    assert code == 0, err
    assert f"in place of {name}" in err
    record = record_of(out)
    assert (record["scheduler"], record["scheduler_source"]) == ("euler", name)

    (tmp_path / "row.json").write_text(json.dumps([record]))
    code, out, err = run(tmp_path, "reproduce", "row.json", program=program)
    assert "in place of" in out + err and "--scheduler euler takes" not in err, err


@pytest.mark.parametrize("key, value", OTHER_NOISE)
def test_noise_levels_of_another_kind_run_only_where_the_user_says_so(model, tmp_path, program, key, value):
    with_scheduler(model, "EulerDiscreteScheduler", **{key: value})
    code, out, err = run(tmp_path, "--weights", model, *QUICK)
    assert code == 2 and out == ""
    assert key in err and "--scheduler euler" in err and err.count("\n") == 1
    code, out, err = run(tmp_path, "--weights", model, "--scheduler", "euler", *QUICK, program=program)
    assert code == 0, err
    assert "in place of EulerDiscreteScheduler" in err and key in err
    assert record_of(out)["output_check"] == "pass"


@pytest.mark.parametrize("choice", [(), ("--scheduler", "euler")])
def test_a_prediction_type_that_diffusers_euler_raises_for_is_refused_in_the_plan(model, tmp_path, choice):
    with_scheduler(model, "EulerDiscreteScheduler", prediction_type="flow_prediction")
    for more in (["--dry-run"], []):
        code, out, err = run(tmp_path, "--weights", model, *choice, *more, *QUICK)
        assert code == 2, err
        assert 'prediction_type must be epsilon or v_prediction or sample or original_sample' in out + err and '"flow_prediction"' in out + err


def test_a_vocabulary_that_disagrees_is_refused_in_the_plan(model, tmp_path):
    file = model / "tokenizer" / "vocab.json"
    vocabulary = json.loads(file.read_text())
    vocabulary["a</w>"], vocabulary["b</w>"] = vocabulary["b</w>"], vocabulary["a</w>"]
    file.write_text(json.dumps(vocabulary))
    code, out, err = run(tmp_path, "--weights", model, "--dry-run", *QUICK)
    assert code == 1
    assert f"{file} must give" in out + err and "as CLIP's does" in out + err


@pytest.mark.parametrize("value", [None, 3])
def test_a_text_config_that_is_no_object_is_refused_in_the_plan(model, tmp_path, value):
    """transformers' from_pretrained raises a TypeError for it."""
    file = model / "text_encoder" / "config.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"text_config": value}))
    code, out, err = run(tmp_path, "--weights", model, "--dry-run", *QUICK)
    assert code == 1
    assert f"text_config must be an object, but is {json.dumps(value)}" in out + err


def test_the_choice_of_a_scheduler_is_one_of_two(tmp_path):
    code, _, err = run(tmp_path, "-m", "tiny-sd15", "--scheduler", "ddim", *QUICK)
    assert code == 2
    assert '--scheduler must be auto or euler, but is "ddim"' in err


def test_one_model_that_cannot_be_read_does_not_stop_the_others(tmp_path, program):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "model_index.json").write_text('{"_class_name": "FluxPipeline"}')
    code, out, err = run(tmp_path, "--model", "tiny-sd15,bad", "--weights", "synthetic", *QUICK, program=program)
    assert code == 3, err
    good, bad = json.loads(out)
    assert (good["model"], good["status"]) == ("tiny-sd15", "ok")
    assert (bad["model"], bad["status"]) == ("bad", "skipped")
    assert "FluxPipeline" in bad["error"]
    code, out, err = run(tmp_path, "--model", "bad,tiny-sd15", "--weights", "synthetic", "--dry-run")
    assert code == 0, err
    assert "FluxPipeline" in out + err


def test_where_no_model_can_be_read_the_first_reason_is_the_error(tmp_path):
    for name in ("bad", "worse"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model_index.json").write_text(json.dumps({"_class_name": name}))
    code, out, err = run(tmp_path, "--model", "bad,worse", *QUICK)
    assert code in (1, 2) and out == ""
    assert '"bad"' in err and err.count("\n") == 1


def test_texts_from_windows_are_read(tmp_path, program):
    (tmp_path / "prompts.txt").write_bytes("a lake\r\na café\r\n".encode("utf-16"))
    (tmp_path / "options.json").write_bytes('{"steps": 1}'.encode("utf-8-sig"))
    code, out, err = run(tmp_path, "-m", "tiny-sd15", "--weights", "synthetic", "--config", "options.json",
                         "--prompt", "@prompts.txt", *QUICK, program=program)
    assert code == 0, err
    assert record_of(out)["images"] == 2


def test_a_text_in_another_encoding_is_refused_with_its_line(tmp_path):
    (tmp_path / "prompts.txt").write_bytes("a lake\na café\n".encode("latin-1"))
    code, _, err = run(tmp_path, "-m", "tiny-sd15", "--prompt", "@prompts.txt", *QUICK)
    assert code == 1
    assert "prompts.txt must be UTF-8, but line 2 is not" in err
    (tmp_path / "options.json").write_bytes('{"label": "café"}'.encode("latin-1"))
    code, _, err = run(tmp_path, "-m", "tiny-sd15", "--config", "options.json", *QUICK)
    assert code == 1
    assert "options.json must be UTF-8, but line 1 is not" in err


def test_a_tilde_is_the_home_folder_where_no_shell_expands_it(model, tmp_path, program):
    home = environment(HOME=str(tmp_path))
    code, out, err = run(tmp_path, "--weights=~/model", *QUICK, "--save-images=~/images", env=home)
    assert code == 0, err
    assert list((tmp_path / "images").glob("*.png"))
    (tmp_path / "options.json").write_text('{"weights": "~/model"}')
    for arguments, more in ((("--config=~/options.json",), {}), ((), {"SDBENCH_WEIGHTS": "~/model"})):
        code, out, err = run(tmp_path, *arguments, *QUICK, env={**home, **more}, program=program)
        assert code == 0, err
        assert record_of(out)["model"] == "model"


def in_cache(cache, repository):
    """Where the one snapshot of a repository lies in the Hugging Face cache."""
    snapshot = cache / f"models--{repository.replace('/', '--')}" / "snapshots" / "aaaa"
    snapshot.mkdir(parents=True)
    return snapshot


def refusal(folder, *arguments, **more):
    """The one line of a command that is refused for a file."""
    code, out, err = run(folder, *arguments, *QUICK, env=environment(**more))
    assert (code, out) == (1, ""), err
    assert err.count("\n") == 1, err
    return err


def test_a_cached_repository_of_pickles_alone_is_called_that(model, tmp_path):
    snapshot = in_cache(tmp_path / "cache", "owner/name")
    shutil.copytree(model, snapshot, dirs_exist_ok=True)
    file = snapshot / "unet" / "diffusion_pytorch_model.safetensors"
    file.rename(file.with_suffix(".bin")).write_bytes(b"PK\3\4 a pickle in an archive")
    said = refusal(tmp_path, "--weights", "owner/name", HF_HUB_CACHE=str(tmp_path / "cache"))
    assert "only pickles of some parts (\"unet/diffusion_pytorch_model.bin\")" in said
    assert "from_pretrained('owner/name')" in said and "--weights name-safetensors" in said
    assert "unfinished" not in said
    code, _, said = run(tmp_path, "--weights", snapshot, *QUICK)
    assert code == 1 and "only \"diffusion_pytorch_model.bin\"" in said and "save_pretrained" in said


def test_the_files_of_a_cached_repository_without_a_pipeline_are_named(tmp_path):
    snapshot = in_cache(tmp_path / "cache", "owner/name")
    for name in ("one", "two"):
        save_file({"a": np.zeros(1)}, snapshot / f"{name}.safetensors")
    said = refusal(tmp_path, "--weights", "owner/name", HF_HUB_CACHE=str(tmp_path / "cache"))
    assert "one.safetensors" in said and "two.safetensors" in said and "name one with --weights" in said
    (snapshot / "two.safetensors").unlink()  # the only one is taken, and is no checkpoint
    said = refusal(tmp_path, "--weights", "owner/name", HF_HUB_CACHE=str(tmp_path / "cache"))
    assert "one.safetensors must be a whole CompVis or SGM checkpoint" in said


def test_a_git_lfs_pointer_named_as_a_pickle_is_called_a_pointer(tmp_path):
    (tmp_path / "model.ckpt").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n")
    assert "git-lfs's pointer to it" in refusal(tmp_path, "--weights", "model.ckpt")


@pytest.mark.parametrize("file", ["unet/diffusion_pytorch_model.safetensors", "unet/config.json", "tokenizer/merges.txt"])
def test_git_lfs_pointers_are_called_that(model, tmp_path, file):
    model = model.rename(tmp_path / "it's mine")
    (model / file).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n")
    code, _, err = run(tmp_path, "--weights", model, *QUICK)
    assert code == 1 and "git-lfs's pointer to it" in err
    assert shlex.split(err.split("fetch it with: ")[1].splitlines()[0]) == ["git", "-C", str((model / file).parent), "lfs", "pull"]


SD1_DEPTHS = (0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 0)  # transformer layers of each input block
TINY_SD_DEPTHS = (0, 1, 0, 1, 0, 1, 0, 0)


def sd1_file(path, depths=SD1_DEPTHS):
    """As much of an SD 1 checkpoint as tells its kind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unet = {"input_blocks.0.0.weight": (320, 4, 3, 3), "middle_block.0.in_layers.2.weight": (8, 8, 3, 3)}
    for block, depth in enumerate(depths):
        if block > 0:
            unet[f"input_blocks.{block}.0.in_layers.2.weight"] = (8, 8, 3, 3)
        if depth:
            unet[f"input_blocks.{block}.1.transformer_blocks.0.attn2.to_k.weight"] = (8, 768)
    tensors = {f"model.diffusion_model.{name}": np.zeros(shape, np.float16) for name, shape in unet.items()}
    tensors["cond_stage_model.transformer.text_model.embeddings.position_embedding.weight"] = np.zeros((77, 768), np.float16)
    save_file(tensors, path)


@pytest.mark.parametrize("place", ["models/checkpoints/SD 1", "models/Stable-diffusion", "."])
def test_of_another_programs_folder_the_one_file_that_fits_is_taken(tmp_path, place):
    shelf = tmp_path / "shelf"
    sd1_file(shelf / place / "mine.safetensors")
    save_file({"a": np.zeros(1)}, shelf / place / "lora.safetensors")
    code, out, err = run(tmp_path, "-m", "sd15", "--dry-run", env=environment(SDBENCH_WEIGHTS=str(shelf), HF_HUB_CACHE="/n"))
    assert code == 0, err
    said = refusal(tmp_path, "-m", "sd15", "--weights", shelf)
    assert "mine.safetensors" in said and "is a folder of single files; name one" in said
    sd1_file(shelf / place / "other.safetensors")
    said = refusal(tmp_path, "-m", "sd15", SDBENCH_WEIGHTS=str(shelf), HF_HUB_CACHE="/n")
    assert "mine.safetensors" in said and "other.safetensors" in said and "name one with --weights" in said


def test_a_distilled_model_on_a_shelf_is_not_taken_for_the_whole_one(tmp_path):
    shelf = tmp_path / "shelf"
    sd1_file(shelf / "tiny-sd.safetensors", TINY_SD_DEPTHS)
    sd1_file(shelf / "mine.safetensors")
    code, _, err = run(tmp_path, "-m", "sd15", "--dry-run", env=environment(SDBENCH_WEIGHTS=str(shelf), HF_HUB_CACHE="/n"))
    assert code == 0, err  # if both fitted, one would have to be named


def test_a_shelf_in_which_nothing_fits_is_not_passed_over_in_silence(tmp_path, program):
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 4265146304\n"
    (shelf / "mine.safetensors").write_text(pointer)
    code, out, err = run(tmp_path, "-m", "tiny-sd15", *QUICK, env=environment(SDBENCH_WEIGHTS=str(shelf), HF_HUB_CACHE="/n"), program=program)
    assert code == 0, err
    assert f"Nothing in SDBENCH_WEIGHTS ({shelf}) fits tiny-sd15; to see why, name one of its files with --weights FILE" in err
    assert "lfs pull" in refusal(tmp_path, "-m", "tiny-sd15", "--weights", shelf / "mine.safetensors")


def test_a_folder_without_an_index_runs_as_the_model_that_is_named(model, tmp_path):
    (model / "model_index.json").unlink()
    said = refusal(tmp_path, "--weights", model)
    assert "name the architecture with --model" in said
    shutil.rmtree(model / "scheduler")
    poorer = shutil.copytree(model, tmp_path / "poorer")
    shutil.rmtree(poorer / "tokenizer")
    (tmp_path / "cells.json").write_text(json.dumps({"cells": [{"weights": str(model)}, {"weights": str(poorer)}]}))
    code, out, err = run(tmp_path, "--model", "tiny-sd15", "--config", "cells.json", *QUICK)
    assert code == 0 and [row["status"] for row in json.loads(out)] == ["ok", "ok"], err
    model = poorer
    code, _, err = run(tmp_path, "--model", "sd15", "--weights", model, *QUICK)
    assert code == 2 and "--model must be the architecture of the weights" in err
    said = refusal(tmp_path, "--model", model)
    assert "no model_index.json" in said and f"--model sd15 --weights {model}" in said


def test_a_safetensors_file_of_another_name_is_taken_for_what_it_is(model, tmp_path):
    sd1_file(tmp_path / "mine.safetensors")
    (tmp_path / "mine.safetensors").rename(tmp_path / "mine.ckpt")
    code, _, err = run(tmp_path, "--weights", "mine.ckpt", "--dry-run")
    assert code == 0, err
    (tmp_path / "mine.ckpt").write_bytes(b"PK\3\4 a pickle in an archive")
    assert "is a pickle" in refusal(tmp_path, "--weights", "mine.ckpt")
