"""sdbench with a worker that needs no libtorch, answers at once and misbehaves as it is told (support/stub_worker.cpp)."""

import csv
import json
import os
import pathlib
import shutil

from program import environment, finish, start

STUB = os.environ["SDBENCH_STUB_WORKER"]
CONFIGS = pathlib.Path(__file__).parents[2] / "configs"
# Of the build, in which is also what a page is made of.
SHARE = pathlib.Path(os.environ["SDBENCH_PROGRAM"]).resolve().parents[1] / "share/sdbench"
CELL = ("-m", "tiny-sd15", "--weights", "synthetic", "--device", "cpu", "--size", "64x64")


def install(folder, worker=STUB):
    """An installed tree with this worker; the program in it."""
    (folder / "bin").mkdir(parents=True)
    shutil.copy(os.environ["SDBENCH_PROGRAM"], folder / "bin" / "sdbench")
    (folder / "libexec/sdbench/0.0").mkdir(parents=True)
    (folder / "libexec/sdbench/0.0/sdbench-worker").symlink_to(worker)
    (folder / "share").mkdir()
    (folder / "share/sdbench").symlink_to(CONFIGS)
    return folder / "bin" / "sdbench"


def csv_rows(file):
    with open(file, newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def json_lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


class Stub:
    """The program over the stub worker, run in a folder."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def start(self, how, *arguments, **more):
        return start(self.folder, *CELL, *arguments, program=self.program,
                     env=environment(SDBENCH_STUB=how, TMPDIR=str(self.folder)), **more)

    def run(self, how, *arguments, timeout=60, **more):
        """(exit code, stdout, stderr)"""
        return finish(self.start(how, *arguments, **more), timeout)
