"""Environments of other engines for the tests: with the oracle's packages, or with a worker that a test makes up."""

import importlib.util
import io
import json
import os
import subprocess
import sys
import zipfile

from program import PROGRAM, environment


def listed(name, program=PROGRAM, **env):
    """The engine as `sdbench list engines` has it."""
    out = subprocess.run([program, "list", "engines", "--format", "json"], env=environment(**env), check=True, capture_output=True, text=True).stdout
    return next(engine for engine in json.loads(out) if engine["name"] == name)


def made_up(folder, name, script, program=PROGRAM):
    """For `program`, a complete environment of the engine below `folder` whose Python is that text of a shell script; what must be in the environment."""
    env = {"SDBENCH_ENGINES": str(folder / "engines"), "XDG_CACHE_HOME": str(folder / "cache")}
    engine = listed(name, program, **env)
    python = os.path.join(engine["folder"], "bin/python")
    os.makedirs(os.path.dirname(python), exist_ok=True)
    with open(python, "w") as file:
        file.write("#!/bin/sh\n" + script + "\n")
    os.chmod(python, 0o755)
    with open(os.path.join(engine["folder"], ".complete"), "w") as file:
        file.write(" ".join(engine["packages"]) + "\n")
    assert listed(name, program, **env)["set_up"]
    return env


def of_oracle(folder, name):
    """The real engine by the packages that the tests have anyway: the same versions of torch and diffusers."""
    return made_up(folder, name, f"exec '{sys.executable}' \"$@\"")


def changed_python(folder, code):
    """PATH with a python3 that runs `code` before the set-up. It is a shell script, which would live on, and its child, too."""
    folder.mkdir(exist_ok=True)
    (folder / "before.py").write_text(f"import runpy, sys\n{code}\nsys.argv = sys.argv[1:]\nrunpy.run_path(sys.argv[0], run_name='__main__')\n")
    script = folder / "bin/python3"
    script.parent.mkdir(exist_ok=True)
    script.write_text(f"#!/bin/sh\nshift 2\n'{sys.executable}' -I -B '{folder}/before.py' \"$@\"\nexit $?\n")
    script.chmod(0o755)
    return f"{script.parent}:{os.environ['PATH']}"


def quick_environments(folder):
    """For changed_python: an environment has a link to this Python's pip, which else takes seconds to install."""
    if not (folder / "linked").exists():
        (folder / "linked").mkdir(parents=True)
        (folder / "linked/pip").symlink_to(*importlib.util.find_spec("pip").submodule_search_locations)
    (folder / "quick").write_text(f"#!/bin/sh\n'{sys.executable}' -I -m venv --without-pip \"$4\"\n"
                                  f"echo '{folder}/linked' >\"$(ls -d \"$4\"/lib/python*/site-packages)/pip.pth\"\n")
    (folder / "quick").chmod(0o755)
    return f"sys.executable = '{folder}/quick'"


def empty_wheel(name, version, more=b""):
    """A package of nothing but a file of these bytes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{name}/__init__.py", "")
        archive.writestr(f"{name}/more", more, zipfile.ZIP_DEFLATED)
        archive.writestr(f"{name}-{version}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        archive.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{name}-{version}.dist-info/RECORD", "")
    return file.getvalue()
