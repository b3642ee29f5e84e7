"""Sweeps with the real worker, as a new user would try them: lists, files, presets, resuming."""

import csv
import json
import pathlib
import re

import pytest
from program import children, finish, is_alive, run, start, wait_until

TINY = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64", "--threads", 1, "--steps", 2,
        "--repeat", 1, "--warmup", 0)


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_a_sweep_over_four_axes_is_a_row_each_and_one_table(tmp_path):
    code, out, err = run(tmp_path, "-m", "tiny-sd15,tiny-sdxl", "--weights", "synthetic", "--device", "cpu",
                         "--size", "64x64,64x96", "--threads", 1, "--steps", 2, "--batch", 1, "--batch", 2, "--dtype", "fp32,bf16",
                         "--repeat", 1, "--warmup", 0, "-o", "r.csv", "-o", "r.json")
    assert code == 0, err
    rows = rows_of(tmp_path / "r.csv")
    cells = {(row["model"], row["height"], row["batch"], row["dtype_unet"]) for row in rows}
    assert len(rows) == len(cells) == 16
    assert all(row["status"] == "ok" and row["golden_check"] == "pass" for row in rows)
    assert len({row["sweep_id"] for row in rows}) == 1 and len({row["cell_id"] for row in rows}) == 16
    assert [row["run_id"] for row in json.loads((tmp_path / "r.json").read_text())] == [row["run_id"] for row in rows]
    # a model is loaded once in each dtype
    assert [row["load_s"] != "" for row in rows] == [True, False, False, False] * 4
    lines = out.splitlines()
    assert len(lines) == 2 + 16
    # what is swept, what the two models have different defaults of, and the kernels where a dtype has its own
    assert re.match(r"model +size +batch +images +guidance +spacing +dtype +(kernel +)?(flags +)?(other programs +)?UNet it/s", lines[1])
    assert "steps 2" in lines[0] and "attention auto" in lines[0]
    assert "[16/16]" in err and "16 ok, 0 not" in err


def test_a_config_file_holds_lists_and_cells_and_the_command_line_wins(tmp_path, program):
    (tmp_path / "sweep.json").write_text(json.dumps({
        "description": "a test", "weights": "synthetic", "device": "cpu", "size": "64x64", "steps": 9,
        "repeat": 1, "warmup": 0, "dtype": "fp32",
        "cells": [{"model": "tiny-sd15", "batch": [1, 2]}, {"model": "tiny-sdxl", "label": "large"}]}))
    code, out, err = run(tmp_path, "--config", "sweep.json", "--steps", "2", "--no-save", "--format", "json", program=program)
    assert code == 0, err
    records = json.loads(out)
    assert [(row["model"], row["batch"], row["steps"], row["label"]) for row in records] == [
        ("tiny-sd15", 1, 2, ""), ("tiny-sd15", 2, 2, ""), ("tiny-sdxl", 1, 2, "large")]


@pytest.mark.parametrize("preset, cells", [("quick", 1), ("lake-house", 2), ("throughput-24", 8), ("batch-sweep", 9)])
def test_a_preset_runs_with_a_tiny_model(tmp_path, preset, cells):
    images = ("--images", 4, "--batch", "2,4") if preset == "throughput-24" else ()
    batches = ("--batch", "1,2") if preset == "batch-sweep" else ()
    code, out, err = run(tmp_path, "--preset", preset, *TINY, "--dtype", "fp32", *images, *batches, "--no-save",
                         "--format", "json")
    expected = ["ok"] * (2 if images or batches else cells)
    if preset == "lake-house":
        expected[1] = "error"  # a CPU has no kernel "efficient"
    assert code == (0 if set(expected) == {"ok"} else 3), err
    assert [row["status"] for row in json.loads(out)] == expected


def test_presets_are_listed_and_each_can_be_dry_run(tmp_path, program):
    presets = json.loads(run(tmp_path, "list", "presets", "--format", "json")[1])
    names = [preset["name"] for preset in presets]
    assert {"quick", "lake-house", "throughput-24", "precision", "batch-sweep", "engines", "tensorrt-2023", "onnxruntime-2022",
            "egpu-2022", "cifar-2019", "card-1", "card-cpu-1"} == set(names)
    table = run(tmp_path, "list", "presets")[1].splitlines()
    assert [line.split()[0] for line in table[1:]] == names
    for name in names:
        code, out, err = run(tmp_path, "--preset", name, "--weights", "synthetic", "--dtype", "fp32", "--dry-run", program=program)
        assert code == 0, err
        assert "nothing is run" in out
    assert not list(tmp_path.iterdir())


