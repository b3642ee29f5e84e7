"""The manual page and bash's completion, which the build makes of the options: each option is in both, and a real man and bash take them."""

import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time

import pytest
from help_text import commands, options_of
from program import PROGRAM

SHARE = pathlib.Path(PROGRAM).parents[1] / "share"
MANUAL = SHARE / "man/man1/sdbench.1"
COMPLETION = SHARE / "bash-completion/completions/sdbench"


def completed(line, folder=None):
    """What bash would offer behind a line, whose words are apart by single spaces."""
    script = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sdbench; '
              'for word in "${COMPREPLY[@]}"; do echo "$word"; done')
    bash = subprocess.run(["bash", "--norc", "-c", script, "bash", COMPLETION, *line.split(" ")], capture_output=True, text=True, check=True, cwd=folder)
    assert bash.stderr == ""
    return bash.stdout.split()


@pytest.fixture(scope="module")
def rendered():
    """The page as man shows it, without bold, and whatever man says of it."""
    assert shutil.which("man"), "man must be there; install man-db"
    env = {**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "200", "MAN_KEEP_FORMATTING": ""}
    man = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", MANUAL], capture_output=True, text=True, check=True, env=env)
    assert man.stderr == ""
    return re.sub(".\b", "", man.stdout)


@pytest.mark.parametrize("command", commands())
def test_each_option_of_the_help_is_in_the_manual_page_and_is_completed(command, rendered):
    begin = rendered.index(f"\nsdbench {command}\n")
    end = re.search(r"^\S", rendered[begin + 2:].split("\n", 1)[1], re.MULTILINE).start()
    section = rendered[begin:begin + 2 + len(f"sdbench {command}\n") + end]
    options = options_of(command)
    assert "--help" in options
    # The help of one that can be negated has it on a line of its own.
    assert not [option for option in options if not re.search(rf"(?<![-\w]){option}(?![-\w])", section)]
    assert options <= set(completed(f"sdbench {command} -")), command


def test_the_options_of_run_are_completed_behind_the_end_of_slurms():
    assert options_of("run") <= set(completed("sdbench slurm submit --per node -- -"))
    assert "--restarts" not in completed("sdbench slurm submit -")


def test_the_manual_page_has_all_sections_and_no_line_of_roff(rendered):
    for words in ("NAME", "SYNOPSIS", "COMMANDS", "FILES", "sdbench slurm submit [OPTIONS] -- [OPTIONS OF run]",
                  "sdbench compare [OPTIONS] [FILES]\n", "sdbench quality [OPTIONS]\n", "--negative-prompt TEXT", "~/.cache/sdbench", "Exit code"):
        assert words in rendered
    assert not re.search(r"^\s*\.[A-Z]{1,2}( |$)|\\[&-]", rendered, re.MULTILINE)


def test_commands_and_their_subjects_are_completed():
    assert set(completed("sdbench ")) == {words.split()[0] for words in commands()}
    assert completed("sdbench re") == ["report", "reproduce"]
    assert completed("sdbench list ") == ["models", "presets", "devices", "engines"]
    assert "pytorch" in completed("sdbench setup engine ")
    assert "--restarts" in completed("sdbench --rest")


@pytest.mark.parametrize(("line", "offered"), [
    ("sdbench --model sdx", ["sdxl", "sdxl-turbo"]),
    ("sdbench run -m tiny-sdx", ["tiny-sdxl"]),
    ("sdbench --model = tiny-sdx", ["tiny-sdxl"]),  # as bash takes --model=tiny-sdx apart
    ("sdbench --dtype =", ["auto", "fp16", "bf16", "fp32", "autocast-fp16", "autocast-bf16"]),
    ("sdbench --dtype fp16,b", ["fp16,bf16"]),
    ("sdbench --device ", ["auto", "cpu", "cuda", "intel", "all"]),
    ("sdbench reproduce --device ", ["auto", "cpu", "cuda", "intel"]),
    ("sdbench --engine a", ["all"]),
    ("sdbench --task ", ["generate", "infer", "train"]),
    ("sdbench --scheduler ", ["auto", "euler"]),
    ("sdbench --preset lake", ["lake-house"]),
    ("sdbench --steps ", []),
    ("sdbench list models --format ", ["table", "json"]),
    ("sdbench compare --metric x --format ht", ["html"]),
    ("sdbench slurm submit --per ", ["node", "type", "gpu"]),
    ("sdbench slurm submit --time 5 -- --model tiny-sdx", ["tiny-sdxl"]),
    ("sdbench slurm submit -- --dtype fp16,b", ["fp16,bf16"]),
    ("sdbench nonsense --", []),
])
def test_values_are_completed(line, offered):
    assert completed(line) == offered


def typed(keys, folder, until):
    """What a real bash on a terminal shows for some keys, up to a text."""
    try:
        pid, terminal = pty.fork()
    except OSError as error:  # a bare chroot without /dev/pts
        pytest.skip(f"no pseudo-terminal can be had on this machine: {error}")
    if pid == 0:
        os.chdir(folder)
        os.execve("/bin/bash", ["bash", "--norc", "--noprofile", "-i"],
                  {"PATH": os.environ["PATH"], "TERM": "dumb", "PS1": "ready>", "HOME": str(folder), "INPUTRC": "/dev/null"})
    text = ""

    def read_until(words):
        nonlocal text
        end = time.monotonic() + 30
        while words not in text:
            assert time.monotonic() < end, text
            if select.select([terminal], [], [], 0.5)[0]:
                text += os.read(terminal, 65536).decode(errors="replace")

    try:
        read_until("ready>")
        os.write(terminal, f". '{COMPLETION}' && echo read''y\n".encode())
        read_until("ready\r\n")
        os.write(terminal, keys.encode())
        read_until(until)
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        os.close(terminal)
    return text


def test_tab_completes_in_a_real_bash(tmp_path):
    typed("sdbench li\tmod\t--form\tjs\t#", tmp_path, "sdbench list models --format json #")
    typed("sdbench --model=tiny-sdx\t#", tmp_path, "sdbench --model=tiny-sdxl #")
    typed("sdbench run --dtype fp16,autocast-b\t#", tmp_path, "sdbench run --dtype fp16,autocast-bf16 #")


def test_tab_completes_a_file_where_an_option_takes_one(tmp_path):
    (tmp_path / "my results.csv").touch()
    typed("sdbench compare my\t#", tmp_path, "sdbench compare my\\ results.csv #")
    typed("sdbench -o my\t#", tmp_path, "sdbench -o my\\ results.csv #")
