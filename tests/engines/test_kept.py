"""Artefacts that are kept: found, checked, made anew, and never half-made. Most of it without any engine: shared/kept.py alone."""
import contextlib
import errno
import fcntl
import functools
import json
import os
import pathlib
import resource
import sys
import textwrap
import threading
import time

import pytest
from conftest import require
from front import ROOT, WORKER, Worker

sys.path.insert(0, str(ROOT / "engines"))

from shared import content_hashes, kept  # noqa: E402
from shared.content_hashes import ContentHashes  # noqa: E402
from shared.failure import outcome_of  # noqa: E402

FACTS = {"engine": "openvino", "model": "tiny-sd15"}


class Ears:
    def __init__(self):
        self.notes, self.doings = [], []

    def note(self, text):
        self.notes.append(text)

    def doing(self, text):
        self.doings.append(text)
        return contextlib.nullcontext()


def writes(text="weights"):
    def make(folder):
        (pathlib.Path(folder) / "unet.bin").write_text(text)
    return make


def never(folder):
    raise AssertionError("it must be found")


def artefact(folder, make, decides="a"):
    ears = Ears()
    with kept.Keep(str(folder), ears).artefact(decides, FACTS, make) as (place, state):
        return pathlib.Path(place), state, ears


def test_what_was_made_is_found_the_second_time_and_its_manifest_tells_people(tmp_path):
    place, state, _ = artefact(tmp_path, writes())
    assert state == "new"
    os.utime(place, (0, 0))
    assert artefact(tmp_path, never)[:2] == (place, "kept")
    assert time.time() - place.stat().st_mtime < 300  # its last use
    manifest = json.loads((place / "manifest.json").read_text())
    assert manifest["engine"] == "openvino" and manifest["model"] == "tiny-sd15" and manifest["bytes"] == 7 and manifest["made"].endswith("Z")


def test_other_decisions_have_another_place(tmp_path):
    assert artefact(tmp_path, writes(), "a")[0] != artefact(tmp_path, writes(), "b")[0]


def damage_byte(place):
    (place / "unet.bin").write_text("weighty")


def damage_cut(place):
    (place / "unet.bin").write_text("wei")


def damage_gone(place):
    (place / "unet.bin").unlink()


def damage_manifest(place):
    (place / "manifest.json").write_text("{")


def damage_list(place):
    (place / "manifest.json").write_text('["key"]')


@pytest.mark.parametrize("damage", [damage_byte, damage_cut, damage_gone, damage_manifest, damage_list])
def test_a_damaged_artefact_is_thrown_away_with_a_note_and_made_anew(tmp_path, damage):
    place, _, _ = artefact(tmp_path, writes())
    damage(place)
    again, state, ears = artefact(tmp_path, writes())
    assert state == "new" and len(ears.notes) == 1 and "is damaged and made again" in ears.notes[0]
    assert (again / "unet.bin").read_text() == "weights" and artefact(tmp_path, never)[1] == "kept"


def test_what_a_killed_worker_left_half_made_is_removed(tmp_path):
    key = kept.key_of("a")
    (tmp_path / f".{key}.abc").mkdir()
    (tmp_path / f".{key}.abc/unet.bin").write_text("wei")
    artefact(tmp_path, writes())
    assert not (tmp_path / f".{key}.abc").exists()


