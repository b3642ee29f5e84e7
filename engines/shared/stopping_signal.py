"""SIGTERM. While images are made it is a flag that each step looks at; while something is loaded or prepared it ends that at once."""
import contextlib
import signal
import threading


class Interrupted(BaseException):
    """No Exception: a package that goes on after errors must not go on after this."""


class _State:
    requested = False
    raises = False
    held = 0


def _on_signal(*_):
    _State.requested = True
    _raise_if_due()


def _raise_if_due():
    if _State.requested and _State.raises and not _State.held:
        _State.raises = False  # once: what cleans up must not be ended as well
        raise Interrupted


def install():
    signal.signal(signal.SIGTERM, _on_signal)


def requested():
    return _State.requested


@contextlib.contextmanager
def raises():
    """Within it a stop is an Interrupted, wherever the program is."""
    if _State.requested:
        raise Interrupted
    _State.raises = True
    try:
        yield
    finally:
        _State.raises = False


@contextlib.contextmanager
def held():
    """What must not be cut in the middle; handlers run in the main thread alone, so others need no holding."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _State.held += 1
    try:
        yield
    finally:
        _State.held -= 1
    _raise_if_due()
