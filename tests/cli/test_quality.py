"""sdbench quality: what a user asks of a study, and what goes wrong in one."""

import csv
import json
import os
import resource
import shutil
import signal

import numpy as np
import pytest
from PIL import Image
from program import children, environment, finish, run, start
from safetensors.numpy import load_file, save_file
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

TINY = ("quality", "-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--threads", "1", "--size", "64x64", "--steps", "3")


def rows_of(file):
    with open(file, newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def pixels(file):
    return np.asarray(Image.open(file))


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """A study of two dtypes and two prompts: its folder, exit code, output."""
    folder = tmp_path_factory.mktemp("study")
    result = run(folder, *TINY, "--dtype", "bf16,autocast-bf16", "--prompt", "a cat", "--prompt", "ein schöner See",
                 "--seed", 7, "--tag", "room_c=21", "--tag", "cooler=air",
                 "-o", "q.csv", "-o", "q.json", "-o", "q.jsonl", "--save-images", "pictures",
                 "--records", "records.jsonl", "--records", "records.csv")
    return folder, *result


def test_figures_are_scikit_images_of_the_saved_pictures(study):
    folder, code, _, err = study
    assert code == 0, err
    for row in rows_of(folder / "q.csv"):
        number = {"bf16": 1, "autocast-bf16": 2}[row["candidate"]]
        name = f"tiny-sd15-64x64-3steps-seed{row['seed']}.png"
        reference = pixels(folder / "pictures" / "reference-fp32" / name)
        image = pixels(folder / "pictures" / f"{number}-{row['candidate']}" / name)
        assert float(row["psnr_db"]) == pytest.approx(peak_signal_noise_ratio(reference, image, data_range=255), abs=1e-4)
        assert float(row["ssim"]) == pytest.approx(
            structural_similarity(reference, image, channel_axis=-1, data_range=255), abs=1e-4)
        assert float(row["max_error"]) == np.abs(reference.astype(int) - image.astype(int)).max()


def test_tags_stand_in_a_studys_rows_and_in_its_records(study):
    folder = study[0]
    for file in ("q.csv", "records.csv"):
        assert {row["tags"] for row in rows_of(folder / file)} == {"cooler=air room_c=21"}


def test_each_image_of_each_candidate_is_a_row_the_same_in_all_forms(study):
    folder = study[0]
    rows = rows_of(folder / "q.csv")
    assert [(row["candidate"], row["image"], row["seed"], row["prompt"]) for row in rows] == [
        (candidate, str(image), str(7 + image), prompt) for candidate in ("bf16", "autocast-bf16")
        for image, prompt in enumerate(["a cat", "ein schöner See"])]
    objects = json.loads((folder / "q.json").read_text())
    assert objects == [json.loads(line) for line in (folder / "q.jsonl").read_text().splitlines()]
    for row, entry in zip(rows, objects, strict=True):
        assert row.keys() == entry.keys()
        assert float(row["ssim"]) == entry["ssim"]
        assert [float(number) for number in row["latents_nmse_by_step"].split()] == entry["latents_nmse_by_step"]
        assert len(entry["latents_nmse_by_step"]) == 3
        assert entry["latents_max_error"] == entry["latents_max_error_by_step"][-1] > 0
        assert len(entry["latents_max_error_by_step"]) == 3
        assert entry["latents_nmse"] == entry["latents_nmse_by_step"][-1] > 0
        assert entry["status"] == "ok" and entry["identical"] == "no"
        assert entry["reference"] == "fp32"


STEP_FIGURES = ("psnr_db", "ssim", "nmse", "max_error")


def test_images_after_each_step_are_compared_as_the_final_ones_are(study):
    folder = study[0]
    entries = json.loads((folder / "q.json").read_text())
    for row, entry in zip(rows_of(folder / "q.csv"), entries, strict=True):
        assert row["step_images"] == "yes"
        number = {"bf16": 1, "autocast-bf16": 2}[row["candidate"]]
        for name in STEP_FIGURES:
            by_step = [float(text) for text in row[name + "_by_step"].split()]
            assert by_step == [np.nan if value is None else value for value in entry[name + "_by_step"]]
            assert len(by_step) == 3
            assert by_step[-1] == float(row[name]) == entry[name]  # the last step's image is the final one
        for step in (1, 2):  # the table's of three steps; the last one's is the picture itself
            reference, image = (pixels(folder / "pictures" / cell / f"step{step}-seed{row['seed']}.png")
                                for cell in ("reference-fp32", f"{number}-{row['candidate']}"))
            error = image.astype(float) - reference
            assert entry["ssim_by_step"][step - 1] == pytest.approx(
                structural_similarity(reference, image, channel_axis=-1, data_range=255), abs=1e-4)
            assert entry["psnr_db_by_step"][step - 1] == pytest.approx(10 * np.log10(255**2 / (error**2).mean()), abs=1e-4)
            assert entry["nmse_by_step"][step - 1] == pytest.approx((error**2).sum() / (reference.astype(float)**2).sum())
            assert entry["max_error_by_step"][step - 1] == np.abs(error).max()
            final = pixels(folder / "pictures" / "reference-fp32" / f"tiny-sd15-64x64-3steps-seed{row['seed']}.png")
            assert (reference != final).any()
    saved = Image.open(folder / "pictures" / "1-bf16" / "step1-seed7.png")
    assert saved.text == {"computed": "bf16", "after_step": "1", "seed": "7"}


def test_images_after_steps_may_be_left_out_and_nothing_else_changes(study, tmp_path):
    code, out, err = run(tmp_path, *TINY, "--dtype", "bf16", "--prompt", "a cat", "--seed", 7, "-o", "q.json", "--no-save",
                         "--no-step-images", "--save-images", "pictures")
    assert code == 0, err
    [entry] = json.loads((tmp_path / "q.json").read_text())
    [other] = [entry for entry in json.loads((study[0] / "q.json").read_text()) if entry["image"] == 0 and entry["candidate"] == "bf16"]
    assert entry["step_images"] == "no"
    for name in STEP_FIGURES:
        assert entry[name + "_by_step"] == []
        assert entry[name] == other[name]
    assert entry["latents_nmse_by_step"] == other["latents_nmse_by_step"]
    assert "PSNR after step" not in out and "latents' NMSE after step" in out
    assert not list((tmp_path / "pictures").glob("*/step*"))


def strike_among_step_images(folder, cell, fault, *more, size="64x64", steps=100):
    """A study whose worker meets `fault` when it begins to decode images after the steps of its cell number `cell`."""
    process = start(folder, *TINY[:-4], "--size", size, "--steps", steps, "--dtype", "bf16,autocast-bf16", *more,
                    "-v", "-o", "q.json", "--no-save")
    for sign in (f"[{cell}/3]", "stage      step_images"):
        while sign not in (line := process.stderr.readline()):
            assert line, f"the study ended before {sign}"
    [worker] = children(process.pid)
    fault(worker)
    code, out, err = finish(process)
    return code, out, err, json.loads((folder / "q.json").read_text())


def kill(worker):
    os.kill(worker, signal.SIGKILL)


def test_a_candidate_whose_worker_dies_at_an_image_after_a_step_keeps_its_figures(tmp_path):
    code, out, err, entries = strike_among_step_images(tmp_path, 2, kill)
    assert code == 0, err
    assert [entry["candidate"] for entry in entries] == ["bf16", "autocast-bf16"]
    assert [entry["status"] for entry in entries] == ["ok", "ok"]
    assert entries[0]["step_images"].startswith("crash: ") and "SIGKILL" in entries[0]["step_images"]
    assert "sdbench: bf16: images after steps are missing: crash: " in err
    assert entries[0]["psnr_db"] > 0 and entries[0]["error"] == ""
    by_step = entries[0]["psnr_db_by_step"]
    assert len(by_step) == 100 and by_step[-2] is None and by_step[-1] == entries[0]["psnr_db"]
    assert entries[1]["step_images"] == "yes" and None not in entries[1]["ssim_by_step"]
    assert "none" in out


def test_without_the_references_images_after_steps_the_final_ones_are_compared(tmp_path):
    code, out, err, entries = strike_among_step_images(tmp_path, 1, kill)
    assert code == 0, err
    assert err.count("images after steps are missing") == 1
    for entry in entries:
        assert entry["status"] == "ok" and entry["psnr_db"] > 0
        assert entry["step_images"].startswith("the reference has none: crash: ")
        assert entry["ssim_by_step"] == []


def test_memory_that_is_refused_at_an_image_after_a_step_costs_these_alone(tmp_path):
    # Of 32 MiB and more, as a decoder's tensors of this size are, each is asked of the system anew, unless an arena has kept it.
    def refuse(worker):
        resource.prlimit(worker, resource.RLIMIT_AS, (1 << 20, resource.RLIM_INFINITY))

    code, out, err, entries = strike_among_step_images(tmp_path, 1, refuse, "--host-allocator", "system", size="512x512", steps=3)
    assert code == 0, err
    for entry in entries:
        assert entry["status"] == "ok" and entry["psnr_db"] > 0
        assert entry["step_images"].startswith("the reference has none: oom_host: ")
        assert "too little free memory" in entry["step_images"]


def test_the_table_says_loudly_that_noise_is_no_picture(study):
    out = study[2]
    assert "NUMERICS, NOT PICTURES" in out
    assert "latents' NMSE after step" in out
    assert "images' mean PSNR after step" in out and "images' mean SSIM after step" in out
    assert sum(line.startswith(("bf16 ", "autocast-bf16 ")) for line in out.splitlines()) == 8


def test_pictures_have_labelled_differences_and_a_contact_sheet(study):
    folder = study[0]
    sheet = Image.open(folder / "pictures" / "contact-sheet.png")
    assert sheet.width > 3 * 168 and sheet.height > 4 * 64
    difference = Image.open(folder / "pictures" / "1-bf16" / "difference-x10-seed8.png")
    assert difference.text["candidate"] == "bf16"
    assert difference.text["amplified"] == "x10"
    name = "tiny-sd15-64x64-3steps-seed8.png"
    reference = pixels(folder / "pictures" / "reference-fp32" / name).astype(int)
    image = pixels(folder / "pictures" / "1-bf16" / name).astype(int)
    panel = pixels(folder / "pictures" / "1-bf16" / "difference-x10-seed8.png")
    wanted = np.minimum(255, 10 * np.abs(image - reference))
    left = 8 + 2 * (168 + 8)
    assert (panel[-72:-8, left:left + 64] == wanted).all()
    assert (panel[:28] == 0).any()  # the labels


def test_a_candidates_record_has_its_quality_and_no_times(study):
    folder = study[0]
    records = [json.loads(line) for line in (folder / "records.jsonl").read_text().splitlines()]
    assert [record["dtype_unet"] for record in records] == ["bf16", "autocast-bf16"]
    rows = rows_of(folder / "q.csv")
    for record in records:
        own = [float(row["psnr_db"]) for row in rows if row["run_id"] == record["run_id"]]
        assert record["psnr_db_min"] == min(own)
        assert record["psnr_db_mean"] == pytest.approx(np.mean(own))
        assert record["quality_reference"] == "fp32"
        assert record["status"] == "ok"
        assert not any(value for name, value in record.items()
                       if name.endswith("_s") and not name.startswith("step_s"))
        assert record["samples"] == [] and record["first_image"] is None


def test_a_study_does_not_stand_for_a_benchmark_of_the_same_cell(tmp_path):
    work = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--threads", "1", "--size", "64x64", "--steps", "2",
            "--dtype", "bf16")
    assert run(tmp_path, "quality", *work, "--records", "all.csv")[0] == 0
    code, _, err = run(tmp_path, *work, "--repeat", 1, "-o", "all.csv", "--resume")
    assert code == 0, err
    study, benchmark = rows_of(tmp_path / "all.csv")
    assert study["cell_id"] == benchmark["cell_id"]
    assert study["quality_reference"] == "fp32" and not study["unet_it_s"]
    assert not benchmark["quality_reference"] and benchmark["unet_it_s"]


