"""A worker of another engine that computes nothing: its latents, or logits of ten classes, are noise. It imports no torch, which takes seconds."""

import json
import os
import sys
import time

import numpy
from safetensors.numpy import save_file

PROTOCOL_VERSION = 11  # kVersion of include/sdbench/base/executor/messages.h

DEVICES = {"cpu": {"kind": "cpu", "name": "A processor"},
           "intel": {"kind": "intel", "name": "A pretended GPU", "index": 0, "memory_total_bytes": 8 << 30}}


def main():
    with open(3) as requests, open(4, "w") as events:
        def say(kind, **body):
            print(json.dumps({"type": kind, **body}), file=events, flush=True)

        say("hello", version=PROTOCOL_VERSION)
        print("a word on stdout, as libraries have it")
        for line in requests:
            cell = json.loads(line)["cell"]
            say("stage", stage="prepare")
            say("doing", text="pretending to compile")
            if os.environ.get("MADE_UP_ENDS"):
                os.kill(os.getpid(), int(os.environ["MADE_UP_ENDS"]))
            time.sleep(float(os.environ.get("MADE_UP_SLEEPS", "0.01")))
            name, shape = "latents", (cell["images"], 4, cell["height"] // 8, cell["width"] // 8)
            if cell["task"] != "generate":
                name, shape = "logits", (cell["batch"], 10)
            if cell["dump_latents"] and not os.environ.get("MADE_UP_SAVES_NOTHING"):
                save_file({name: numpy.random.default_rng().standard_normal(shape, numpy.float32)}, cell["dump_latents"])
            say("outcome", outcome={"status": "ok", "result": {
                "device": DEVICES["intel" if cell["device"].startswith("intel") else "cpu"], "engine": cell["engine"],
                "runtime_version": "made up 1", "engine_revision": 1, "dtype_unet": cell["dtype"] or {"dtype": "fp32"},
                "load_s": 0.25, "prepare_s": 0.5, "prepared": "new", "samples": [{"e2e_s": 0.01}] * cell["repeat"]}})


if __name__ == "__main__":
    sys.exit(main())
