"""Builds a TensorRT engine of a part from ONNX. Written for TensorRT 10's Python API."""
import os

import tensorrt

from shared.failure import CellFailure
from shared.parts import GREATEST_BATCH, GREATEST_SIDE, LEAST_SIDE


class Log(tensorrt.ILogger):
    """Keeps the last error: TensorRT's calls return None and give the reason here."""

    def __init__(self):
        super().__init__()
        self.last_error = ""

    def log(self, severity, message):
        if severity in (tensorrt.ILogger.INTERNAL_ERROR, tensorrt.ILogger.ERROR):
            self.last_error = message


def _failed(log, what):
    words = " ".join(log.last_error.split()) or "it says nothing more"
    return CellFailure("error", f"TensorRT must {what}, but says: {words[:400]}")


def span(each, factor, halves):
    """(least, greatest) shape of an input with open axes. `factor`: pixels of a latent's side; `halves`: of guidance."""
    least, greatest = list(each.shape), list(each.shape)
    for place, axis in each.axes.items():
        if axis == "batch":
            doubles = halves if each.name not in ("ids", "latents") else 1
            least[place], greatest[place] = min(doubles, each.shape[place]), max(GREATEST_BATCH * doubles, each.shape[place])
        else:  # includes the cell's own size, even if that is unusual
            least[place] = min(LEAST_SIDE // factor, each.shape[place])
            greatest[place] = max(GREATEST_SIDE // factor, each.shape[place])
    return tuple(least), tuple(greatest)


def _parsed(builder, log, onnx_file):
    # Strongly typed: each layer computes in the dtype of the file, so that the requested dtype is measured.
    network = builder.create_network(1 << int(tensorrt.NetworkDefinitionCreationFlag.STRONGLY_TYPED))
    parser = tensorrt.OnnxParser(network, log)
    if not parser.parse_from_file(onnx_file):  # by path, because the weights lie in a separate file
        log.last_error = parser.get_error(0).desc() if parser.num_errors else log.last_error
        raise _failed(log, f"read {os.path.basename(onnx_file)}")
    return network, parser


def build(part, onnx_file, engine_file, *, allow_tf32, is_dynamic, factor, halves):
    log = Log()
    builder = tensorrt.Builder(log)
    network, parser = _parsed(builder, log, onnx_file)
    config = builder.create_builder_config()
    if allow_tf32:
        config.set_flag(tensorrt.BuilderFlag.TF32)
    else:
        config.clear_flag(tensorrt.BuilderFlag.TF32)  # it is on by default
    if is_dynamic:
        profile = builder.create_optimization_profile()
        for each in (each for each in part.inputs if each.axes):
            least, greatest = span(each, factor, halves)
            profile.set_shape(each.name, least, each.shape, greatest)
        config.add_optimization_profile(profile)
    serialized = builder.build_serialized_network(network, config)
    if serialized is None:
        raise _failed(log, f"build {part.name}")
    with open(engine_file, "wb") as file:
        file.write(serialized)
    del parser  # it owns weights that the network points to until the engine is built
