"""benchmarks/peers: sdbench beside diffusers on the tiny model. Other peers have to be installed: .ci/run does so for OpenVINO."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import types

import numpy
import pytest
import torch
from safetensors.torch import save_file

from program import PROGRAM, children, environment, run

PEERS = pathlib.Path(__file__).parents[2] / "benchmarks/peers"
sys.path.insert(0, str(PEERS))
import agreement  # noqa: E402
import benchmark as peers_benchmark  # noqa: E402
import options as peers_options  # noqa: E402
import participants  # noqa: E402
import ratio_table  # noqa: E402
import rounds  # noqa: E402
from peer_table import PEERS as PEER_TABLE  # noqa: E402


def benchmark(folder, *options):
    """(exit code, stdout, stderr)"""
    done = subprocess.run([sys.executable, PEERS / "benchmark.py", "--program", PROGRAM, "--device", "cpu", *options], cwd=folder,
                          env=environment(), capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


def test_sdbench_and_diffusers_take_turns_agree_and_leave_rows_that_compare_reads(tmp_path):
    tmp_path /= "a folder whose name is longer than the path of a socket may be, which is 107 bytes, " + "and so on" * 8
    tmp_path.mkdir()
    code, out, err = benchmark(tmp_path, "--model", "tiny-sd15", "--size", "64x64", "--dtype", "fp32", "--peers", "diffusers",
                               "--rounds", "2", "-o", "out")
    assert code == 0, err
    head, _, ours, theirs = [line.split("|") for line in out.splitlines() if line.startswith("|")]
    assert ours[1].strip().startswith("sdbench 0") and theirs[1].strip().startswith("diffusers (diffusers ")
    assert "sdbench / it: step" in head[5] and ".." in theirs[5], out
    assert (tmp_path / "out/ratios.md").read_text() == out

    rows = [json.loads(line) for line in (tmp_path / "out/rows.jsonl").read_text().splitlines()]
    # whoever began the first round is the last of the second
    assert [(row["engine"], row["round"]) for row in rows] == [("tuned", 1), ("diffusers", 1), ("diffusers", 2), ("tuned", 2)]
    assert all(row["status"] == "ok" and row["output_check"] == "pass" and len(row["samples"][0]["step_s"]) == 2 for row in rows)
    assert len({row["workload_id"] for row in rows}) == 1 and len({row["env_id"] for row in rows}) == 1
    assert len({row["variant_id"] for row in rows}) == 2
    assert "torch 2" in rows[1]["note"] and "differs from sdbench's latents by 0.00" in rows[1]["note"]
    assert rows[0]["note"] == "" and "differs" not in rows[2]["note"] and "differs from" not in theirs[1]
    assert rows[1]["engine_revision"] > 1 and rows[1]["worker_rss_max_bytes"] is None
    assert rows[1]["load_s"] > 0 and rows[2]["load_s"] is None  # the peer's process lives on
    assert sorted(os.listdir(tmp_path / "out")) == ["ratios.md", "rows.jsonl"]

    code, out, err = run(tmp_path, "compare", "out/rows.jsonl")
    assert code == 0 and "engine diffusers" in out and err == "", (out, err)


def test_a_peer_without_room_beside_sdbench_is_started_anew_for_each_of_its_turns(tmp_path, monkeypatch, capsys):
    for name in os.environ.keys() - environment().keys():
        monkeypatch.delenv(name)
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "out"
    folder.mkdir()
    options = peers_options.parsed(["--program", str(PROGRAM), "--device", "cpu", "--model", "tiny-sd15", "--size", "64x64",
                                    "--dtype", "fp32", "--peers", "diffusers", "--rounds", "2", "-o", str(folder)])
    measured = peers_benchmark.Benchmark(options, tmp_path, available_memory=lambda device: 0)
    before = children(os.getpid())
    measured.all()
    assert (measured.compared, measured.missing) == (1, 0)
    assert children(os.getpid()) == before

    rows = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    theirs = [row for row in rows if row["engine"] == "diffusers"]
    assert [row["round"] for row in theirs] == [1, 2] and all(row["load_s"] > 0 for row in theirs)
    assert all(row["output_check"] == "pass" for row in theirs)
    assert capsys.readouterr().err.count("memory is short beside sdbench for diffusers: started anew for each turn and ended after it") == 1


def test_on_a_gpu_its_own_memory_decides_or_the_hosts_where_nobody_tells(tmp_path, monkeypatch):
    asked = tmp_path / "asked"
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\necho \"$@\" >{asked}\necho 8000\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2,3")
    assert peers_benchmark.available_memory("cuda") == 8000 << 20
    assert "--id=2" in asked.read_text()
    program.write_text("#!/bin/sh\necho '[Not Supported]'\n")
    host = peers_benchmark.available_memory("cuda")
    assert 0.5 < host / peers_benchmark.available_memory("cpu") < 2


def test_memory_decides_who_stays_and_who_is_started_anew():
    small, middle, large = (dataclasses.replace(PEER_TABLE["diffusers"], name=name, memory=memory)
                            for name, memory in (("small", 1), ("middle", 2), ("large", 4)))

    def decided(available):  # of weights of 10, beside which sdbench takes 15
        groups = peers_benchmark.groups_that_fit([large, small, middle], 10, available)
        return [(str(group), group.stay) for group in groups]

    assert decided(85) == [("large, small, middle", True)]
    assert decided(84) == [("large, small", True), ("middle", True)]
    assert decided(55) == [("large", True), ("small, middle", True)]
    assert decided(54) == [("small, middle", True), ("large", False)]
    assert decided(34) == [("small", True), ("large, middle", False)]
    assert decided(0) == [("large, small, middle", False)]


@pytest.mark.parametrize("options, words", [
    (["--peers", "abacus"], "--peers must be of diffusers, diffusers-compile, diffusers-xformers, openvino, but is 'abacus'"),
    (["--model", "sd9"], "--model must be of "),
    (["--size", "510x512"], "--size must be WxH, both multiples of 8 such as 512x512, but is '510x512'"),
    (["--rounds", "0"], "--rounds must be a whole number from 1, but is '0'"),
    (["--colour", "red"], "unrecognized arguments: --colour red"),
    (["--tf32", "yes"], "--tf32 must be one of off, on, conv, but is 'yes'"),
    (["--tf32", "conv"], "--tf32 must be off with --device cpu, which has no TF32, but is 'conv'"),
    (["--device", "cpu,cuda"], "--device must be one of cpu, cuda, but is 'cpu,cuda'"),
])
def test_a_wrong_option_is_one_line(tmp_path, options, words):
    code, out, err = benchmark(tmp_path, *options)
    assert (code, out) == (2, "") and words in err and err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_results_that_are_there_are_not_mixed_with_new_ones(tmp_path):
    (tmp_path / "rows.jsonl").touch()
    code, _, err = benchmark(tmp_path, "-o", ".")
    assert code == 2 and "-o must be a folder without results" in err


@pytest.fixture
def torch_switches():
    """As they were, afterwards."""
    switches = [(torch.backends.cudnn, "allow_tf32"), (torch.backends.cuda.matmul, "allow_tf32")]
    before = [getattr(*switch) for switch in switches]
    yield
    for (owner, name), value in zip(switches, before):
        setattr(owner, name, value)


@pytest.mark.parametrize("asked, switches", [("off", (False, False)), ("conv", (True, False)), ("on", (True, True))])
def test_a_peer_computes_fp32_as_its_cell_says_and_tells_what_is_in_force(tmp_path, monkeypatch, torch_switches, asked, switches):
    import peer_worker  # takes seconds

    save_file({"latents": torch.zeros(1, 4, 8, 8)}, tmp_path / "noise.safetensors")
    seen = []

    class Pipeline:
        pipe = types.SimpleNamespace(device="cpu")
        clock = types.SimpleNamespace(is_gpu=False)

        def run(self, cell, noise):
            seen.append((torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32))
            return {"step_s": [1]}, noise, numpy.arange(12, dtype=numpy.uint8).reshape(1, 2, 2, 3)

    def used(dtype, **device):
        worker = peer_worker.PeerWorker(PEER_TABLE["diffusers"])
        worker.say = lambda *_, **__: None
        monkeypatch.setattr(worker, "pipeline_for", lambda cell, device: Pipeline())
        cell = {"dtype": {"dtype": dtype, "autocast": None}, "tf32": asked, "threads": 0, "steps": 1, "repeat": 1,
                "init_latents": str(tmp_path / "noise.safetensors"), "dump_latents": "", "save_images": ""}
        return worker.run(cell, {"kind": "cuda", "compute_capability": "8.6"} | device)["tf32_used"]

    assert used("fp32") == asked
    assert seen == [switches] * 2  # also the first image, which compiles
    assert used("fp32", compute_capability="12.0") == asked
    assert used("fp16") == used("fp32", compute_capability="7.5") == used("fp32", kind="cpu", compute_capability="") == "off"


def test_on_a_gpu_all_compute_fp32_as_pytorch_does_by_itself_unless_another_way_is_asked_for():
    def work(*options):
        parsed = peers_options.parsed(["--device", "cuda", "--dtype", "fp32", *options])
        return participants.Work("sd15", parsed.dtype[0], 512, 512, 20, 1, 1, 2, parsed.device, parsed.tf32, "weights", "noise")

    by_itself, exact = work(), work("--tf32", "off")
    assert by_itself.options()[-2:] == ["--tf32", "conv"] and "TF32 conv" in str(by_itself)
    assert exact.options()[-2:] == ["--tf32", "off"]
    assert (by_itself.rounding, exact.rounding) == ("fp16", "fp32")  # the bound of who computed the same image


def output(seed, error=0.0):
    random = numpy.random.default_rng(seed)
    latents = random.standard_normal((1, 4, 8, 8), numpy.float32)
    return agreement.Output(latents * (1 + error), random.integers(0, 256, (1, 64, 64, 3), numpy.uint8))


def test_rounding_is_agreement_and_another_image_is_none():
    assert agreement.compare(output(1), output(1, 1e-5), "fp32").holds
    assert not agreement.compare(output(1), output(1, 1e-2), "fp32").holds
    assert not agreement.compare(output(1), output(2), "bf16").holds
    assert not agreement.compare(output(1), output(1, float("nan")), "bf16").holds
    black = dataclasses.replace(output(1), pixels=numpy.zeros((1, 64, 64, 3), numpy.uint8))
    assert not agreement.compare(output(1), black, "bf16").holds


def test_the_ratio_is_the_median_of_rounds_and_who_disagrees_has_none():
    def rows(*seconds):
        return {place: {"samples": [{"step_s": [s, s], "vae_s": s, "e2e_s": s}], "dtype_vae": "bf16"} for place, s in enumerate(seconds)}

    found = rounds.Rounds(None, None, None)
    found.rows = {"sdbench": rows(1, 2, 3), "theirs": rows(2, 2, 2), "others": rows(1, 1, 1)}
    found.agreements = {name: agreement.Agreement(difference, 0.0, (1, 1)) for name, difference in (("theirs", 0.0), ("others", 9.0))}
    text = ratio_table.table("t", {name: name for name in found.rows}, found)
    assert "its VAE" not in text
    found.rows["others"][0]["dtype_vae"] = "fp32"
    assert "others: its VAE computes in fp32, sdbench's in bf16" in ratio_table.table("t", {name: name for name in found.rows}, found)
    theirs, others = text.splitlines()[-2:]
    assert "| 1 (0.5..1.5) |" in theirs
    assert others.count("| – ") == 3 and "another image" in others