def test_card_is_the_newest_of_its_kind(tmp_path):
    plans = [run(tmp_path, "--preset", name, "--no-save", "--dry-run", "--format", "json") for name in ("card", "card-1")]
    assert plans[0] == plans[1] and plans[0][0] == 0, plans[0][2]
    cells = json.loads(plans[0][1])["cells"]
    works = [(cell["model"], cell["width"], cell["batch"], cell["steps"], cell["engine_asked"]) for cell in cells]
    assert sorted(works) == sorted(3 * [(model, width, batch, 20, engine) for engine in ("plain", "tuned")
                                        for model, width, batch in (("sd15", 512, 1), ("sd15", 512, 4), ("sdxl", 1024, 1))])
    assert sorted({cell["restart"] for cell in cells}) == [1, 2, 3]


def test_the_benchmarks_sweeps_can_be_dry_run(tmp_path, program):
    sweeps = sorted((pathlib.Path(__file__).parents[2] / "benchmarks/sweeps").glob("*.json"))
    assert sweeps
    for sweep in sweeps:
        code, out, err = run(tmp_path, "--config", sweep, "--dry-run", program=program)
        assert code == 0, err
        assert "nothing is run" in out and "skipped" not in out


def test_dry_run_says_memory_and_an_expected_time(tmp_path):
    code, out, _ = run(tmp_path, "-m", "sd15", "--weights", "synthetic", "--dtype", "fp16,fp32", "--batch", "1,2",
                       "--dry-run")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split()[:2] == ["RUN", "MODEL"]
    assert sum("about" in line for line in lines[1:5]) == 4  # by arithmetic: no row tells it
    assert "2.30 GiB" in lines[1]  # 1,032,071,643 numbers of 2 bytes and 0.375 GiB of results


def test_of_a_model_that_cannot_be_read_what_is_unknown_stays_empty(tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "model_index.json").write_text("{}")
    sweep = ("-m", "tiny-sd15,bad", "--weights", "synthetic", "--device", "cpu", "--repeat", "1")
    code, out, err = run(tmp_path, *sweep, "--dry-run")
    assert code == 0, err
    good, bad = out.splitlines()[1:3]
    assert good.split()[:4] == ["1", "tiny-sd15", "128x128", "20"] and "7.5" in good.split()
    assert bad.split()[:5] == ["2", "bad", "1", "1", "cpu"] and "0" not in bad.split() and "must be StableDiffusionPipeline" in bad
    planned = json.loads(run(tmp_path, *sweep, "--dry-run", "--format", "json")[1])["cells"][1]
    assert [planned[name] for name in ("width", "height", "steps", "guidance")] == [None] * 4
    assert "512x512" in run(tmp_path, *sweep, "--size", "512x512", "--dry-run")[1].splitlines()[2]
    code, out, err = run(tmp_path, *sweep, "--steps", "1", "--threads", "1", "--no-save")
    assert code == 3, err
    assert "0x0" not in out + err and "guidance 0" not in err and "[2/2] bad, 1 step, " in err


def test_batches_beyond_memory_are_rows_and_the_sweep_ends_with_3(tmp_path):
    (tmp_path / "sweep.json").write_text(json.dumps({
        "cells": [{"size": "64x64"}, {"size": "8192x8192", "batch": [256, 512, 1024]}]}))
    code, out, err = run(tmp_path, "-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--steps", 2,
                         "--threads", 1, "--repeat", 1, "--config", "sweep.json", "--no-save", "--format", "json")
    assert code == 3, err
    assert [(row["batch"], row["status"]) for row in json.loads(out)] == [
        (1, "ok"), (256, "oom_host"), (512, "skipped"), (1024, "skipped")]
    assert "smaller batch ran out of memory" in json.loads(out)[2]["error"]


