"""sdbench beside other programs on the same weights and shapes, by turns. Started by scripts/benchmark.sh; options: see options.py."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy
from safetensors.numpy import save_file

import agreement
from options import WrongOption, parsed
from participants import Failed, PeerProcess, Sdbench, Work
from peer_table import PEERS
from ratio_table import table

def say(words):
    print(f"sdbench benchmark: {words}", file=sys.stderr, flush=True)


def usable_peers(options):
    """Of those asked for; the others are said."""
    for peer in (PEERS[name] for name in options.peers):
        if options.device not in peer.devices:
            say(f"{peer.name} is left out: it was not tried on the device {options.device}")
        elif not peer.is_there():
            say(f"{peer.name} is left out: the package {peer.distribution} is not installed")
        else:
            yield peer


def groups_that_fit(peers, weight_bytes):
    """Peers whose processes have room in memory beside each other and sdbench; at least one at a time."""
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with open("/proc/meminfo") as lines:
        free = next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable")), free)
    groups, room = [], 0
    for peer in peers:
        needed = peer.memory * weight_bytes
        if not groups or needed > room:
            groups.append([])
            room = free - 2 * weight_bytes
        groups[-1].append(peer)
        room -= needed
    return groups


class Benchmark:
    def __init__(self, options, scratch):
        self.options = options
        self.scratch = scratch
        self.sdbench = Sdbench(options.program, options.more)
        self.rows_file = options.output / "rows.jsonl"
        self.complete = True

    def turn(self, participant, work, place):
        """One participant's row of one round, and in the first round its output."""
        outputs = []
        images = self.scratch / f"images-{participant.name}"
        if place == 0:
            shutil.rmtree(images, ignore_errors=True)
            outputs = ["--dump-latents", images.with_suffix(".safetensors"), "--save-images", images]
        row = participant.measure(work, outputs)
        row["round"] = place + 1
        with open(self.rows_file, "a") as rows:
            rows.write(json.dumps(row) + "\n")
        return row, agreement.read_output(images.with_suffix(".safetensors"), images) if outputs else None

    def rounds(self, work, peers):
        """({name: rows by round}, {name: agreement}, {name: version words}) of sdbench and these peers, taking turns."""
        rows, outputs, agreements, titles = {}, {}, {}, {}
        with contextlib.ExitStack() as running:
            queue = [self.sdbench, *peers]  # sdbench first: its row tells where the peers compute
            for place in range(self.options.rounds):
                for participant in list(queue):
                    name = participant.name
                    try:
                        if place == 0 and participant is not self.sdbench:
                            queue[queue.index(participant)] = participant = PeerProcess(
                                participant, self.options.program, self.scratch, rows["sdbench"][0])
                            running.callback(participant.stop)
                            participant.start()
                        titles[name] = participant.title
                        row, output = self.turn(participant, work, place)
                    except Failed as failure:
                        say(f"{name} in round {place + 1}: {failure}")
                        self.complete = False
                        queue.remove(participant)
                        if participant is self.sdbench:
                            return rows, agreements, titles
                        continue
                    rows.setdefault(name, {})[place] = row
                    if output:
                        outputs[name] = output
                        agreements[name] = agreement.compare(outputs["sdbench"], output, work.dtype)
                    say(f"round {place + 1}: {name}, end to end {row['e2e_s']:.3g} s")
                queue.append(queue.pop(0))  # whoever comes first in a round is another one
        return rows, agreements, titles

    def compare(self, work, peers):
        weight_bytes = sum(file.stat().st_size for file in work.weights.rglob("*.safetensors"))
        for group in groups_that_fit(peers, weight_bytes):
            rows, agreements, titles = self.rounds(work, group)
            if not rows:
                continue
            threads = f", {work.threads} threads" if work.device == "cpu" else ""
            title = (f"{work.model}, {work.width}x{work.height}, {work.dtype}, batch {work.batch}, {work.steps} steps{threads}; "
                     f"{self.options.rounds} rounds of {work.repeat}")
            mine = rows.pop("sdbench")
            self.complete = self.complete and all(agreements[name].holds for name in rows)
            text = table(title, (titles["sdbench"], mine),
                         [(f"{name} ({titles[name]})", found, agreements.get(name)) for name, found in rows.items()])
            print(text + "\n", flush=True)
            with open(self.options.output / "ratios.md", "a") as file:
                file.write(text + "\n\n")

    def all(self):
        peers = list(usable_peers(self.options))
        self.complete = len(peers) == len(self.options.peers)
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
                                      self.options.threads, self.options.device, weights, noise), peers)
                shutil.rmtree(weights)

    def write_noise(self, weights, width, height):
        channels = json.loads((weights / "unet/config.json").read_text())["in_channels"]
        blocks = json.loads((weights / "vae/config.json").read_text())["block_out_channels"]
        factor = 2 ** (len(blocks) - 1)
        file = self.scratch / "noise.safetensors"
        shape = (self.options.batch, channels, height // factor, width // factor)
        save_file({"latents": numpy.random.default_rng(0).standard_normal(shape, numpy.float32)}, file)
        return file


def main():
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
    except KeyboardInterrupt:
        say("interrupted; rows so far are in rows.jsonl of the output folder")
        return 130
    say(f"rows and table are in {options.output}; sdbench compare {benchmark.rows_file} reads them")
    return 0 if benchmark.complete else 3


if __name__ == "__main__":
    sys.exit(main())
