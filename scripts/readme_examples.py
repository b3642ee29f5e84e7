#!/usr/bin/env python3
"""Updates sdbench's output in README.md: the block below each "(`./sdbench ARGUMENTS`):" is that command's output.
A block that ends with "…" keeps its number of lines.

Usage: readme_examples.py PROGRAM [--check]. With --check it writes nothing; exit code 1 if a block differs.
"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLE = re.compile(r"(\(`\./sdbench ([^`\n]+)`\):\n\n```\n)(.*?)(```\n)", re.DOTALL)


def output_of(program, arguments):
    """The program's output in a terminal that is wide enough."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run([program, *shlex.split(arguments)], cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=True).stdout


def block(output, shown):
    lines = output.splitlines(keepends=True)
    return "".join(lines[:shown.count("\n") - 1]) + "…\n" if shown.endswith("…\n") else output


def renewed(text, program):
    return EXAMPLE.sub(lambda found: found[1] + block(output_of(program, found[2]), found[3]) + found[4], text)


def main(program, check=""):
    readme = CHECKOUT / "README.md"
    text = readme.read_text(encoding="utf-8")
    assert EXAMPLE.search(text), "README.md must show the output of a command, but shows none"
    new = renewed(text, os.path.abspath(program))
    if check and new != text:
        sys.exit("README.md must show what sdbench prints, but shows something else: run scripts/readme_examples.py PROGRAM")
    if not check:
        readme.write_text(new, encoding="utf-8")


main(*sys.argv[1:])
