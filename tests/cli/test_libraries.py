"""Whose libraries the worker loads: its own libtorch's, whatever a user has in LD_LIBRARY_PATH."""

import os
import pathlib
import re
import shutil

import pytest
from program import PROGRAM, children, environment, finish, is_alive, record_of, run, start

TINY = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "auto", "--size", "64x64", "--warmup", "0",
        "--format", "json", "--no-save")
WORKERS = sorted(pathlib.Path(PROGRAM).parents[1].glob("libexec/sdbench/*/sdbench-worker"))
CUDA = ("libcudart.so.", "libnvrtc.so.", "libnvrtc-builtins.so.")


def of_cuda(worker):
    return (worker.parent / "sdbench-worker-cpu").exists()


def mapped(pid, name):
    """The files whose name begins so that a process has mapped."""
    files = re.findall(r"/\S+", pathlib.Path(f"/proc/{pid}/maps").read_text())
    return {pathlib.Path(file) for file in files if pathlib.Path(file).name.startswith(name)}


@pytest.fixture
def poisoned(tmp_path):
    """A folder like a toolkit's of another CUDA: nothing in it can be loaded, but for a driver, so that the GPU's worker runs."""
    folder = tmp_path / "toolkit"
    folder.mkdir()
    for name in ("libcudart.so.12", "libcudart.so.13", "libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc-builtins.so.12.6",
                 "libnvrtc-builtins.so.13.0", "libnvrtc-builtins.so.13.2", "libcublasLt.so.12", "libcublasLt.so.13", "libcudnn.so.9", "libc10.so",
                 "libtorch_cpu.so"):
        (folder / name).write_bytes(b"no library")
    shutil.copy(os.environ["SDBENCH_FAKE_NVML_LIBRARY"], folder / "libcuda.so.1")
    return folder


@pytest.mark.parametrize("worker", WORKERS, ids=lambda worker: worker.parent.name)
def test_a_users_library_path_does_not_replace_what_the_worker_was_built_with(worker, poisoned, tmp_path):
    kept = f":{os.environ['LD_LIBRARY_PATH']}" if os.environ.get("LD_LIBRARY_PATH") else ""
    env = environment(SDBENCH_LIBTORCH=worker.parent.name, LD_LIBRARY_PATH=f"{poisoned}{kept}")
    process = start(tmp_path, *TINY, "--steps", "20", "--repeat", "1000", "-v", env=env)
    lines = []
    while "measure" not in (line := process.stderr.readline()):
        lines.append(line)
        assert line, "".join(lines)
    [child] = children(process.pid)
    try:
        assert pathlib.Path(f"/proc/{child}/exe").readlink() == worker
        [torch] = {file.parent for file in mapped(child, "libc10.so")}
        packages = torch.parents[1] / "nvidia"
        if of_cuda(worker) and packages.exists():  # the wheel
            homes = {name: {file.parent for file in mapped(child, name)} for name in CUDA}
            assert all(len(folders) == 1 and packages in [*folders][0].parents for folders in homes.values()), homes
            assert homes["libnvrtc.so."] == homes["libnvrtc-builtins.so."]
    finally:
        process.kill()
        finish(process)
    assert not is_alive(process.pid)


@pytest.mark.parametrize("worker", WORKERS, ids=lambda worker: worker.parent.name)
def test_a_libtorch_that_is_named_by_its_folder_comes_with_its_own_cuda(worker, poisoned, tmp_path):
    libraries = (worker.parent / "library-path").read_text().strip().split(":")
    torch = pathlib.Path(libraries[0]).parent
    named = tmp_path / "site-packages" / "torch"
    named.parent.mkdir()
    named.symlink_to(torch)
    if (torch.parent / "nvidia").exists():
        (named.parent / "nvidia").symlink_to(torch.parent / "nvidia")
    code, out, err = run(tmp_path, *TINY, "--steps", "2", "--repeat", "1",
                         env=environment(SDBENCH_LIBTORCH=str(named), LD_LIBRARY_PATH=str(poisoned)))
    assert code == 0, err
    assert record_of(out)["runtime_version"] == worker.parent.name
