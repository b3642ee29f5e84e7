"""Engines of others: one option, one table, and one row each, whatever becomes of them."""

import fcntl
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest
import terminal
from engine_folder import changed_python, empty_wheel, listed, made_up, of_oracle, quick_environments
from program import PROGRAM, children, command_line, environment, finish, has_cuda_driver, is_alive, run, start, wait_until
from safetensors.numpy import load_file, save_file
from stub import csv_rows

CELL = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64", "--steps", 2, "--threads", 1, "--warmup", 0,
        "--repeat", 1)
MADE_UP = pathlib.Path(__file__).parent / "made_up_engine.py"
SETUP = "run sdbench setup engine"


@pytest.fixture
def fake(tmp_path):
    """An environment in which openvino is the made-up engine."""
    return made_up(tmp_path, "openvino", f"exec '{sys.executable}' '{MADE_UP}'")


def sweep(folder, *options, env, **more):
    """(exit code, rows, stderr)"""
    code, _, err = run(folder, *CELL, "-o", "rows.csv", "--overwrite", *options, env=environment(**env), timeout=300, **more)
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
    assert theirs["golden_check"] == "pass" and 0 < float(theirs["golden_rel_err"]) < 1e-4
    assert ours["workload_id"] == theirs["workload_id"] and ours["env_id"] == theirs["env_id"] and ours["variant_id"] != theirs["variant_id"]
    assert theirs["weights"] == "synthetic:0" and theirs["runtime_version"].startswith("torch 2.") and int(theirs["engine_revision"]) > 1
    for field in ("load_s", "first_image_s", "text_s", "unet_s", "vae_s", "e2e_s", "unet_it_s", "images_per_min", "peak_host_bytes"):
        assert float(theirs[field]) > 0, field
    assert sorted(os.listdir(tmp_path / "images")) == ["cell-1", "cell-2", "cell-3"]
    code, out, err = run(tmp_path, "compare", "rows.csv")
    assert code == 0 and "pytorch" in out, (out, err)


def test_an_engine_that_takes_any_size_is_held_to_the_golden_latents(tmp_path, share_of_other_latents):
    env = {**made_up(tmp_path, "pytorch", f"exec '{sys.executable}' '{MADE_UP}'"), "SDBENCH_SHARE": str(share_of_other_latents)}
    code, rows, err = sweep(tmp_path, "--engine", "pytorch", "--dtype", "fp32", env=env)
    assert (code, rows[0]["status"], rows[0]["golden_check"]) == (1, "invalid_output", "fail")
    assert float(rows[0]["golden_rel_err"]) > 0.2
    assert "the golden run must give diffusers' numbers" in err


def test_the_synthetic_weights_of_other_engines_are_written_once(tmp_path, fake):
    weights = tmp_path / "cache/sdbench/weights"
    for _ in range(2):
        sweep(tmp_path, "--engine", "openvino", env=fake)
        written = [file for file in weights.iterdir() if file.is_dir()]
        assert time.time() - written[0].stat().st_mtime < 300  # its last use
        os.utime(written[0], (0, 0))
    assert len(written) == 1 and (written[0] / "unet").is_dir() and [f.name for f in weights.iterdir() if f.name.startswith(".")] == []


