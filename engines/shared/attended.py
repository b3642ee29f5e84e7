"""Runs a program that ends together with another process, however that one ends: even if a signal ends it alone, or a shell stands between the two.

    python3 -I attended.py PROCESS [--pip] COMMAND...

PROCESS: number of the other process. --pip: COMMAND is pip, which gets the settings of pip.py.
"""
import atexit
import configparser
import ctypes
import os
import pathlib
import signal
import subprocess
import sys

LOOK_S = 0.2
SWALLOWED_S = 2.0  # time to end; then Abandoned counts as swallowed by a handler, and is raised again
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


class Abandoned(BaseException):
    """The process for which this one works has ended."""


def has_ended(process):
    try:
        os.kill(process, 0)
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return True
    except OSError:  # it belongs to another user
        return False
    return state in "ZX"


def end_with(process):
    """Raises Abandoned in this process once the process with the number `process` has ended. Does nothing for None."""
    def look(*_):
        if has_ended(process):
            signal.setitimer(signal.ITIMER_REAL, SWALLOWED_S, SWALLOWED_S)
            raise Abandoned

    if process is None:
        return
    signal.signal(signal.SIGALRM, look)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
    signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)
    atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)  # Python handles no signals after exit handlers


def _end_with(parent):
    """Called in a new process. The kernel ends it when its parent ends, even if the parent is killed."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def run(command, look=lambda: None, **more):
    """Runs the command and returns its exit code. An exception meanwhile (Abandoned, or one from a signal) kills the command's process group.
    Calls `look` repeatedly while it waits. `more`: further arguments of Popen."""
    us = os.getpid()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=lambda: _end_with(us), **more) as process:
        try:
            while True:
                look()
                try:
                    return process.wait(LOOK_S)
                except subprocess.TimeoutExpired:
                    pass
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


class Told(BaseException):
    """A signal told this process to end."""

    def __init__(self, number):
        super().__init__(number)
        self.exit_code = 128 + number


def raise_signals():
    """Makes SIGINT, SIGTERM and SIGHUP raise Told, so that child processes end, too. Ignored signals (nohup) stay ignored."""
    def tell(number, _):
        raise Told(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, tell)


def main():
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
    from shared import isolated, pip

    isolated.forget_python_settings()
    raise_signals()
    process, *command = sys.argv[1:]
    try:
        end_with(int(process))
        environment = dict(os.environ)
        if command[0] == "--pip":
            command, environment = command[1:], pip.environment()
        code = run(command, env=environment)
    except (Abandoned, Told) as end:
        code = getattr(end, "exit_code", 1)
    except configparser.Error as error:
        print(f"pip's settings cannot be read: {error}", file=sys.stderr)
        code = 1
    except OSError as error:
        print(f"{command[0]}: {error.strerror}", file=sys.stderr)
        code = 127
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
