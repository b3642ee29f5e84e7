"""Classic networks in the workers of other engines, on a CPU."""
import functools
import json
import os
import pathlib
import resource
import tempfile
import types

import pytest
import torch
from front import ROOT, Worker
from safetensors.torch import load_file, save_file
from shared import networks
from shared.network_work import made_up_batch
from shared.synthetic import synthetic_images
from torch.nn import functional

PATCHED = pathlib.Path(__file__).parent / "patched.py"
FP32 = {"dtype": "fp32", "autocast": False}


def model_of(cell):
    model = networks.build(json.loads(cell["model"]["source"])["network"])
    model.load_state_dict(load_file(cell["weights"]["path"]))
    return model


def logits(worker, cell, path):
    worker.row({**cell, "dump_latents": str(path)})
    return load_file(path)["logits"]


def batch_of(cell):
    config = json.loads(cell["model"]["source"])["network"]
    return synthetic_images(config, cell["batch"], cell["seed"]), torch.arange(cell["batch"]) % config["classes"]


@pytest.mark.parametrize("task, parts", [("infer", ["forward"]), ("train", ["forward", "backward", "update"])])
def test_a_row_says_what_computed_and_how_long_each_part_took(workers, network, task, parts):
    worker = workers("pytorch")
    result = worker.row(network("tiny-resnet", task=task, repeat=2, warmup=1))
    assert worker.stages() == ["load", "first_image", "warmup", "measure"]
    assert result["engine"] == "pytorch" and result["runtime_version"].startswith("torch ") and "torchvision 0." in result["runtime_version"]
    assert result["dtype_unet"] == FP32 and not {"dtype_vae", "dtype_text", "vae_tiles", "unet_calls"} & set(result)
    assert (result["threads"], result["warmup"], result["stop_reason"], result["output_check"]) == (2, 1, "repeat", "pass")
    assert (result["memory_format_used"], result["tf32_used"]) == ("channels-last", "off")
    assert result["weights_identity"].startswith("meta:") and result["weights_dtype"].startswith("fp32") and result["peak_host_bytes"] > 0
    for sample in [result["first_image"], *result["samples"]]:
        assert [part["name"] for part in sample["parts"]] == parts and len(sample["step_s"]) == 2
        assert sum(part["seconds"] for part in sample["parts"]) == pytest.approx(sum(sample["step_s"])) and sum(sample["step_s"]) <= sample["e2e_s"]
    assert ("loss_first" in result) == (task == "train")


@pytest.mark.parametrize("name, memory_format", [("tiny-densenet", "contiguous"), ("tiny-densenet", "channels-last"), ("cnn10", "auto"),
                                                 ("tiny-vgg", "auto")])
def test_answers_are_the_network_s_in_each_format(workers, network, tmp_path, name, memory_format):
    cell = network(name, memory_format=memory_format, seed=7)
    found = logits(workers("pytorch"), cell, tmp_path / "logits")
    with torch.no_grad():
        expected = model_of(cell).eval()(batch_of(cell)[0])
    assert found.shape == (2, 10) and (found - expected).abs().max() < 1e-5 * expected.abs().max()


def test_training_is_sgd_with_momentum_by_the_batch_s_rate(workers, network):
    cell = network("tiny-wrn", task="train", update=True, batch=8, images=32, repeat=1)
    result = workers("pytorch").row(cell)
    model, (images, labels) = model_of(cell).train(), batch_of(cell)
    optimizer, losses = torch.optim.SGD(model.parameters(), 0.1 * 8 / 128, 0.9), []
    with torch.enable_grad():
        for _ in range(8):  # the first run, and a timed one
            loss = functional.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
    assert result["loss_first"] == pytest.approx(losses[0], rel=1e-5) and result["loss_last"] == pytest.approx(losses[-1], rel=1e-3)


def test_an_iteration_that_lasts_long_says_with_which_part_it_goes_on(workers, network):
    cell = network("tiny-wrn", task="train", repeat=1)
    with Worker("pytorch", PATCHED) as worker:
        result = worker.row(cell)
        told = [event["text"] for event in worker.of("doing") if " of iteration " in event["text"]]
    count = len(result["samples"][0]["step_s"])
    assert told[-2 * count:] == [f"{part} of iteration {number + 1}" for number in range(count) for part in ("backward", "update")]
    worker = workers("pytorch")
    worker.row(cell)
    assert not [event for event in worker.of("doing") if " of iteration " in event["text"]]


