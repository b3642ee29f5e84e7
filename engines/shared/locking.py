"""Locks that end with the process that holds them."""

import fcntl


def is_taken(file):
    """Takes the lock of an open file, unless another process has it, which this says. A file system without locks, as some network file systems are,
    has none to wait for: a lonely writer needs none."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