def test_what_a_killed_worker_left_of_something_else_is_removed_and_what_another_makes_now_stays(tmp_path):
    keys = {name: kept.key_of(name) for name in ("killed", "makes it now")}
    for key in keys.values():
        (tmp_path / f".{key}.abc").mkdir()
    for name in (".hidden", ".other.abc", "mine"):
        (tmp_path / name).mkdir()
    with open(tmp_path / f"{keys['makes it now']}.lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        artefact(tmp_path, writes())
    assert not (tmp_path / f".{keys['killed']}.abc").exists() and (tmp_path / f".{keys['makes it now']}.abc").exists()
    assert all((tmp_path / name).exists() for name in (".hidden", ".other.abc", "mine"))


def test_on_a_file_system_without_locks_it_is_kept_and_nothing_of_others_is_removed(tmp_path, no_locks):
    made_now = tmp_path / f".{'a' * 64}.abc"
    made_now.mkdir()
    place, state, _ = artefact(tmp_path, writes())
    assert state == "new" and artefact(tmp_path, never)[:2] == (place, "kept") and made_now.exists()


def test_of_two_that_make_the_same_without_locks_the_first_ones_stays_and_the_other_takes_it(tmp_path, no_locks):
    def make_while_another_does(folder):
        assert artefact(tmp_path, writes())[1] == "new"
        writes()(folder)
    place, state, ears = artefact(tmp_path, make_while_another_does)
    assert state == "new" and ears.notes == [] and artefact(tmp_path, never)[:2] == (place, "kept")
    assert [name for name in os.listdir(tmp_path) if not name.endswith(".lock")] == [place.name]


def test_what_stands_in_its_place_and_is_something_else_is_an_error(tmp_path, no_locks):
    def make_while_another_puts_something_there(folder):
        (tmp_path / kept.key_of("a") / "of another").mkdir(parents=True)
        writes()(folder)
    with pytest.raises(OSError):
        artefact(tmp_path, make_while_another_puts_something_there)


# The second is OpenVINO's, for any file that it cannot write to its end.
@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "No space left on device"), RuntimeError("basic_ios::clear: iostream error")])
def test_a_failure_while_it_is_made_leaves_nothing(tmp_path, failure):
    def fails(folder):
        writes()(folder)
        raise failure

    with pytest.raises(type(failure)) as error:
        artefact(tmp_path, fails)
    assert [name for name in os.listdir(tmp_path) if not name.endswith(".lock")] == []
    assert outcome_of(error.value, False)[0] == "error" and "disk" in outcome_of(error.value, False)[1]


def test_of_two_at_once_the_second_waits_says_so_and_finds_it(tmp_path):
    may_end, states = threading.Event(), []

    def slowly(folder):
        may_end.wait(10)
        writes()(folder)

    first = threading.Thread(target=lambda: states.append(artefact(tmp_path, slowly)[1]))
    first.start()
    time.sleep(0.2)
    ears = Ears()

    def second():
        with kept.Keep(str(tmp_path), ears).artefact("a", FACTS, never) as (_, state):
            states.append(state)

    other = threading.Thread(target=second)
    other.start()
    time.sleep(0.5)
    assert any("waiting" in words for words in ears.doings)
    may_end.set()
    first.join(), other.join()
    assert sorted(states) == ["kept", "new"]


def test_without_a_folder_nothing_is_kept():
    place, state, _ = artefact("", writes())
    assert state == "new" and not place.exists()


def test_a_changed_byte_is_seen_though_size_and_time_are_set_back(tmp_path):
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"aaaa")
    status = file.stat()
    before = ContentHashes(str(tmp_path)).of(file)
    time.sleep(0.02)
    file.write_bytes(b"aaba")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert ContentHashes(str(tmp_path)).of(file) != before