def test_training_without_the_step_changes_no_weight_and_a_next_cell_has_those_of_the_file(workers, network, tmp_path):
    worker = workers("pytorch")
    before = logits(worker, network("tiny-resnet"), tmp_path / "before")
    still = worker.row(network("tiny-resnet", task="train"))
    assert still["load_s"] == 0 and still["loss_last"] == pytest.approx(still["loss_first"], rel=1e-6)
    worker.row(network("tiny-resnet", task="train", update=True))
    assert torch.equal(logits(worker, network("tiny-resnet"), tmp_path / "after"), before)


@pytest.mark.parametrize("dtype", ["bf16", "autocast-bf16", "autocast-fp16"])
@pytest.mark.parametrize("task", ["infer", "train"])
def test_other_formats_give_nearly_the_same(workers, network, tmp_path, dtype, task):
    worker, precision = workers("pytorch"), {"dtype": dtype.removeprefix("autocast-"), "autocast": dtype.startswith("autocast")}
    cell = network("tiny-resnet", task=task, update=True, dtype=precision)
    if task == "infer":
        found, expected = logits(worker, cell, tmp_path / "a"), logits(worker, {**cell, "dtype": FP32}, tmp_path / "b")
        assert 0 < (found - expected).abs().max() < 0.05 * expected.abs().max()
        return
    result, wide = worker.row(cell), worker.row({**cell, "dtype": FP32})
    assert result["dtype_unet"] == precision and result["loss_first"] == pytest.approx(wide["loss_first"], rel=0.05)


def test_what_is_not_finite_is_told_with_its_iteration(workers, network, tmp_path):
    cell = network("tiny-resnet")
    tensors = load_file(cell["weights"]["path"])
    save_file({**tensors, "fc.bias": tensors["fc.bias"] * torch.nan}, tmp_path / "nan.safetensors")
    cell["weights"] = {**cell["weights"], "path": str(tmp_path / "nan.safetensors")}
    for task, words in (("infer", "the network's answers must be finite"), ("train", "NaN or infinite from iteration 1 of a run on; look at the weights")):
        outcome = workers("pytorch").run({**cell, "task": task})
        assert outcome["status"] == "invalid_output" and words in outcome["message"], outcome
        assert outcome["result"]["output_check"] == "non_finite"


@pytest.mark.parametrize("change, words", [
    (lambda tensors: tensors.pop("fc.bias"), "1 are missing and 0 are unknown (fc.bias)"),
    (lambda tensors: tensors.update(extra=torch.zeros(1)), "0 are missing and 1 are unknown (extra)"),
    (lambda tensors: tensors.update({"fc.bias": torch.zeros(3)}), "cannot be read (size mismatch for fc.bias")])
def test_weights_of_another_network_are_told_in_one_line(workers, network, tmp_path, change, words):
    cell = network("tiny-resnet")
    tensors = load_file(cell["weights"]["path"])
    change(tensors)
    save_file(tensors, tmp_path / "other.safetensors")
    outcome = workers("pytorch").run({**cell, "weights": {**cell["weights"], "path": str(tmp_path / "other.safetensors")}})
    assert outcome["status"] == "error" and words in outcome["message"] and "\n" not in outcome["message"]


def test_a_batch_that_the_host_has_no_memory_for_is_told_with_options_that_networks_have(network):
    sixteen_gb = functools.partial(resource.setrlimit, resource.RLIMIT_AS, (1 << 34, 1 << 34))
    with Worker("pytorch", limit=sixteen_gb) as worker:
        outcome = worker.run(network("tiny-resnet", batch=10_000_000, images=10_000_000))
    assert outcome["status"] == "oom_host" and outcome["message"].endswith("; use a smaller model or --batch, or --dtype bf16 or fp16"), outcome


def test_an_engine_without_networks_says_so(workers, network):
    outcome = workers("openvino").run(network("tiny-resnet"))
    assert outcome["status"] == "skipped" and "--engine must be one that computes networks for tiny-resnet" in outcome["message"]


