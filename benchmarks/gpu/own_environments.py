"""Makes the environments of external engines look set up, each with the given Python.

    sdbench list engines --format json | own_environments.py PYTHON
"""
import json
import pathlib
import shutil
import sys


def main():
    python = shutil.which(sys.argv[1])
    for engine in json.load(sys.stdin):
        if not engine["folder"]:  # one of our engines
            continue
        folder = pathlib.Path(engine["folder"])
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        program = folder / "bin" / "python"
        program.write_text(f"#!/bin/sh\nexec '{python}' \"$@\"\n")
        program.chmod(0o755)
        (folder / ".complete").write_text(" ".join(engine["packages"]) + "\n")


if __name__ == "__main__":
    main()