def test_the_same_arithmetic_is_identical_and_other_step_counts_are_compared_at_their_end(tmp_path):
    code, out, err = run(tmp_path, *TINY[:-2], "--dtype", "fp32", "--batch", "1,2", "--images", 2, "--attention", "math",
                         "--steps", "2,3", "--reference", "steps=3,batch=1", "-o", "q.json", "--no-save")
    assert code == 0, err
    entries = json.loads((tmp_path / "q.json").read_text())
    by_words = {entry["candidate"]: entry for entry in entries}
    assert set(by_words) == {"fp32, 2 steps", "fp32, 2 steps, batch 2", "fp32, batch 2"}
    assert by_words["fp32, 2 steps"]["latents_nmse_by_step"] == by_words["fp32, 2 steps"]["latents_max_error_by_step"] == []
    assert by_words["fp32, 2 steps"]["steepest_step"] is None
    assert by_words["fp32, 2 steps"]["step_images"] == "no" and by_words["fp32, 2 steps"]["ssim_by_step"] == []
    assert by_words["fp32, batch 2"]["step_images"] == "yes" and len(by_words["fp32, batch 2"]["ssim_by_step"]) == 3
    assert by_words["fp32, 2 steps"]["latents_nmse"] > 1e-4
    assert by_words["fp32, batch 2"]["latents_nmse"] < 1e-8
    assert "reference  fp32, 3 steps, batch 1\n" in out


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    """Real weights, as far as the program knows; bf16 does not draw quite the same with them."""
    folder = tmp_path_factory.mktemp("checkpoint")
    assert run(folder, "export-weights", "-m", "tiny-sd15", "-o", "model")[0] == 0
    return folder / "model"