def test_a_copy_of_the_same_bytes_is_the_same(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_bytes(b"same")
    hashes = ContentHashes(str(tmp_path))
    assert hashes.of(tmp_path / "one") == hashes.of(tmp_path / "two")


@pytest.mark.parametrize("broken", ["", "{", "[]", "7", '{"FILE": 7}', '{"FILE": {"stamp": STAMP}}', '{"FILE": {"stamp": STAMP, "sha156": "0"}}'])
def test_remembered_hashes_that_are_broken_are_made_again(tmp_path, broken):
    file = tmp_path / "model.safetensors"
    file.write_bytes(b"same")
    hashed = ContentHashes(str(tmp_path)).of(file)
    remembered = tmp_path / "hashes.json"
    stamp = next(iter(json.loads(remembered.read_text()).values()))["stamp"]
    remembered.write_text(broken.replace("FILE", os.path.realpath(file)).replace("STAMP", json.dumps(stamp)))
    assert ContentHashes(str(tmp_path)).of(file) == hashed


def test_workers_that_hash_at_once_lose_nothing_and_leave_nothing(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
    (tmp_path / "hashes.json.part").write_text("of one that was killed")
    first, second = ContentHashes(str(tmp_path)), ContentHashes(str(tmp_path))
    first.of(tmp_path / "one"), second.of(tmp_path / "two")
    assert len(ContentHashes(str(tmp_path)).known) == 2
    assert sorted(os.listdir(tmp_path)) == ["hashes.json", "hashes.json.lock", "one", "two"]


def test_without_locks_hashes_are_remembered_and_another_ones_part_is_left_alone(tmp_path, no_locks):
    (tmp_path / "one").write_text("one")
    (tmp_path / "hashes.json.part").write_text("of one that writes it now")
    ContentHashes(str(tmp_path)).of(tmp_path / "one")
    assert len(ContentHashes(str(tmp_path)).known) == 1
    assert (tmp_path / "hashes.json.part").read_text() == "of one that writes it now"
    assert sorted(os.listdir(tmp_path)) == ["hashes.json", "hashes.json.lock", "hashes.json.part", "one"]


def test_whoever_keeps_the_lock_of_remembered_hashes_holds_nobody_up_for_long(tmp_path, monkeypatch):
    monkeypatch.setattr(content_hashes, "_PATIENCE_S", 0.2)
    (tmp_path / "one").write_text("one")
    with open(tmp_path / "hashes.json.lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ContentHashes(str(tmp_path)).of(tmp_path / "one")
    assert not (tmp_path / "hashes.json").exists()


def test_an_engine_finds_what_it_kept_and_sees_a_changed_byte(sd15, tmp_path):
    require("openvino")
    cell = sd15(keep_folder=str(tmp_path))
    with Worker("openvino") as worker:
        first = worker.row(cell)
        assert first["prepared"] == "new" and first["prepare_s"] > 0 and "prepare" in worker.stages()
        assert any("UNet" in event["text"] for event in worker.of("doing"))
        assert worker.row(cell)["prepared"] == "kept" and worker.stages().count("prepare") == 0
    with Worker("openvino") as worker:
        again = worker.row(cell)
        assert again["prepared"] == "kept" and 0 < again["prepare_s"] < first["prepare_s"]
    place = next(tmp_path.glob("*/manifest.json")).parent
    weights = bytearray((place / "unet.bin").read_bytes())
    weights[1000] ^= 1
    (place / "unet.bin").write_bytes(weights)
    with Worker("openvino") as worker:
        assert worker.row(cell)["prepared"] == "new"
        assert any("is damaged and made again" in event["text"] for event in worker.of("note"))


def test_what_other_versions_kept_is_made_anew_and_stays_beside_it(sd15, tmp_path):
    require("openvino")
    newer = tmp_path / "newer.py"
    newer.write_text(textwrap.dedent(f"""
        import sys; sys.path.insert(0, {str(ROOT / 'engines')!r})
        import worker
        from shared import packages
        version = packages.version
        packages.version = lambda name: "2099.1" if name == "openvino" else version(name)
        sys.exit(worker.main())
    """))
    cell = sd15(keep_folder=str(tmp_path / "keep"))
    for script, prepared in ((WORKER, "new"), (newer, "new"), (newer, "kept"), (WORKER, "kept")):
        with Worker("openvino", script) as worker:
            assert worker.row(cell)["prepared"] == prepared, script
    assert len(list(tmp_path.glob("keep/*/manifest.json"))) == 2


def test_a_full_disk_is_one_error_and_leaves_nothing_half_written(sd15, tmp_path):
    require("openvino")
    signal_is_ignored = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"
    patched = tmp_path / "limited.py"
    patched.write_text(textwrap.dedent(f"""
        import sys; sys.path.insert(0, {str(ROOT / 'engines')!r})
        {signal_is_ignored}
        import worker
        sys.exit(worker.main())
    """))
    keep = tmp_path / "keep"
    with Worker("openvino", patched, limit=functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))) as worker:
        outcome = worker.run(sd15(keep_folder=str(keep)))
        assert outcome["status"] == "error" and outcome["stage"] == "prepare" and "the disk must have room" in outcome["message"], outcome
    left = [name for name in os.listdir(keep) if not name.endswith(".lock") and name != "hashes.json"]
    assert left == []


def test_a_stop_while_it_prepares_ends_it_and_leaves_nothing(sd15, tmp_path):
    require("openvino")
    with Worker("openvino") as worker:
        worker.send("run", cell=sd15(keep_folder=str(tmp_path)))
        worker.wait_for("doing", text="converting the UNet to OpenVINO")
        time.sleep(0.5)
        worker.stop()
        outcome = worker.wait_for("outcome")["outcome"]
        assert (outcome["status"], outcome["stage"]) == ("interrupted", "prepare")
        assert worker.process.wait(20) == 0
    assert [name for name in os.listdir(tmp_path) if not name.endswith(".lock") and name != "hashes.json"] == []


def test_a_front_that_is_gone_ends_it_while_it_prepares(sd15, tmp_path):
    require("openvino")
    worker = Worker("openvino")
    worker.send("run", cell=sd15(keep_folder=str(tmp_path)))
    worker.wait_for("doing", text="converting the UNet to OpenVINO")
    begin = time.monotonic()
    worker.close()
    assert time.monotonic() - begin < 10
    assert [name for name in os.listdir(tmp_path) if not name.endswith(".lock") and name != "hashes.json"] == []
