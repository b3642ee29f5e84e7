"""What --help says of the commands and their options."""

import re
import subprocess

from program import PROGRAM, environment


def help_of(*words):
    return subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, check=True, env=environment()).stdout


def commands():
    """As the help lists them: "list models"."""
    listed = help_of().split("Commands:\n")[1].split("Each takes")[0]
    return [line[2:].split("  ")[0] for line in listed.splitlines()]


def options_of(command):
    """Of a command's help: -m, --model, …"""
    names = re.findall(r"^  (-[-\w,]+)", help_of(*command.split()), re.MULTILINE)
    return {name for group in names for name in group.split(",")}
