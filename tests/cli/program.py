"""The program under test, from outside."""

import contextlib
import ctypes
import json
import os
import pathlib
import subprocess
import time

PROGRAM = os.environ["SDBENCH_PROGRAM"]


def environment(**more):
    """Ours, without what would change the outcome."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SDBENCH_", "OMP_", "GOMP_", "KMP_"))}
    return {**kept, **more}


def has_cuda_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def start(folder, *arguments, env=None, program=PROGRAM, stdout=subprocess.PIPE, **more):
    return subprocess.Popen([program, *map(str, arguments)], cwd=folder, env=env or environment(),
                            stdout=stdout, stderr=subprocess.PIPE, text=True, **more)


def finish(process, timeout=120):
    """(exit code, stdout, stderr)"""
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def run(folder, *arguments, env=None, timeout=120, **more):
    return finish(start(folder, *arguments, env=env, **more), timeout)


def run_on_a_full_disk(folder, *arguments, program=PROGRAM, **more):
    """Every file may be made, and none may have a byte."""
    limited = "ulimit -f 0; trap '' XFSZ; exec \"$0\" \"$@\""
    return run(folder, "-c", limited, program, *arguments, program="sh", **more)


def record_of(out):
    """The one record of `--format json`."""
    records = json.loads(out)
    assert len(records) == 1
    return records[0]


def process_file(pid, name):
    """What the kernel tells of a process under this name: nothing once it has ended, which may be between the opening and the reading."""
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def children(pid):
    """Of all its threads: a worker is the child of the thread that started it."""
    threads = [thread.name for thread in pathlib.Path(f"/proc/{pid}/task").iterdir()]
    return [int(child) for thread in threads for child in process_file(pid, f"task/{thread}/children").split()]


def command_line(pid):
    return process_file(pid, "cmdline")


def is_alive(pid):
    state = process_file(pid, "stat").rpartition(")")[2].split()
    return bool(state) and state[0] != "Z"


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(FileNotFoundError):  # a file that it looked for was removed before it looked inside
            if found := condition():
                return found
        time.sleep(0.02)
    raise AssertionError("waited in vain")
