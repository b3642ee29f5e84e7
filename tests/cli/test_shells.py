"""Completion in zsh and fish, which the build makes of the options: real shells take it, and offer each option. Bash's is in test_pages.py."""

import os
import pathlib
import pty
import select
import shutil
import subprocess
import time

import pytest
from help_text import commands, options_of
from program import PROGRAM

SHARE = pathlib.Path(PROGRAM).parents[1] / "share"
ZSH = SHARE / "zsh/site-functions/_sdbench"
FISH = SHARE / "fish/vendor_completions.d/sdbench.fish"

# A zsh that writes down what a completion offers, and how sdbench is called in the end.
ZSHRC = f"""
PS1='ready>'
fpath=({str(ZSH.parent)!r} $fpath)
autoload -Uz compinit && compinit -u -D
unsetopt auto_list auto_menu always_last_prompt
compadd() {{
  local -a before=("${{@[1,(i)(-|--)]}}") hits
  if [[ " $before " != *' -'[OAD]' '* ]]; then
    builtin compadd -A hits "$@"
    print -rl -- $hits >>offered
  fi
  builtin compadd "$@"
}}
sdbench() {{ print -r -- "${{(j:|:)@}}" >>called }}
"""


def needed(shell):
    if not shutil.which(shell):
        pytest.skip(f"{shell} must be installed, but is not: apt-get install {shell}")


class Zsh:
    """On a terminal, in a folder of its own."""

    def __init__(self, folder):
        needed("zsh")
        self.folder = folder
        (folder / ".zshrc").write_text(ZSHRC)
        try:
            self.pid, self.terminal = pty.fork()
        except OSError as error:  # a bare chroot without /dev/pts
            pytest.skip(f"no pseudo-terminal can be had on this machine: {error}")
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-d", "-i"], {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": str(folder), "ZDOTDIR": str(folder)})
        self.text = ""
        self.until(lambda: "ready>" in self.text)

    def until(self, condition):
        end = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < end, self.text
            if select.select([self.terminal], [], [], 0.05)[0]:
                self.text += os.read(self.terminal, 65536).decode(errors="replace")

    def line(self, keys):
        """What sdbench is called with, and what was offered on the way, once these keys and Enter are typed."""
        files = [self.folder / name for name in ("called", "offered")]
        for file in files:
            file.write_text("")
        self.text = ""
        os.write(self.terminal, keys.encode() + b"\n")
        self.until(lambda: files[0].read_text().endswith("\n") and "ready>" in self.text)
        assert "_sdbench:" not in self.text and "_arguments:" not in self.text, self.text
        return [file.read_text().rstrip("\n") for file in files]

    def close(self):
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


@pytest.fixture(scope="module")
def zsh(tmp_path_factory):
    shell = Zsh(tmp_path_factory.mktemp("zsh"))
    yield shell
    shell.close()


def fish_offers(line, folder):
    """Word by word, without what is said of each."""
    needed("fish")
    done = subprocess.run(["fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", FISH, line], capture_output=True, text=True, cwd=folder,
                          env={"PATH": os.environ["PATH"], "HOME": str(folder), "TERM": "dumb"}, check=True)
    assert done.stderr == ""
    return [offer.split("\t")[0] for offer in done.stdout.splitlines()]


@pytest.mark.parametrize("command", commands())
def test_zsh_offers_each_option_of_the_help(zsh, command):
    assert options_of(command) <= set(zsh.line(f"sdbench {command} -\t")[1].split("\n"))


@pytest.mark.parametrize("command", commands())
def test_fish_offers_each_option_of_the_help(tmp_path, command):
    offered = {word for before in ("-", "--") for word in fish_offers(f"sdbench {command} {before}", tmp_path)}
    assert options_of(command) <= offered


def test_zsh_offers_commands_and_their_subjects(zsh):
    assert set(zsh.line("sdbench \t")[1].split("\n")) == {words.split()[0] for words in commands()}
    assert zsh.line("sdbench list \t")[1].split("\n") == ["models", "presets", "devices", "engines"]
    assert "--restarts" in zsh.line("sdbench --rest\t")[0]


