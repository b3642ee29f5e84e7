"""Workers that need not import torch and diffusers, which takes longer than most of what tests ask: each is a fork of a server that has."""
import fcntl
import multiprocessing
import os
import pathlib
import runpy
import subprocess
import sys
from multiprocessing import connection, forkserver

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["preloaded"])


def ensure_server():
    """It finds preloaded.py by PYTHONPATH alone: not every Python hands it sys.path."""
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(pathlib.Path(__file__).parent), before)))
    try:
        forkserver.ensure_running()
    finally:
        os.environ["PYTHONPATH"] = before


def put(descriptors, numbers):
    """Gives each of a process's descriptors its number, and closes the old ones."""
    # A number may be another's old one: all are first moved above all.
    high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 100) for descriptor in descriptors]
    for descriptor in descriptors:
        os.close(descriptor)
    for descriptor, number in zip(high, numbers):
        os.dup2(descriptor, number)
        os.close(descriptor)


def run(arguments, env, limit, *pipes):
    """In the fork, what a new Python would do."""
    assert "kinds.pytorch" in sys.modules, "the fork server must have imported preloaded.py, but has not; import it to see why"
    descriptors = [os.dup(pipe.fileno()) for pipe in pipes]
    for pipe in pipes:
        pipe.close()
    put(descriptors, (3, 4, 1, 2))
    os.environ.clear()
    os.environ.update(env)
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(arguments[0]))
    if limit:
        limit()
    runpy.run_path(arguments[0], run_name="__main__")


class Fork:
    """As much of subprocess.Popen as the tests use."""

    def __init__(self, arguments, env, limit, requests, events):
        """`limit`: called in the fork; it must be picklable."""
        ensure_server()
        out, err = os.pipe(), os.pipe()
        pipes = [connection.Connection(descriptor) for descriptor in (os.dup(requests), os.dup(events), out[1], err[1])]
        self.process = CONTEXT.Process(target=run, args=(arguments, env, limit, *pipes), daemon=True)
        self.process.start()
        for pipe in pipes:
            pipe.close()
        self.pid = self.process.pid
        self.stdout, self.stderr = os.fdopen(out[0]), os.fdopen(err[0])

    def poll(self):
        return self.process.exitcode

    def wait(self, timeout):
        self.process.join(timeout)
        if self.poll() is None:
            raise subprocess.TimeoutExpired(self.process.name, timeout)
        return self.poll()

    def send_signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        self.process.kill()
