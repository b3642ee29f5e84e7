"""Sets up a libtorch for a worker that came without one: libraries of the torch wheel, and NVIDIA's libraries that it needs, without Python files.

    python3 -I set_up_libtorch.py FOLDER VERSION WORKER [--from WHEEL | --from WHEEL_FOLDER] [--until PROCESS]

Without --from they come from PyPI. FOLDER gets the same marks as in set_up.py: .sdbench first, .complete last. At the end, all of WORKER's libraries
must exist. On failure, prints one line and exits with code 1. Ends when the process with the number PROCESS ends.
"""
import argparse
import os
import pathlib
import platform
import re
import shutil
import sys
import zipfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))  # -I leaves it out

from shared import attended  # noqa: E402
from shared.setting_up import MARKS, TEMPORARY, Failed, locked, pip_environment, require_machine, require_ours, run, run_main, say  # noqa: E402

GIGABYTES = 11  # for the wheels and what remains of them
SETTING = "XDG_CACHE_HOME"
LIBRARY = re.compile(r"(torch/lib|nvidia/\w+/lib)/[^/]+\.so[.0-9]*|torch/version\.py")
WHEEL = re.compile(r"(?P<name>[^-]+)-(?P<version>[^-]+)(-\d[^-]*)?-[^-]+-[^-]+-(?P<platform>[^-]+)\.whl")


def is_for_this_machine(platform_tag):
    return platform_tag == "any" or ("linux" in platform_tag and platform_tag.endswith(f"_{platform.machine()}"))


def torch_wheel(source, version):
    """The wheel file that --from names, or the one in its folder."""
    if source.is_dir():
        wheels = sorted(source.glob(f"torch-{version}[-+]*.whl"))
        ours = [wheel for wheel in wheels if is_for_this_machine(WHEEL.fullmatch(wheel.name)["platform"])] or wheels
        if not ours:
            raise Failed(f"--from must be the wheel of torch {version} or a folder that has it, but {source} has no torch-{version}-….whl")
        return ours[0]
    if not source.exists():
        raise Failed(f"--from must be the wheel of torch {version} or a folder that has it, but {source} is not there")
    return source


def checked_wheel(wheel, version):
    parts = WHEEL.fullmatch(wheel.name)
    if not parts or parts["name"] != "torch":
        raise Failed(f"--from must be the wheel of torch {version}, called torch-{version}-….whl, but is {wheel.name}")
    if parts["version"].partition("+")[0] != version:
        raise Failed(f"--from must be the wheel of torch {version}, but {wheel.name} is of {parts['version']}")
    if not is_for_this_machine(parts["platform"]):
        raise Failed(f"{wheel.name} must be for Linux on {platform.machine()}, but is for {parts['platform']}; take the one for this machine")
    return wheel


def wheels_of(source, version):
    """torch's wheel, and NVIDIA's wheels in the same folder."""
    first = checked_wheel(torch_wheel(source, version), version)
    beside = [wheel for wheel in sorted(first.parent.glob("nvidia*.whl")) if (parts := WHEEL.fullmatch(wheel.name))
              and is_for_this_machine(parts["platform"])]
    return [first, *beside]


def unpack(wheel, folder):
    """Extracts the libraries that the worker needs. zipfile verifies the checksum of each."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if LIBRARY.fullmatch(name):
                    archive.extract(name, folder)
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise Failed(f"{wheel} must be a whole wheel, but is cut or damaged; copy or download it again") from None


def fetch(version, folder, log):
    """Fetches the packages by pip in a temporary environment, because the system's Python may lack pip."""
    tools, all_of_it = folder / "tools", folder / "fetched"
    run([sys.executable, "-I", "-m", "venv", str(tools)], log, "making an environment with pip")
    run([str(tools / "bin/python"), "-I", "-m", "pip", "install", "--no-compile", "--only-binary", ":all:", "--target", str(all_of_it),
         f"torch=={version}"], log, "fetching the packages", pip_environment(folder))
    for file in all_of_it.rglob("*"):
        name = file.relative_to(all_of_it)
        if file.is_file() and LIBRARY.fullmatch(str(name)):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            file.rename(folder / name)
    for rest in (tools, all_of_it, folder / TEMPORARY):
        shutil.rmtree(rest)


def missing_libraries(worker, folder):
    """The libraries that the loader cannot find for the worker, although it searches this folder first."""
    places = [folder / "torch/lib", *sorted(folder.glob("nvidia/*/lib"))]
    env = {**os.environ, "LD_TRACE_LOADED_OBJECTS": "1", "LD_LIBRARY_PATH": ":".join(map(str, places))}
    with open(os.memfd_create("libraries"), "w+") as traced:
        attended.run([worker], stdout=traced, stderr=traced, env=env)
        traced.seek(0)
        return re.findall(r"^\s*(\S+) => not found", traced.read(), re.MULTILINE)


def install(options, log):
    folder = options.folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / MARKS[0]).touch()
    if options.source:
        for wheel in wheels_of(options.source, options.version):
            unpack(wheel, folder)
    else:
        fetch(options.version, folder, log)
    if missing := missing_libraries(options.worker, folder):
        raise Failed(f"the worker must find all its libraries, but {', '.join(missing)} cannot be found; put NVIDIA's wheels that torch "
                     f"{options.version} names beside its own, or leave out --from")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("version")
    parser.add_argument("worker", type=pathlib.Path)
    parser.add_argument("--from", dest="source", type=pathlib.Path)
    parser.add_argument("--until", type=int)
    return parser.parse_args()


def is_set_up(options):
    if not (options.folder / MARKS[-1]).exists() or missing_libraries(options.worker, options.folder):
        return False
    say(f"{options.folder} is set up already")
    return True


def main():
    options = parsed()
    attended.end_with(options.until)
    if is_set_up(options):  # checked without a lock, because the folder may be read-only
        return
    with locked(options.folder, SETTING):
        require_ours(options.folder, SETTING)
        if is_set_up(options):  # done by the process we waited for
            return
        if options.source:
            wheels_of(options.source, options.version)  # reports a wrong --from before the existing folder is removed
        else:
            require_machine(options.folder, GIGABYTES, SETTING)
        say(f"putting libtorch {options.version} into {options.folder} from {options.source or 'PyPI, some minutes'}")
        with open(f"{options.folder}.log", "w+") as log:
            install(options, log)
        (options.folder / MARKS[-1]).write_text(f"torch=={options.version}\n")
        say(f"{options.folder} is set up")


if __name__ == "__main__":
    run_main(main)
