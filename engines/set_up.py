"""Sets up the environment of an engine: a virtual environment of Python with its packages. Needs only the standard library.

    python3 -I set_up.py FOLDER GIGABYTES [--torch-folder SITE_PACKAGES] [--torch-gigabytes N] [--from WHEEL_FOLDER] [--until PROCESS] PACKAGE...

FOLDER/.sdbench is written first: a folder without it belongs to someone else and is left alone. FOLDER/.complete names the packages and is written
last, so that an interrupted installation is noticed and repeated. Two set-ups at once wait for each other.
The log lies beside FOLDER. On failure, prints one line and exits with code 1. Ends when the process with the number PROCESS ends.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))  # -I leaves it out

from shared import attended  # noqa: E402
from shared.setting_up import MARKS, TEMPORARY, Failed, locked, pip_environment, require_machine, require_ours, run, run_main, say, version_text  # noqa: E402

PACKAGE_ENDS = (".whl", ".tar.gz", ".zip")  # pip builds the latter two itself


def shared_torch(folder):
    """True if the site-packages folder belongs to this Python version, so that its torch can be shared."""
    return folder is not None and f"python{version_text(sys.version_info[:2])}" in folder.parts


def of_this_python(packages):
    """Returns the packages for this Python, without their markers. The table uses only python_version>='3.N' and <'3.N'."""
    def is_for_it(mark):
        newer, least = re.fullmatch(r"\s*python_version(>=|<)'3\.(\d+)'\s*", mark).groups()
        return (sys.version_info.minor >= int(least)) == (newer == ">=")

    parts = [package.partition(";") for package in packages]
    return [name for name, _, mark in parts if not mark or is_for_it(mark)]


def modules_of(packages):
    """The modules to import for the packages: onnxruntime for onnxruntime-gpu, tensorrt for tensorrt-cu13."""
    names = [re.match(r"[\w.-]+", package)[0] for package in of_this_python(packages)]
    return [{"pillow": "PIL"}.get(name) or re.sub("-(gpu|cu[0-9]+)$", "", name) for name in names]


def importing(folder, packages):
    """The command that imports all packages in the environment, as its worker does."""
    return [str(folder / "bin/python"), "-I", "-c", f"import {', '.join(modules_of(packages))}"]


def works(folder, packages):
    """True if the environment's Python starts and imports the packages. An upgrade of the system's Python breaks both; a file may be truncated."""
    try:
        return attended.run(importing(folder, packages), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def require_packages(folder):
    """Reports a wrong option before the existing environment is removed."""
    if not folder.is_dir():
        raise Failed(f"--from must be a folder of wheels, but {folder} is not one")
    if not any(file.name.endswith(PACKAGE_ENDS) for file in folder.iterdir()):
        raise Failed(f"--from must be a folder of wheels, but {folder} has none")


def install(options, log):
    """Installs everything anew. After an interrupted set-up, pip still has the packages that it downloaded completely."""
    folder = options.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / MARKS[0]).touch()
    run([sys.executable, "-I", "-m", "venv", str(folder)], log, "making the environment")
    python = folder / "bin/python"
    packages = options.packages
    if shared_torch(options.torch_folder):
        site_packages = next(folder.glob("lib/python*/site-packages"))
        (site_packages / "sdbench_torch.pth").write_text(f"{options.torch_folder}\n")
        packages = [package for package in packages if not package.startswith("torch==")]
    source = ["--no-index", "--find-links", str(options.wheels)] if options.wheels else []
    environment = pip_environment(folder)
    if source:
        environment.pop("PIP_NO_INDEX", None)  # else the error would blame it for what --from lacks
    # pip would compile thousands of modules. A worker imports only a few, which Python compiles at their first import.
    run([str(python), "-I", "-m", "pip", "install", "--no-compile", *source, *packages], log, "installing the packages",
        environment)
    shutil.rmtree(folder / TEMPORARY)
    run(importing(folder, options.packages), log, "importing what was installed")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("gigabytes", type=int)
    parser.add_argument("--torch-folder", type=pathlib.Path)
    parser.add_argument("--torch-gigabytes", type=int, default=0)
    parser.add_argument("--from", dest="wheels", type=pathlib.Path)
    parser.add_argument("--until", type=int)
    parser.add_argument("packages", nargs="+")
    return parser.parse_args()


def complete_text(options):
    return " ".join(options.packages) + "\n"


def is_set_up(options):
    mark = options.folder / MARKS[-1]
    if not (mark.exists() and mark.read_text() == complete_text(options) and works(options.folder, options.packages)):
        return False
    say(f"{options.folder} is set up already")
    return True


def when_completed(options):
    """Time of the last mark; None if the set-up is not complete. A cheap way to see if another process finished meanwhile: importing takes
    seconds."""
    mark = options.folder / MARKS[-1]
    return mark.stat().st_mtime_ns if mark.exists() else None


def main():
    options = parsed()
    attended.end_with(options.until)
    before = when_completed(options)
    if is_set_up(options):  # checked without a lock, because the folder may be read-only
        return
    with locked(options.folder):
        require_ours(options.folder)
        if when_completed(options) != before and is_set_up(options):  # done by the process we waited for
            return
        own_torch = 0 if shared_torch(options.torch_folder) else options.torch_gigabytes
        require_machine(options.folder, options.gigabytes + own_torch)
        if options.wheels:
            require_packages(options.wheels)
        source = f"from {options.wheels}" if options.wheels else "from PyPI"
        size = f", {options.gigabytes + own_torch} GB with a torch of its own" if own_torch else ""
        say(f"installing {', '.join(of_this_python(options.packages))} {source} into {options.folder}, some minutes{size}")
        with open(f"{options.folder}.log", "w+") as log:
            install(options, log)
        (options.folder / MARKS[-1]).write_text(complete_text(options))
        say(f"{options.folder} is set up")


if __name__ == "__main__":
    run_main(main)
