"""A worker that came without its libtorch, as in a package: sdbench setup libtorch brings it, and the cache lists and clears it."""

import json
import os
import pathlib
import platform
import shutil
import zipfile

import pytest
from program import PROGRAM, environment, run
from stub import CELL, STUB

SHARE = pathlib.Path(PROGRAM).parents[1] / "share/sdbench"


@pytest.fixture
def tree(tmp_path):
    """A package's tree with the stub behind a script that tells its library path, for two versions; the program in it."""
    installed = tmp_path / "usr"
    (installed / "bin").mkdir(parents=True)
    shutil.copy(PROGRAM, installed / "bin/sdbench")
    for version in ("2.11.0", "2.7.1"):
        worker = installed / f"libexec/sdbench/{version}/sdbench-worker"
        worker.parent.mkdir(parents=True)
        worker.write_text(f'#!/bin/sh\n[ -z "$LD_TRACE_LOADED_OBJECTS" ] || exit 0\necho "$LD_LIBRARY_PATH" >"{tmp_path}/library path"\nexec "{STUB}"\n')
        worker.chmod(0o755)
        (worker.parent / "needs-libtorch").touch()
    return installed / "bin/sdbench"


@pytest.fixture
def env(tmp_path):
    return environment(XDG_CACHE_HOME=str(tmp_path / "cache"), SDBENCH_ENGINES=str(tmp_path / "engines"), SDBENCH_SHARE=str(SHARE), SDBENCH_STUB="", TMPDIR=str(tmp_path))


def wheel(folder, version):
    path = folder / f"torch-{version}-cp311-cp311-manylinux_2_28_{platform.machine()}.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("torch/lib/libtorch_cpu.so", "")
        file.writestr("torch/version.py", f"__version__ = '{version}+cu130'\n")
        file.writestr("nvidia/cu13/lib/libcudart.so.13", "")
    return path


def cell(tmp_path, tree, env, **more):
    return run(tmp_path, *CELL, "--no-save", "--format", "json", program=tree, env={**env, **more})


def test_a_worker_without_its_libtorch_is_refused_with_the_way_to_one(tmp_path, tree, env):
    code, _, err = cell(tmp_path, tree, env)
    assert code == 1 and len(err.splitlines()) == 1
    assert "libtorch 2.11.0 must be installed for its worker, but is not; run sdbench setup libtorch 2.11.0" in err
    assert "sdbench setup libtorch 2.7.1" in cell(tmp_path, tree, env, SDBENCH_LIBTORCH="2.7.1")[2]
    facts = json.loads(run(tmp_path, "--version", "--json", program=tree, env=env)[1])
    assert [worker["libtorch_version"] for worker in facts["workers"]] == ["2.11.0", "2.7.1"]


def test_what_is_set_up_is_used_listed_and_cleared(tmp_path, tree, env):
    code, _, err = run(tmp_path, "setup", "libtorch", "2.7.1", "--from", wheel(tmp_path, "2.7.1"), program=tree, env=env)
    assert code == 0, err
    folder = tmp_path / "cache/sdbench/libtorch/2.7.1"
    # The newest that has its libtorch is taken.
    code, out, err = cell(tmp_path, tree, env)
    assert code == 0 and json.loads(out)[0]["status"] == "ok", err
    assert (tmp_path / "library path").read_text().split(":")[:2] == [f"{folder}/torch/lib", f"{folder}/torch/../nvidia/cu13/lib\n"]
    listed = json.loads(run(tmp_path, "cache", "list", "--format", "json", program=tree, env=env)[1])
    assert [(entry["kind"], entry["state"], entry["path"]) for entry in listed] == [("libtorch", "whole", str(folder))]
    assert run(tmp_path, "cache", "clear", "--yes", program=tree, env=env)[0] == 0 and folder.exists()
    assert run(tmp_path, "cache", "clear", "libtorch", "--yes", program=tree, env=env)[0] == 0 and not folder.exists()
    assert "must be installed for its worker" in cell(tmp_path, tree, env)[2]


def test_a_torch_folder_that_is_there_needs_no_set_up(tmp_path, tree, env):
    with zipfile.ZipFile(wheel(tmp_path, "2.11.0")) as file:
        file.extractall(tmp_path / "site-packages")
    code, out, err = cell(tmp_path, tree, env, SDBENCH_LIBTORCH=str(tmp_path / "site-packages/torch"))
    assert code == 0 and json.loads(out)[0]["status"] == "ok", err


def test_a_set_up_that_was_cut_off_counts_as_none(tmp_path, tree, env):
    assert run(tmp_path, "setup", "libtorch", "2.11.0", "--from", wheel(tmp_path, "2.11.0"), program=tree, env=env)[0] == 0
    (tmp_path / "cache/sdbench/libtorch/2.11.0/.complete").unlink()
    assert "must be installed for its worker" in cell(tmp_path, tree, env)[2]


@pytest.mark.parametrize(("change", "words"), [
    (lambda path: path.write_bytes(path.read_bytes()[:-40]), "must be a whole wheel, but is cut or damaged"),
    (lambda path: path.rename(path.with_name("torch-2.11.0-cp311-cp311-win_amd64.whl")), "but is for win_amd64; take the one for this machine"),
    (lambda path: path.rename(path.with_name("torch-2.9.1-cp311-cp311-manylinux_2_28_x86_64.whl")), "has no torch-2.11.0-….whl"),
])
def test_a_wheel_that_does_not_serve_is_said_in_one_line_and_no_worker_uses_it(tmp_path, tree, env, change, words):
    (tmp_path / "wheels").mkdir()
    change(wheel(tmp_path / "wheels", "2.11.0"))
    code, out, err = run(tmp_path, "setup", "libtorch", "2.11.0", "--from", "wheels", program=tree, env=env)
    assert (code, out) == (1, "") and words in err.splitlines()[-1], err
    assert "Traceback" not in err
    assert "must be installed for its worker" in cell(tmp_path, tree, env)[2]


def test_a_version_without_such_a_worker_is_refused(tmp_path, tree, env):
    code, _, err = run(tmp_path, "setup", "libtorch", "2.9.1", program=tree, env=env)
    assert code == 2 and "must be followed by the version of a worker, 2.11.0 or 2.7.1, but is followed by \"2.9.1\"" in err
    for needs in tree.parents[1].glob("libexec/sdbench/*/needs-libtorch"):
        os.remove(needs)
    code, _, err = run(tmp_path, "setup", "libtorch", "2.11.0", program=tree, env=env)
    assert code == 2 and "each worker here has its own" in err
    code, _, err = run(tmp_path, "setup", "torch", program=tree, env=env)
    assert code == 2 and "setup must be followed by engine or libtorch, but is followed by \"torch\"" in err
