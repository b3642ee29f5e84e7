"""Environments of other engines for the tests: with the oracle's packages, or with a worker that a test makes up."""

import json
import os
import subprocess
import sys

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
