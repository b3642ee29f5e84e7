"""sdbench beside other programs on the same weights and shapes, by turns. Started by scripts/benchmark.sh; options: see options.py."""
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

import numpy
from safetensors.numpy import save_file

from options import WrongOption, parsed
from participants import PeerProcess, Sdbench, Work
from peer_table import PEERS
from ratio_table import table
from rounds import Rounds, say


def usable_peers(options):
    """Of those asked for; the others are said."""
    for peer in (PEERS[name] for name in options.peers):
        if options.device not in peer.devices:
            say(f"{peer.name} is left out: it is for the device {' or '.join(peer.devices)}, not for {options.device}")
        elif not peer.is_there():
            say(f"{peer.name} is left out: the package {peer.distribution} is not installed")
        else:
            yield peer


def host_memory():
    with open("/proc/meminfo") as lines:
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


def available_memory(device):
    """Bytes that are free where the weights go: of a GPU (of several the first, as nvidia-smi counts) its own, if its driver tells."""
    if device == "cpu":
        return host_memory()
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")[0]
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=memory.free", "--format=csv,noheader,nounits", f"--id={visible or 0}"],
                              check=True, capture_output=True, text=True)
        return int(done.stdout.split()[0]) << 20
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError):
        return host_memory()


@dataclasses.dataclass(frozen=True)
class Group:
    """Peers that take turns with sdbench together."""
    peers: list
    stay: bool  # loaded and compiled between their turns; else each is started anew for its turn, and has the memory to itself

    def __str__(self):
        return ", ".join(peer.name for peer in self.peers)


def groups_that_fit(peers, weight_bytes, available):
    """Those that stay have room in memory beside each other and sdbench; last come those that have none beside sdbench alone."""
    beside_sdbench = available - 1.5 * weight_bytes
    groups, anew, room = [], [], 0
    for peer in peers:
        needed = peer.memory * weight_bytes
        if needed > beside_sdbench:
            anew.append(peer)
            continue
        if not groups or needed > room:
            groups.append(Group([], stay=True))
            room = beside_sdbench
        groups[-1].peers.append(peer)
        room -= needed
    return groups + ([Group(anew, stay=False)] if anew else [])


def say_what_memory_decides(groups):
    if len(groups) > 1:
        say("memory is short for all at once, so they stand beside sdbench in groups: " + "; ".join(map(str, groups)))
    for group in groups:
        if not group.stay:
            say(f"memory is short beside sdbench for {group}: started anew for each turn and ended after it")


class Benchmark:
    def __init__(self, options, scratch, available_memory=available_memory):
        self.options = options
        self.scratch = scratch
        self.available_memory = available_memory
        self.sdbench = Sdbench(options.program, options.more)
        self.rows_file = options.output / "rows.jsonl"
        self.compared = 0  # peers, of all works
        self.missing = 0

    def compare(self, work, peers):
        weight_bytes = sum(file.stat().st_size for file in work.weights.rglob("*.safetensors"))
        groups = groups_that_fit(peers, weight_bytes, self.available_memory(self.options.device))
        say_what_memory_decides(groups)
        for group in groups:
            rounds = Rounds(work, self.scratch, self.rows_file)
            processes = [PeerProcess(peer, self.options.program, self.scratch, group.stay) for peer in group.peers]
            rounds.run(self.sdbench, processes, self.options.rounds)
            agreeing = sum(found.holds for found in rounds.agreements.values())
            self.compared += agreeing
            self.missing += len(group.peers) - agreeing
            if not rounds.rows:
                continue
            text = table(f"{work}; {self.options.rounds} rounds of {work.repeat}", self.titles(rounds), rounds) + "\n"
            print(text, flush=True)
            with open(self.options.output / "ratios.md", "a") as file:
                file.write(text + "\n")

    def titles(self, rounds):
        """What each participant's line is called."""
        ours = rounds.rows["sdbench"][0]
        more = " ".join(["", *self.options.more])
        return {name: f"{name} ({rows[0]['note'].split(';')[0]})" for name, rows in rounds.rows.items() if name != "sdbench"} | {
            "sdbench": f"sdbench {ours['sdbench_version']} ({ours['engine']} {ours['engine_revision']}, torch {ours['runtime_version']}){more}"}

    def all(self):
        peers = list(usable_peers(self.options))
        self.missing += len(self.options.peers) - len(peers)
        if not peers:
            raise WrongOption("--peers must name a program that is installed and runs on this device, but none is")
        for model in self.options.model:
            for dtype in self.options.dtype:
                weights = self.scratch / f"{model}-{dtype}"
                say(f"{model} in {dtype}: exporting synthetic weights")
                subprocess.run([self.options.program, "export-weights", "-m", model, "--dtype", dtype, "-o", weights, "-q"], check=True)
                for width, height in self.options.size:
                    noise = self.write_noise(weights, width, height)
                    self.compare(Work(model, dtype, width, height, self.options.steps, self.options.batch, self.options.repeat,
                                      self.options.threads, self.options.device, self.options.tf32, weights, noise), peers)
                shutil.rmtree(weights)

    def write_noise(self, weights, width, height):
        channels = json.loads((weights / "unet/config.json").read_text())["in_channels"]
        blocks = json.loads((weights / "vae/config.json").read_text())["block_out_channels"]
        factor = 2 ** (len(blocks) - 1)
        file = self.scratch / "noise.safetensors"
        shape = (self.options.batch, channels, height // factor, width // factor)
        save_file({"latents": numpy.random.default_rng(0).standard_normal(shape, numpy.float32)}, file)
        return file


def interrupt(*_):
    raise KeyboardInterrupt


def main():
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)  # gigabytes of weights are not left behind
    try:
        options = parsed(sys.argv[1:])
        options.program = options.program.resolve()
        options.output.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=options.output) as scratch:
            benchmark = Benchmark(options, pathlib.Path(scratch).resolve())
            benchmark.all()
    except WrongOption as error:
        say(error)
        return 2
    except subprocess.CalledProcessError as error:
        say(f"{' '.join(map(str, error.cmd))}: exit code {error.returncode}")
        return 1
    except OSError as error:
        say(error)
        return 1
    except KeyboardInterrupt:
        say("interrupted; rows so far are in rows.jsonl of the output folder")
        return 130
    say(f"rows and table are in {options.output}; sdbench compare {benchmark.rows_file} reads them")
    return 0 if not benchmark.missing else 3 if benchmark.compared else 1


if __name__ == "__main__":
    sys.exit(main())