@pytest.mark.parametrize("limits, code, words", [
    (("--min-psnr", 10, "--min-ssim", 0.1), 0, "The limits are kept by all"),
    (("--min-psnr", 200), 4, "MISSED by bf16: PSNR"), (("--min-ssim", 1), 4, "is under --min-ssim 1")])
def test_real_weights_get_a_verdict(tmp_path, checkpoint, limits, code, words):
    got, out, err = run(tmp_path, "quality", "--weights", checkpoint, *TINY[5:], "--dtype", "bf16", *limits, "--no-save")
    assert got == code, err
    assert words in out
    assert "NOT PICTURES" not in out


def test_noise_gets_no_verdict(tmp_path):
    code, _, err = run(tmp_path, *TINY, "--dtype", "bf16", "--min-psnr", 10)
    assert code == 2
    assert "must be given with real weights" in err and "synthetic:0" in err


def test_a_candidate_that_fails_is_a_row_and_the_others_go_on(tmp_path):
    code, out, err = run(tmp_path, *TINY, "--attention", "cudnn,math", "--images", 1, "-o", "q.csv", "--records", "r.csv")
    assert code == 3
    failed, good = rows_of(tmp_path / "q.csv")
    assert failed["status"] == "error" and "cudnn" in failed["error"]
    assert failed["image"] == failed["ssim"] == failed["identical"] == ""
    assert good["status"] == "ok"
    assert [row["status"] for row in rows_of(tmp_path / "r.csv")] == ["error", "ok"]
    assert "sdbench: fp32, attention cudnn: error" in err


