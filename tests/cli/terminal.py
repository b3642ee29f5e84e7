"""The program on a real pseudo-terminal."""

import fcntl
import os
import pty
import select
import struct
import termios
import time

import pytest
from program import PROGRAM, environment


def resize(terminal, width):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))


def seen(folder, width, *arguments, program=PROGRAM, env=None, narrower=None, answer=None, code=0, timeout=120, **variables):
    """What the program writes to a terminal of `width` columns; with `narrower`, resized once a bar has been shown; with `answer`, that to a question; `code` None: any."""
    try:
        pid, terminal = pty.fork()
    except OSError as error:  # a bare chroot without /dev/pts: no program can be on a terminal there
        pytest.skip(f"no pseudo-terminal can be had on this machine: {error}")
    if pid == 0:
        resize(0, width)
        os.chdir(folder)
        env = env or environment(**{"TERM": "xterm", "LANG": "C.UTF-8", "LC_ALL": "", **variables})
        os.execve(program, [program, *map(str, arguments)], env)
    text = b""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            part = os.read(terminal, 65536)
        except OSError:  # the program has ended
            break
        text += part
        if answer is not None and b"[y/N]" in text:
            os.write(terminal, answer.encode() + b"\n")
            answer = None
        if narrower and b"%" in text:
            resize(terminal, narrower)
            text, narrower = b"", None
            time.sleep(0.2)
            os.read(terminal, 65536)  # what was written before it could know
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert code is None or os.waitstatus_to_exitcode(status) == code, text.decode(errors="replace")
    return text.decode()
