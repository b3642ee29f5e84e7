"""Locks that end with the process that holds them."""

import enum
import fcntl
import math
import time

_LOOK_S = 0.1


class Lock(enum.Enum):
    """Who holds a requested lock."""

    OURS = enum.auto()  # until the file is closed
    OF_ANOTHER = enum.auto()
    UNKNOWN = enum.auto()  # the file system has no locks, like some network file systems; a single writer needs none


def try_lock(file):
    """Takes the lock of an open file if no other process has it. Does not wait."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return Lock.OF_ANOTHER
    except OSError:
        return Lock.UNKNOWN
    return Lock.OURS


def lock_within(file, seconds=math.inf):
    """Like try_lock(), but waits up to this long for other processes. Polls, because a stop must end the wait."""
    end = time.monotonic() + seconds
    while (lock := try_lock(file)) is Lock.OF_ANOTHER and time.monotonic() < end:
        time.sleep(_LOOK_S)
    return lock
