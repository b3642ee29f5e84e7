"""What is set for other Pythons, and signals that reach sdbench alone: engines of others compute with their own packages, and end with sdbench."""

import http.server
import os
import pathlib
import platform
import signal
import subprocess
import sys
import threading
import zipfile

import pytest
from engine_folder import changed_python, empty_wheel, listed, made_up, quick_environments
from program import children, command_line, environment, finish, is_alive, run, start, wait_until
from stub import CELL, SHARE, STUB, csv_rows, install

PYTHONS = {"PYTHONPATH": "{0}", "PYTHONHOME": "{0}", "PYTHONUSERBASE": "{0}", "PYTHONSAFEPATH": "1", "PYTHONOPTIMIZE": "2", "PYTHONWARNINGS": "error",
           "PYTHONINSPECT": "1", "PYTHONPLATLIBDIR": "none", "PYTHONSTARTUP": "{0}/json.py"}


@pytest.fixture
def of_others(tmp_path):
    """A folder that holds packages for other Pythons: some end whoever imports them, others say that they are installed."""
    folder = tmp_path / "of others"
    for module in ("json", "argparse", "shared", "pip"):
        (folder / f"{module}.py").parent.mkdir(exist_ok=True)
        (folder / f"{module}.py").write_text(f"raise SystemExit('{module} of other Pythons')")
    for package in ("openvino", "torch", "diffusers", "transformers"):
        (folder / f"{package}-9.9.dist-info").mkdir()
        (folder / f"{package}-9.9.dist-info/METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 9.9\n")
    return folder


@pytest.fixture
def program(tmp_path):
    """An installed sdbench over the stub, of which a second version came without its libtorch."""
    program = install(tmp_path / "tree")
    (tmp_path / "tree/share/sdbench").unlink()
    (tmp_path / "tree/share/sdbench").symlink_to(SHARE)
    worker = tmp_path / "tree/libexec/sdbench/0.1/sdbench-worker"
    worker.parent.mkdir()
    worker.symlink_to(STUB)
    (worker.parent / "needs-libtorch").touch()
    return program


def test_no_variable_for_other_pythons_reaches_the_worker_of_an_engine_or_its_set_up(tmp_path, of_others, program):
    env = made_up(tmp_path, "openvino", "", program)
    folder = pathlib.Path(listed("openvino", program, **env)["folder"])
    (folder / "bin/python").unlink()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)  # which has no package at all
    weights = ("-m", "tiny-sd15", "--weights", "weights", *CELL[4:])
    run(tmp_path, "export-weights", "--model", "tiny-sd15", "--weights", "synthetic", "-o", "weights")
    variables = {name: value.format(of_others) for name, value in PYTHONS.items()}
    (tmp_path / "empty").mkdir()
    reasons = {("engine", "openvino"): "--from must be a folder of wheels, but empty has none",
               ("libtorch", "0.1"): "--from must be the wheel of torch 0.1 or a folder that has it, but empty has no torch-0.1-….whl"}
    for more in ({}, *({name: value} for name, value in variables.items()), variables):
        set_ups = [start(tmp_path, "setup", *what, "--from", "empty", env=environment(**env, **more) | {"SDBENCH_ENGINES": "none"}, program=program)
                   for what in reasons]
        code, _, err = run(tmp_path, *weights, "--engine", "openvino", "-o", "x.csv", "--overwrite", env=environment(**env, **more), program=program)
        assert [finish(process) for process in set_ups] == [(1, "", f"sdbench setup: {reason}\n") for reason in reasons.values()], more
        row = csv_rows(tmp_path / "x.csv")[-1]
        assert code == 1 and "must have openvino and torch and diffusers, but lacks openvino and torch and diffusers" in row["error"], (more, row, err)
        assert row["runtime_version"] in ("", "openvino missing, torch missing"), more


class Handler(http.server.BaseHTTPRequestHandler):
    """Of a package index whose wheel of diffusers never comes to its end."""

    def do_GET(self):
        self.server.asked.append(self.path)
        kind, name = self.path.split("/")[1:3]
        if kind == "simple":
            body, content = f'<a href="/wheels/{name}-{self.server.versions[name]}-py3-none-any.whl">x</a>'.encode(), "text/html"
        else:
            body, content = empty_wheel(*name.split("-")[:2]), "application/octet-stream"
        self.send_response(200)
        for header, value in {"Content-Type": content, "Content-Length": len(body), "Cache-Control": "max-age=365000000, immutable, public"}.items():
            self.send_header(header, str(value))
        self.end_headers()
        if self.path.startswith("/wheels/diffusers"):
            self.wfile.write(body[:100])
            self.server.is_over.wait(60)
        else:
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def index():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.asked, server.is_over, server.daemon_threads = [], threading.Event(), True
    server.versions = dict(package.partition(";")[0].split("==") for package in listed("openvino")["packages"] if "<'" not in package)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.is_over.set()
    server.shutdown()
    server.server_close()


def below(pid):
    return [each for child in children(pid) for each in (child, *below(child))]


