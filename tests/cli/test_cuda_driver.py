"""A driver that CUDA cannot use is told with the reason and what to do, and the cell runs on the CPU or says why it does not.

libcuda.so.1 is support/fake_cuda.cpp, NVML support/fake_nvml.cpp; the workers are the real ones, of every libtorch with CUDA.
"""

import ctypes
import json
import os
import pathlib

import pytest
from program import PROGRAM, environment, record_of, run

FAKE_CUDA = os.environ["SDBENCH_FAKE_CUDA_FOLDER"]
FAKE_NVML = os.environ["SDBENCH_FAKE_NVML_LIBRARY"]
WORKERS = pathlib.Path(PROGRAM).parents[1] / "libexec" / "sdbench"
WITH_CUDA = sorted((file.parent.name for file in WORKERS.glob("*/sdbench-worker-cpu")), reverse=True,
                   key=lambda version: [int(number) for number in version.split(".")])
QUICK = ("-m", "tiny-sd15", "--weights", "synthetic", "--dtype", "fp32", "--size", "64x64", "--threads", 1, "--steps", 1, "--repeat", 1,
         "--warmup", 0, "--no-save", "--format", "json")
NOTE = "an NVIDIA driver is here, but CUDA cannot use it, so this runs on the CPU: "
# What cuInit answers, and of what the reason and the remedy must speak.
UNUSABLE = {34: ("stub", "LD_LIBRARY_PATH"), 101: ("error 101", "nvidia-smi"), 802: ("error 802", "nvidia-fabricmanager"),
            803: ("different versions", "restart the machine"), 804: ("error 804", "restart the machine"),
            999: ("error 999", "nvidia_uvm")}
TOO_OLD = {"2.15.0": (12020, "CUDA up to 12.2", "CUDA 13.2, which needs 580"),
           "2.11.0": (12020, "CUDA up to 12.2", "CUDA 13.0, which needs 580"),
           "2.7.1": (11040, "CUDA up to 11.4", "CUDA 12.6, which needs 525")}


def has_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


needs_cuda = pytest.mark.skipif(not WITH_CUDA, reason="no worker here is built for CUDA")
needs_no_driver = pytest.mark.skipif(has_driver(), reason="this machine has CUDA's driver")


def machine(version=None, cuda=FAKE_CUDA, nvml="", **more):
    """The environment of a machine with this libcuda.so.1 (None: without one) and this NVML."""
    chosen = {"SDBENCH_LIBTORCH": version or (WITH_CUDA or [""])[0], "SDBENCH_NVML": str(nvml), **more}
    env = environment(**{name: str(value) for name, value in chosen.items()})
    env.pop("CUDA_VISIBLE_DEVICES", None) if "CUDA_VISIBLE_DEVICES" not in more else None
    if cuda:
        env["LD_LIBRARY_PATH"] = str(cuda)
    return env


def notes_of(err):
    """Without that on a busy machine: other tests run beside this one."""
    return [line for line in err.splitlines() if "note " in line and "the machine is busy" not in line]


def flags_of(row):
    return set(row["flags"].split()) - {"busy"}


def auto_and_cuda(folder, env):
    """What is said, and the two rows: each must be there, the first on the CPU."""
    code, out, err = run(folder, *QUICK, "--device", "auto,cuda", env=env)
    assert code == 3, err
    auto, cuda = json.loads(out)
    assert (auto["status"], auto["device_kind"], auto["golden_check"]) == ("ok", "cpu", "pass")
    assert (cuda["status"], cuda["stage"]) == ("error", "load")
    assert "\n" not in cuda["error"] and "there is no cuda: " in cuda["error"]
    return notes_of(err), auto, cuda


def check_told(folder, env, parts):
    notes, auto, cuda = auto_and_cuda(folder, env)
    [note] = [line for line in notes if NOTE in line]
    assert "gpu_unusable" in auto["flags"].split()
    for part in parts:
        assert part in note and part in cuda["error"]


@needs_cuda
@pytest.mark.parametrize("code", UNUSABLE)
def test_a_driver_that_cannot_start_is_told_with_its_reason(tmp_path, code):
    check_told(tmp_path, machine(SDBENCH_FAKE_CUDA_INIT=code), UNUSABLE[code])


@pytest.mark.parametrize("version", WITH_CUDA)
def test_each_libtorch_tells_a_driver_that_does_not_fit_its_kernel_module(tmp_path, version):
    check_told(tmp_path, machine(version, SDBENCH_FAKE_CUDA_INIT=803), UNUSABLE[803])


