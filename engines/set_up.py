"""Sets up the environment of an engine: a virtual environment of Python's with its packages. Needs the standard library alone.

    set_up.py FOLDER GIGABYTES [--torch-folder SITE_PACKAGES] [--torch-gigabytes N] [--from WHEEL_FOLDER] PACKAGE...

FOLDER/.sdbench is written first: a folder without it is somebody else's, and stays as it is. FOLDER/.complete names the packages and is written last,
so that an installation that was cut off is seen and made anew. Two at once wait for each other.
The log lies beside FOLDER. Exit code 1 with one line where it fails.
"""
import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import time

from shared.locking import Lock, try_lock

OLDEST_PYTHON = (3, 10)
MARKS = (".sdbench", ".complete")  # of a folder that this made
SAY_AGAIN_S = 30  # for whom it waits
LOOK_S = 0.2


class Failed(Exception):
    """In one line."""


def terminal_width():
    return max(20, os.get_terminal_size(sys.stderr.fileno()).columns or 80)


def say(text):
    """Folded to a terminal, but no word is: a path is copied whole."""
    text = f"sdbench setup: {text}"
    if sys.stderr.isatty():
        text = textwrap.fill(text, terminal_width(), subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    print(text, file=sys.stderr, flush=True)


def version_text(version):
    return ".".join(map(str, version))


def require_machine(folder, gigabytes):
    if sys.version_info < OLDEST_PYTHON:
        raise Failed(f"python3 must be {version_text(OLDEST_PYTHON)} or newer, but is {version_text(sys.version_info[:2])}; "
                     "put a newer one first in PATH")
    if importlib.util.find_spec("ensurepip") is None:
        raise Failed("python3 must be able to make virtual environments, but its package ensurepip is not there; "
                     "install python3-venv")
    free = shutil.disk_usage(folder.parent).free // 10**9
    if free < gigabytes:
        raise Failed(f"{folder.parent} must have {gigabytes} GB free, but has {free} GB; free some")


def wait_for(lock):
    """For a set-up that holds the lock, which may take minutes: says again for how long, and for which process."""
    began = said = time.monotonic()
    whom = f"another set-up of the same (process {pathlib.Path(lock.name).read_text().strip() or 'unknown'}) to end"
    say(f"waiting for {whom}")
    while try_lock(lock) is Lock.OF_ANOTHER:
        time.sleep(LOOK_S)
        if time.monotonic() - said >= SAY_AGAIN_S:
            said = time.monotonic()
            say(f"still waiting for {whom}, {said - began:.0f} s by now")


def locked(folder, setting="SDBENCH_ENGINES"):
    """The open lock file, which holds our process's number: the lock goes with it."""
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


def run(command, log, what):
    """Shows the last line of the log on a terminal meanwhile."""
    begin = log.tell()
    with subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL) as process:
        while process.poll() is None:
            if sys.stderr.isatty():
                print(f"\r\033[K  {last_line(log.name)[:terminal_width() - 4]}", end="", file=sys.stderr, flush=True)
            time.sleep(0.2)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    if process.returncode != 0:
        with open(log.name, errors="replace") as text:
            text.seek(begin)
            errors = [line.strip() for line in text if line.startswith("ERROR")] or [last_line(log.name)]
        raise Failed(f"{what} failed: {errors[-1]}; the log is {log.name}")


def last_line(file):
    with open(file, "rb") as log:
        log.seek(max(0, os.path.getsize(file) - 400))
        lines = log.read().decode(errors="replace").replace("\r", "\n").strip().splitlines()
    return lines[-1] if lines else ""


def shared_torch(folder):
    """Whether that site-packages folder is of this Python, so that its torch need not be installed once more."""
    return folder is not None and f"python{version_text(sys.version_info[:2])}" in folder.parts


def require_ours(folder, setting="SDBENCH_ENGINES"):
    if folder.exists() and not any((folder / mark).exists() for mark in MARKS) and (not folder.is_dir() or any(folder.iterdir())):
        raise Failed(f"{folder} must be sdbench's own folder or empty, but holds something else; move it away, or name another with {setting}")