def test_a_signal_to_sdbench_alone_ends_its_set_up_and_the_next_one_goes_on_with_what_pip_has(tmp_path, index):
    path = changed_python(tmp_path, quick_environments(tmp_path))
    env = environment(SDBENCH_ENGINES=str(tmp_path / "engines"), PATH=path, PIP_CACHE_DIR=str(tmp_path / "pip"),
                      PIP_INDEX_URL=f"http://127.0.0.1:{index.server_port}/simple/", PIP_TRUSTED_HOST="127.0.0.1", PIP_CONFIG_FILE=os.devnull)
    env.pop("PIP_FIND_LINKS", None)
    for number, is_fetched in ((signal.SIGTERM, True), (signal.SIGKILL, False)):
        process = start(tmp_path, "setup", "engine", "openvino", env=env)
        wait_until(lambda: any(path.startswith("/wheels/diffusers") for path in index.asked))
        started = below(process.pid)
        assert any("pip\0install" in command_line(each) for each in started)
        process.send_signal(number)
        wait_until(lambda: not any(is_alive(each) for each in started), 10)
        finish(process)
        assert any(path.startswith("/wheels/openvino") for path in index.asked) == is_fetched, index.asked
        index.asked.clear()


def test_looking_whether_sdbench_still_runs_does_not_end_a_set_up_at_its_own_end(tmp_path, program):
    """Python gives signals their own meaning back before a process ends: that of the one it looks by is to kill."""
    (tmp_path / "empty").mkdir()
    often = f"sys.path.insert(0, '{SHARE / 'engines'}')\nfrom shared import attended\nattended.LOOK_S = 0.0005"
    env = environment(SDBENCH_ENGINES=str(tmp_path / "engines"), PATH=changed_python(tmp_path / "often", often))
    for _ in range(3):
        assert run(tmp_path, "setup", "engine", "openvino", "--from", "empty", env=env, program=program)[0] == 1


UNPACKS_SLOWLY = """
import shutil, time

def copied(source, target, *_):
    while byte := source.read(1):
        target.write(byte)
        target.flush()
        time.sleep(0.01)

shutil.copyfileobj = copied
"""


class Unpacking:
    """A set-up of libtorch that takes minutes at it."""

    words = ("libtorch", "0.1", "--from", "wheels")
    next_says = "is set up\n"

    def __init__(self, folder, program):
        (folder / "wheels").mkdir()
        with zipfile.ZipFile(folder / f"wheels/torch-0.1-cp311-cp311-linux_{platform.machine()}.whl", "w") as archive:
            archive.writestr("torch/lib/libtorch_cpu.so", "x" * 20_000)
        self.cache = folder / "cache/sdbench/libtorch/0.1"
        self.env = {"XDG_CACHE_HOME": str(folder / "cache"), "PATH": changed_python(folder, UNPACKS_SLOWLY)}

    def is_at_it(self, started):
        file = self.cache / "torch/lib/libtorch_cpu.so"
        return file.exists() and file.stat().st_size > 0

    def let_go_on(self):
        (self.cache / "stray").touch()  # what was begun goes
        self.env["PATH"] = os.environ["PATH"]


class LookingForLibraries(Unpacking):
    """Of a worker that the loader never comes to an end with: a static program, which it does not see."""

    def __init__(self, folder, program):
        super().__init__(folder, program)
        self.env["PATH"] = os.environ["PATH"]
        self.worker = program.parents[1] / "libexec/sdbench/0.1/sdbench-worker"
        self.worker.unlink()
        subprocess.run(["cc", "-x", "c", "-", "-static", "-o", self.worker], input="int pause(void); int main(void) { return pause(); }", text=True, check=True)

    def is_at_it(self, started):
        return any(str(self.worker) in command_line(each) for each in started)

    def let_go_on(self):
        self.worker.unlink()
        self.worker.symlink_to(STUB)


class Importing:
    """An engine whose packages take a minute to import, in a process of their Python's."""

    words = ("engine", "openvino")
    next_says = "is set up already\n"

    def __init__(self, folder, program):
        self.is_quick = folder / "quick"
        self.env = made_up(folder, "openvino", f"[ -e '{self.is_quick}' ] || sleep 60", program)

    def is_at_it(self, started):
        return any("sleep" in command_line(each) for each in started)

    def let_go_on(self):
        self.is_quick.touch()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("work", [Unpacking, LookingForLibraries, Importing])
def test_a_signal_to_sdbench_alone_ends_its_set_up_whatever_that_is_at(tmp_path, program, work, number):
    begun = work(tmp_path, program)
    process = start(tmp_path, "setup", *begun.words, env=environment(**begun.env), program=program)
    wait_until(lambda: begun.is_at_it(below(process.pid)), 20)
    started = below(process.pid)
    process.send_signal(number)
    wait_until(lambda: not any(is_alive(each) for each in started), 5)
    finish(process)
    begun.let_go_on()
    code, _, err = run(tmp_path, "setup", *begun.words, env=environment(**begun.env), program=program)
    assert code == 0 and err.endswith(begun.next_says), err
    assert not list(tmp_path.glob("cache/**/stray"))
