"""A TensorRT for tests where there is no GPU. It has the calls of TensorRT 10 that engines/ makes, with their names and arguments, and
refuses all others; what it computes is computed by ONNX Runtime, into the addresses that it was given."""
import ctypes
import enum
import pathlib

import numpy
import onnx
import onnxruntime


class NetworkDefinitionCreationFlag(enum.IntEnum):
    STRONGLY_TYPED = 1


class BuilderFlag(enum.IntEnum):
    TF32 = 7


class DataType(enum.IntEnum):
    FLOAT = 0
    HALF = 1
    INT32 = 3
    BF16 = 7
    INT64 = 8


class ILogger:
    INTERNAL_ERROR, ERROR, WARNING, INFO, VERBOSE = range(5)

    def __init__(self):
        pass


class Network:
    def __init__(self, flags):
        assert flags == 1 << int(NetworkDefinitionCreationFlag.STRONGLY_TYPED)
        self.model = None


class Profile:
    def __init__(self):
        self.shapes = {}

    def set_shape(self, input, min, opt, max):
        assert all(a <= b <= c for a, b, c in zip(min, opt, max)), (input, min, opt, max)
        self.shapes[input] = (min, opt, max)


class Config:
    def __init__(self):
        self.flags, self.profiles = {BuilderFlag.TF32}, []

    def set_flag(self, flag):
        self.flags.add(flag)

    def clear_flag(self, flag):
        self.flags.discard(flag)

    def add_optimization_profile(self, profile):
        self.profiles.append(profile)
        return len(self.profiles) - 1


class ParserError:
    def desc(self):
        return "an operator that it does not know"


class OnnxParser:
    def __init__(self, network, logger):
        assert isinstance(network, Network) and isinstance(logger, ILogger)
        self.network, self.num_errors = network, 0

    def parse_from_file(self, model):
        assert isinstance(model, str), "a path is a str"
        if b"broken" in pathlib.Path(model).read_bytes()[:100]:
            self.num_errors = 1
            return False
        self.network.model = onnx.load(model)
        return True

    def get_error(self, index):
        assert index < self.num_errors
        return ParserError()


class Builder:
    def __init__(self, logger):
        assert isinstance(logger, ILogger)

    def create_network(self, flags=0):
        return Network(flags)

    def create_builder_config(self):
        return Config()

    def create_optimization_profile(self):
        return Profile()

    def build_serialized_network(self, network, config):
        is_open = any(d.dim_param for i in network.model.graph.input for d in i.type.tensor_type.shape.dim)
        assert bool(config.profiles) == is_open, "open axes need a profile"
        Runtime.profiles = config.profiles[0].shapes if config.profiles else {}
        return network.model.SerializeToString()


class Context:
    def __init__(self, engine):
        self.engine, self.shapes, self.addresses = engine, {}, {}

    def set_input_shape(self, name, shape):
        if name in self.engine.profiles:
            least, _, greatest = self.engine.profiles[name]
            if not all(a <= b <= c for a, b, c in zip(least, shape, greatest)):
                return False
        self.shapes[name] = tuple(shape)
        return True

    def get_tensor_shape(self, name):
        return self.engine.result_shapes(self.shapes)[name]

    def set_tensor_address(self, name, memory):
        assert isinstance(memory, int)
        self.addresses[name] = memory
        return True

    def execute_async_v3(self, stream_handle):
        assert isinstance(stream_handle, int) and len(self.addresses) == self.engine.num_io_tensors
        given = {}
        for name, shape in self.shapes.items():
            array = numpy.empty(shape, self.engine.kind(name))
            ctypes.memmove(array.ctypes.data, self.addresses[name], array.nbytes)
            given[name] = array
        for name, result in zip(self.engine.outputs, self.engine.session.run(self.engine.outputs, given)):
            ctypes.memmove(self.addresses[name], numpy.ascontiguousarray(result).ctypes.data, result.nbytes)
        return True


class Engine:
    KINDS = {"tensor(float)": (numpy.float32, DataType.FLOAT), "tensor(int64)": (numpy.int64, DataType.INT64)}

    def __init__(self, data, profiles):
        self.session, self.profiles = onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"]), profiles
        self.nodes = {node.name: node for node in [*self.session.get_inputs(), *self.session.get_outputs()]}
        self.inputs = [node.name for node in self.session.get_inputs()]
        self.outputs = [node.name for node in self.session.get_outputs()]
        self.num_io_tensors = len(self.nodes)

    def kind(self, name):
        return self.KINDS[self.nodes[name].type][0]

    def get_tensor_name(self, index):
        return list(self.nodes)[index]

    def get_tensor_dtype(self, name):
        return self.KINDS[self.nodes[name].type][1]

    def create_execution_context(self):
        return Context(self)

    def result_shapes(self, shapes):
        given = {name: numpy.ones(shape, self.kind(name)) for name, shape in shapes.items()}
        return {name: result.shape for name, result in zip(self.outputs, self.session.run(self.outputs, given))}


class Runtime:
    profiles = {}

    def __init__(self, logger):
        assert isinstance(logger, ILogger)

    def deserialize_cuda_engine(self, serialized_engine):
        assert isinstance(serialized_engine, bytes)
        return None if serialized_engine == b"broken" else Engine(serialized_engine, self.profiles)