def of_this_python(packages):
    """Those that are for it, without their marks. The table's only ones are python_version>='3.N' and <'3.N'."""
    def is_for_it(mark):
        newer, least = re.fullmatch(r"\s*python_version(>=|<)'3\.(\d+)'\s*", mark).groups()
        return (sys.version_info.minor >= int(least)) == (newer == ">=")

    parts = [package.partition(";") for package in packages]
    return [name for name, _, mark in parts if not mark or is_for_it(mark)]


def modules_of(packages):
    """What is imported of them: onnxruntime of onnxruntime-gpu, tensorrt of tensorrt-cu13."""
    names = [re.match(r"[\w.-]+", package)[0] for package in of_this_python(packages)]
    return [{"pillow": "PIL"}.get(name) or re.sub("-(gpu|cu[0-9]+)$", "", name) for name in names]


def importing(folder, packages):
    """The command that imports all of them in the environment, as a worker of it does."""
    return [str(folder / "bin/python"), "-s", "-c", f"import {', '.join(modules_of(packages))}"]


def works(folder, packages):
    """Whether its Python starts and imports the packages: an upgrade of the system's Python takes both away, and a file may be cut."""
    try:
        return subprocess.run(importing(folder, packages), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0
    except OSError:
        return False


def install(options, log):
    folder = options.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / MARKS[0]).touch()
    run([sys.executable, "-m", "venv", str(folder)], log, "making the environment")
    python = folder / "bin/python"
    packages = options.packages
    if shared_torch(options.torch_folder):
        site_packages = next(folder.glob("lib/python*/site-packages"))
        (site_packages / "sdbench_torch.pth").write_text(f"{options.torch_folder}\n")
        packages = [package for package in packages if not package.startswith("torch==")]
    source = ["--no-index", "--find-links", str(options.wheels)] if options.wheels else []
    # Of thousands of modules a worker imports a few: Python compiles those when it does so first, and pip would compile all.
    run([str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-compile", *source, *packages], log, "installing the packages")
    run(importing(folder, options.packages), log, "importing what was installed")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("gigabytes", type=int)
    parser.add_argument("--torch-folder", type=pathlib.Path)
    parser.add_argument("--torch-gigabytes", type=int, default=0)
    parser.add_argument("--from", dest="wheels", type=pathlib.Path)
    parser.add_argument("packages", nargs="+")
    return parser.parse_args()


def main():
    options = parsed()
    mark = options.folder / MARKS[-1]
    wanted = " ".join(options.packages) + "\n"
    with locked(options.folder):
        require_ours(options.folder)
        if mark.exists() and mark.read_text() == wanted and works(options.folder, options.packages):
            say(f"{options.folder} is set up already")
            return
        own_torch = 0 if shared_torch(options.torch_folder) else options.torch_gigabytes
        require_machine(options.folder, options.gigabytes + own_torch)
        if options.wheels and not options.wheels.is_dir():
            raise Failed(f"--from must be a folder of wheels, but {options.wheels} is none")
        source = f"from {options.wheels}" if options.wheels else "from PyPI"
        size = f", {options.gigabytes + own_torch} GB with a torch of its own" if own_torch else ""
        say(f"installing {', '.join(of_this_python(options.packages))} {source} into {options.folder}, some minutes{size}")
        with open(f"{options.folder}.log", "w+") as log:
            install(options, log)
        mark.write_text(wanted)
        say(f"{options.folder} is set up")


def run_main(main):
    """Ends the process; what fails is one line."""
    try:
        main()
    except Failed as error:
        say(error)
        sys.exit(1)
    except OSError as error:
        say(f"{error.filename or 'the disk'}: {error.strerror}")
        sys.exit(1)
    except KeyboardInterrupt:
        say("interrupted; the next set-up begins anew")
        sys.exit(130)

if __name__ == "__main__":
    run_main(main)
