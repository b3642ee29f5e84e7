"""fp32 as --tf32 asks: PyTorch's switches, and what a row says of them, without a GPU."""
import sys
import types

import pytest
import torch
from front import ROOT

sys.path.insert(0, str(ROOT / "engines"))
from shared import tf32  # noqa: E402

sys.path.pop(0)


@pytest.fixture
def torch_switches():
    """As they were, afterwards."""
    owners = (torch.backends.cudnn, torch.backends.cuda.matmul)
    before = [owner.allow_tf32 for owner in owners]
    yield
    for owner, value in zip(owners, before):
        owner.allow_tf32 = value


def used(asked, dtype, **device):
    stages = {"unet": {"dtype": dtype, "autocast": False}}
    return tf32.tf32_used(types.SimpleNamespace(cell={"tf32": asked}, stages=stages, device=device))


@pytest.mark.parametrize("asked, switches", [("off", (False, False)), ("conv", (True, False)), ("on", (True, True))])
def test_convolutions_and_other_products_round_as_the_cell_asks(torch_switches, asked, switches):
    tf32.allow_tf32(asked)
    assert (torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32) == switches


@pytest.mark.parametrize("asked", ["off", "conv", "on"])
def test_a_row_says_what_is_in_force_where_it_can_be(asked):
    assert used(asked, "fp32", kind="cuda", compute_capability="8.6") == asked
    assert used(asked, "fp32", kind="cuda", compute_capability="12.0") == asked
    assert used(asked, "fp16", kind="cuda", compute_capability="8.6") == "off"
    assert used(asked, "fp32", kind="cuda", compute_capability="7.5") == "off"
    assert used(asked, "fp32", kind="cpu", compute_capability="") == "off"
