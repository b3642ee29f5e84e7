"""Values that a thread makes in advance."""
import queue
import threading


class Prefetched:
    """While one value is used, a thread makes the next one, and no more."""

    def __init__(self, make):
        self.make, self.is_ended = make, False
        self.wanted, self.made = threading.Semaphore(1), queue.Queue()
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while self.wanted.acquire() and not self.is_ended:
            try:
                self.made.put((self.make(), None))
            except BaseException as error:  # raised in next()
                self.made.put((None, error))

    def next(self):
        """Returns the next value, or raises the error from making it."""
        value, error = self.made.get()
        self.wanted.release()
        if error:
            raise error
        return value

    def end(self):
        self.is_ended = True
        self.wanted.release()
