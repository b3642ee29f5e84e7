"""What several of the program's tests use: the program over a stub worker, and the models of the parity tests."""

import pathlib
import shutil
import sys

import numpy as np
import pytest
from program import PROGRAM
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
from stub import Stub, install

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "parity"))


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """An installed sdbench whose worker is the stub."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def stub(program, tmp_path):
    return Stub(program, tmp_path)


@pytest.fixture
def own_share(tmp_path):
    """A copy of share/sdbench that a test may damage, without the large models' golden files."""
    shipped = pathlib.Path(PROGRAM).resolve().parent.parent / "share" / "sdbench"
    copy = tmp_path / "share"
    shutil.copytree(shipped, copy, ignore=shutil.ignore_patterns("sd*.safetensors"))
    return copy


@pytest.fixture
def share_of_other_latents(own_share):
    """Such a copy whose golden latents of tiny-sd15 nobody computes."""
    golden = own_share / "golden" / "tiny-sd15.safetensors"
    with safe_open(golden, "np") as file:
        metadata = file.metadata()
    tensors = load_file(golden)
    tensors["latents"] = tensors["latents"] * np.float32(1.5)
    save_file(tensors, golden, metadata=metadata)
    return own_share
