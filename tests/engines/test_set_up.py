"""engines/set_up.py, with packages that are made here: what it waits for, and what it imports at its end."""
import fcntl
import os
import re
import subprocess
import sys
import threading
import time
import zipfile

from front import ROOT

sys.path.insert(0, str(ROOT / "engines"))

import set_up  # noqa: E402

PACKAGES = ("torch==1.0", "diffusers==1.0", "openvino==1.0")


def wheel(folder, name, code):
    """A package of one line."""
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as file:
        file.writestr(f"{name}/__init__.py", code)
        file.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        file.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{name}-1.0.dist-info/RECORD", "")


def made(folder, wheels):
    """(exit code, stderr)"""
    done = subprocess.run([sys.executable, ROOT / "engines/set_up.py", folder, "0", "--from", wheels, *PACKAGES], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stderr


def test_a_package_that_cannot_be_imported_fails_the_set_up_with_its_own_error(tmp_path):
    for name in ("torch", "diffusers", "openvino"):
        wheel(tmp_path, name, "raise ImportError('libgone.so.1: cannot open shared object file')" if name == "openvino" else "")
    environment = tmp_path / "environments/openvino"
    code, err = made(environment, tmp_path)
    assert code == 1 and "importing what was installed failed: ImportError: libgone.so.1: cannot open" in err.splitlines()[-1], err
    assert not (environment / ".complete").exists()
    wheel(tmp_path, "openvino", "")
    code, err = made(environment, tmp_path)
    assert code == 0 and (environment / ".complete").read_text() == " ".join(PACKAGES) + "\n", err
    assert "is set up already" in made(environment, tmp_path)[1]


def test_a_torch_that_is_of_another_python_is_installed_once_more_and_needs_its_own_room(tmp_path):
    def says(folder):
        words = ("0", "--torch-gigabytes", str(10**9), "--torch-folder", folder, "--from", tmp_path / "none", *PACKAGES)
        return subprocess.run([sys.executable, ROOT / "engines/set_up.py", tmp_path / "openvino", *words], capture_output=True, text=True).stderr

    assert f"must have {10**9} GB free" in says(tmp_path / "lib/python3.0/site-packages")
    assert "--from must be a folder of wheels" in says(tmp_path / "lib/python{}.{}/site-packages".format(*sys.version_info))


def test_a_set_up_that_waits_says_again_for_how_long_and_for_which_process(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(set_up, "SAY_AGAIN_S", 0.5)
    monkeypatch.setattr(set_up, "LOOK_S", 0.05)
    folder = tmp_path / "openvino"
    first, got = set_up.locked(folder), []
    other = threading.Thread(target=lambda: got.append(set_up.locked(folder)))
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
    with set_up.locked(tmp_path / "openvino"):
        assert lock.read_text() == f"{os.getpid()}\n"
        with open(lock) as again:
            try:
                fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
    raise AssertionError("the lock must be held")


def test_on_a_file_system_without_locks_nobody_is_waited_for(tmp_path, no_locks):
    with set_up.locked(tmp_path / "openvino"):
        assert (tmp_path / "openvino.lock").read_text() == f"{os.getpid()}\n"
