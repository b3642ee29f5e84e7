"""A worker whose pipeline fails as a prompt says: "raise MemoryError", "print", "slow", "nan", "constant".

    patched.py ENGINE

Each iteration of a network counts as a long one.

torch.compile compiles nothing here: what it would make takes minutes, and how it is asked is what is tested.
No user has a name.
"""
import functools
import os
import pathlib
import pwd
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "engines"))

import torch  # noqa: E402

import worker  # noqa: E402
from shared import network_work  # noqa: E402
from shared.timed_pipeline import TimedPipeline  # noqa: E402

ERRORS = {"MemoryError": MemoryError(), "boom": RuntimeError("boom\nand more lines"), "OutOfMemoryError": torch.OutOfMemoryError(
    "CUDA out of memory. Tried to allocate 20.00 GiB. GPU 0 has a total capacity of 1 GiB"), "SystemExit": SystemExit(3),
    "allocator": RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 412316860416 bytes.")}
step, run_batch = TimedPipeline._step, TimedPipeline.run_batch
prompt = ""


def patched_run_batch(self, cell, prompts, make_noise, listener):
    global prompt
    prompt = prompts[0]
    sample, output = run_batch(self, cell, prompts, make_noise, listener)
    if prompt == "nan":
        output.is_finite = False
    if prompt == "constant":
        output.pixels[:] = 7
    return sample, output


def patched_step(self, *args, **more):
    if prompt.startswith("raise ") and len(self.marks) == 2:
        raise ERRORS[prompt.removeprefix("raise ")]
    if prompt == "print":
        print('{"type": "outcome", "outcome": {"status": "ok"}}', flush=True)
    if prompt == "slow":
        time.sleep(0.2)
    return step(self, *args, **more)


def no_name(number):
    raise KeyError(f"getpwuid(): uid not found: {number}")


pwd.getpwuid = no_name
disabled = os.environ.get("TORCHDYNAMO_DISABLE")  # torch has read it long ago
torch.compile = (lambda module, **_: module) if disabled else functools.partial(torch.compile, backend="eager")
network_work.LONG_S = 0
TimedPipeline.run_batch, TimedPipeline._step = patched_run_batch, patched_step

if __name__ == "__main__":
    sys.exit(worker.main())
