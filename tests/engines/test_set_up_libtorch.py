"""engines/set_up_libtorch.py, with wheels that are made here: what it takes of them, and which it refuses."""
import platform
import shutil
import subprocess
import sys
import zipfile

import pytest
from front import ROOT

MACHINE = platform.machine()
LINUX = f"manylinux_2_28_{MACHINE}"


def wheel(folder, name, files, tag=LINUX):
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}-cp311-cp311-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for member, text in files.items():
            file.writestr(member, text)
    return path


@pytest.fixture
def wheels(tmp_path):
    """A folder with a torch of a few bytes, and one of NVIDIA's beside it."""
    folder = tmp_path / "wheels"
    wheel(folder, "torch-2.11.0", {"torch/__init__.py": "no\n", "torch/version.py": "__version__ = '2.11.0+cu130'\n",
                                   "torch/lib/libtorch_cpu.so": "x" * 100000, "torch/lib/../../../gone.so": "no", "torch/include/ATen/ATen.h": "no\n"})
    wheel(folder, "nvidia_cuda_runtime-13.0.96", {"nvidia/cu13/lib/libcudart.so.13": "x", "nvidia/cu13/include/cuda.h": "no\n"}, f"manylinux2014_{MACHINE}")
    wheel(folder, "nvidia_cublas-13.1.0", {"nvidia/cu13/lib/other.so": "no"}, "win_amd64")
    return folder


def made(folder, source, worker="/bin/true", version="2.11.0"):
    """(exit code, stderr)"""
    done = subprocess.run([sys.executable, "-I", "-B", ROOT / "engines/set_up_libtorch.py", folder, version, worker, "--from", source],
                          capture_output=True, text=True, timeout=60)
    return done.returncode, done.stderr


def files_of(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_the_libraries_of_the_wheels_are_taken_and_nothing_else(tmp_path, wheels):
    folder = tmp_path / "libtorch/2.11.0"
    code, err = made(folder, wheels)
    assert code == 0, err
    assert files_of(folder) == [".complete", ".sdbench", "nvidia/cu13/lib/libcudart.so.13", "torch/lib/libtorch_cpu.so", "torch/version.py"]
    assert "is set up already" in made(folder, wheels)[1]
    (folder / ".complete").unlink()  # cut off: made anew, by the wheel's own name
    code, err = made(folder, next(wheels.glob("torch-*")))
    assert code == 0 and (folder / ".complete").exists(), err


def refused(tmp_path, source, words, **more):
    code, err = made(tmp_path / "libtorch/2.11.0", source, **more)
    said = err.splitlines()[-1]
    assert code == 1 and said.startswith("sdbench setup: ") and words in said, err
    assert not (tmp_path / "libtorch/2.11.0/.complete").exists()


def test_a_cut_or_damaged_wheel_is_refused(tmp_path, wheels):
    whole = next(wheels.glob("torch-*"))
    content = whole.read_bytes()
    whole.write_bytes(content[:len(content) // 2])
    refused(tmp_path, wheels, "must be a whole wheel, but is cut or damaged")
    at = content.index(b"libtorch_cpu.so") + 30  # in what is packed of it
    whole.write_bytes(content[:at] + bytes([content[at] ^ 255]) + content[at + 1:])
    refused(tmp_path, wheels, "must be a whole wheel, but is cut or damaged")
    whole.write_bytes(content)
    assert made(tmp_path / "libtorch/2.11.0", wheels)[0] == 0


@pytest.mark.parametrize("tag", ["win_amd64", "macosx_11_0_arm64", "manylinux_2_28_s390x"])
def test_a_wheel_of_another_platform_is_refused(tmp_path, tag):
    path = wheel(tmp_path / "wheels", "torch-2.11.0", {"torch/lib/libtorch_cpu.so": "x"}, tag)
    for source in (path, path.parent):
        refused(tmp_path, source, f"must be for Linux on {MACHINE}, but is for {tag}")


def test_another_version_and_what_is_no_wheel_of_torch_are_refused(tmp_path, wheels):
    refused(tmp_path, next(wheels.glob("torch-*")), "but torch-2.11.0", version="2.7.1")
    refused(tmp_path, wheels, "has no torch-2.7.1-….whl", version="2.7.1")
    refused(tmp_path, tmp_path / "nowhere", "is not there")
    refused(tmp_path, next(wheels.glob("nvidia_cuda*")), "must be the wheel of torch 2.11.0, called")
    (tmp_path / "empty").mkdir()
    refused(tmp_path, tmp_path / "empty", "has no torch-2.11.0-….whl")


def test_a_library_that_the_worker_needs_and_no_wheel_has_is_named(tmp_path, wheels):
    compiler = shutil.which("cc")
    assert compiler, "a C compiler must be there"
    subprocess.run([compiler, "-x", "c", "-", "-shared", "-fPIC", "-Wl,-soname,libsdbench_made_up.so.13", "-o", "libsdbench_made_up.so.13"],
                   input="int there(void) { return 0; }", text=True, check=True, cwd=tmp_path)
    subprocess.run([compiler, "-x", "c", "-", "-o", "worker", "-x", "none", "libsdbench_made_up.so.13"],
                   input="int there(void); int main(void) { return there(); }", text=True, check=True, cwd=tmp_path)
    library = (tmp_path / "libsdbench_made_up.so.13").read_bytes()
    for path in wheels.glob("nvidia_cuda*"):
        path.unlink()
    refused(tmp_path, wheels, "libsdbench_made_up.so.13 cannot be found; put NVIDIA's wheels", worker=tmp_path / "worker")
    wheel(wheels, "nvidia_cuda_runtime-13.0.96", {"nvidia/cu13/lib/libsdbench_made_up.so.13": library})
    code, err = made(tmp_path / "libtorch/2.11.0", wheels, worker=tmp_path / "worker")
    assert code == 0, err


def test_a_folder_of_somebody_else_stays(tmp_path, wheels):
    folder = tmp_path / "libtorch/2.11.0"
    folder.mkdir(parents=True)
    (folder / "mine").touch()
    refused(tmp_path, wheels, "must be sdbench's own folder or empty")
    assert files_of(folder) == ["mine"]
