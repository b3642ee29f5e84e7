"""What several of the program's tests use: the program over a stub worker, and the models of the parity tests."""

import pathlib
import sys

import pytest
from stub import Stub, install

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "parity"))


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    """An installed sdbench whose worker is the stub."""
    return install(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def stub(program, tmp_path):
    return Stub(program, tmp_path)
