"""A program that ends with another process, however that one ends: by a signal that tells it alone, and also where a shell stands between the two.

    python3 -I attended.py PROCESS [--pip] COMMAND...

PROCESS: the number of the other one. --pip: COMMAND is pip, whose settings are those of pip.py.
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
SWALLOWED_S = 2.0  # so long may the end take, before Abandoned is taken for one that something has caught
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


class Abandoned(BaseException):
    """The process for which this works has ended."""


def has_ended(process):
    try:
        os.kill(process, 0)
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return True
    except OSError:  # of another user
        return False
    return state in "ZX"


def end_with(process):
    """Raises Abandoned in whatever this process does, once `process` (a number) has ended. Does nothing for None."""
    def look(*_):
        if has_ended(process):
            signal.setitimer(signal.ITIMER_REAL, SWALLOWED_S, SWALLOWED_S)
            raise Abandoned

    if process is None:
        return
    signal.signal(signal.SIGALRM, look)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
    signal.setitimer(signal.ITIMER_REAL, LOOK_S, LOOK_S)
    atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)  # behind it Python handles signals no more


def _end_with(parent):
    """In a new process: the kernel ends it with us, also where we are killed."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def run(command, look=lambda: None, **more):
    """Its exit code. Whatever is raised meanwhile, such as Abandoned or by a signal, ends it with all that it has started. `look` is called again
    and again. `more`: as Popen takes it."""
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
    """By a signal to end."""

    def __init__(self, number):
        super().__init__(number)
        self.exit_code = 128 + number


def raise_signals():
    """What ends a process raises Told, so that what it has started ends, too. What is ignored (nohup) stays so."""
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
