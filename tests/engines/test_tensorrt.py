"""TensorRT's part without a GPU: a stub has its calls and computes by ONNX Runtime. A GPU alone shows that the real one takes them."""
import contextlib
import pathlib
import sys
import types

import pytest
from conftest import require
from front import ROOT

HERE = pathlib.Path(__file__).parent


class Graph:
    """Of CUDA: what was started while it was recorded starts again at each replay."""
    recording, starts = None, 0

    def __init__(self):
        self.calls = []

    def replay(self):
        for call in self.calls:
            call()


@pytest.fixture(scope="module")
def trt():
    """The modules over the stub, and a torch whose CUDA does nothing."""
    for engine in ("onnxruntime",):
        require(engine)
    sys.path[:0] = [str(ROOT / "engines"), str(HERE / "stub_tensorrt")]
    import tensorrt
    import torch

    from shared import onnx_export, parts, trt_build, trt_call

    patch = pytest.MonkeyPatch()

    @contextlib.contextmanager
    def graph(into):
        Graph.recording = into
        yield
        Graph.recording = None

    start = tensorrt.Context.execute_async_v3

    def started(self, stream_handle):
        if Graph.recording is not None:
            Graph.recording.calls.append(lambda: start(self, stream_handle))
            return True
        Graph.starts += 1
        return start(self, stream_handle)

    patch.setattr(tensorrt.Context, "execute_async_v3", started)
    patch.setattr(torch.cuda, "CUDAGraph", Graph)
    patch.setattr(torch.cuda, "graph", graph)
    patch.setattr(torch.cuda, "synchronize", lambda: None)
    patch.setattr(torch.cuda, "current_stream", lambda: type("Stream", (), {"cuda_stream": 0}))
    with torch.no_grad():
        yield type("Trt", (), {"torch": torch, "parts": parts, "export": onnx_export.export_by_trace, "build": trt_build.build,
                               "span": staticmethod(trt_build.span), "Call": trt_call.TrtCall})
    patch.undo()
    del sys.path[:2]


def built(trt, folder, is_dynamic):
    torch, Input = trt.torch, trt.parts.Input
    part = trt.parts.Part("vae", (Input("latents", (1, 4, 64, 64), torch.float32, {0: "batch", 2: "height", 3: "width"}),), ("image",))
    module = torch.nn.Sequential(torch.nn.Conv2d(4, 3, 3, padding=1), torch.nn.Upsample(scale_factor=2)).eval()
    trt.export(part, module, part.example(), str(folder / "vae.onnx"), is_dynamic, 20)
    trt.build(part, str(folder / "vae.onnx"), str(folder / "vae.engine"), allow_tf32=False, is_dynamic=is_dynamic, factor=8, halves=2)
    return module, trt.Call(part, str(folder / "vae.engine"), "cpu")


def test_an_engine_computes_what_torch_does_and_its_results_are_its_callers(trt, tmp_path):
    module, call = built(trt, tmp_path, False)
    one, two = (trt.torch.randn(1, 4, 64, 64) for _ in range(2))
    first, second = call(one)[0], call(two)[0]
    assert trt.torch.allclose(first, module(one), atol=1e-4) and trt.torch.allclose(second, module(two), atol=1e-4)


def test_a_graph_is_recorded_once_for_a_shape(trt, tmp_path):
    _, call = built(trt, tmp_path, False)
    Graph.starts = 0
    for _ in range(3):
        call(trt.torch.ones(1, 4, 64, 64))
    assert Graph.starts == 1


def test_open_shapes_are_from_512_to_1024_pixels_and_1_to_8_images(trt, tmp_path):
    module, call = built(trt, tmp_path, True)
    image = trt.torch.randn(8, 4, 128, 96)
    assert trt.torch.allclose(call(image)[0], module(image), atol=1e-4)
    with pytest.raises(Exception, match="its profile does not"):
        call(trt.torch.ones(1, 4, 160, 64))


def test_guidance_doubles_the_batches_of_a_unet(trt):
    each = trt.parts.Input("sample", (2, 4, 64, 64), trt.torch.float32, {0: "batch", 2: "height", 3: "width"})
    assert trt.span(each, 8, 2) == ((2, 4, 64, 64), (16, 4, 128, 128))


def test_open_shapes_are_built_for_each_shape_and_kept_apart(trt):
    from kinds import tensorrt as kind

    def key(**more):
        cell = {"model": "m", "weights": "w", "clip_skip": 0, "tf32": "off", "width": 512, "height": 512, "batch": 1, **more}
        guided = cell.pop("guided", True)
        return kind.key_of(types.SimpleNamespace(cell=cell, stages={}, device={"kind": "cuda"}, threads=1, guided=guided, shapes=lambda: "dynamic"))

    assert key() == key()
    for other in ({"width": 768}, {"height": 768}, {"batch": 2}, {"guided": False}):
        assert key(**other) != key(), other


def test_what_it_cannot_read_is_told_in_its_words(trt, tmp_path):
    (tmp_path / "vae.onnx").write_bytes(b"broken")
    part = trt.parts.Part("vae", (), ())
    with pytest.raises(Exception, match="TensorRT must read vae.onnx, but says: an operator"):
        trt.build(part, str(tmp_path / "vae.onnx"), str(tmp_path / "x"), allow_tf32=True, is_dynamic=False, factor=8, halves=1)
    (tmp_path / "vae.engine").write_bytes(b"broken")
    with pytest.raises(Exception, match="must read its own vae"):
        trt.Call(part, str(tmp_path / "vae.engine"), "cpu")