@pytest.mark.parametrize("version", [version for version in WITH_CUDA if version in TOO_OLD])
def test_a_driver_that_is_too_old_for_the_libtorch_is_told_with_the_one_that_it_needs(tmp_path, version):
    driver, *parts = TOO_OLD[version]
    check_told(tmp_path, machine(version, SDBENCH_FAKE_CUDA_VERSION=driver), (*parts, "update the driver", "libtorch-choice"))


@needs_no_driver
def test_a_driver_library_that_cannot_be_loaded_is_told(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libcuda.so.1").write_text("no library\n")
    check_told(tmp_path, machine(cuda=tmp_path / "lib"), ("cannot be loaded", "install the NVIDIA driver again"))


@needs_cuda
def test_a_driver_without_a_gpu_is_no_alarm_unless_a_gpu_was_asked_for(tmp_path):
    notes, auto, cuda = auto_and_cuda(tmp_path, machine(SDBENCH_FAKE_CUDA_INIT=100))
    assert not notes and not flags_of(auto)
    assert "sees no GPU; check" in cuda["error"] and "--gpus all" in cuda["error"]


@needs_cuda
def test_a_gpu_that_nvml_lists_and_cuda_does_not_see_is_told(tmp_path):
    check_told_with_nvml(tmp_path, machine(SDBENCH_FAKE_CUDA_INIT=100, nvml=FAKE_NVML), "sees no GPU; check")


@needs_no_driver
def test_nvml_without_libcuda_is_told(tmp_path):
    check_told_with_nvml(tmp_path, machine(cuda=None, nvml=FAKE_NVML), "libcuda.so.1, is not here; install")


def check_told_with_nvml(folder, env, reason):
    notes, auto, cuda = auto_and_cuda(folder, env)
    [note] = notes
    assert "(NVML lists Fake T4, Fake P100, Fake H100), but CUDA cannot use it, so this runs on the CPU: " in note
    assert reason in note and reason in cuda["error"]
    assert "gpu_unusable" in auto["flags"].split()


@needs_no_driver
def test_no_driver_at_all_is_no_news(tmp_path):
    notes, auto, cuda = auto_and_cuda(tmp_path, machine(cuda=None))
    assert not notes and not flags_of(auto)
    assert "libcuda.so.1, is not here; install" in cuda["error"]


@needs_cuda
@pytest.mark.parametrize("hidden", ["", "-1"])
def test_gpus_that_are_hidden_on_purpose_are_no_news(tmp_path, hidden):
    notes, auto, _ = auto_and_cuda(tmp_path, machine(SDBENCH_FAKE_CUDA_INIT=803, nvml=FAKE_NVML, CUDA_VISIBLE_DEVICES=hidden))
    assert not notes and not flags_of(auto)


@needs_cuda
def test_a_cell_for_the_cpu_says_nothing_of_a_driver(tmp_path):
    code, out, err = run(tmp_path, *QUICK, "--device", "cpu", env=machine(SDBENCH_FAKE_CUDA_INIT=803, nvml=FAKE_NVML))
    assert code == 0 and not notes_of(err)
    assert not flags_of(record_of(out))


@needs_cuda
def test_all_devices_are_the_cpu_alone_with_the_reason(tmp_path):
    code, out, err = run(tmp_path, *QUICK, "--device", "all", env=machine(SDBENCH_FAKE_CUDA_INIT=803))
    assert code == 0
    record = record_of(out)
    assert record["device_kind"] == "cpu" and "gpu_unusable" in record["flags"].split()
    assert "cpu alone" in err and err.count(NOTE) == 1


@needs_cuda
@pytest.mark.parametrize("code", UNUSABLE)
def test_the_list_of_devices_has_the_reason(tmp_path, code):
    env = machine(SDBENCH_FAKE_CUDA_INIT=code, nvml=FAKE_NVML)
    status, out, err = run(tmp_path, "list", "devices", env=env)
    assert status == 0, err
    assert "GPU 2  Fake H100" in out
    [line] = [line for line in out.splitlines() if line.startswith("CUDA cannot be used: ")]
    assert all(part in line for part in UNUSABLE[code])


@needs_no_driver
def test_the_list_of_devices_says_nothing_of_cuda_where_there_is_no_driver(tmp_path):
    status, out, _ = run(tmp_path, "list", "devices", "--format", "json", env=machine(cuda=None))
    assert status == 0
    [cpu] = json.loads(out)
    assert cpu["kind"] == "cpu" and cpu["cuda_problem"] is None
