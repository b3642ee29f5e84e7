"""SHA-256 hashes of files' contents.

An artefact is made of bytes, so bytes decide whether it still fits: a checkpoint that was copied or exported anew is the same one. To hash
gigabytes takes seconds, so a hash is remembered for as long as the file's size, times and number are the same. The time of its last
change (ctime) is among them: no program can set that back, so a changed byte is always seen.
"""
import contextlib
import hashlib
import json
import os

from shared.locking import Lock, lock_within

_BLOCK = 1 << 22
_PATIENCE_S = 5


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _stamp(path):
    status = os.stat(path)
    return [status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns]


class ContentHashes:
    """`folder`: where hashes are stored; empty: only in this process."""

    def __init__(self, folder):
        self.file = os.path.join(folder, "hashes.json") if folder else None
        self.known = self._remembered()

    def _remembered(self):
        try:
            with open(self.file) as file:
                return {name: {"stamp": each["stamp"], "sha256": each["sha256"]} for name, each in json.load(file).items()}
        except (TypeError, OSError, ValueError, KeyError, AttributeError):
            return {}  # none are known yet, or the file is broken: all are made again

    def of(self, path):
        name = os.path.realpath(path)
        stamp = _stamp(name)
        if self.known.get(name, {}).get("stamp") != stamp:
            self.known[name] = {"stamp": stamp, "sha256": sha256_of(name)}
            self._write(name)
        return self.known[name]["sha256"]

    def _write(self, name):
        """Beside what other workers have written meanwhile. One that was killed leaves a part that the next one writes over. Without locks each
        has a part of its own, and what another has written at the same moment may be lost: it is hashed again."""
        if not self.file:
            return
        try:
            os.makedirs(os.path.dirname(self.file), exist_ok=True)
            with open(f"{self.file}.lock", "w") as file:
                lock = lock_within(file, _PATIENCE_S)
                if lock is not Lock.OF_ANOTHER:
                    self.known = {**self._remembered(), name: self.known[name]}
                    self._replace(f"{self.file}.part" if lock is Lock.OURS else f"{self.file}.part-{os.urandom(8).hex()}")
        except OSError:
            pass  # it is hashed again the next time

    def _replace(self, part):
        try:
            with open(part, "w") as file:
                json.dump(self.known, file)
            os.replace(part, self.file)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.remove(part)
