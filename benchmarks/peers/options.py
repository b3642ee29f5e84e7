"""The options of scripts/benchmark.sh. Needs the standard library alone, so that a wrong one is told before anything is installed:

    options.py OPTIONS...      prints what --peers need beside the packages of all, a line each
"""
import argparse
import os
import pathlib
import shutil
import sys
import time

from peer_table import PEERS

USAGE = """Measures sdbench beside other programs, on the same synthetic weights, noise and sizes, by turns.

Usage: scripts/benchmark.sh [OPTIONS] [-- OPTIONS OF SDBENCH]

  --model NAMES     of sdbench list models, by commas (sd15)
  --size SIZES      WxH in pixels, by commas (512x512)
  --dtype NAMES     fp32, bf16, fp16, by commas (fp32,bf16 on a CPU, fp16 on a GPU)
  --device NAME     cpu or cuda (cuda where there is an NVIDIA GPU)
  --tf32 NAME       off, on or conv: fp32 of all of them on a GPU (conv, which PyTorch is by itself)
  --batch N         images computed together (1)
  --steps N         scheduler steps of an image (2 on a CPU, 20 on a GPU)
  --threads N       of each program, on a CPU (all cores)
  --peers NAMES     who stands beside sdbench, by commas (all that are for the device):
{peers}
  --rounds N        in each one everybody has a turn; medians are of them (5)
  --repeat N        timed images of a turn, after an untimed one (1)
  -o FOLDER         for rows.jsonl and ratios.md (sdbench-benchmark/TIME)
  -h, --help        this text

What stands behind -- goes to sdbench alone: scripts/benchmark.sh --dtype bf16 -- --memory-format channels-last
A peer whose latents or image are not sdbench's gets no ratio. Exit code: 0 all peers compared, 3 some, 1 none; 2 wrong command."""

DTYPES = {"cpu": ["fp32", "bf16"], "cuda": ["fp16"]}
STEPS = {"cpu": 2, "cuda": 20}
TF32 = {"cpu": "off", "cuda": "conv"}  # diffusers' pipelines leave it so: what their users see
ROOT = pathlib.Path(__file__).parents[2]


class WrongOption(Exception):
    """In one line."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise WrongOption(f"{message}; see scripts/benchmark.sh --help")


def one_of(option, known):
    def parse(text):
        if text not in known:
            raise WrongOption(f"{option} must be one of {', '.join(known)}, but is '{text}'")
        return text
    return parse


def some_of(option, known):
    def parse(text):
        for name in text.split(","):
            if name not in known:
                raise WrongOption(f"{option} must be of {', '.join(known)}, but is '{name}'")
        return list(dict.fromkeys(text.split(",")))
    return parse


def sizes(text):
    found = []
    for size in text.split(","):
        numbers = size.split("x")
        if len(numbers) != 2 or not all(number.isdecimal() and int(number) > 0 and int(number) % 8 == 0 for number in numbers):
            raise WrongOption(f"--size must be WxH, both multiples of 8 such as 512x512, but is '{size}'")
        found.append(tuple(map(int, numbers)))
    return found


def count(option):
    def parse(text):
        if not text.isdecimal() or int(text) < 1:
            raise WrongOption(f"{option} must be a whole number from 1, but is '{text}'")
        return int(text)
    return parse


def usage():
    return USAGE.format(peers="\n".join(f"                      {peer.name}: {peer.why}" for peer in PEERS.values()))


def parsed(arguments):
    """Throws WrongOption."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    models = sorted(file.stem for file in (ROOT / "configs/models").glob("*.json"))
    parser = Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/bin/sdbench")  # for the tests
    parser.add_argument("--model", type=some_of("--model", models), default=["sd15"])
    parser.add_argument("--size", type=sizes, default=[(512, 512)])
    parser.add_argument("--device", type=one_of("--device", DTYPES), default="cuda" if shutil.which("nvidia-smi") else "cpu")
    parser.add_argument("--dtype", type=some_of("--dtype", ["fp32", "bf16", "fp16"]))
    parser.add_argument("--tf32", type=one_of("--tf32", ["off", "on", "conv"]))
    parser.add_argument("--peers", type=some_of("--peers", PEERS), default=None)
    for option, default in (("rounds", 5), ("repeat", 1), ("batch", 1), ("threads", len(os.sched_getaffinity(0))), ("steps", None)):
        parser.add_argument(f"--{option}", type=count(f"--{option}"), default=default)
    parser.add_argument("-o", dest="output", type=pathlib.Path,
                        default=pathlib.Path("sdbench-benchmark") / time.strftime("%Y-%m-%dT%H%M%S"))
    options = parser.parse_args(arguments[:end])
    options.peers = options.peers or [peer.name for peer in PEERS.values() if options.device in peer.devices]
    options.dtype = options.dtype or DTYPES[options.device]
    options.steps = options.steps or STEPS[options.device]
    options.tf32 = options.tf32 or TF32[options.device]
    if options.device == "cpu" and options.tf32 != "off":
        raise WrongOption(f"--tf32 must be off with --device cpu, which has no TF32, but is '{options.tf32}'")
    options.more = arguments[end + 1:]
    if (options.output / "rows.jsonl").exists():
        raise WrongOption(f"-o must be a folder without results, but {options.output} has rows.jsonl")
    return options


def main():
    try:
        options = parsed(sys.argv[1:])
    except WrongOption as error:
        print(f"sdbench benchmark: {error}", file=sys.stderr)
        return 2
    if options.help:
        print(usage())
        return 0
    for requirement in dict.fromkeys(PEERS[name].requirement for name in options.peers if options.device in PEERS[name].devices):
        if requirement:
            print(requirement)
    return 0


if __name__ == "__main__":
    sys.exit(main())
