"""A TensorRT engine as a function of torch's tensors. It is a CUDA graph once its shapes have been seen."""
import tensorrt
import torch

from shared.failure import CellFailure
from shared.trt_build import Log


def _torch_dtype(engine, name):
    kinds = {tensorrt.DataType.FLOAT: torch.float32, tensorrt.DataType.HALF: torch.float16, tensorrt.DataType.BF16: torch.bfloat16,
             tensorrt.DataType.INT64: torch.int64, tensorrt.DataType.INT32: torch.int32}
    return kinds[engine.get_tensor_dtype(name)]


class TrtCall:
    """Copies inputs into its own memory, because a CUDA graph records addresses, and copies results out of it."""

    def __init__(self, part, engine_file, torch_device):
        self.part, self.device = part, torch_device
        self.log = Log()
        self.runtime = tensorrt.Runtime(self.log)  # must live as long as its engine
        with open(engine_file, "rb") as file:
            self.engine = self.runtime.deserialize_cuda_engine(file.read())
        if self.engine is None:
            raise CellFailure("error", f"TensorRT must read its own {part.name}, but says: {' '.join(self.log.last_error.split())}")
        self.context = self.engine.create_execution_context()
        if self.context is None:
            raise torch.OutOfMemoryError(f"TensorRT has no memory for {part.name}: {self.log.last_error}")
        # Converters drop unused inputs.
        names = [self.engine.get_tensor_name(place) for place in range(self.engine.num_io_tensors)]
        self.inputs = [(place, each.name) for place, each in enumerate(part.inputs) if each.name in names]
        self.shapes = None
        self.given, self.results, self.graph = {}, {}, None

    def _take_shapes(self, shapes):
        """Allocates memory for these shapes and sets its addresses."""
        self.graph, self.shapes = None, shapes
        for (_, name), shape in zip(self.inputs, shapes):
            if not self.context.set_input_shape(name, shape):
                raise CellFailure("error", f"TensorRT's {self.part.name} must take {name} of {list(shape)}, but its profile does not: "
                                           "--dynamic-shapes on spans 512 to 1024 pixels and batch 1 to 8")
            self.given[name] = torch.empty(shape, dtype=_torch_dtype(self.engine, name), device=self.device)
        for name in self.part.outputs:
            shape = tuple(self.context.get_tensor_shape(name))
            self.results[name] = torch.empty(shape, dtype=_torch_dtype(self.engine, name), device=self.device)
        for name, tensor in {**self.given, **self.results}.items():
            self.context.set_tensor_address(name, tensor.data_ptr())

    def _enqueue(self):
        if not self.context.execute_async_v3(torch.cuda.current_stream().cuda_stream):
            raise RuntimeError(f"TensorRT cannot start {self.part.name}: {self.log.last_error}")

    def _record(self):
        """Makes one call before recording: TensorRT requires it, to allocate memory."""
        self._enqueue()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self._enqueue()

    def __call__(self, *tensors):
        shapes = [tuple(tensors[place].shape) for place, _ in self.inputs]
        if shapes != self.shapes:
            self._take_shapes(shapes)
        for place, name in self.inputs:
            self.given[name].copy_(tensors[place])
        if self.graph is None:
            self._record()
        self.graph.replay()
        return [self.results[name].clone() for name in self.part.outputs]
