"""Artefacts that took minutes to make and are kept: each in its own folder, KEEP_FOLDER/<hash of everything that it depends on>.

manifest.json describes the artefact and has the SHA-256 of each file, so that a broken file is noticed before it is used. A folder is made
beside its place and renamed last, so a folder at its place is complete. A lock lets one process make it while others wait. Without locks each
makes it, and the first one's stays.
"""
import contextlib
import hashlib
import json
import os
import re
import shutil
import time

from shared import scratch
from shared.content_hashes import sha256_of
from shared.locking import Lock, lock_within, try_lock

MANIFEST = "manifest.json"


def key_of(decides):
    return hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()


def _key_of_leftover(name):
    """The hash of a folder that a process was making or clearing (src/front/other_engines/kept_entries.cpp), ".HASH.x1y2z3"; empty for any other
    name."""
    found = re.fullmatch(r"\.([0-9a-f]{64})\..+", name)
    return found[1] if found else ""


def _files_below(folder):
    return sorted(os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names)


def _why_broken(folder, key):
    """Returns why the folder is broken; empty if it is intact."""
    try:
        with open(os.path.join(folder, MANIFEST)) as file:
            manifest = json.load(file)
        if manifest["key"] != key or not manifest["files"]:
            return "its manifest is of something else"
        for name, told in manifest["files"].items():
            path = os.path.join(folder, name)
            if os.path.getsize(path) != told["bytes"]:
                return f"{name} must have {told['bytes']} bytes, but has {os.path.getsize(path)}"
            if sha256_of(path) != told["sha256"]:
                return f"{name} holds other bytes than were written"
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _write_manifest(folder, key, facts):
    files = {name: {"bytes": os.path.getsize(os.path.join(folder, name)), "sha256": sha256_of(os.path.join(folder, name))}
             for name in _files_below(folder)}
    manifest = {"key": key, **facts, "bytes": sum(each["bytes"] for each in files.values()),
                "made": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "files": files}
    with open(os.path.join(folder, MANIFEST), "w") as file:
        json.dump(manifest, file, indent=1)


def _put(made, place, key):
    """Without locks, another process may have put the same folder there meanwhile, which is just as good."""
    try:
        os.rename(made, place)
    except OSError:
        if _why_broken(place, key):
            raise


class Keep:
    """`folder`: where artefacts are kept; empty to keep nothing. `events` learns why it waits and what was removed."""

    def __init__(self, folder, events):
        self.folder = folder
        self.events = events

    def may_have(self, key):
        """True if something is at its place, intact or not."""
        return bool(self.folder) and os.path.exists(os.path.join(self.folder, key, MANIFEST))

    @contextlib.contextmanager
    def _locked(self, key):
        with self._lock_file(key) as file:
            lock = try_lock(file)
            if lock is Lock.OF_ANOTHER:
                with self.events.doing("waiting for another worker that prepares the same"):
                    lock = lock_within(file)
            yield lock

    def _lock_file(self, key):
        return open(os.path.join(self.folder, f"{key}.lock"), "w")

    def _remove_leftovers(self, own_key, own_lock):
        """Removes the folders of killed processes. A live process holds its key's lock, like we hold ours. Without locks it is unknown which
        processes live, so everything stays."""
        for name in os.listdir(self.folder):
            key = _key_of_leftover(name)
            if not key:
                continue
            with contextlib.suppress(OSError), self._lock_file(key) as file:
                if (own_lock if key == own_key else try_lock(file)) is Lock.OURS:
                    shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)

    @contextlib.contextmanager
    def artefact(self, decides, facts, make):
        """Yields (folder, "new" or "kept"). `make(folder)` writes its files. `facts`: the manifest's description for people."""
        if not self.folder:
            with scratch.folder() as folder:
                make(folder)
                yield folder, "new"
            return
        os.makedirs(self.folder, exist_ok=True)
        key = key_of(decides)
        place = os.path.join(self.folder, key)
        with self._locked(key) as lock:
            self._remove_leftovers(key, lock)
            state = "kept" if os.path.exists(place) else "new"
            if state == "kept":
                with self.events.doing("checking what was kept"):
                    broken = _why_broken(place, key)
                if broken:
                    self.events.note(f"what was kept in {place} is damaged and made again: {broken}")
                    shutil.rmtree(place)
                    state = "new"
            if state == "new":
                with scratch.folder(self.folder, f".{key}.") as folder:
                    os.chmod(folder, 0o755)
                    make(folder)
                    _write_manifest(folder, key, facts)
                    _put(folder, place, key)
            with contextlib.suppress(OSError):  # it belongs to another user
                os.utime(place)  # time of the last use
        yield place, state
