"""engines/set_up.py, with packages that are made here: what it waits for, what it imports at its end, and of what it says that it failed."""
import fcntl
import http.server
import os
import pathlib
import re
import socket
import struct
import subprocess
import sys
import threading
import time
import zipfile

import pytest
from front import ROOT

sys.path.insert(0, str(ROOT / "engines"))

from shared import pip, setting_up  # noqa: E402

PACKAGES = ("torch==1.0", "diffusers==1.0", "openvino==1.0")


def wheel(folder, name, code):
    """A package of one line."""
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as file:
        file.writestr(f"{name}/__init__.py", code)
        file.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        file.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{name}-1.0.dist-info/RECORD", "")


# Each would put packages elsewhere or take others, or none.
PIP_OPTIONS = {"user": "1", "target": "{0}", "prefix": "{0}", "root": "{0}", "no-deps": "1", "dry-run": "1", "python": "{0}/python", "quiet": "3",
               "platform": "win32", "only-binary": ":none:", "requirement": "{0}/none.txt"}
# pip reads no file then.
PIP_OURS = {"PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1"}


def without_pip_settings(folder, monkeypatch):
    """Neither variables nor files of a user."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_CONFIG_DIRS", str(folder / "all"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)


@pytest.mark.parametrize("section", ["", "global", "install"])  # empty: the variable
@pytest.mark.parametrize("option", PIP_OPTIONS)
def test_no_option_of_pips_alone_decides_which_packages_come_or_where_they_go(tmp_path, monkeypatch, option, section):
    without_pip_settings(tmp_path, monkeypatch)
    value = PIP_OPTIONS[option].format(tmp_path)
    (tmp_path / "pip.conf").write_text("[global]\nproxy = http://mine\n" + (f"[{section}]\n{option} = {value}\n" if section == "install" else
                                                                           f"{option} = {value}\n" if section else ""))
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    monkeypatch.setenv("PIP_CERT", "mine.pem")
    if not section:
        monkeypatch.setenv("PIP_" + option.upper().replace("-", "_"), value)
    assert {name: value for name, value in setting_up.pip_environment(tmp_path).items() if name.startswith("PIP_")} == {
        **PIP_OURS, "PIP_PROXY": "http://mine", "PIP_CERT": "mine.pem", "PIP_LOG": str(tmp_path.resolve() / ".tmp/pip.log")}


def hostile_python(folder):
    """What is set for other Pythons: modules that end whoever imports them, and a folder without any."""
    folder.mkdir()
    for module in ("json", "argparse", "shared", "pip", "torch"):
        (folder / f"{module}.py").write_text(f"raise SystemExit('{module} of PYTHONPATH')")
    return {"PYTHONPATH": str(folder), "PYTHONHOME": str(folder), "PYTHONUSERBASE": str(folder), "PYTHONSAFEPATH": "1", "PYTHONOPTIMIZE": "2",
            "PYTHONWARNINGS": "error", "PYTHONINSPECT": "1", "PYTHONPLATLIBDIR": "nowhere"}


def made(folder, wheels, **more):
    """(exit code, stderr)"""
    done = subprocess.run([sys.executable, "-I", ROOT / "engines/set_up.py", folder, "0", "--from", wheels, *PACKAGES], capture_output=True, text=True,
                          timeout=120, env={**os.environ, **more})
    return done.returncode, done.stderr


def test_a_package_that_cannot_be_imported_fails_the_set_up_with_its_own_error(tmp_path):
    """And what is set for other Pythons and other uses of pip, in the environment or in a file, changes nothing."""
    elsewhere, settings = tmp_path / "elsewhere", tmp_path / "pip.conf"
    options = {name: value.format(elsewhere) for name, value in PIP_OPTIONS.items()}
    settings.write_text("[install]\n" + "".join(f"{name} = {value}\n" for name, value in options.items() if name not in ("python", "quiet"))
                        + f"[global]\nuser = true\npython = {elsewhere}\nquiet = 3\n")
    hostile = hostile_python(tmp_path / "of others")
    for name in ("torch", "diffusers", "openvino"):
        wheel(tmp_path, name, "raise ImportError('libgone.so.1: cannot open shared object file')" if name == "openvino" else "")
    environment = tmp_path / "environments/openvino"
    code, err = made(environment, tmp_path, **hostile, **{"PIP_" + name.upper().replace("-", "_"): value for name, value in options.items()})
    assert code == 1 and "importing what was installed failed: ImportError: libgone.so.1: cannot open" in err.splitlines()[-1], err
    assert not (environment / ".complete").exists()
    wheel(tmp_path, "openvino", "")
    code, err = made(environment, tmp_path, PIP_CONFIG_FILE=str(settings))
    assert code == 0 and (environment / ".complete").read_text() == " ".join(PACKAGES) + "\n", err
    assert len(list(environment.glob("lib/python*/site-packages/*-1.0.dist-info"))) == 3 and not elsewhere.exists()
    lock = pathlib.Path(f"{environment}.lock")  # as on a disk that is read-only, it cannot be written
    lock.unlink()
    lock.mkdir()
    assert made(environment, tmp_path)[1] == f"sdbench setup: {environment} is set up already\n"


def test_a_torch_that_is_of_another_python_is_installed_once_more_and_needs_its_own_room(tmp_path):
    def says(folder):
        words = ("0", "--torch-gigabytes", str(10**9), "--torch-folder", folder, "--from", tmp_path / "none", *PACKAGES)
        return subprocess.run([sys.executable, "-I", ROOT / "engines/set_up.py", tmp_path / "openvino", *words], capture_output=True, text=True).stderr

    said = says(tmp_path / "lib/python3.0/site-packages")
    assert f"must have {10**9} GB free" in said and "name another disk with SDBENCH_ENGINES" in said
    assert "--from must be a folder of wheels" in says(tmp_path / "lib/python{}.{}/site-packages".format(*sys.version_info))


def test_a_set_up_that_waits_says_again_for_how_long_and_for_which_process(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(setting_up, "SAY_AGAIN_S", 0.5)
    monkeypatch.setattr(setting_up, "LOOK_S", 0.05)
    folder = tmp_path / "openvino"
    first, got = setting_up.locked(folder), []
    other = threading.Thread(target=lambda: got.append(setting_up.locked(folder)))
    other.start()
    time.sleep(1.4)
    assert got == []
    first.close()
    other.join(10)
    assert len(got) == 1
    got[0].close()
    once, *again = capsys.readouterr().err.splitlines()
    whom = f"another set-up of the same (process {os.getpid()}) to end"
    assert once == f"sdbench setup: waiting for {whom}" and again
    assert all(re.fullmatch(re.escape(f"sdbench setup: still waiting for {whom}, ") + "[0-9] s by now", line) for line in again), again


def test_the_lock_of_a_set_up_that_was_killed_holds_nobody_up(tmp_path):
    lock = tmp_path / "openvino.lock"
    lock.write_text("12345\n")
    with setting_up.locked(tmp_path / "openvino"):
        assert lock.read_text() == f"{os.getpid()}\n"
        with open(lock) as again:
            try:
                fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
    raise AssertionError("the lock must be held")


def test_on_a_file_system_without_locks_nobody_is_waited_for(tmp_path, no_locks):
    with setting_up.locked(tmp_path / "openvino"):
        assert (tmp_path / "openvino.lock").read_text() == f"{os.getpid()}\n"


def test_index_proxy_certificates_and_constraints_stay_the_users(tmp_path, monkeypatch):
    without_pip_settings(tmp_path, monkeypatch)
    for file, text in {"all/pip/pip.conf": "[global]\nproxy = http://one\ncert = all\nuser = true\n",
                       ".config/pip/pip.conf": "[install]\nindex-url = https://mine\nfind-links =\n  /a\n  /b\n[global]\ncert = mine\n"
                                               "index-url = https://weaker\n[list]\nformat = json\n"}.items():
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text(text)
    monkeypatch.setenv("PIP_CONSTRAINT", "pins.txt")
    monkeypatch.setenv("PIP_PROXY", "http://stronger")
    monkeypatch.setenv("PIP_TARGET", "/elsewhere")
    assert {name: value.split() for name, value in pip.environment().items() if name.startswith("PIP_") and name not in PIP_OURS} == {
        "PIP_PROXY": ["http://stronger"], "PIP_CERT": ["mine"], "PIP_INDEX_URL": ["https://mine"], "PIP_FIND_LINKS": ["/a", "/b"],
        "PIP_CONSTRAINT": ["pins.txt"]}
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    assert "PIP_CERT" not in pip.environment()


TRACEBACK = "ERROR: Exception:\nTraceback (most recent call last):\n  File \"x.py\", line 1, in y\n"


@pytest.mark.parametrize("text, exit_code, words", [
    ("WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError(...: [Errno -3] Temporary failure in name resolution'\n"
     "ERROR: Could not find a version that satisfies the requirement torch==1 (from versions: none)\nERROR: No matching distribution found for torch==1\n",
     1, "ERROR: No matching distribution found for torch==1; the network does not reach the index"),
    ("ERROR: Could not find a version that satisfies the requirement torch==1 (from versions: 2.0, 2.1)\nERROR: No matching distribution found for torch==1\n",
     1, "; the index (or the folder of --from) lacks it for this Python, 3."),
    ("ERROR: No matching distribution found for torch==1\n", 1, "; the index (or the folder of --from) has no such package"),
    ("ERROR: HTTP error 403 while getting https://x\n", 1, "; the index refuses"),
    ("WARNING: Retrying ... SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] ...\nERROR: No matching distribution found for x\n", 1,
     "; the certificate is not trusted: name the file of its authority, such as a proxy's, with PIP_CERT"),
    ("error: incomplete-download\n\n× Download failed after 6 attempts because not enough bytes were received (1/2)\n", 1, "; the network does not"),
    ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n", 1, "; the disk is full: free some of /there's"),
    (TRACEBACK + "MemoryError\n", 2, "MemoryError; memory is short"), ("", -9, "it was killed, as the system does when memory is short"),
    (TRACEBACK + "pip._vendor.urllib3.exceptions.ReadTimeoutError: Read timed out.\n", 2, "ReadTimeoutError: Read timed out.; the network"),
    (TRACEBACK + "ValueError: \x1b[31mred\x1b[0m\n", 2, "ValueError: red"), ("", 1, "it says nothing"), ("", -15, "it was ended by signal 15"),
    ("The virtual environment was not created successfully because ensurepip is not\navailable.\nNo module named ensurepip\n", 1, "install python3-venv"),
    ("x.cpp:1: fatal error: Python.h: No such file or directory\nERROR: Failed to build x\n", 1, "install python3-dev"),
])
def test_why_pip_failed_is_its_last_word_and_the_cause(text, exit_code, words):
    why = pip.why(text, exit_code, "/there", {})
    assert words in why and "\n" not in why and "\x1b" not in why and "Traceback" not in why


class Refusing(http.server.BaseHTTPRequestHandler):
    """An index that answers /401/NAME with 401; 0: with none."""

    def do_GET(self):
        status = int(self.path.split("/")[1])
        if status == 0:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def index():
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


NOBODY = "http://127.0.0.1:9"  # no program listens there


@pytest.mark.parametrize("settings, words", [
    ({"PIP_INDEX_URL": "{index}/401"}, "; the index refuses: look at PIP_INDEX_URL and its password"),
    ({"PIP_INDEX_URL": "{index}/403"}, "; the index refuses"),
    ({"PIP_INDEX_URL": "{index}/404"}, "; the index (or the folder of --from) has no such package"),
    ({"PIP_INDEX_URL": "{index}/407"}, "; the proxy lets nothing through"),
    ({"PIP_INDEX_URL": "{index}/429"}, "; the index fails with HTTP 429: try again later"),
    ({"PIP_INDEX_URL": "{index}/500"}, "; the index fails with HTTP 500: try again later"),
    ({"PIP_INDEX_URL": "{index}/503"}, "; the index fails with HTTP 503: try again later"),
    ({"PIP_INDEX_URL": "{index}/0"}, "; the network does not reach the index"),
    ({"PIP_INDEX_URL": NOBODY}, "; the network does not reach the index"),
    ({"PIP_INDEX_URL": "{index}/401", "PIP_PROXY": NOBODY}, "; the proxy lets nothing through"),
    ({"PIP_INDEX_URL": "https://127.0.0.1:9", "PIP_CERT": "/nowhere/x.pem"}, "; the certificate is not trusted"),
    ({"PIP_INDEX_URL": "nonsense"}, "; PIP_INDEX_URL must be a URL"),
    ({"PIP_INDEX_URL": "{index}/401", "PIP_NO_INDEX": "1"}, "; PIP_NO_INDEX keeps pip from every index"),
    ({"PIP_INDEX_URL": "{index}/401", "PIP_CONSTRAINT": "/nowhere/x.txt"}, "'/nowhere/x.txt'; PIP_CONSTRAINT must name a file that can be read"),
])
def test_why_an_index_gave_nothing_is_said_where_pip_keeps_it_to_itself(tmp_path, monkeypatch, index, settings, words):
    without_pip_settings(tmp_path, monkeypatch)
    for name in [name for name in os.environ if name.lower().endswith("_proxy") or name.endswith("_CA_BUNDLE")]:
        monkeypatch.delenv(name)
    for name, value in {"PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0", **settings}.items():
        monkeypatch.setenv(name, value.format(index=index))
    with open(tmp_path / "x.log", "w") as log, pytest.raises(setting_up.Failed) as failed:
        setting_up.run([sys.executable, "-I", "-m", "pip", "install", "--target", str(tmp_path / "there"), "sdbenchnone==1"], log, "it",
                       setting_up.pip_environment(tmp_path))
    assert words in str(failed.value) and "\n" not in str(failed.value)


def test_an_offline_set_up_blames_the_folder_that_it_was_given(tmp_path):
    wheel(tmp_path, "torch", "")
    code, text = made(tmp_path / "x", tmp_path, PIP_NO_INDEX="1")
    assert code == 1 and "(or the folder of --from) has no such package" in text
