"""What the workers do on a GPU besides computing: facts, moments, memory, dtypes, what is kept. The GPU is made up (pretended_gpu.py)."""
import pathlib
import sys

import numpy
import pytest
import safetensors.numpy
import torch
from front import ROOT, Worker

PROGRAM = pathlib.Path(__file__).parent / "pretended_gpu.py"
FP16 = {"dtype": "fp16", "autocast": False}


@pytest.fixture(scope="module")
def start():
    """start("pytorch"): one for all tests that ask for the same."""
    there = {}

    def begin(engine, **env):
        key = (engine, *env.items())
        if key not in there:
            there[key] = Worker(engine, PROGRAM, env)
            there[key].wait_for("hello")
        return there[key]

    yield begin
    for worker in there.values():
        worker.close()


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder for exports of ONNX, which take longer than the tests."""
    return str(tmp_path_factory.mktemp("kept"))


def test_a_gpu_comes_before_the_cpu_with_its_facts(start):
    worker = start("pytorch")
    assert worker.ask("devices") == {"status": "ok"}
    gpu, cpu = (event["device"] for event in worker.of("device"))
    assert (gpu["kind"], gpu["name"], gpu["arch"], gpu["compute_capability"]) == ("cuda", "Pretended GPU", "Hopper", "9.0")
    assert (gpu["uuid"], gpu["pci_address"], gpu["sm_count"], gpu["index"]) == ("GPU-0123", "00000000:06:00.0", 132, 0)
    assert gpu["cuda_driver_version"] == "" or "." in gpu["cuda_driver_version"]  # no driver is here, or its own
    assert cpu["kind"] == "cpu"


def test_a_row_of_a_gpu_has_its_moments_and_its_memory(start, sd15):
    worker = start("pytorch")
    result = worker.row(sd15(device="cuda:0", dtype=FP16, steps=3, repeat=2, warmup=1))
    assert result["device"]["kind"] == "cuda" and result["device"]["memory_free_bytes"] == 60 << 30
    assert result["dtype_unet"] == FP16 and result["attention_used"] == "sdpa" and result["memory_format_used"] == "channels-last"
    assert (result["peak_device_used_bytes"], result["peak_device_allocated_bytes"], result["peak_device_reserved_bytes"]) == (
        20 << 30, 2 << 30, 3 << 30)
    assert result["flags"] == ["allocating"]
    for sample in [result["first_image"], *result["samples"]]:
        assert len(sample["step_s"]) == 3 and all(seconds > 0 for seconds in sample["step_s"])
        assert sum(part["seconds"] for part in sample["parts"]) <= sample["e2e_s"]
    assert [event["step"] for event in worker.of("step")][-1] == 2


@pytest.mark.parametrize("engine", ["pytorch", "pytorch-compile"])
@pytest.mark.parametrize("task", ["infer", "train"])
def test_a_network_s_row_of_a_gpu_has_its_moments_and_its_memory(start, network, engine, task):
    result = start(engine).row(network("tiny-resnet", task=task, update=True, device="cuda:0", repeat=2, tf32="conv"))
    assert result["device"]["kind"] == "cuda" and result["tf32_used"] == "conv" and result["dtype_unet"] == {"dtype": "fp32", "autocast": False}
    assert (result["peak_device_used_bytes"], result["peak_device_allocated_bytes"]) == (20 << 30, 2 << 30)
    for sample in [result["first_image"], *result["samples"]]:
        assert len(sample["step_s"]) == 2 and sum(part["seconds"] for part in sample["parts"]) <= sample["e2e_s"]


def test_without_a_dtype_a_gpu_takes_fp16_and_goes_on_in_bf16_where_that_is_not_finite(start, sd15):
    assert start("pytorch").row(sd15(device="cuda:0", dtype=None))["dtype_unet"] == FP16
    worker = start("pytorch", PRETENDED_FP16_IS_NAN="1")
    assert worker.row(sd15(device="cuda:0", dtype=None))["dtype_unet"]["dtype"] == "bf16"
    assert any("not finite" in event["text"] for event in worker.of("note"))


@pytest.mark.parametrize("asked", ["off", "conv", "on"])
def test_tf32_is_as_asked_in_fp32(start, sd15, asked):
    worker = start("pytorch")
    assert worker.row(sd15(device="cuda:0", tf32=asked))["tf32_used"] == asked


def test_auto_takes_the_gpu_and_an_unknown_one_is_refused(start, sd15):
    worker = start("pytorch")
    assert worker.row(sd15(device="auto", dtype=FP16))["device"]["kind"] == "cuda"
    outcome = worker.run(sd15(device="cuda:1", dtype=FP16))
    assert outcome["status"] == "error" and "Pretended GPU" in outcome["message"]


def test_what_is_compiled_for_a_gpu_has_a_place_to_be_kept(start, sd15, tmp_path):
    worker = start("pytorch-compile")
    result = worker.row(sd15(device="cuda:0", dtype=FP16, keep_folder=str(tmp_path)))
    assert result["prepared"] == "new" and result["prepare_s"] > 0 and "prepare" in worker.stages()
    assert list(tmp_path.rglob("manifest.json"))


def test_onnxruntime_computes_in_torchs_memory_by_its_cuda_provider(start, sd15, tmp_path, kept):
    pytest.importorskip("onnxruntime")
    workers = {"onnxruntime": start("onnxruntime", PRETENDED_CUDA_PROVIDER="starts"), "pytorch": start("pytorch")}
    latents = []
    for engine, worker in workers.items():
        file = tmp_path / f"{engine}.safetensors"
        result = worker.row(sd15(device="cuda:0", tf32="on", keep_folder=kept, dump_latents=str(file)))
        assert result["device"]["kind"] == "cuda" and result["tf32_used"] == "on"
        latents.append(safetensors.numpy.load_file(file)["latents"])
    ours, theirs = latents
    assert numpy.abs(ours - theirs).max() < 1e-3 * numpy.abs(theirs).max()


def graphs_of(worker, cell):
    """Which parts were opened with a CUDA graph, and which without one."""
    worker.words.clear()
    worker.row(cell)
    return {line.strip() for line in worker.words if line.rstrip().endswith(" a graph")}


def test_onnxruntime_records_a_cuda_graph_unless_shapes_are_open(start, sd15, kept):
    """A graph of open shapes would read memory that a run of other shapes has overwritten."""
    pytest.importorskip("onnxruntime")
    worker = start("onnxruntime", PRETENDED_CUDA_PROVIDER="starts")
    parts = ("text_encoder", "unet", "vae")
    assert graphs_of(worker, sd15(device="cuda:0", steps=3, repeat=2, keep_folder=kept)) == {f"{part} with a graph" for part in parts}
    assert graphs_of(worker, sd15(device="cuda:0", dynamic_shapes="on")) == {f"{part} without a graph" for part in parts}
    assert not [event for event in worker.of("note") if "CUDA graph" in event["text"]]


def test_onnxruntime_computes_without_a_cuda_graph_what_has_operators_on_the_cpu(start, sd15, kept):
    pytest.importorskip("onnxruntime")
    worker = start("onnxruntime", PRETENDED_CUDA_PROVIDER="starts", PRETENDED_CPU_NODES="1")
    assert "unet without a graph" in graphs_of(worker, sd15(device="cuda:0", keep_folder=kept))
    notes = [event["text"] for event in worker.of("note")]
    assert any("the UNet without a CUDA graph: it computes some operators on the CPU" in text for text in notes), notes


def test_onnxruntime_1_23_gets_attention_in_operators_that_its_cuda_provider_has(start, sd15, tmp_path, kept):
    pytest.importorskip("onnxruntime")
    latents = []
    for more in ({}, {"PRETENDED_RELEASE": "1.23.2"}):
        worker = start("onnxruntime", PRETENDED_CUDA_PROVIDER="starts", **more)
        file = tmp_path / f"{len(latents)}.safetensors"
        result = worker.row(sd15(device="cuda:0", keep_folder=kept, dump_latents=str(file)))
        latents.append(safetensors.numpy.load_file(file)["latents"])
    assert result["prepared"] == "new"  # it does not take what is kept for later releases
    assert numpy.abs(latents[0] - latents[1]).max() < 1e-3 * numpy.abs(latents[0]).max()


def test_a_cuda_provider_that_does_not_start_is_no_cpu_row(start, sd15, kept):
    pytest.importorskip("onnxruntime")
    outcome = start("onnxruntime", PRETENDED_CUDA_PROVIDER="fails").run(sd15(device="cuda:0", keep_folder=kept))
    assert outcome["status"] == "skipped" and "the CUDA provider of --engine onnxruntime must start" in outcome["message"]


@pytest.mark.parametrize("engine, words", [("onnxruntime", "must have the CUDA provider for a GPU"), ("openvino", "--device must be cpu or intel")])
def test_an_engine_that_has_no_gpu_says_so(start, sd15, engine, words):
    pytest.importorskip(engine)
    outcome = start(engine).run(sd15(device="cuda:0"))
    assert outcome["status"] == "skipped" and words in outcome["message"]


def test_openvino_tells_intel_gpus_with_their_facts_before_the_cpu(start):
    pytest.importorskip("openvino")
    worker = start("openvino", PRETENDED_INTEL_GPUS="2")
    assert worker.ask("devices") == {"status": "ok"}
    *gpus, cpu = (event["device"] for event in worker.of("device"))
    assert gpus == [{"kind": "intel", "index": index, "name": "Pretended Arc (dGPU)", "arch": "v12.55.8", "memory_total_bytes": 16 << 30}
                    for index in (0, 1)]
    assert cpu["kind"] == "cpu"


@pytest.mark.parametrize("device, dtype, hint", [("intel", "fp32", "f32"), ("intel:1", "fp16", "f16")])
def test_openvino_computes_on_an_intel_gpu_in_the_precision_that_was_asked_for(start, sd15, tmp_path, device, dtype, hint):
    """The made-up GPU computes in fp32, so what differs from the CPU's is what goes in and out. Guidance would multiply that."""
    pytest.importorskip("openvino")
    worker = start("openvino", PRETENDED_INTEL_GPUS="2")
    latents = []
    for place, kind in ((device, dtype), ("cpu", "fp32")):  # in one worker: what is loaded for the one must not serve the other
        worker.words.clear()
        result = worker.row(sd15(device=place, guidance=1.0, dtype={"dtype": kind, "autocast": False}, dump_latents=str(tmp_path / f"{place}.safetensors")))
        assert result["device"]["kind"] == place.partition(":")[0] and result["dtype_unet"]["dtype"] == kind and result["prepared"] == "new"
        assert "peak_device_used_bytes" not in result and not [event for event in worker.of("note") if "fp16 on a CPU" in event["text"]]
        compiled = {line.strip() for line in worker.words if line.startswith("compiles for")}
        number = device.partition(":")[2] or 0
        assert compiled == {f"compiles for GPU.{number} {hint}" if place == device else "compiles for CPU f32"}
        latents.append(safetensors.numpy.load_file(tmp_path / f"{place}.safetensors")["latents"])
    ours, theirs = latents
    bound = {"fp32": 1e-5, "fp16": 5e-3}[dtype]
    assert numpy.abs(ours - theirs).max() < bound * numpy.abs(theirs).max()


