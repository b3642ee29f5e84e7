"""The models of these tests, and a worker of each engine that stays for a whole file: to import torch takes longer than to compute."""
import errno
import fcntl
import importlib.util
import json
import os
import pathlib
import subprocess
import sys

import pytest
from front import ROOT, Worker, cell_of

sys.path[:0] = [str(pathlib.Path(__file__).parents[1] / "parity"), str(ROOT / "engines")]

PROGRAM = os.environ.get("SDBENCH_PROGRAM", ROOT / "build/release/bin/sdbench")
PACKAGES = {"onnxruntime": ("onnxruntime", "onnx", "onnxscript"), "openvino": ("openvino",), "tensorrt": ("tensorrt",)}


def require(engine):
    """Leaves a test out where the engine's package is not installed: it must not pass there."""
    for name in PACKAGES.get(engine, ()):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"the package {name} is not installed")


def pytest_terminal_summary(terminalreporter):
    """Names each test that was left out: .ci/stages runs those where the packages are."""
    for report in terminalreporter.getreports("skipped"):
        terminalreporter.write_line(f"left out: {report.nodeid}")


@pytest.fixture(params=(errno.ENOSYS, errno.ENOLCK))  # Lustre's refusal, and NFS's
def no_locks(request, monkeypatch):
    """As on a file system without locks."""
    def refuse(*_):
        raise OSError(request.param, os.strerror(request.param))
    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """A folder with tiny-sd15 and tiny-sdxl. SDBENCH_TINY_MODELS names one that is there; else sdbench writes them."""
    if os.environ.get("SDBENCH_TINY_MODELS"):
        return pathlib.Path(os.environ["SDBENCH_TINY_MODELS"])
    folder = tmp_path_factory.mktemp("models")
    for name in ("tiny-sd15", "tiny-sdxl"):
        subprocess.run([PROGRAM, "export-weights", "--model", name, "--weights", "synthetic", "-o", folder / name, "-q"], check=True)
    return folder


@pytest.fixture(scope="module")
def workers():
    """workers("pytorch"): one that other tests of the file use, too."""
    there = {}

    def get(engine):
        require(engine)
        if engine not in there or there[engine].process.poll() is not None:
            there[engine] = Worker(engine)
            there[engine].wait_for("hello")
        return there[engine]

    yield get
    for worker in there.values():
        worker.close()


@pytest.fixture
def sd15(models):
    return lambda **more: cell_of(models / "tiny-sd15", **more)


@pytest.fixture
def sdxl(models):
    return lambda **more: cell_of(models / "tiny-sdxl", **more)


@pytest.fixture(scope="session")
def network(tmp_path_factory):
    """network("tiny-resnet", **more): a cell of inference, with weights of chance that are the same for all."""
    import torch
    from safetensors.torch import save_file
    from shared import networks

    folder = tmp_path_factory.mktemp("networks")

    def cell(name, **more):
        document = json.loads((ROOT / f"configs/models/{name}.json").read_text())
        file = folder / f"{name}.safetensors"
        if not file.exists():
            torch.manual_seed(0)
            save_file(networks.build(document["network"]).state_dict(), file)
        weights = {"kind": "single_file", "path": str(file), "seed": 0, "fallback": False, "description": str(file)}
        return {**cell_of(folder / name), "weights": weights, "prompts": [], "width": 32, "height": 32, "steps": 1, "batch": 2, "images": 4,
                "task": "infer", "update": False, "epochs": 0, **more}

    return cell
