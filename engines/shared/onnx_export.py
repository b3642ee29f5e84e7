"""Writes a part as ONNX."""
import torch

from shared.quiet import quiet

OPSET = 23  # the first with attention as one operator
OPSET_BEFORE_ATTENTION = 22


def _dynamic_shapes(part):
    """The axes of a part that stay open. torch finds out by itself which of them are equal."""
    return tuple({place: torch.export.Dim.DYNAMIC for place in each.axes} or None for each in part.inputs)


def export(part, module, example, path, is_dynamic, opset):
    """Writes weights to a separate file, because an ONNX message holds at most 2 GB."""
    with quiet():
        torch.onnx.export(module, example, path, dynamo=True, opset_version=opset, external_data=True, verbose=False, optimize=True,
                          input_names=[each.name for each in part.inputs], output_names=list(part.outputs),
                          dynamic_shapes=_dynamic_shapes(part) if is_dynamic else None)


def export_by_trace(part, module, example, path, is_dynamic, opset):
    """Uses the older exporter, whose operators every parser supports. Weights over 2 GB go to separate files."""
    axes = {each.name: {place: f"{axis}_{each.name}" if axis == "batch" else axis for place, axis in each.axes.items()} for each in part.inputs}
    with quiet():
        torch.onnx.export(module, example, path, dynamo=False, opset_version=opset, do_constant_folding=True,
                          input_names=[each.name for each in part.inputs], output_names=list(part.outputs),
                          dynamic_axes=axes if is_dynamic else None)
