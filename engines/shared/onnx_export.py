"""Writes a part as ONNX."""
import torch

from shared.quiet import quiet

OPSET = 23  # the first with attention as one operator


def _dynamic_shapes(part):
    """The axes of a part that stay open. Torch finds out by itself which of them are one."""
    return tuple({place: torch.export.Dim.DYNAMIC for place in each.axes} or None for each in part.inputs)


def export(part, module, path, is_dynamic, device="cpu"):
    """Weights lie in a file beside it: one message of ONNX holds 2 GB."""
    with quiet():
        torch.onnx.export(module, part.example(device), path, dynamo=True, opset_version=OPSET, external_data=True, verbose=False, optimize=True,
                          input_names=[each.name for each in part.inputs], output_names=list(part.outputs),
                          dynamic_shapes=_dynamic_shapes(part) if is_dynamic else None)