def test_fish_offers_commands_and_their_subjects(tmp_path):
    assert set(fish_offers("sdbench ", tmp_path)) == {words.split()[0] for words in commands()}
    assert sorted(fish_offers("sdbench list ", tmp_path)) == ["devices", "engines", "models", "presets"]
    assert fish_offers("sdbench --rest", tmp_path) == ["--restarts"]


def test_zsh_offers_the_options_of_run_behind_the_end_of_slurms(zsh):
    assert options_of("run") <= set(zsh.line("sdbench slurm submit --per node -- -\t")[1].split("\n"))
    assert "--restarts" not in zsh.line("sdbench slurm submit -\t")[1].split("\n")


def test_fish_offers_the_options_of_run_behind_the_end_of_slurms(tmp_path):
    offered = {word for before in ("-", "--") for word in fish_offers(f"sdbench slurm submit --per node -- {before}", tmp_path)}
    assert options_of("run") <= offered
    assert "--restarts" not in fish_offers("sdbench slurm submit --", tmp_path)


@pytest.mark.parametrize(("keys", "called"), [
    ("sdbench li\tmod\t--form\tjs\t", "list|models|--format=json"),
    ("sdbench --model=tiny-sdx\t", "--model=tiny-sdxl"),
    ("sdbench run -m tiny-sdx\t", "run|-m|tiny-sdxl"),
    ("sdbench run --dtype fp16,autocast-b\t", "run|--dtype|fp16,autocast-bf16"),
    ("sdbench --device cpu,int\t", "--device|cpu,intel"),
    ("sdbench --engine al\t", "--engine|all"),
    ("sdbench setup engine openv\t", "setup|engine|openvino"),
    ("sdbench --steps \t", "--steps"),
    ("sdbench slurm submit --per ty\t", "slurm|submit|--per|type"),
    ("sdbench slurm submit --time 5 -- --model tiny-sdx\t", "slurm|submit|--time|5|--|--model|tiny-sdxl"),
    ("sdbench slurm submit -- --dtype fp16,autocast-b\t", "slurm|submit|--|--dtype|fp16,autocast-bf16"),
    ("sdbench compare my\t", "compare|my results.csv"),
    ("sdbench bugreport r0123 my\t", "bugreport|r0123|my results.csv"),
    ("sdbench -o my\t", "-o|my results.csv"),
])
def test_tab_completes_in_zsh(zsh, keys, called):
    (zsh.folder / "my results.csv").touch()
    assert zsh.line(keys)[0] == called


@pytest.mark.parametrize(("line", "offered"), [
    ("sdbench list models --format js", ["json"]),
    ("sdbench --model=tiny-sdx", ["--model=tiny-sdxl"]),
    ("sdbench run -m tiny-sdx", ["tiny-sdxl"]),
    ("sdbench run --dtype fp16,autocast-b", ["fp16,autocast-bf16"]),
    ("sdbench --device ", ["all", "auto", "cpu", "cuda", "intel"]),
    ("sdbench quality --device ", ["auto", "cpu", "cuda", "intel"]),
    ("sdbench --engine a", ["all"]),
    ("sdbench --task ", ["generate", "infer", "train"]),
    ("sdbench --scheduler e", ["euler"]),
    ("sdbench --data-place ", ["device", "host"]),
    ("sdbench --update o", ["off", "on"]),
    ("sdbench --share b", ["batch"]),
    ("sdbench setup engine openv", ["openvino"]),
    ("sdbench --steps ", []),
    ("sdbench run my", []),
    ("sdbench slurm submit --per ty", ["type"]),
    ("sdbench slurm submit --time 5 -- --model tiny-sdx", ["tiny-sdxl"]),
    ("sdbench slurm submit -- --model=tiny-sdx", ["--model=tiny-sdxl"]),
    ("sdbench slurm submit -- --dtype fp16,autocast-b", ["fp16,autocast-bf16"]),
    ("sdbench slurm submit -- --label 'two words' --rest", ["--restarts"]),
    ("sdbench slurm submit -- --weights my", ["my results.csv"]),
    ("sdbench compare my", ["my results.csv"]),
    ("sdbench bugreport r0123 my", ["my results.csv"]),
    ("sdbench -o my", ["my results.csv"]),
])
def test_fish_completes(tmp_path, line, offered):
    (tmp_path / "my results.csv").touch()
    assert fish_offers(line, tmp_path) == offered
