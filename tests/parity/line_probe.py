"""A program of ours that answers each line of JSON with one. It stays for a whole session: libtorch takes longer to start than most answers."""

import functools
import json
import os
import subprocess
import tempfile


class LineProbe:
    def __init__(self, program):
        self.words = tempfile.TemporaryFile()
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.words, text=True)

    def ask(self, request):
        """Its answer, or None where it ended without one."""
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            return None
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def last_words(self):
        self.process.wait()
        self.words.seek(0)
        return self.words.read().decode(errors="replace")


running = functools.cache(LineProbe)


def ask(variable, request):
    """Of the program that the environment names. One that dies fails this request alone: the next gets a new one."""
    probe = running(os.environ[variable])
    answer = probe.ask(request)
    if answer is None:
        running.cache_clear()
        raise AssertionError(f"{variable} ended: {probe.last_words()}")
    return answer