def test_cells_that_cannot_be_are_skipped_rows(tmp_path, program):
    code, out, _ = run(tmp_path, *TINY, "--images", 4, "--batch", "3,4", "--no-save", "--format", "json", program=program)
    assert code == 3
    assert [(row["batch"], row["status"]) for row in json.loads(out)] == [(3, "skipped"), (4, "ok")]


def test_a_bad_value_in_a_list_is_refused_before_anything_runs(tmp_path):
    for arguments, word in ((("--batch", "1,0"), "is 0"), (("--dtype", "fp32,fp61"), "fp61"),
                            (("--size", "65x64"), "65"), (("--batch", "1,1"), "1 twice"),
                            (("--preset", "lakehouse"), "lake-house")):
        code, out, err = run(tmp_path, *TINY, *arguments)
        assert code == 2 and word in err and err.count("\n") == 1 and not out
    assert not list(tmp_path.iterdir())


def test_an_interrupted_sweep_is_resumed_where_it_ended(tmp_path):
    asked = (*TINY[:-6], "--warmup", 0, "-o", "r.csv", "--config", "cells.json")
    (tmp_path / "cells.json").write_text(json.dumps({"cells": [{"steps": [2, 3], "repeat": 1}, {"steps": [4, 5, 6], "repeat": 1000}]}))
    process = start(tmp_path, *asked, "-v")
    while "[2/5]" not in (line := process.stderr.readline()):
        assert line, "the sweep ended too early"
    process.send_signal(2)
    code, _, _ = finish(process)
    assert code == 130
    rows = rows_of(tmp_path / "r.csv")
    assert [row["status"] for row in rows[:2]] == ["ok", "ok"] and len(rows) <= 3
    done = sum(row["status"] == "ok" for row in rows)

    asked = (*asked, "--repeat", 1)
    code, out, err = run(tmp_path, *asked, "--resume")
    assert code == 0, err
    assert err.count("ok in the outputs already") == done == 2
    rows = rows_of(tmp_path / "r.csv")
    assert sorted(row["steps"] for row in rows if row["status"] == "ok") == ["2", "3", "4", "5", "6"]

    code, _, err = run(tmp_path, *asked, "--resume")
    assert code == 0
    assert err.count("ok in the outputs already") == 5
    assert len(rows_of(tmp_path / "r.csv")) == len(rows)


def test_a_front_killed_in_the_middle_is_resumed_where_it_ended(tmp_path):
    asked = (*TINY[:-4], "--warmup", 0, "--seed", 1, "--config", "cells.json", "-o", "r.csv", "-o", "r.jsonl")
    (tmp_path / "cells.json").write_text(json.dumps({"cells": [{"batch": 1, "repeat": 1}, {"batch": [2, 3], "repeat": 1000}]}))
    process = start(tmp_path, *asked)
    while "[1/3]" not in (line := process.stderr.readline()):
        assert line, "the sweep ended too early"
    workers = children(process.pid)
    process.kill()
    process.communicate()
    wait_until(lambda: not any(map(is_alive, workers)))
    code, _, err = run(tmp_path, *asked, "--repeat", 1, "--resume")
    assert code == 0, err
    assert sorted(row["batch"] for row in rows_of(tmp_path / "r.csv")) == ["1", "2", "3"]
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 3


def test_rounds_and_restarts_are_told_in_the_rows(stub):
    code, out, err = stub.run("", "--batch", "1,2", "--rounds", 2, "--restarts", 2, "--no-save", "--format", "json", "-v")
    assert code == 0, err
    assert [(row["round"], row["batch"], row["restart"]) for row in json.loads(out)] == [
        (1, 1, 1), (1, 1, 2), (1, 2, 1), (1, 2, 2), (2, 1, 1), (2, 1, 2), (2, 2, 1), (2, 2, 2)]
    assert len(set(re.findall(r"request 0 of (\d+)", err))) == 8  # each the first of a fresh worker


def test_the_images_of_cells_do_not_overwrite_each_other(tmp_path):
    code, _, err = run(tmp_path, *TINY, "--guidance", "1,7.5", "--save-images", "out", "--no-save")
    assert code == 0, err
    assert sorted(str(path.relative_to(tmp_path)) for path in (tmp_path / "out").glob("*/*.png")) == [
        "out/cell-1/tiny-sd15-64x64-2steps-seed0.png", "out/cell-2/tiny-sd15-64x64-2steps-seed0.png"]
