"""A front for tests: it starts engines/worker.py, asks it, and hears what it says."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import forked

ROOT = pathlib.Path(__file__).parents[2]
WORKER = ROOT / "engines/worker.py"


def cell_of(folder, **more):
    """A request's cell, of a model that sdbench exported into a folder. Small, so that a test is quick."""
    name = folder.name
    source = json.loads((ROOT / f"configs/models/{name}.json").read_text())
    return {"model": {"name": name, "source": json.dumps(source), "tokenizer_folder": str(folder / "tokenizer"),
                      "tokenizer_2_folder": str(folder / "tokenizer_2") if (folder / "tokenizer_2").exists() else ""},
            "weights": {"kind": "folder", "path": str(folder), "seed": 0, "fallback": False, "description": str(folder)},
            "width": 64, "height": 64, "steps": 2, "batch": 1, "images": 1, "dtype": {"dtype": "fp32", "autocast": False}, "device": "cpu",
            "device_in_worker": "", "cpu_share": None, "parallel_devices": [], "share": "", "guidance": 5.0, "clip_skip": 0,
            "prompts": ["a red house"], "negative_prompt": None, "seed": 3, "sampler": "euler", "timestep_spacing": "leading", "karras": False,
            "threads": 2, "attention": "auto", "memory_format": "auto", "tf32": "off", "cudnn_benchmark": "off", "offload": "none", "vae_tiling": "off",
            "warmup": 0, "repeat": 1, "max_noise": None, "max_time_s": None, "expected_s": None, "init_latents": "", "dump_latents": "",
            "save_images": "", "dump_run": "", "dump_step_images": False, "dynamic_shapes": "off", "keep_folder": "", **more}


class Worker:
    """`program`: another than worker.py in its place, which the tests of faults need. `limit`: called in the new process. `is_forked`: the
    process has imported the packages before it begins; without it the process is a new one, as sdbench starts it."""

    def __init__(self, engine, program=WORKER, env=None, limit=None, is_forked=True):
        requests, self.asks = os.pipe()
        self.hears, events = os.pipe()
        arguments, env = [str(program), engine], {**os.environ, **(env or {})}
        if is_forked:
            self.process = forked.Fork(arguments, env, limit, requests, events)
        else:
            self.process = subprocess.Popen([sys.executable, "-I", *arguments], preexec_fn=lambda: forked.put((requests, events), (3, 4)),
                                            close_fds=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, text=True)
        os.close(requests), os.close(events)
        self.words = []
        self.printed = []
        self.events = []
        self.lines = os.fdopen(self.hears)
        for stream, into in ((self.process.stderr, self.words), (self.process.stdout, self.printed)):
            threading.Thread(target=lambda stream=stream, into=into: into.extend(stream), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """As a front that has done: the pipe ends."""
        if self.asks is not None:
            os.close(self.asks)
            self.asks = None
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise

    def send(self, kind, **body):
        os.write(self.asks, (json.dumps({"type": kind, **body}) + "\n").encode())

    def event(self):
        """The next one; None at the end of the pipe."""
        line = self.lines.readline()
        if not line:
            return None
        self.events.append({**json.loads(line), "at": time.monotonic()})
        return self.events[-1]

    def wait_for(self, kind, **members):
        while (event := self.event()) is not None:
            if event["type"] == kind and all(event.get(name) == value for name, value in members.items()):
                return event
        raise AssertionError(f"the worker ended before it said {kind} {members}: {''.join(self.words)}")

    def ask(self, kind, **body):
        """The outcome; what was said on the way is in `events`."""
        self.events.clear()
        self.send(kind, **body)
        return self.wait_for("outcome")["outcome"]

    def run(self, cell):
        return self.ask("run", cell=cell)

    def row(self, cell):
        """The result of a cell that must be ok."""
        outcome = self.run(cell)
        assert outcome["status"] == "ok", f"{outcome}\n{''.join(self.words)}"
        return outcome["result"]

    def of(self, kind):
        return [event for event in self.events if event["type"] == kind]

    def stages(self):
        return [event["stage"] for event in self.of("stage")]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
