"""How a worker ends a cell, or itself, where something goes wrong."""
import os
import pathlib
import signal
import sys
import time

import pytest
from front import ROOT, Worker

PATCHED = pathlib.Path(__file__).parent / "patched.py"


@pytest.fixture(scope="module")
def patched():
    """A worker that does what the prompt says: see patched.py."""
    with Worker("pytorch", PATCHED) as worker:
        assert worker.event()["type"] == "hello"
        yield worker


@pytest.mark.parametrize("error, status, words", [
    ("boom", "error", "RuntimeError: boom"), ("MemoryError", "oom_host", "the host has too little free memory; use a smaller --size or --batch, or"),
    ("allocator", "oom_host", "for 384.0 GiB at once"), ("OutOfMemoryError", "oom_device", "Tried to allocate 20.00 GiB;"),
    ("SystemExit", "error", "SystemExit: 3")])
def test_an_error_within_a_step_is_one_line_and_the_next_cell_runs(patched, sd15, error, status, words):
    outcome = patched.run(sd15(prompts=[f"raise {error}"]))
    assert (outcome["status"], outcome["stage"]) == (status, "first_image")
    assert words in outcome["message"] and "\n" not in outcome["message"]
    assert outcome["result"]["samples"] == []
    after = patched.row(sd15())
    assert after["load_s"] > 0, "what is loaded must be dropped after a failure"


@pytest.mark.parametrize("words, remedy", [
    ("InvalidCxxCompiler: No working C++ compiler found in torch._inductor.config.cpp.cxx: (None, 'g++')", "; install a C++ compiler, such as g++"),
    ("CppCompileError: C++ compile error\n\nfatal error: Python.h: No such file or directory", "CppCompileError: C++ compile error; install Python's headers"),
    ("can't start new thread", "; the system refuses threads"), ("x.so: failed to map segment from shared object", "; its folder is mounted noexec")])
def test_what_is_missing_is_named_with_its_remedy(words, remedy):
    from shared.failure import outcome_of

    status, message = outcome_of(RuntimeError(words), False)
    assert status == "error" and remedy in message and "\n" not in message


@pytest.mark.parametrize("prompt, words", [("nan", "must be finite"), ("constant", "of one colour")])
def test_an_image_that_shows_nothing_is_invalid(patched, sd15, prompt, words):
    outcome = patched.run(sd15(prompts=[prompt]))
    assert outcome["status"] == "invalid_output" and words in outcome["message"]


def test_what_a_package_prints_harms_nothing(patched, sd15):
    patched.row(sd15(prompts=["print"]))
    assert len(patched.of("outcome")) == 1 and patched.printed == []


def test_the_last_step_of_a_run_is_told_however_quick(patched, sd15):
    patched.row(sd15(steps=30))
    told = patched.of("step")
    assert [event["step"] for event in told].count(29) == 2
    assert all(b["at"] - a["at"] > 0.03 for a, b in zip(told, told[1:]) if b["step"] not in (0, 29))


def test_torch_compile_is_done_before_the_first_image_and_stays_for_its_shapes(sd15):
    with Worker("pytorch-compile", PATCHED, env=dict.fromkeys(("LOGNAME", "USER", "LNAME", "USERNAME"), "")) as worker:  # nor a name in passwd
        result = worker.row(sd15(dtype=None))
        assert result["prepared"] == "new" and result["prepare_s"] > 0 and result["engine"] == "pytorch-compile"
        assert worker.stages() == ["load", "prepare", "first_image", "warmup", "measure", "save"]
        again = worker.row(sd15(dtype=None, seed=9))
        assert (again["prepared"], again["prepare_s"], again["load_s"]) == ("kept", 0, 0)
        assert worker.row(sd15(dtype=None, height=128))["prepared"] == "new"


def test_torch_compile_that_compiles_nothing_is_an_error(sd15):
    with Worker("pytorch-compile", PATCHED, env={"TORCHDYNAMO_DISABLE": "1"}) as worker:
        outcome = worker.run(sd15())
        assert (outcome["status"], outcome["stage"]) == ("error", "prepare")
        assert outcome["message"] == "torch.compile must compile, but has compiled nothing; unset TORCHDYNAMO_DISABLE"


def test_a_stop_in_the_middle_of_a_run_leaves_its_steps(sd15):
    with Worker("pytorch", PATCHED) as worker:
        worker.send("run", cell=sd15(prompts=["slow"], steps=50))
        worker.wait_for("step", step=2)
        worker.stop()
        outcome = worker.wait_for("outcome")["outcome"]
        assert (outcome["status"], outcome["stage"]) == ("interrupted", "first_image")
        assert outcome["message"] == "interrupted during stage first_image"
        assert outcome["result"]["stop_reason"] == "interrupted" and len(outcome["result"]["partial_run"]["step_s"]) >= 3
        assert worker.process.wait(10) == 0


def test_a_worker_ends_at_once_when_its_front_is_gone(sd15):
    worker = Worker("pytorch", PATCHED)
    worker.send("run", cell=sd15(prompts=["slow"], steps=500))
    worker.wait_for("step")
    begin = time.monotonic()
    worker.close()
    assert time.monotonic() - begin < 3


def test_a_worker_ends_when_nobody_hears_it(sd15):
    worker = Worker("pytorch", PATCHED)
    worker.send("run", cell=sd15(prompts=["slow"], steps=500))
    worker.wait_for("step")
    worker.lines.close()
    assert worker.process.wait(10) == 1
    worker.close()


def test_a_stop_of_a_worker_that_waits_ends_it():
    with Worker("pytorch", is_forked=False) as worker:
        worker.event()
        time.sleep(0.2)
        worker.stop()
        assert worker.process.wait(10) == 0


def test_a_line_that_is_no_request_is_one_outcome():
    with Worker("pytorch", is_forked=False) as worker:
        worker.event()
        os.write(worker.asks, b"this is no JSON\n")
        outcome = worker.wait_for("outcome")["outcome"]
        assert outcome["status"] == "error" and "JSON" in outcome["message"]
        assert worker.ask("dance")["status"] == "error", "it must go on"
        worker.process.send_signal(signal.SIGTERM)


def test_a_line_that_announces_others_is_told_with_them():
    sys.path.insert(0, str(ROOT / "engines"))
    try:
        from shared.failure import outcome_of
    finally:
        sys.path.pop(0)
    thrown = RuntimeError("Exception from infer_request.cpp:224:\nCheck failed:\n\nsizes must match, but 16 and 12 do not\nand more\n")
    assert outcome_of(thrown, False) == ("error", "RuntimeError: Exception from infer_request.cpp:224: Check failed: "
                                                  "sizes must match, but 16 and 12 do not")
    thrown = RuntimeError("NCCL error in: NCCLUtils.cpp:93, unhandled system error\nLast error:\n"
                          "Error while creating shared memory segment /dev/shm/nccl-ab (size 9637888)")
    assert outcome_of(thrown, True)[1].startswith("/dev/shm must have room for what NCCL sends between GPUs")
    coloured = RuntimeError("\x1b[96mThis is step 1/3\x1b[0m of exporting\x07 \x1b]8;;https://x\x1b\\to ONNX\x1b[1;31m!\x1b[m")
    assert outcome_of(coloured, False) == ("error", "RuntimeError: This is step 1/3 of exporting to ONNX!")
