"""What the workers do on a GPU besides computing: facts, moments, memory, dtypes, what is kept. The GPU is made up (pretended_gpu.py)."""
import pathlib

import numpy
import pytest
import safetensors.numpy
from front import Worker

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


def test_onnxruntime_computes_in_torchs_memory_by_its_cuda_provider(start, sd15, tmp_path):
    pytest.importorskip("onnxruntime")
    workers = {"onnxruntime": start("onnxruntime", PRETENDED_CUDA_PROVIDER="starts"), "pytorch": start("pytorch")}
    latents = []
    for engine, worker in workers.items():
        file = tmp_path / f"{engine}.safetensors"
        result = worker.row(sd15(device="cuda:0", tf32="on", keep_folder=str(tmp_path / "kept"), dump_latents=str(file)))
        assert result["device"]["kind"] == "cuda" and result["tf32_used"] == "on"
        latents.append(safetensors.numpy.load_file(file)["latents"])
    ours, theirs = latents
    assert numpy.abs(ours - theirs).max() < 1e-3 * numpy.abs(theirs).max()


def test_a_cuda_provider_that_does_not_start_is_no_cpu_row(start, sd15, tmp_path):
    pytest.importorskip("onnxruntime")
    outcome = start("onnxruntime", PRETENDED_CUDA_PROVIDER="fails").run(sd15(device="cuda:0", keep_folder=str(tmp_path)))
    assert outcome["status"] == "skipped" and "the CUDA provider of --engine onnxruntime must start" in outcome["message"]


@pytest.mark.parametrize("engine, words", [("onnxruntime", "must have the CUDA provider for a GPU"), ("openvino", "--device must be cpu")])
def test_an_engine_that_has_no_gpu_says_so(start, sd15, engine, words):
    pytest.importorskip(engine)
    outcome = start(engine).run(sd15(device="cuda:0"))
    assert outcome["status"] == "skipped" and words in outcome["message"]