def test_without_a_dtype_an_intel_gpu_takes_fp16_and_bf16_is_refused(start, sd15, tmp_path):
    pytest.importorskip("openvino")
    worker = start("openvino", PRETENDED_INTEL_GPUS="1")
    result = worker.row(sd15(device="intel:0", dtype=None, save_images=str(tmp_path)))
    assert result["dtype_unet"] == FP16
    assert [file.name for file in tmp_path.iterdir()] == ["tiny-sd15-64x64-2steps-seed3-intel0.png"]
    outcome = worker.run(sd15(device="intel:0", dtype={"dtype": "bf16", "autocast": False}))
    assert outcome["status"] == "skipped" and "--dtype must be fp32 or fp16 with --engine openvino" in outcome["message"]


def test_an_intel_gpu_that_is_full_is_out_of_memory(start, sd15):
    pytest.importorskip("openvino")
    outcome = start("openvino", PRETENDED_INTEL_GPUS="1", PRETENDED_GPU_IS_FULL="1").run(sd15(device="intel"))
    assert outcome["status"] == "oom_device" and "Exceeded max size" in outcome["message"], outcome


@pytest.mark.parametrize("count, sees", [("1", "intel:0 (Pretended Arc (dGPU))"), ("0", "the CPU alone")])
def test_an_intel_gpu_that_is_not_there_is_a_row_that_says_what_openvino_sees(start, sd15, count, sees):
    pytest.importorskip("openvino")
    outcome = start("openvino", PRETENDED_INTEL_GPUS=count).run(sd15(device="intel:1"))
    assert outcome["status"] == "error" and f"Intel GPU 1 must be seen by OpenVINO, but it sees {sees}; install" in outcome["message"]


@pytest.mark.parametrize("engine", ["pytorch", "onnxruntime"])
def test_an_engine_that_knows_no_intel_gpus_says_so(start, sd15, engine):
    pytest.importorskip(engine if engine != "pytorch" else "torch")
    outcome = start(engine).run(sd15(device="intel:0"))
    assert outcome["status"] == "skipped" and "--device must be cpu or cuda with --engine" in outcome["message"]


def test_xformers_without_its_package_says_how_to_install_it_beside_this_torch(start, sd15):
    outcome = start("pytorch").run(sd15(device="cuda:0", dtype=FP16, attention="xformers"))
    assert outcome["status"] == "skipped" and "must have the package xformers beside torch, but it is not installed; run" in outcome["message"]
    sys.path.insert(0, str(ROOT / "engines"))
    from kinds.pytorch import xformers_for

    assert f"run {sys.executable} -m pip install --no-deps {xformers_for(torch.__version__)}, or take --attention sdpa" in outcome["message"]
    assert xformers_for("2.11.0+cpu") == "xformers==0.0.35" and "made for torch 2.7.1)" in xformers_for("2.7.1+cu126")
