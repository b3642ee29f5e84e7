"""Engines of others: one option, one table, and one row each, whatever becomes of them."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
from engine_folder import listed, made_up, of_oracle
from program import PROGRAM, children, environment, run, start, wait_until
from stub import csv_rows

CELL = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64", "--steps", 2, "--warmup", 0, "--repeat", 1)
MADE_UP = pathlib.Path(__file__).parent / "made_up_engine.py"
SETUP = "run sdbench setup engine"


@pytest.fixture
def fake(tmp_path):
    """An environment in which openvino is the made-up engine."""
    return made_up(tmp_path, "openvino", f"exec '{sys.executable}' '{MADE_UP}'")


def sweep(folder, *options, env):
    """(exit code, rows, stderr)"""
    code, _, err = run(folder, *CELL, "-o", "rows.csv", "--overwrite", *options, env=environment(**env), timeout=300)
    file = folder / "rows.csv"
    return code, csv_rows(file) if file.exists() else [], err


def test_pytorch_is_measured_beside_ours_and_makes_the_same_picture(tmp_path):
    env = of_oracle(tmp_path, "pytorch")
    code, rows, err = sweep(tmp_path, "--engine", "tuned,pytorch", "--dtype", "fp32", "--graphs", "on,off", "--save-images", "images", env=env)
    assert code == 0, err
    assert [(row["engine"], row["graphs"]) for row in rows] == [("tuned", "on"), ("tuned", "off"), ("pytorch", "auto")]
    ours, theirs = rows[0], rows[2]
    assert {row["status"] for row in rows} == {"ok"} and ours["agreement_rel_err"] == ""
    assert 0 < float(theirs["agreement_rel_err"]) < 1e-4
    assert ours["workload_id"] == theirs["workload_id"] and ours["env_id"] == theirs["env_id"] and ours["variant_id"] != theirs["variant_id"]
    assert theirs["weights"] == "synthetic:0" and theirs["runtime_version"].startswith("torch 2.") and int(theirs["engine_revision"]) > 1
    for field in ("load_s", "first_image_s", "text_s", "unet_s", "vae_s", "e2e_s", "unet_it_s", "images_per_min", "peak_host_bytes"):
        assert float(theirs[field]) > 0, field
    assert sorted(os.listdir(tmp_path / "images")) == ["cell-1", "cell-2", "cell-3"]
    code, out, err = run(tmp_path, "compare", "rows.csv")
    assert code == 0 and "pytorch" in out, (out, err)


def test_the_synthetic_weights_of_other_engines_are_written_once(tmp_path, fake):
    for _ in range(2):
        sweep(tmp_path, "--engine", "openvino", env=fake)
    weights = tmp_path / "cache/sdbench/weights"
    written = [file for file in weights.iterdir() if file.is_dir()]
    assert len(written) == 1 and (written[0] / "unet").is_dir() and [f.name for f in weights.iterdir() if f.name.startswith(".")] == []


def test_an_engine_that_is_not_set_up_is_skipped_with_the_command_and_the_sweep_goes_on(tmp_path):
    env = {"SDBENCH_ENGINES": str(tmp_path / "none"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    code, rows, err = sweep(tmp_path, "--engine", "openvino,tuned", env=env)
    assert code == 3 and [row["status"] for row in rows] == ["skipped", "ok"], err
    assert f"{SETUP} openvino" in rows[0]["error"] and f"{SETUP} openvino" in err
    assert rows[0]["engine"] == "openvino" and rows[0]["runtime_version"] == "" and not (tmp_path / "none").exists()


def test_an_environment_that_was_cut_off_is_not_used(tmp_path):
    env = of_oracle(tmp_path, "pytorch")
    (tmp_path / "engines/pytorch/.complete").write_text("torch==2.11.0\n")
    code, rows, _ = sweep(tmp_path, "--engine", "pytorch", env=env)
    assert code == 1 and rows[0]["status"] == "skipped" and SETUP in rows[0]["error"]


def test_an_environment_without_its_python_is_an_error_of_one_line(tmp_path, fake):
    (tmp_path / "engines/openvino/bin/python").unlink()
    code, rows, _ = sweep(tmp_path, "--engine", "openvino,tuned", env=fake)
    assert code == 3 and [row["status"] for row in rows] == ["error", "ok"]
    assert "cannot start" in rows[0]["error"] and "bin/python" in rows[0]["error"]


def test_fast_and_wrong_is_no_result(tmp_path, fake):
    code, rows, _ = sweep(tmp_path, "--engine", "openvino", env=fake)
    assert code == 1 and rows[0]["status"] == "invalid_output" and float(rows[0]["agreement_rel_err"]) > 0.5
    assert "must be within 0.0010 of engine plain's" in rows[0]["error"]
    assert rows[0]["prepared"] == "new" and (float(rows[0]["load_s"]), float(rows[0]["prepare_s"])) == (0.25, 0.5)


def test_a_cache_that_cannot_be_written_costs_the_row_alone(tmp_path, fake):
    (tmp_path / "a file").write_text("")
    code, rows, _ = sweep(tmp_path, "--engine", "openvino,tuned", env={**fake, "XDG_CACHE_HOME": str(tmp_path / "a file")})
    assert code == 3 and [row["status"] for row in rows] == ["error", "ok"] and "a file" in rows[0]["error"]


def test_latents_of_an_earlier_cell_are_not_taken_for_those_of_one_that_left_none(tmp_path, fake):
    sweep(tmp_path, "--engine", "openvino", "--dump-latents", "l.safetensors", env=fake)
    code, rows, _ = sweep(tmp_path, "--engine", "openvino", "--dump-latents", "l.safetensors", env={**fake, "MADE_UP_SAVES_NOTHING": "1"})
    assert code == 0 and [row["status"] for row in rows] == ["invalid_output", "ok"] and rows[-1]["agreement_rel_err"] == ""


def test_a_worker_that_dies_costs_its_row_alone(tmp_path, fake):
    code, rows, _ = sweep(tmp_path, "--engine", "openvino,tuned", env={**fake, "MADE_UP_ENDS": str(int(signal.SIGKILL))})
    assert code == 3 and [row["status"] for row in rows] == ["crash", "ok"] and rows[0]["stage"] == "prepare"


def test_a_worker_that_says_nothing_is_ended_at_the_timeout(tmp_path, fake):
    code, rows, _ = sweep(tmp_path, "--engine", "openvino,tuned", "--timeout", 3, env={**fake, "MADE_UP_SLEEPS": "60"})
    assert code == 3 and [row["status"] for row in rows] == ["timeout", "ok"]


def test_no_worker_of_another_engine_outlives_the_program(tmp_path, fake):
    process = start(tmp_path, *CELL, "--engine", "openvino", "-o", "rows.csv", env=environment(**fake, MADE_UP_SLEEPS="60"))
    worker = wait_until(lambda: [child for child in children(process.pid) if b"made_up" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes()])
    process.kill()
    process.communicate()
    wait_until(lambda: not pathlib.Path(f"/proc/{worker[0]}").exists(), 10)


def test_ctrl_c_ends_another_engine_with_its_row(tmp_path, fake):
    process = start(tmp_path, *CELL, "--engine", "openvino", "-o", "rows.csv", env=environment(**fake, MADE_UP_SLEEPS="60"))
    wait_until(lambda: [child for child in children(process.pid) if b"made_up" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes()])
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130 and csv_rows(tmp_path / "rows.csv")[0]["status"] == "interrupted"


def test_what_an_engine_cannot_do_is_refused_alone_and_skipped_in_a_sweep(tmp_path, fake):
    code, rows, err = sweep(tmp_path, "--engine", "openvino", "--dtype", "fp16", env=fake)
    assert code == 2 and rows == [] and "--dtype must be fp32 or bf16 beside --engine openvino, but is fp16" in err
    code, rows, err = sweep(tmp_path, "--engine", "openvino,tuned", "--dtype", "fp32", "--attention", "math,xformers", env=fake)
    assert [(row["engine"], row["attention"], row["status"]) for row in rows] == [
        ("openvino", "auto", "invalid_output"), ("tuned", "math", "ok"), ("tuned", "xformers", "skipped")], err
    code, _, err = sweep(tmp_path, "--engine", "openvino", "--vae-tiling", env=fake)
    assert code == 2 and "--vae-tiling must be off beside --engine openvino" in err


def test_a_wrong_name_of_an_engine_is_answered_with_the_nearest(tmp_path):
    code, _, err = run(tmp_path, *CELL, "--engine", "openvin")
    assert code == 2 and "did you mean openvino?" in err
    code, _, err = run(tmp_path, "setup", "engine", "pytorhc")
    assert code == 2 and "did you mean pytorch?" in err
    code, _, err = run(tmp_path, "setup", "engine", "tuned")
    assert code == 2 and "needs nothing" in err
    assert run(tmp_path, "setup")[0] == 2 and run(tmp_path, "setup", "engine")[0] == 2


def test_list_engines_says_what_each_is_and_what_it_takes(tmp_path, fake):
    code, out, _ = run(tmp_path, "list", "engines", env=environment(**fake))
    assert code == 0 and "sdbench setup engine pytorch" in out
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert lines["tuned"].rstrip().endswith("ready") and lines["openvino"].rstrip().endswith("ready")
    assert lines["openvino"].count("fp16") == 0
    engine = listed("pytorch", **fake)
    assert not engine["set_up"] and engine["packages"][0].startswith("torch==") and "bf16" in engine["cpu_dtypes"]


def set_up(folder, *options, **env):
    """(exit code, stderr)"""
    done = subprocess.run([PROGRAM, "setup", "engine", *options], cwd=folder, env=environment(SDBENCH_ENGINES=str(folder / "engines"), **env),
                          capture_output=True, text=True, timeout=120)
    return done.returncode, done.stderr


def test_a_set_up_without_its_packages_fails_in_one_line_and_leaves_nothing_complete(tmp_path):
    (tmp_path / "wheels").mkdir()
    code, err = set_up(tmp_path, "openvino", "--from", "wheels")
    assert code == 1 and "installing the packages failed: ERROR: No matching distribution found for openvino" in err.splitlines()[-1]
    assert "openvino.log" in err.splitlines()[-1] and not (tmp_path / "engines/openvino/.complete").exists()
    assert not listed("openvino", SDBENCH_ENGINES=str(tmp_path / "engines"))["set_up"]
    code, err = set_up(tmp_path, "openvino", "--from", "nowhere")
    assert code == 1 and "--from must be a folder of wheels, but nowhere is none" in err


def test_a_set_up_needs_a_python_that_is_new_enough_and_a_folder_that_can_be_written(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    code, err = set_up(tmp_path, "openvino", PATH=str(tools))
    assert code == 1 and "python3 must be in PATH" in err
    old = "import sys; sys.version_info = (3, 9, 0); import runpy; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='__main__')"
    (tools / "python3").write_text(f"#!/bin/sh\nshift\nexec '{sys.executable}' -c \"{old}\" \"$@\"\n")
    (tools / "python3").chmod(0o755)
    code, err = set_up(tmp_path, "openvino", PATH=f"{tools}:{os.environ['PATH']}")
    assert code == 1 and "python3 must be 3.10 or newer, but is 3.9" in err
    (tmp_path / "engines").rename(tmp_path / "elsewhere")
    (tmp_path / "engines").write_text("a file")
    code, err = set_up(tmp_path, "openvino")
    assert code == 1 and "must be writable, but is not" in err


def test_an_environment_that_is_complete_is_not_made_again(tmp_path, fake):
    before = sorted(os.listdir(tmp_path / "engines/openvino"))
    code, err = set_up(tmp_path, "openvino")
    assert code == 0 and "is set up already" in err and sorted(os.listdir(tmp_path / "engines/openvino")) == before


def test_workers_of_this_protocol_say_its_version():
    root = pathlib.Path(__file__).parents[2]
    header = (root / "include/sdbench/base/executor/protocol.h").read_text()
    version = header.split("kVersion = ")[1].split(";")[0]
    for file in ("tests/cli/made_up_engine.py", "tests/cli/least_worker.py", "benchmarks/peers/peer_worker.py"):
        assert f"PROTOCOL_VERSION = {version}  #" in (root / file).read_text(), file
    assert f'"version": {version}' in (root / "docs/engine.md").read_text()
    wire = (root / "engines/shared/wire.py").read_text()
    assert f"= {version}" in wire, json.dumps(wire[:400])
