"""Values that a thread makes ahead."""
import queue
import threading


class Prefetched:
    """One ahead of who takes them: while one is used, the next one is made, and none beyond it."""

    def __init__(self, make):
        self.make, self.is_ended = make, False
        self.wanted, self.made = threading.Semaphore(1), queue.Queue()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while self.wanted.acquire() and not self.is_ended:
            try:
                self.made.put((self.make(), None))
            except BaseException as error:  # who takes it is told
                self.made.put((None, error))

    def next(self):
        """The next value, or what its making met."""
        value, error = self.made.get()
        self.wanted.release()
        if error:
            raise error
        return value

    def end(self):
        self.is_ended = True
        self.wanted.release()
