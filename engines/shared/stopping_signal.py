"""Handles SIGTERM. While images are made it sets a flag that each step checks. While something is loaded or prepared it interrupts that at once."""
import contextlib
import signal
import threading


class Interrupted(BaseException):
    """Not an Exception, so that a package that continues after errors does not continue after this."""


class _State:
    requested = False
    raises = False
    held = 0


def _on_signal(*_):
    _State.requested = True
    _raise_if_due()


def _raise_if_due():
    if _State.requested and _State.raises and not _State.held:
        _State.raises = False  # only once, so that it does not interrupt the clean-up
        raise Interrupted


def install():
    signal.signal(signal.SIGTERM, _on_signal)


def requested():
    return _State.requested


@contextlib.contextmanager
def raises():
    """Within this context, a stop raises Interrupted at any point of the program."""
    if _State.requested:
        raise Interrupted
    _State.raises = True
    try:
        yield
    finally:
        _State.raises = False


@contextlib.contextmanager
def held():
    """Defers a stop while work must not be interrupted. Only needed in the main thread, in which handlers run."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _State.held += 1
    try:
        yield
    finally:
        _State.held -= 1
    _raise_if_due()
