"""Who is measured: sdbench, and each peer by a sdbench whose worker is the peer. Both give rows of the record."""
import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
LONGEST_SILENCE_S = 7200  # a peer may compile for long
# DeviceInfo of include/sdbench/base/device/device_info.h by the record's fields: a peer computes where sdbench did.
DEVICE_FIELDS = {"kind": "device_kind", "name": "device_name", "arch": "device_arch", "compute_capability": "compute_capability",
                 "driver_version": "driver_version", "index": "device_index", "memory_total_bytes": "device_memory_bytes",
                 "memory_free_bytes": "device_memory_free_bytes", "uuid": "device_uuid", "pci_address": "device_pci_address",
                 "sm_count": "sm_count", "cuda_runtime_version": "cuda_runtime_version", "cudnn_version": "cudnn_version",
                 "cuda_driver_version": "cuda_driver_version"}


class Failed(Exception):
    """A participant gave no figures; the words say why, in one line."""


@dataclasses.dataclass(frozen=True)
class Work:
    """What all participants compute."""
    model: str
    dtype: str
    width: int
    height: int
    steps: int
    batch: int
    repeat: int
    threads: int
    device: str
    tf32: str
    weights: pathlib.Path
    noise: pathlib.Path

    def __str__(self):
        more = f"{self.threads} threads" if self.device == "cpu" else f"TF32 {self.tf32}"
        return f"{self.model}, {self.width}x{self.height}, {self.dtype}, batch {self.batch}, {self.steps} steps, {more}"

    @property
    def rounding(self):
        """The dtype that rounds as this work does: TF32 keeps as many bits of a factor as fp16."""
        return "fp16" if self.dtype == "fp32" and self.tf32 != "off" else self.dtype

    def options(self):
        options = ["-m", self.model, "--weights", self.weights, "--size", f"{self.width}x{self.height}", "--steps", self.steps,
                   "--batch", self.batch, "--dtype", self.dtype, "--device", self.device, "--init-latents", self.noise,
                   "--warmup", 0, "--repeat", self.repeat, "--timeout", LONGEST_SILENCE_S]
        return options + (["--threads", self.threads] if self.device == "cpu" else ["--tf32", self.tf32])


def one_row(program, options, env):
    """The row of a cell. Failed, if there is none or it is none of a measurement."""
    command = [str(word) for word in (program, "run", *options, "--format", "json", "--no-save", "-q")]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    try:
        row = json.loads(done.stdout)[0]
    except (ValueError, IndexError):
        raise Failed((done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]) from None
    if row["status"] != "ok":
        raise Failed(f"{row['status']}, {row['error']}")
    return row


class Sdbench:
    name = "sdbench"
    stays = True  # what it computes, in a process of its own each time, is the same to the last bit

    def __init__(self, program, more_options):
        self.program = program
        self.more_options = more_options

    def measure(self, work, outputs, _):
        return one_row(self.program, work.options() + outputs + self.more_options, dict(os.environ))


class PeerProcess:
    """A peer in a process of its own, which begins with its first turn and stays until stop(), or ends with each turn."""

    def __init__(self, peer, program, folder, stays):
        self.name = peer.name
        self.peer = peer
        self.log = folder / f"{peer.name}.log"
        self.program = self.tree_with_relay(program, folder / peer.name)
        self.stays = stays
        self.env = {**os.environ, "SDBENCH_SHARE": str(share_folder(program))}
        self.env.pop("SDBENCH_LIBTORCH", None)
        self.short_folder = None
        self.process = None

    def start(self, device_row):
        """`device_row`: one of sdbench's own."""
        device = {name: device_row[field] for name, field in DEVICE_FIELDS.items() if device_row[field] not in (None, "")}
        self.short_folder = tempfile.TemporaryDirectory(prefix="sdbench-peer-")  # a socket's path may have 107 bytes, a user's folder more
        socket = pathlib.Path(self.short_folder.name) / "socket"
        self.env |= {"SDBENCH_PEER_DEVICE": json.dumps(device), "SDBENCH_PEER_SOCKET": str(socket)}
        with open(self.log, "a") as log:
            self.process = subprocess.Popen([sys.executable, HERE / "peer_worker.py", self.name, socket], stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, start_new_session=True)
        self.env["SDBENCH_PEER_PROCESS"] = str(self.process.pid)  # its work is ours, not that of another program
        while not socket.exists():
            if self.process.poll() is not None:
                raise Failed(f"does not start: {self.last_words()}")
            time.sleep(0.05)

    @staticmethod
    def tree_with_relay(program, tree):
        """An installed sdbench whose worker is the relay."""
        worker = tree / "libexec/sdbench/peer/sdbench-worker"
        worker.parent.mkdir(parents=True, exist_ok=True)
        (tree / "bin").mkdir(exist_ok=True)
        shutil.copy(program, tree / "bin/sdbench")
        worker.write_text(f"#!/bin/sh\nexec '{sys.executable}' -S -E '{HERE / 'relay.py'}'\n")
        worker.chmod(0o755)
        return tree / "bin/sdbench"

    def last_words(self):
        return next((line for line in reversed(self.log.read_text(errors="replace").splitlines()) if line.strip()), "no word")

    def measure(self, work, outputs, device_row):
        """A turn. `device_row`: see start()."""
        try:
            if not self.process:
                self.start(device_row)
            return self.row(work, outputs)
        finally:
            if not self.stays:
                self.stop()

    def row(self, work, outputs):
        options = work.options() + outputs + ["--memory-format", self.peer.memory_format, "--note", self.peer.versions()]
        try:
            row = one_row(self.program, options, self.env)
        except Failed:
            if self.process.poll() is not None:
                raise Failed(f"has ended by itself ({self.process.returncode}): {self.last_words()}") from None
            raise
        return {**row, "worker_rss_max_bytes": None}  # the sampler saw the relay

    def stop(self):
        """Gives its memory back; nothing, if it does not run."""
        if self.process:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)  # it and what it started, torch.compile's workers
            self.process.wait()
            self.process = None
            self.short_folder.cleanup()


def share_folder(program):
    """The configs that come with a program of a build tree or an installed one."""
    if os.environ.get("SDBENCH_SHARE"):
        return os.environ["SDBENCH_SHARE"]
    return next(parent / "share/sdbench" for parent in program.parents if (parent / "share/sdbench").exists())