def test_what_a_process_that_was_killed_left_half_written_is_removed_by_the_next(tmp_path, fake):
    weights = tmp_path / "cache/sdbench/weights"
    killed, written_now, mine = (weights / name for name in ("sd15-synthetic-1-0123abcd.partial-1", "sd15-synthetic-2-0123abcd.partial-2", "a.partial-3"))
    for folder in (killed, written_now, mine):
        folder.mkdir(parents=True)
    with open(weights / "sd15-synthetic-2-0123abcd.lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        sweep(tmp_path, "--engine", "openvino", env=fake)
    assert [folder.exists() for folder in (killed, written_now, mine)] == [False, True, True]


def test_without_locks_nobody_is_waited_for_and_what_another_may_write_stays(tmp_path, fake, no_locks):
    weights = tmp_path / "cache/sdbench/weights"
    written_now = weights / "sd15-synthetic-1-0123abcd.partial-1"
    written_now.mkdir(parents=True)
    _, rows, err = sweep(tmp_path, "--engine", "openvino", env={**fake, "LD_PRELOAD": no_locks})
    assert len(rows) == 1 and "waiting" not in err, err
    assert written_now.exists() and len([f for f in weights.iterdir() if f.is_dir() and f != written_now]) == 1
    assert run(tmp_path, "cache", "clear", "weights", "--yes", env=environment(**fake, LD_PRELOAD=no_locks))[0] == 0
    assert not [file for file in weights.iterdir() if file.is_dir()]


def test_of_two_that_write_the_same_weights_without_locks_the_first_ones_stay_and_both_go_on(tmp_path, fake, no_locks):
    env = environment(**fake, LD_PRELOAD=no_locks)
    weights = tmp_path / "cache/sdbench/weights"
    for _ in range(10):  # on a busy machine one may be done before the other begins
        shutil.rmtree(weights, ignore_errors=True)
        both = [start(tmp_path, *CELL, "--engine", "openvino", "-v", "-o", f"{name}.csv", "--overwrite", env=env) for name in ("one", "other")]
        said = [finish(process)[2] for process in both]
        assert [csv_rows(tmp_path / f"{name}.csv")[0]["stage"] for name in ("one", "other")] == ["golden"] * 2, said  # its latents are noise
        assert len([file for file in weights.iterdir() if file.is_dir()]) == 1
        if all("writing the synthetic weights" in text for text in said):
            return
    raise AssertionError("the two must write at the same time, but did not in ten attempts")


def test_who_is_interrupted_while_another_writes_the_weights_touches_none(tmp_path, fake):
    sweep(tmp_path, "--engine", "openvino", env=fake)
    weights, = [file for file in (tmp_path / "cache/sdbench/weights").iterdir() if file.is_dir()]
    cut(next(weights.glob("unet/*.safetensors")))
    with open(f"{weights}.lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        process = start(tmp_path, *CELL, "--engine", "openvino", "-v", "-o", "again.csv", env=environment(**fake))
        while "waiting for another sdbench" not in (line := process.stderr.readline()):
            assert line, "it must wait"
        process.send_signal(signal.SIGINT)
        assert finish(process)[0] == 130
    row, = csv_rows(tmp_path / "again.csv")
    assert (row["status"], row["error"]) == ("interrupted", "prepare: interrupted before the weights were written")
    assert weights.exists()


def cut(file):
    file.write_bytes(file.read_bytes()[:1000])


def change_a_byte(file):
    """As a broken disk or a careless program: the size and the time that programs set are as before."""
    before, content = file.stat(), bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def copy_over(file):
    copy = file.with_suffix(".copy")
    copy.write_bytes(file.read_bytes())
    copy.rename(file)


def test_kept_weights_that_are_cut_or_changed_are_written_anew(tmp_path, fake):
    sweep(tmp_path, "--engine", "openvino", env=fake)
    file = next((tmp_path / "cache/sdbench/weights").glob("*/unet/*.safetensors"))
    content = file.read_bytes()
    for damage in (cut, change_a_byte, copy_over):
        damage(file)
        _, _, err = sweep(tmp_path, "--engine", "openvino", env=fake)
        assert file.read_bytes() == content
        assert ("written again" in err) == (damage is not copy_over), damage  # a copy has other times and the same bytes


def test_an_engine_that_is_not_set_up_is_skipped_with_the_command_and_the_sweep_goes_on(tmp_path, program):
    env = {"SDBENCH_ENGINES": str(tmp_path / "none"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    code, rows, err = sweep(tmp_path, "--engine", "openvino,tuned", env=env, program=program)
    assert code == 3 and [row["status"] for row in rows] == ["skipped", "ok"], err
    assert f"{SETUP} openvino" in rows[0]["error"] and f"{SETUP} openvino" in err
    assert rows[0]["engine"] == "openvino" and rows[0]["runtime_version"] == "" and not (tmp_path / "none").exists()


def test_an_environment_that_was_cut_off_is_not_used(tmp_path):
    env = of_oracle(tmp_path, "pytorch")
    (tmp_path / "engines/pytorch/.complete").write_text("torch==2.11.0\n")
    code, rows, _ = sweep(tmp_path, "--engine", "pytorch", env=env)
    assert code == 1 and rows[0]["status"] == "skipped" and SETUP in rows[0]["error"]


def test_an_environment_whose_python_does_not_start_is_an_error_of_one_line(tmp_path, fake):
    (tmp_path / "engines/openvino/bin/python").write_text("#!/no/such/interpreter\n")
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


def test_where_engine_plain_cannot_compute_the_image_rows_have_no_agreement_and_a_note_says_why(stub, tmp_path):
    fake = made_up(tmp_path, "openvino", f"exec '{sys.executable}' '{MADE_UP}'", stub.program)
    run(tmp_path, "export-weights", "--model", "tiny-sd15", "--weights", "synthetic", "-o", "weights")
    code, _, err = run(tmp_path, "-m", "tiny-sd15", "--weights", "weights", *CELL[4:], "--engine", "openvino", "--rounds", 2, "-o", "x.csv",
                       env=environment(**fake, SDBENCH_STUB="refuses"), program=stub.program)
    rows = csv_rows(tmp_path / "x.csv")
    assert code == 0 and [(row["status"], row["agreement_rel_err"]) for row in rows] == [("ok", "")] * 2, err
    assert err.count("engine plain cannot compute the same image, so this image is not compared: too little memory") == 1  # the same words come once


def test_weights_that_lie_beside_those_that_are_taken_are_named_with_other_engines_too(tmp_path, fake):
    run(tmp_path, "export-weights", "--model", "tiny-sd15", "--weights", "synthetic", "-o", "weights")
    older, shard = (tmp_path / "weights/unet" / name for name in ("diffusion_pytorch_model.safetensors", "new.safetensors"))
    tensors = load_file(older)
    older.rename(shard)
    save_file({name: tensor * 2 for name, tensor in tensors.items()}, older)
    pathlib.Path(f"{older}.index.json").write_text(json.dumps({"weight_map": dict.fromkeys(tensors, shard.name)}))
    _, _, err = run(tmp_path, "-m", "tiny-sd15", "--weights", "weights", *CELL[4:], "--engine", "openvino", "-o", "x.csv", env=environment(**fake))
    assert " ".join(err.split()).count("the weights of unet are those of diffusion_pytorch_model.safetensors.index.json; "
                                       "other weights lie beside them and are not read: diffusion_pytorch_model.safetensors") == 1, err


COMPILES_AND_TELLS = """
import functools, sys
sys.path.insert(0, {engines!r})
import torch, worker
from shared import serving

def tell(word):
    with open({log!r}, "a") as log:
        log.write(word + "\\n")

def backend(graph, inputs):
    tell("compiled")
    return graph.forward

def run_cell(self, request):
    tell("cell")
    return run_given_cell(self, request)

run_given_cell, serving.Server.run_cell = serving.Server.run_cell, run_cell
torch.compile = functools.partial(torch.compile, backend=backend)
sys.exit(worker.main())
"""


def test_torch_compile_compiles_once_in_three_rounds(tmp_path):
    worker, log = tmp_path / "worker.py", tmp_path / "log"
    worker.write_text(COMPILES_AND_TELLS.format(engines=str(pathlib.Path(__file__).parents[2] / "engines"), log=str(log)))
    env = made_up(tmp_path, "pytorch-compile", f"exec '{sys.executable}' '{worker}' pytorch-compile")
    code, rows, err = sweep(tmp_path, "--engine", "tuned,pytorch-compile", "--dtype", "fp32", "--rounds", 3, env=env)
    assert code == 0, err
    of_cells = log.read_text().split("cell\n")[1:]
    assert "compiled" in of_cells[0] and "compiled" not in "".join(of_cells[1:]), of_cells
    theirs = [row for row in rows if row["engine"] == "pytorch-compile"]
    assert [row["prepared"] for row in theirs] == ["new", "kept", "kept"]
    assert [float(row["prepare_s"] or 0) > 0 for row in theirs] == [True, False, False]


def test_a_worker_that_dies_costs_its_row_alone(tmp_path, fake):
    code, rows, _ = sweep(tmp_path, "--engine", "openvino,tuned", env={**fake, "MADE_UP_ENDS": str(int(signal.SIGKILL))})
    assert code == 3 and [row["status"] for row in rows] == ["crash", "ok"] and rows[0]["stage"] == "prepare"


def test_a_worker_that_says_nothing_is_ended_at_the_timeout(tmp_path, fake):
    code, rows, _ = sweep(tmp_path, "--engine", "openvino,tuned", "--timeout", 3, env={**fake, "MADE_UP_SLEEPS": "60"})
    assert code == 3 and [row["status"] for row in rows] == ["timeout", "ok"]


def test_no_worker_of_another_engine_outlives_the_program(tmp_path, fake):
    process = start(tmp_path, *CELL, "--engine", "openvino", "-o", "rows.csv", env=environment(**fake, MADE_UP_SLEEPS="60"))
    worker = wait_until(lambda: [child for child in children(process.pid) if "made_up" in command_line(child)])
    process.kill()
    process.communicate()
    wait_until(lambda: not is_alive(worker[0]), 10)


def test_a_row_whose_comparison_is_interrupted_is_to_be_measured_again(tmp_path, fake):
    cell = [500 if before == "--steps" else word for before, word in zip(("", *CELL), CELL)]  # so that comparing takes seconds
    process = start(tmp_path, *cell, "--engine", "openvino", "-v", "-o", "rows.csv", env=environment(**fake))
    while "computing the same image by engine plain" not in (line := process.stderr.readline()):
        assert line, "it must compare the image"
    process.send_signal(signal.SIGINT)
    assert finish(process)[0] == 130
    row, = csv_rows(tmp_path / "rows.csv")
    assert (row["status"], row["error"]) == ("interrupted", "golden: interrupted before its numbers were compared")


def test_ctrl_c_ends_another_engine_with_its_row(tmp_path, fake):
    process = start(tmp_path, *CELL, "--engine", "openvino", "-o", "rows.csv", env=environment(**fake, MADE_UP_SLEEPS="60"))
    wait_until(lambda: [child for child in children(process.pid) if "made_up" in command_line(child)])
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130 and csv_rows(tmp_path / "rows.csv")[0]["status"] == "interrupted"


def test_what_an_engine_cannot_do_is_refused_alone_and_skipped_in_a_sweep(tmp_path, fake):
    code, rows, err = sweep(tmp_path, "--engine", "openvino", "--dtype", "fp16", env=fake)
    assert code == 2 and rows == [] and "--dtype must be fp32 or bf16 with --engine openvino, but is fp16" in err
    code, rows, err = sweep(tmp_path, "--engine", "openvino,tuned", "--dtype", "fp32", "--attention", "math,xformers", env=fake)
    assert [(row["engine"], row["attention"], row["status"]) for row in rows] == [
        ("openvino", "auto", "invalid_output"), ("tuned", "math", "ok"), ("tuned", "xformers", "skipped")], err
    code, _, err = sweep(tmp_path, "--engine", "openvino", "--vae-tiling", env=fake)
    assert code == 2 and "--vae-tiling must be off with --engine openvino" in err


def test_an_engine_for_gpus_alone_is_refused_on_a_cpu_and_a_skipped_row_of_a_sweep(tmp_path, program):
    env = {"SDBENCH_ENGINES": str(tmp_path / "none"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    code, rows, err = sweep(tmp_path, "--engine", "tensorrt", "--yes", env=env, program=program)
    assert code == 2 and rows == [] and "--device must be cuda with --engine tensorrt, but is cpu" in err
    code, rows, err = sweep(tmp_path, "--engine", "tensorrt,tuned", "--tf32", "off,on", "--yes", env=env, program=program)
    assert code == 3 and [(row["engine"], row["status"]) for row in rows] == [("tensorrt", "skipped")] * 2 + [("tuned", "ok")] * 2, err
    assert "must be cuda" in rows[0]["error"] and not (tmp_path / "none").exists()


def test_preset_engines_gives_a_row_of_each_and_skips_what_cannot_run_here(tmp_path, program):
    env = {"SDBENCH_ENGINES": str(tmp_path / "none"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    code, rows, err = sweep(tmp_path, "--preset", "engines", "--rounds", 1, "--dtype", "fp32", env=env, program=program)
    assert code == 3 and [row["engine"] for row in rows] == ["tuned", "plain", "pytorch", "pytorch-compile", "onnxruntime", "openvino", "tensorrt"], err
    assert [row["status"] for row in rows] == ["ok", "ok"] + ["skipped"] * 5
    assert all(SETUP in row["error"] for row in rows[2:6]) and SETUP not in rows[6]["error"]


def test_a_gpu_of_intels_is_for_openvino_alone_and_its_picture_is_compared_with_that_of_the_processor(tmp_path, fake):
    options = [option for option in CELL if option not in ("--device", "cpu")] + ["--device", "intel"]
    code, _, err = run(tmp_path, *options, "--engine", "tuned", "--no-save", env=environment(**fake))
    assert code == 2 and "--device must be auto, cpu or cuda with --engine tuned, but is intel; --engine openvino can use it" in err
    code, _, err = run(tmp_path, *options, "--engine", "all", "--dtype", "fp16", "-o", "rows.csv", env=environment(**fake))
    row, = csv_rows(tmp_path / "rows.csv")  # of openvino alone
    assert (row["engine"], row["device"], row["device_kind"], row["device_name"]) == ("openvino", "intel", "intel", "A pretended GPU"), err
    assert (row["status"], row["device_index"], row["device_memory_bytes"]) == ("invalid_output", "0", "8589934592")
    assert "must be within 0.050 of engine plain's" in row["error"] and float(row["agreement_rel_err"]) > 0.5  # plain's is of a CPU, in fp32


@pytest.mark.skipif(has_cuda_driver(), reason="auto may be a GPU here")
def test_without_a_driver_no_engine_for_gpus_is_set_up(tmp_path):
    code, _, err = run(tmp_path, "-m", "tiny-sd15", "--weights", "synthetic", "--engine", "tensorrt", "--yes", "--no-save",
                       env=environment(SDBENCH_ENGINES=str(tmp_path / "none")))
    assert code == 2 and "--device must be cuda with --engine tensorrt, but is the CPU, because there is no NVIDIA driver" in err
    assert not (tmp_path / "none").exists()


def test_a_wrong_name_of_an_engine_is_answered_with_the_nearest(tmp_path):
    code, _, err = run(tmp_path, *CELL, "--engine", "openvin")
    assert code == 2 and "did you mean openvino?" in err and "openvino, tensorrt or all, but is" in err
    code, _, err = run(tmp_path, "setup", "engine", "pytorhc")
    assert code == 2 and "did you mean pytorch?" in err
    code, _, err = run(tmp_path, "setup", "engine", "tuned")
    assert code == 2 and "needs nothing" in err
    assert run(tmp_path, "setup")[0] == 2 and run(tmp_path, "setup", "engine")[0] == 2


def test_list_engines_says_on_what_each_runs_here_and_what_it_takes(tmp_path, fake):
    code, out, _ = run(tmp_path, "list", "engines", env=environment(**fake))
    assert code == 0 and "Not set up yet: sdbench setup engine pytorch onnxruntime" in out and max(map(len, out.splitlines())) <= 100
    head, *lines = out.splitlines()
    assert head.split()[:3] == ["ENGINE", "CPU", "DISK"]
    state = {line.split()[0]: line[head.index("CPU"):head.index("DISK")].strip() for line in lines if line}
    assert (state["tuned"], state["openvino"], state["onnxruntime"], state["tensorrt"]) == ("ready", "ready", "not set up", "no")
    engine = listed("pytorch", **fake)
    assert not engine["set_up"] and engine["packages"][0].startswith("torch==") and "bf16" in engine["cpu_dtypes"]
    assert engine["disk_gb"] == 1 and engine["devices"] == {"cpu": "not set up"}
    assert engine["axes"]["attention"] == ["auto", "math", "sliced", "sdpa", "xformers"] and "graphs" not in engine["axes"]
    assert "loop" in listed("tuned", **fake)["axes"]["graphs"] and listed("tuned", **fake)["oldest_compute_capability"] is None
    tensorrt = listed("tensorrt", **fake)
    assert (tensorrt["oldest_compute_capability"], tensorrt["axes"]) == ("7.5", {"tf32": ["off", "on"], "dynamic-shapes": ["off", "on"]})
    assert "sdbench tuned: as fast" in out and "sdbench plain: by libtorch" in out


def test_list_engines_has_a_column_for_gpus_that_compute_the_same(stub, tmp_path):
    env = environment(SDBENCH_STUB_GPUS="2", SDBENCH_ENGINES=str(tmp_path), LD_LIBRARY_PATH=os.environ["SDBENCH_FAKE_CUDA_FOLDER"])
    code, out, err = run(tmp_path, "list", "engines", env=env, program=stub.program)
    head, *lines = out.splitlines()
    assert code == 0 and "CUDA:0,1" in head and max(map(len, out.splitlines())) <= 100, (out, err)
    on_gpu = {line.split()[0]: line[head.index("CUDA"):head.index("DISK")].strip() for line in lines if line}
    assert (on_gpu["tuned"], on_gpu["pytorch"], on_gpu["openvino"]) == ("ready", "not set up", "no")


def test_beside_an_nvidia_driver_onnxruntime_is_its_package_for_gpus(stub, tmp_path):
    env = environment(SDBENCH_STUB_GPUS="1", SDBENCH_ENGINES=str(tmp_path), LD_LIBRARY_PATH=os.environ["SDBENCH_FAKE_CUDA_FOLDER"])
    out = run(tmp_path, "list", "engines", "--format", "json", env=env, program=stub.program)[1]
    engine = next(each for each in json.loads(out) if each["name"] == "onnxruntime")
    assert engine["folder"] == str(tmp_path / "onnxruntime-gpu") and engine["gpu_dtypes"] == ["fp32", "fp16"]
    named = [package for package in engine["packages"] if package.startswith("onnxruntime")]
    assert len(named) == 1 and named[0].startswith("onnxruntime-gpu==") and set(engine["devices"].values()) == {"not set up"}
    assert listed("onnxruntime", SDBENCH_ENGINES=str(tmp_path))["folder"] == str(tmp_path / "onnxruntime")


def test_quality_takes_all_engines_and_says_why_one_was_skipped(tmp_path):
    env = environment(SDBENCH_ENGINES=str(tmp_path / "none"), XDG_CACHE_HOME=str(tmp_path / "cache"))
    study = ("quality", *CELL[:-4], "--no-save")
    code, out, err = run(tmp_path, *study, "--engine", "all", env=env, timeout=300)
    assert code == 0 and "fp32, sdbench plain " in out and "all: tuned, plain; not set up: pytorch" in err, (out, err)
    code, out, err = run(tmp_path, *study, "--engine", "tuned,openvino", env=env, timeout=300)
    assert code == 1 and "\nfp32, openvino: skipped: start: the engine openvino must be set up, but is not; run sdbench setup engine openvino\n" in out, (out, err)


def planned(folder, *options, env):
    """(plan, stderr) of --dry-run."""
    cell = CELL[:6] + CELL[8:] if "--size" in options else CELL
    code, out, err = run(folder, *cell, *options, "--no-save", "--dry-run", "--format", "json", env=environment(**env))
    assert code == 0, err
    return json.loads(out), err


def engines_of(plan):
    return [cell["engine_asked"] for cell in plan["cells"]]


def test_all_is_every_engine_that_can_run_on_the_device_and_names_those_that_lack_their_set_up(tmp_path, fake):
    plan, err = planned(tmp_path, "--engine", "all", env=fake)
    assert engines_of(plan) == ["tuned", "plain", "openvino"]
    assert "engines    all: tuned, plain, openvino; not set up: pytorch, pytorch-compile, onnxruntime (run sdbench setup engine pytorch onnxruntime)" in err
    plan, err = planned(tmp_path, "--engine", "plain,all", "--device", "cuda:0", env=fake)
    assert engines_of(plan) == ["plain", "tuned", "openvino", "plain", "tuned"] and err.count("all: ") == 1
    plan, err = planned(tmp_path, "--engine", "all", "--graphs", "on,off", env=fake)
    assert engines_of(plan) == ["tuned", "plain", "openvino", "tuned", "plain"]
    plan, err = planned(tmp_path, "--engine", "tuned", env=fake)
    assert "engines " not in err


def test_an_axis_that_an_engine_has_not_is_said_once(tmp_path, fake):
    _, err = planned(tmp_path, "--engine", "tuned,openvino,pytorch", "--graphs", "on,off", "--kernels", "aten", "--batch", "1,2", env=fake)
    assert [line for line in err.splitlines() if line.startswith("axes")] == [
        "axes       openvino and pytorch have no --graphs or --kernels: these options change nothing there"]
    _, err = planned(tmp_path, "--engine", "tuned,openvino", "--dynamic-shapes", "off,on", "--graphs", "auto", env=fake)
    assert err.startswith("axes       tuned has no --dynamic-shapes: ") and len(err.splitlines()) == 1
    _, err = planned(tmp_path, "--engine", "tuned,plain", "--graphs", "on,off", env=fake)
    assert err == ""


def test_the_plan_says_what_other_engines_come_to_keep_at_most(tmp_path, fake):
    plan, _ = planned(tmp_path, "--engine", "tuned,pytorch", "--yes", env=fake)
    weights = plan["kept_bytes_at_most"]
    assert plan["prepared_at_most"] == 0 and weights > 0  # synthetic weights, written once
    for options, count in ((("--batch", "1,2"), 2), (("--batch", "1,2", "--dynamic-shapes", "on"), 1), (("--rounds", 3), 1), (("--dtype", "fp32,bf16"), 2),
                           (("--size", "128x64,96x96", "--dynamic-shapes", "on"), 2)):
        plan, _ = planned(tmp_path, "--engine", "tuned,pytorch,openvino", "--yes", *options, env=fake)
        assert (plan["prepared_at_most"], plan["kept_bytes_at_most"]) == (count, weights * (1 + count)), options
    plan, _ = planned(tmp_path, "--engine", "openvino", "--batch", "auto", env=fake)
    assert plan["prepared_at_most"] is None and plan["kept_bytes_at_most"] is None
    assert (planned(tmp_path, "--engine", "tuned", env=fake)[0]["kept_bytes_at_most"]) == 0
    code, out, _ = run(tmp_path, *CELL, "--engine", "openvino", "--batch", "1,2", "--no-save", "--dry-run", env=environment(**fake))
    assert code == 0 and "other engines: at most 2 models to prepare, and " in out and " of disk for what is kept\n" in out
    code, out, _ = run(tmp_path, *CELL, "--engine", "openvino", "--batch", "auto", "--no-save", "--dry-run", env=environment(**fake))
    assert code == 0 and ", and as much for each further batch that is tried\n" in out


def test_the_plan_says_which_engines_are_not_set_up_and_what_becomes_of_their_cells(tmp_path, fake):
    engines = ("--engine", "tuned,pytorch,pytorch-compile,onnxruntime,openvino", "--dtype", "fp32")
    plan, _ = planned(tmp_path, *engines, env=fake)
    assert [cell["left_out"] for cell in plan["cells"]] == ["", *["skipped: engine not set up"] * 3, ""] and plan["left_out"] == 3
    assert [missing["engine"] for missing in plan["not_set_up"]] == ["pytorch", "pytorch-compile", "onnxruntime"] and not plan["would_set_up"]
    assert plan["not_set_up"][2] == {"engine": "onnxruntime", "disk_gb": 2, "command": "sdbench setup engine onnxruntime"}
    plan, _ = planned(tmp_path, *engines, "--yes", env=fake)
    assert plan["left_out"] == 0 and len(plan["not_set_up"]) == 3 and plan["would_set_up"]
    text = {yes: run(tmp_path, *CELL, *engines, "--no-save", "--dry-run", *yes, env=environment(**fake))[1] for yes in ((), ("--yes",))}
    packages = "pytorch and pytorch-compile (1 GB), onnxruntime (2 GB)"
    assert f"\nnot set up: {packages}; run sdbench setup engine pytorch onnxruntime, or give --yes\n" in text[()]
    assert f"\nset up first, by --yes: {packages}\n" in text[("--yes",)] and "skipped" not in text[("--yes",)]
    assert "set up" not in run(tmp_path, *CELL, "--engine", "tuned,openvino", "--no-save", "--dry-run", env=environment(**fake))[1]
    assert os.listdir(tmp_path / "engines") == ["openvino"]


def quick_path(folder):
    return changed_python(folder / "quick", quick_environments(folder / "quick"))


def set_up(folder, *options, **env):
    """(exit code, stderr)"""
    env = {"SDBENCH_ENGINES": str(folder / "engines"), "PATH": quick_path(folder), **env}
    done = subprocess.run([PROGRAM, "setup", "engine", *options], cwd=folder, env=environment(**env), capture_output=True, text=True, timeout=120)
    return done.returncode, done.stderr


def other_wheel(folder):
    """A package that no engine needs, by its name: nobody opens it."""
    folder.mkdir(exist_ok=True)
    (folder / "nothing-1.0-py3-none-any.whl").touch()


def test_a_set_up_without_its_packages_fails_in_one_line_and_leaves_nothing_complete(tmp_path):
    other_wheel(tmp_path / "wheels")
    code, err = set_up(tmp_path, "openvino", "--from", "wheels")
    assert code == 1 and "installing the packages failed: ERROR: No matching distribution found for openvino" in err.splitlines()[-1]
    assert err.count("numpy==") == 1 and "python_version" not in err.splitlines()[-2]  # the one that this Python takes
    assert "openvino.log" in err.splitlines()[-1] and not (tmp_path / "engines/openvino/.complete").exists()
    assert not listed("openvino", SDBENCH_ENGINES=str(tmp_path / "engines"))["set_up"]
    code, err = set_up(tmp_path, "openvino", "--from", "nowhere")
    assert code == 1 and "--from must be a folder of wheels, but nowhere is not one" in err


@pytest.mark.parametrize("damage", [lambda whole: whole[:len(whole) // 2], lambda whole: whole[:-10], lambda whole: b"", lambda whole: b"<html>blocked</html>",
                                    lambda whole: whole[:5000] + bytes([whole[5000] ^ 255]) + whole[5001:],
                                    lambda whole: whole[:3000] + bytes(4000) + whole[7000:]])
def test_a_wheel_that_was_cut_or_changed_is_told_as_that_and_nothing_is_complete(tmp_path, damage):
    (tmp_path / "wheels").mkdir()
    for package in listed("openvino")["packages"]:
        name, _, version = package.partition(";")[0].partition("==")
        (tmp_path / f"wheels/{name}-{version}-py3-none-any.whl").write_bytes(empty_wheel(name, version))
    wheel, = (tmp_path / "wheels").glob("openvino-*")
    wheel.write_bytes(damage(empty_wheel(*wheel.name.split("-")[:2], os.urandom(10_000))))
    code, err = set_up(tmp_path, "openvino", "--from", "wheels")
    assert code == 1 and "a wheel is cut or damaged: fetch it again; the log is" in err.splitlines()[-1], err
    assert not (tmp_path / "engines/openvino/.complete").exists()


def test_a_set_up_needs_a_python_that_is_new_enough_and_a_folder_that_can_be_written(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    code, err = set_up(tmp_path, "openvino", PATH=str(tools))
    assert code == 1 and "python3 must be in PATH" in err
    old = ("import os, runpy, sys; sys.version_info = (3, 9, 0); sys.argv = sys.argv[1:]; sys.path[0] = os.path.dirname(sys.argv[0]); "
           "runpy.run_path(sys.argv[0], run_name='__main__')")
    (tools / "python3").write_text(f"#!/bin/sh\nshift 2\nexec '{sys.executable}' -c \"{old}\" \"$@\"\n")
    (tools / "python3").chmod(0o755)
    code, err = set_up(tmp_path, "openvino", PATH=f"{tools}:{os.environ['PATH']}")
    assert code == 1 and "python3 must be 3.10 or newer, but is 3.9" in err
    (tmp_path / "engines").rename(tmp_path / "elsewhere")
    (tmp_path / "engines").write_text("a file")
    code, err = set_up(tmp_path, "openvino")
    assert code == 1 and "must be writable, but is not" in err


def test_a_second_clock_says_the_same_of_another_engine(tmp_path):
    script = pathlib.Path(__file__).parents[2] / "benchmarks/true_timing.py"

    def timed(engine):
        return subprocess.run([sys.executable, script, PROGRAM, "-o", "true.json", "--engines", engine, "--model", "tiny-sd15", "--size", "64x64",
                               "--device", "cpu", "--threads", "1", "--steps", "4", "--repeat", "2", "--warmup", "0"], cwd=tmp_path,
                              env=environment(**env), capture_output=True, text=True, timeout=300)

    env = of_oracle(tmp_path, "pytorch")
    done = timed("pytorch")
    assert done.returncode in (0, 1), done.stderr  # of an image of milliseconds 1 % is little
    pair, = json.loads((tmp_path / "true.json").read_text())["engines"]
    assert pair["engine"] == "pytorch" and pair["runs"] == len(pair["e2e_off_of_each_run"]) == 2
    assert 0 < pair["e2e_s"] < 10 and abs(pair["e2e_off"]) < 0.1 and abs(pair["it_s_off"]) < 0.1, pair
    done = timed("openvino")
    assert done.returncode == 1 and "--engines must be set up, but these are not: openvino" in done.stderr


def observed(folder, program, *options):
    """(exit code, the record) of sdbench's own engine beside an observer of its messages."""
    script = pathlib.Path(__file__).parents[2] / "benchmarks/true_timing.py"
    done = subprocess.run([sys.executable, script, program, "-o", "observed.json", "--engines", "tuned", "--model", "tiny-sd15", "--size", "64x64",
                           "--device", "cpu", "--threads", "1", "--repeat", "2", "--warmup", "0", *options], cwd=folder,
                          env=environment(XDG_CACHE_HOME="cache"), capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, json.loads((folder / "observed.json").read_text())["engines"][0]


def test_an_observer_of_the_messages_says_the_same_of_our_engine(tmp_path):
    _, pair = observed(tmp_path, PROGRAM, "--steps", "60")
    assert pair["engine"] == "tuned" and pair["runs"] == 2
    assert abs(pair["e2e_off"]) < 0.1 and abs(pair["it_s_off"]) < 0.1 and 0 < pair["unseen_share"] < 1, pair


def test_an_observer_of_the_messages_finds_times_that_are_not_true(program, tmp_path):
    code, pair = observed(tmp_path, program, "--steps", "3")  # of the stub, which computes nothing
    assert code == 1 and abs(pair["e2e_off"]) > 0.1, pair


def test_a_terminal_of_80_columns_has_the_list_as_a_table_and_a_set_up_without_a_wide_line(tmp_path):
    variables = {"SDBENCH_ENGINES": "engines", "XDG_CACHE_HOME": "cache"}
    if not has_cuda_driver():  # which has a column more
        lines = terminal.seen(tmp_path, 80, "list", "engines", **variables).splitlines()
        assert lines[0].split()[:2] == ["ENGINE", "CPU"] and lines[1].startswith("tuned") and lines[2].startswith("plain"), lines
        assert max(map(len, lines)) <= 80
    other_wheel(tmp_path / "wheels")
    text = terminal.seen(tmp_path, 80, "setup", "engine", "openvino", "--from", "wheels", code=1, PATH=quick_path(tmp_path), **variables)
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text))
    assert "failed" in text and max(map(len, lines)) <= 80, lines


def test_an_environment_that_is_complete_is_not_made_again(tmp_path):
    made_up(tmp_path, "pytorch", f"echo \"$@\" >>'{tmp_path}/asked'")
    before = sorted(os.listdir(tmp_path / "engines/pytorch"))
    code, err = set_up(tmp_path, "pytorch")
    assert code == 0 and "is set up already" in err and sorted(os.listdir(tmp_path / "engines/pytorch")) == before
    packages = "torch, torchvision, diffusers, transformers, accelerate, safetensors, PIL, numpy"
    assert (tmp_path / "asked").read_text() == f"-I -c import {packages}\n"


def test_an_environment_whose_package_cannot_be_imported_is_told_and_made_anew(tmp_path):
    for name, code in (("diffusers", "from ._cut import nothing"), ("torch", "def set_grad_enabled(_): pass"), ("torchvision", "")):
        module = tmp_path / f"broken/{name}/__init__.py"  # in place of the oracle's; what is imported before takes long and is whole
        module.parent.mkdir(parents=True)
        module.write_text(code + "\n")
    env = of_oracle(tmp_path, "pytorch")
    folder = tmp_path / "engines/pytorch"
    (folder / "bin/python").unlink()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    of_oracles = next(pathlib.Path(place) for place in sys.path if (pathlib.Path(place) / "diffusers").exists())
    next(folder.glob("lib/python*/site-packages")).joinpath("test.pth").write_text(f"{tmp_path}/broken\n{of_oracles}\n")
    _, rows, _ = sweep(tmp_path, "--engine", "pytorch", env=env)
    assert rows[0]["status"] == "error" and "must be whole" in rows[0]["error"] and "run sdbench setup engine pytorch" in rows[0]["error"]
    assert "_cut" in rows[0]["error"]
    other_wheel(tmp_path / "wheels")
    code, err = set_up(tmp_path, "pytorch", "--from", "wheels")
    assert code == 1 and re.search(r"installing torch==\S+, torchvision==\S+, diffusers==\S+, (\w+==\S+, )*numpy==\S+ from wheels into", err)


def test_an_environment_whose_python_is_gone_is_not_ready_and_is_made_anew(tmp_path):
    env = of_oracle(tmp_path, "openvino")
    python = tmp_path / "engines/openvino/bin/python"
    python.unlink()
    python.symlink_to(tmp_path / "a python that was upgraded")
    assert not listed("openvino", **env)["set_up"]
    _, rows, _ = sweep(tmp_path, "--engine", "openvino", env=env)
    assert rows[0]["status"] == "skipped" and "sdbench setup engine openvino" in rows[0]["error"]
    other_wheel(tmp_path / "wheels")
    code, err = set_up(tmp_path, "openvino", "--from", "wheels")
    assert code == 1 and "installing the packages failed" in err


def test_a_folder_of_somebody_else_is_never_set_up(tmp_path):
    thesis = tmp_path / "engines/openvino/thesis.txt"
    thesis.parent.mkdir(parents=True)
    thesis.write_text("years of work")
    code, err = set_up(tmp_path, "openvino", "--from", str(tmp_path))
    assert code == 1 and "must be sdbench's own folder or empty, but holds something else" in err and thesis.read_text() == "years of work"
    thesis.unlink()
    other_wheel(tmp_path)
    assert "installing the packages failed" in set_up(tmp_path, "openvino", "--from", str(tmp_path))[1]  # an empty one may be anybody's
    assert "installing the packages failed" in set_up(tmp_path, "openvino", "--from", str(tmp_path))[1]  # and what was begun is ours


def test_engines_of_one_environment_try_to_set_it_up_once(tmp_path):
    env = {"SDBENCH_ENGINES": str(tmp_path / "engines"), "XDG_CACHE_HOME": str(tmp_path / "cache"), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path),
           "PATH": quick_path(tmp_path)}
    _, rows, err = sweep(tmp_path, "--engine", "pytorch,pytorch-compile", "--yes", env=env)
    assert [row["status"] for row in rows] == ["skipped", "skipped"] and err.count("installing the packages failed") == 1
    assert err.count("is not set up, and its cells are skipped") == 2 and "or give --yes" not in err


def test_workers_of_this_protocol_say_its_version():
    root = pathlib.Path(__file__).parents[2]
    header = (root / "include/sdbench/base/executor/messages.h").read_text()
    version = header.split("kVersion = ")[1].split(";")[0]
    for file in ("tests/cli/made_up_engine.py", "tests/cli/least_worker.py"):
        assert f"PROTOCOL_VERSION = {version}  #" in (root / file).read_text(), file
    assert f'"version": {version}' in (root / "docs/worker-protocol.md").read_text()
    wire = (root / "engines/shared/wire.py").read_text()
    assert f"= {version}" in wire, json.dumps(wire[:400])
