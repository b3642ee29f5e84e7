"""Common to the set-ups that install packages: which processes they wait for, what they need, the programs they run, and how they end."""
import configparser
import importlib.util
import os
import pathlib
import shutil
import sys
import textwrap
import time

from shared import attended, failure, isolated, pip
from shared.locking import Lock, try_lock

OLDEST_PYTHON = (3, 10)
TEMPORARY = ".tmp"  # for pip, inside a folder of ours
MARKS = (".sdbench", ".complete")  # mark the folders that we made
SAY_AGAIN_S = 30  # interval between messages while it waits
LOOK_S = 0.2


class Failed(Exception):
    """A failure, told in one line."""


def terminal_width():
    return max(20, os.get_terminal_size(sys.stderr.fileno()).columns or 80)


def say(text):
    """Prints the text, folded to the terminal's width. Words are never split, so that a path can be copied."""
    text = f"sdbench setup: {text}"
    if sys.stderr.isatty():
        text = textwrap.fill(text, terminal_width(), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    print(text, file=sys.stderr, flush=True)


def version_text(version):
    return ".".join(map(str, version))


def require_machine(folder, gigabytes, setting="SDBENCH_ENGINES"):
    if sys.version_info < OLDEST_PYTHON:
        raise Failed(f"python3 must be {version_text(OLDEST_PYTHON)} or newer, but is {version_text(sys.version_info[:2])}; "
                     "put a newer one first in PATH")
    if importlib.util.find_spec("ensurepip") is None:
        raise Failed("python3 must be able to make virtual environments, but its package ensurepip is not there; "
                     "install python3-venv")
    usage = shutil.disk_usage(folder.parent)
    free = usage.free // 10**9
    if usage.total and free < gigabytes:  # some file systems report 0 of 0
        raise Failed(f"{folder.parent} must have {gigabytes} GB free, but has {free} GB; free some, or name another disk with {setting}")


def wait_for(lock):
    """Waits for a set-up that holds the lock, which may take minutes. Repeats how long it has waited, and for which process."""
    began = said = time.monotonic()
    whom = f"another set-up of the same (process {pathlib.Path(lock.name).read_text().strip() or 'unknown'}) to end"
    say(f"waiting for {whom}")
    while try_lock(lock) is Lock.OF_ANOTHER:
        time.sleep(LOOK_S)
        if time.monotonic() - said >= SAY_AGAIN_S:
            said = time.monotonic()
            say(f"still waiting for {whom}, {said - began:.0f} s by now")


def locked(folder, setting="SDBENCH_ENGINES"):
    """The open lock file, which contains our process's number. The lock ends with the process."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        lock = open(f"{folder}.lock", "a")
    except OSError as error:
        raise Failed(f"{folder.parent} must be writable, but is not ({error.strerror}); name another with {setting}") from None
    if try_lock(lock) is Lock.OF_ANOTHER:
        wait_for(lock)
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock


def run(command, log, what, env=None):
    """Runs the command. Meanwhile, shows the log's last line on a terminal."""
    def show():
        if sys.stderr.isatty():
            print(f"\r\033[K  {last_line(log.name)[:terminal_width() - 4]}", end="", file=sys.stderr, flush=True)

    begin = log.tell()
    code = attended.run(command, show, stdout=log, stderr=log, env=env)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if code != 0:
        with open(log.name, errors="replace") as text:
            text.seek(begin)
            words = pip.why(text.read(), code, pathlib.Path(log.name).parent, env or {})
        raise Failed(f"{what} failed: {words}; the log is {log.name}")


def last_line(file):
    with open(file, "rb") as log:
        log.seek(max(0, os.path.getsize(file) - 400))
        lines = failure.plain(log.read().decode(errors="replace")).replace("\r", "\n").strip().splitlines()
    return lines[-1] if lines else ""


def require_ours(folder, setting="SDBENCH_ENGINES"):
    if folder.exists() and not any((folder / mark).exists() for mark in MARKS) and (not folder.is_dir() or any(folder.iterdir())):
        raise Failed(f"{folder} must be sdbench's own folder or empty, but holds something else; move it away, or name another with {setting}")


def pip_environment(folder):
    """`folder`: the environment's. pip unpacks on its disk, because /tmp may have too little room."""
    temporary = folder / TEMPORARY
    temporary.mkdir(exist_ok=True)
    try:
        return pip.environment(temporary.resolve())
    except configparser.Error as error:
        raise Failed(f"pip's settings must be readable, but are not: {' '.join(str(error).split())}; correct that file") from None


def run_main(main):
    """Runs `main` and ends the process. A failure is reported in one line."""
    isolated.forget_python_settings()
    attended.raise_signals()
    try:
        main()
    except Failed as error:
        say(error)
        sys.exit(1)
    except OSError as error:
        say(f"{error.filename or 'the disk'}: {error.strerror}")
        sys.exit(1)
    except attended.Abandoned:
        say("ended with the sdbench that began it")
        sys.exit(1)
    except attended.Told as signal:
        say("interrupted; run it again to go on with what pip has fetched")
        sys.exit(signal.exit_code)
