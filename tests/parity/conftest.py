"""What holds in each of these files. It imports nothing heavy: diffusers takes seconds, and not every file needs it."""

import gc
import os
import sys

import pytest

gc.disable()  # while modules are imported, which takes a sixth longer else
os.environ["OMP_NUM_THREADS"] = "1"  # before torch: on tensors this small, threads only wait for each other


@pytest.fixture(autouse=True, scope="session")
def no_gradients():
    if "torch" in sys.modules:
        sys.modules["torch"].set_grad_enabled(False)


@pytest.fixture(autouse=True, scope="session")
def modules_are_no_garbage():
    """What was imported stays: to look through it for garbage, again and again, takes a tenth of the time."""
    gc.freeze()
    gc.enable()
