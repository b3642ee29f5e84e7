"""What the workers ask torch for is there, also what only a machine with a GPU runs: such a line failed on the first one."""
import ast
import pathlib
import types

import pytest
import torch
import torch._inductor.config  # noqa: F401, a part that a worker imports

FILES = sorted((pathlib.Path(__file__).parents[2] / "engines").rglob("*.py"))

def dotted(node):
    """["torch", "cuda", "Event"] for torch.cuda.Event; nothing for what does not begin with a name."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []

def names_of_torch(file):
    return sorted({tuple(name) for node in ast.walk(ast.parse(file.read_text())) if (name := dotted(node))[:1] == ["torch"]})

def is_there(name):
    """As far as modules and classes go: what an object has, only a run tells."""
    value = torch
    for part in name[1:]:
        if not isinstance(value, (types.ModuleType, type)) or value is torch.ops:
            return True
        if not hasattr(value, part):
            return False
        value = getattr(value, part)
    return True

def test_a_name_that_torch_has_not_is_found():
    assert is_there(("torch", "cuda", "Event"))
    assert not is_there(("torch", "_C", "_cuda_no_such_name"))

@pytest.mark.parametrize("file", [file for file in FILES if names_of_torch(file)], ids=lambda file: file.name)
def test_every_name_of_torch_is_there(file):
    assert [".".join(name) for name in names_of_torch(file) if not is_there(name)] == []
