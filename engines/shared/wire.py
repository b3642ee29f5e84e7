"""The protocol's two pipes: lines of JSON from the front, and lines to it."""
import contextlib
import json
import os
import queue
import sys
import threading
import time

from shared import json_values, scratch, stopping_signal

VERSION = 11  # kVersion of include/sdbench/base/executor/messages.h
STEP_PAUSE_S = 0.05  # so that messages stay cheap
DOING_PAUSE_S = 5  # the front ends a worker that sends nothing for --timeout
LOOK_S = 0.1


def leave(code):
    """Ends the process at once, whatever its threads and packages are doing. Removes its temporary folders."""
    scratch.remove_all()
    sys.stderr.flush()
    os._exit(code)


class Events:
    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.lock = threading.Lock()
        self.last_step = 0.0

    def say(self, kind, **body):
        line = json.dumps(json_values.encoded({"type": kind, **body})) + "\n"
        with self.lock, stopping_signal.held():  # half a line would break the protocol
            try:
                rest = line.encode()
                while rest:
                    rest = rest[os.write(self.descriptor, rest):]
            except BrokenPipeError:
                leave(1)

    def stage(self, name):
        self.last_step = 0.0
        self.say("stage", stage=name)

    def note(self, text):
        self.say("note", text=" ".join(text.split()))

    def step(self, run, step, steps, seconds):
        """Omits some of a series of quick steps, but never a run's last one."""
        now = time.monotonic()
        if step + 1 == steps or now - self.last_step >= STEP_PAUSE_S:
            self.last_step = now
            self.say("step", run=run, step=step, steps=steps, seconds=seconds)

    @contextlib.contextmanager
    def doing(self, text):
        """Reports `text` now, and again at intervals while the work lasts."""
        done = threading.Event()

        def repeat():
            while not done.wait(DOING_PAUSE_S):
                self.say("doing", text=text)

        self.say("doing", text=text)
        teller = threading.Thread(target=repeat, daemon=True)
        teller.start()
        try:
            yield
        finally:
            done.set()
            teller.join()


class Requests:
    """A thread reads them, because the end of the pipe must end the worker at any time: the front is gone."""

    def __init__(self, descriptor):
        self.lines = queue.Queue()  # SimpleQueue's get() may wait forever if a signal arrives as its timeout ends
        threading.Thread(target=self._read, args=(descriptor,), daemon=True).start()

    def _read(self, descriptor):
        with open(descriptor, "rb", closefd=False) as pipe:
            for line in pipe:
                self.lines.put(line)
        leave(0)

    def next(self):
        """The next request; None once a stop is requested."""
        while not stopping_signal.requested():
            try:
                return self._parsed(self.lines.get(timeout=LOOK_S))
            except queue.Empty:
                continue
        return None

    @staticmethod
    def _parsed(line):
        try:
            request = json.loads(line)
        except ValueError:
            request = None
        return request if isinstance(request, dict) else {"type": "no JSON object"}