def test_a_network_is_compiled_before_its_first_run_for_its_task_and_batch(network, tmp_path):
    with Worker("pytorch-compile", PATCHED) as worker:
        for task in ("infer", "train"):
            result = worker.row(network("tiny-wrn", task=task, update=task == "train"))
            assert result["prepared"] == "new" and result["prepare_s"] > 0 and result["engine"] == "pytorch-compile"
            assert worker.stages() == ["load", "prepare", "first_image", "warmup", "measure"] + ["check"] * (task == "infer")
            again = worker.row(network("tiny-wrn", task=task, update=task == "train"))
            assert (again["prepared"], again["prepare_s"], again["load_s"]) == ("kept", 0, 0)
            if task == "train":
                assert again["loss_first"] == pytest.approx(result["loss_first"])  # no weight is another by what it warmed up with
        assert worker.row(network("tiny-wrn", batch=4))["prepared"] == "new"


def test_what_is_frozen_is_computed_by_operators_once_more_for_its_relu_may_hide_nan(monkeypatch):
    from shared import network_work

    class Frozen:
        is_frozen = True

        def logits_by_operators(self, images):
            return images * torch.nan

    run = network_work.NetworkWork.__new__(network_work.NetworkWork)
    run.engine, run.batch, run.check = Frozen(), types.SimpleNamespace(images=torch.ones(1)), "pass"
    run.check_by_operators()
    assert run.check == "non_finite"


@pytest.mark.parametrize("engine", ["pytorch", "pytorch-compile"])
def test_dropout_is_by_the_seed(network, engine):
    cell = functools.partial(network, "tiny-vgg", task="train", update=True, threads=2)
    with Worker(engine, *([PATCHED] if engine == "pytorch-compile" else [])) as worker:
        losses = [worker.row(cell(seed=seed))["loss_last"] for seed in (5, 5, 6)]
    assert losses[0] == losses[1] != losses[2]


def test_neither_warm_ups_nor_further_runs_move_a_loss_by_dropout(workers, network):
    cell = functools.partial(network, "tiny-vgg", task="train", threads=2)
    losses = [workers("pytorch").row(cell(warmup=warmup, repeat=repeat))["loss_last"] for warmup, repeat in ((0, 1), (1, 1), (3, 1), (0, 3))]
    assert len(set(losses)) == 1, losses


def test_weights_are_frozen_on_a_cpu_but_in_training_and_under_autocast(tmp_path, monkeypatch):
    from shared import compiler

    monkeypatch.setattr(compiler.scratch, "lasting_folder", lambda parent: str(tmp_path))
    for name in ("TORCHINDUCTOR_CACHE_DIR", "TRITON_CACHE_DIR"):
        monkeypatch.setenv(name, "")

    keep = types.SimpleNamespace(folder="")

    def is_frozen(precision, **more):
        compiler.settings(types.SimpleNamespace(on_gpu=False, is_dynamic=False, stages={"unet": precision}, keep=keep), **more)
        return torch._inductor.config.freezing

    with torch._inductor.config.patch(freezing=False):
        assert is_frozen(FP32) and not is_frozen(FP32, is_trained=True) and not is_frozen({"dtype": "bf16", "autocast": True})


def test_what_is_compiled_lies_where_programs_may_run(tmp_path, monkeypatch):
    from shared import compiler
    from shared.failure import CellFailure

    noexec = {tempfile.gettempdir()}
    monkeypatch.setattr(compiler, "_may_run_programs", lambda folder: folder not in noexec)
    job = types.SimpleNamespace(keep=types.SimpleNamespace(folder=str(tmp_path / "kept")))
    assert os.path.dirname(compiler._folder(job)) == job.keep.folder
    noexec.add(job.keep.folder)
    with pytest.raises(CellFailure, match=r"is mounted noexec; name another with TMPDIR"):
        compiler._folder(job)


def test_a_device_that_shares_a_made_up_batch_holds_its_own_part_and_no_other_image():
    config = json.loads((ROOT / "configs/models/tiny-resnet.json").read_text())["network"]
    job = types.SimpleNamespace(cell={"model": {"source": {"network": config}}, "seed": 0})
    engine = types.SimpleNamespace(device="cpu", numbers=torch.float32)
    whole = made_up_batch(job, engine, 8)
    parts = [made_up_batch(job, engine, 8, (number, 3)) for number in range(3)]
    assert torch.equal(torch.cat([part.images for part in parts]), whole.images)
    assert torch.equal(torch.cat([part.labels for part in parts]), whole.labels)
    assert all(part.images.untyped_storage().nbytes() == part.images.nbytes and part.whole == 8 for part in parts)
