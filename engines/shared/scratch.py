"""Temporary folders of this process. They are removed when it ends, also if wire.leave() ends it."""
import contextlib
import shutil
import tempfile

_folders = []


@contextlib.contextmanager
def folder(parent=None, prefix="sdbench-engine-"):
    """`parent`: empty for the system's place for temporary files."""
    path = tempfile.mkdtemp(prefix=prefix, dir=parent or None)
    _folders.append(path)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        _folders.remove(path)


def lasting_folder(parent=None):
    """A folder that stays until the process ends. `parent`: None for the system's place for temporary files."""
    path = tempfile.mkdtemp(prefix="sdbench-engine-", dir=parent)
    _folders.append(path)
    return path


def remove_all():
    for path in list(_folders):
        shutil.rmtree(path, ignore_errors=True)
