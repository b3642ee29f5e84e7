"""A peer that answers as a worker of sdbench does, so that its rows are measured, computed and written by sdbench itself.

    peer_worker.py PEER SOCKET

Serves one sdbench process after another over the socket (see relay.py); what was loaded and compiled for a cell stays.
"""
import ctypes
import json
import os
import signal
import socket
import sys
import time

import torch
from PIL import Image
from safetensors.torch import load_file, save_file

import tf32
from peer_table import PEERS
from pipelines import DTYPES, load_pipeline, upcasts_vae
from timed_pipeline import TimedPipeline

PR_SET_PDEATHSIG = 1
PROTOCOL_VERSION = 10  # kVersion of include/sdbench/base/executor/protocol.h


def peak_resident_bytes():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


class PeerWorker:
    def __init__(self, peer):
        self.peer = peer
        self.loaded = None  # (what was asked for, the pipeline)
        self.say = None

    def pipeline_for(self, cell, device):
        asked = [cell[name] for name in ("weights", "dtype", "width", "height", "images", "memory_format", "threads",
                                         "timestep_spacing", "karras", "tf32")]
        if self.loaded is None or self.loaded[0] != asked:
            self.loaded = None  # before the next one takes memory
            self.loaded = asked, TimedPipeline(load_pipeline(self.peer.prepare, cell, device))
        return self.loaded[1]

    def known_result(self, cell, device):
        """What is known of a CellResult (include/sdbench/base/executor/executor.h) before anything ran."""
        dtype = cell["dtype"]
        return {"device": device, "runtime_version": torch.__version__.split("+")[0], "engine": self.peer.name,
                "engine_revision": self.peer.revision(), "dtype_unet": dtype, "dtype_vae": dtype, "dtype_text": dtype,
                "kernels_used": "aten", "threads": torch.get_num_threads(), "unet_calls": cell["steps"], "samples": [],
                "warmup": 0, "warmup_reason": "asked"}

    def run(self, cell, device):
        self.say("stage", stage="load")
        self.say("device", device=device)
        torch.set_num_threads(cell["threads"] or len(os.sched_getaffinity(0)))
        tf32.allow(cell["tf32"])  # before anything is compiled
        result = self.known_result(cell, device)
        was_there = self.loaded
        begin = time.monotonic()
        pipeline = self.pipeline_for(cell, "cpu" if device["kind"] == "cpu" else "cuda")
        if upcasts_vae(pipeline.pipe):
            result["dtype_vae"] = {**cell["dtype"], "dtype": "fp32"}
        result["tf32_used"] = tf32.used(device, [result[name]["dtype"] for name in ("dtype_text", "dtype_unet", "dtype_vae")])
        result["load_s"] = 0 if self.loaded is was_there else time.monotonic() - begin
        noise = load_file(cell["init_latents"])["latents"].to(pipeline.pipe.device, DTYPES[cell["dtype"]["dtype"]])
        self.say("loaded", so_far=result)
        self.say("stage", stage="first_image")
        result["first_image"] = pipeline.run(cell, noise)[0]
        self.say("sample", first_image=True, sample=result["first_image"])
        self.say("stage", stage="measure")
        if pipeline.clock.is_gpu:
            torch.cuda.reset_peak_memory_stats()
        for _ in range(cell["repeat"]):
            sample, latents, pixels = pipeline.run(cell, noise)
            result["samples"].append(sample)
            self.say("sample", first_image=False, sample=sample)
        result["stop_reason"] = "repeat"
        result["peak_host_bytes"] = peak_resident_bytes()
        if pipeline.clock.is_gpu:
            result["peak_device_allocated_bytes"] = torch.cuda.max_memory_allocated()
            result["peak_device_reserved_bytes"] = torch.cuda.max_memory_reserved()
        self.say("stage", stage="save")
        finite = bool(latents.isfinite().all())
        result["output_check"] = "non_finite" if not finite else "constant" if pixels.min() == pixels.max() else "pass"
        self.save(cell, latents, pixels)
        return result

    def save(self, cell, latents, pixels):
        if cell["dump_latents"]:
            save_file({"latents": latents}, cell["dump_latents"])
        if cell["save_images"]:
            os.makedirs(cell["save_images"], exist_ok=True)
            for number, image in enumerate(pixels):
                Image.fromarray(image).save(os.path.join(cell["save_images"], f"{number}.png"))

    def answer(self, request, device):
        try:
            outcome = {"status": "ok", "result": self.run(request["cell"], device)}
        except BrokenPipeError:
            raise
        except Exception as error:  # the row says so
            self.loaded = None
            words = f"{type(error).__name__}: {error}".splitlines()[0]
            outcome = {"status": "error", "stage": "measure", "message": words}
        self.say("outcome", outcome=outcome)

    def serve(self, connection):
        facts, pipes, _, _ = socket.recv_fds(connection, 1 << 16, 2)
        with open(pipes[0]) as requests, open(pipes[1], "w") as events:
            def say(kind, **body):
                events.write(json.dumps({"type": kind, **body}) + "\n")
                events.flush()

            self.say = say
            say("hello", version=PROTOCOL_VERSION, runtime_version=torch.__version__)
            for line in requests:
                self.answer(json.loads(line), json.loads(facts))


def main():
    name, path = sys.argv[1:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # no peer outlives the benchmark, however that ends
    torch.set_grad_enabled(False)
    worker = PeerWorker(PEERS[name])
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()
        while True:
            connection, _ = listener.accept()
            with connection:
                try:
                    worker.serve(connection)
                except BrokenPipeError:
                    pass  # that sdbench has gone


if __name__ == "__main__":
    main()
