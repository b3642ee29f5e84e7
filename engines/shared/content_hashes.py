"""SHA-256 hashes of files' contents.

An artefact depends on bytes, so bytes decide if it still fits: a checkpoint that was copied or exported again is the same one. Hashing
gigabytes takes seconds, so a hash is remembered as long as the file's size, times and inode number stay the same. The times include that of
the last change (ctime), which no program can set back, so a changed byte is always noticed.
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
    """`folder`: where hashes are stored. If empty, they are kept only in this process."""

    def __init__(self, folder):
        self.file = os.path.join(folder, "hashes.json") if folder else None
        self.known = self._remembered()

    def _remembered(self):
        try:
            with open(self.file) as file:
                return {name: {"stamp": each["stamp"], "sha256": each["sha256"]} for name, each in json.load(file).items()}
        except (TypeError, OSError, ValueError, KeyError, AttributeError):
            return {}  # no hashes are known yet, or the file is broken: all are computed again

    def of(self, path):
        name = os.path.realpath(path)
        stamp = _stamp(name)
        if self.known.get(name, {}).get("stamp") != stamp:
            self.known[name] = {"stamp": stamp, "sha256": sha256_of(name)}
            self._write(name)
        return self.known[name]["sha256"]

    def _write(self, name):
        """Adds a hash to those that other workers have written meanwhile. A killed worker leaves a part file, which the next one overwrites. Without
        locks each worker has its own part file, and one of two hashes written at the same moment may be lost: it is computed again."""
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
            pass  # the hash is computed again next time

    def _replace(self, part):
        try:
            with open(part, "w") as file:
                json.dump(self.known, file)
            os.replace(part, self.file)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.remove(part)