def test_a_candidate_of_nans_is_invalid(tmp_path, checkpoint):
    shutil.copytree(checkpoint, tmp_path / "model")
    [file] = (tmp_path / "model" / "vae").glob("*.safetensors")
    tensors = load_file(file)
    tensors["decoder.conv_in.weight"] *= 1e7  # more than fp16 holds; fp32's normalisation takes it away
    save_file(tensors, file)
    code, _, err = run(tmp_path, "quality", "--weights", "model", *TINY[5:], "--dtype", "fp16", "-o", "q.csv", "--no-save")
    assert code == 1, err
    [row] = rows_of(tmp_path / "q.csv")
    assert row["status"] == "invalid_output" and "NaN" in row["error"]


def test_without_the_references_pictures_the_study_ends_with_the_reason(tmp_path):
    code, out, err = run(tmp_path, *TINY, "--dtype", "bf16", "--reference", "attention=cudnn", "-o", "q.csv", "--no-save")
    assert code == 1
    assert "the reference (fp32, attention cudnn) must give pictures, but ended as error" in err
    assert not (tmp_path / "q.csv").exists()
    assert out == ""


@pytest.mark.parametrize("arguments, words", [
    ((), "quality must have candidates that differ from the reference (fp32)"),
    (("--dtype", "fp32"), "quality must have candidates"),
    (("--dtype", "bf16", "--reference", "atention=math"), "did you mean attention?"),
    (("--dtype", "bf16", "--reference", "seed=1"), "--reference must set how the pictures are computed"),
    (("--dtype", "bf16", "--seed", "1,2"), "--seed must have one value"),
    (("--dtype", "bf16", "--images", 3, "--batch", 2), "--images must be a multiple"),
    (("--dtype", "bf17"), "bf17"),
    (("--dtype", "bf16", "--min-ssim", 2), "--min-ssim must be above 0 and at most 1"),
    (("--dtype", "bf16", "--amplify", 0), "--amplify must be a whole number from 1 to 255"),
    (("--dtype", "bf16", "-o", "q.md"), "--output must end in .csv, .jsonl or .json"),
    (("--dtype", "bf16", "--repeat", 3), "unknown option"),
])
def test_a_wrong_command_is_said_and_nothing_runs(tmp_path, arguments, words):
    code, out, err = run(tmp_path, *TINY, *arguments)
    assert code == 2
    assert words in err
    assert err.count("\n") == 1 and out == ""
    assert list(tmp_path.iterdir()) == []


def test_folders_and_files_that_cannot_be_written_are_refused_before_anything_runs(tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "other.csv").write_text('"model","speed"\n')
    for arguments in (("--save-images", "file/out"), ("-o", "other.csv"), ("-o", "none/q.json"), ("--records", "other.csv")):
        code, out, err = run(tmp_path, *TINY, "--dtype", "bf16", "--no-save", *arguments)
        assert code == 1 and "[1/2]" not in err, (arguments, err)
        assert out == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "other.csv"]


def test_a_study_leaves_no_temporary_files(tmp_path):
    (tmp_path / "tmp").mkdir()
    assert run(tmp_path, *TINY, "--dtype", "bf16", "--no-save", env=environment(TMPDIR=str(tmp_path / "tmp")))[0] == 0
    assert list((tmp_path / "tmp").iterdir()) == []
    code, _, err = run(tmp_path, *TINY, "--dtype", "bf16", "--no-save", env=environment(TMPDIR="/nowhere"))
    assert code == 1 and "TMPDIR" in err


def test_a_dry_run_says_what_would_be_compared_and_makes_nothing(study, tmp_path):
    ways = ("--dtype", "bf16,fp16", "--steps", "3,4", "--reference", "steps=4", "--no-save", "--dry-run")
    code, out, err = run(tmp_path, *TINY[:-2], *ways)
    assert (code, err) == (0, "")
    assert [line.split("  ")[0] for line in out.splitlines()[3:8]] == ["reference", *["candidate"] * 4]
    assert "fp32, 4 steps" in out and "4 steps, 4 steps" not in out and "MiB" in out
    assert "5 ways of 1 image planned, nothing is run" in out
    shutil.copy(study[0] / "q.json", tmp_path / "q.json")
    code, _, err = run(tmp_path, *TINY[:-2], *ways, "-o", "q.json")
    assert code == 1 and "--overwrite" in err
    assert run(tmp_path, *TINY[:-2], *ways, "-o", "q.json", "--overwrite")[0] == 0
    assert (tmp_path / "q.json").read_bytes() == (study[0] / "q.json").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["q.json"]


@pytest.mark.parametrize("cell, words", [
    (1, "interrupted before the reference had its pictures: nothing is compared"), (2, "interrupted: 0 of 2 candidates are compared")])
def test_who_interrupts_a_study_is_not_told_of_an_error(tmp_path, cell, words):
    process = start(tmp_path, *TINY[:-2], "--steps", 300, "--dtype", "bf16,autocast-bf16", "--no-step-images",
                    "--reference", "steps=1", "-o", "q.csv", "-o", "q.jsonl", "-o", "q.json", "--records", "r.csv")
    while f"[{cell}/3]" not in (line := process.stderr.readline()):
        assert line, f"the study ended before [{cell}/3]"
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)
    assert code == 130
    assert words in err and "must give pictures" not in err and "sdbench: " not in err, err
    assert [path.name for path in tmp_path.iterdir() if path.stat().st_size == 0] == []
    assert (tmp_path / "q.csv").exists() == (cell == 2)  # no figures, no file
