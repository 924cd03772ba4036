"""Threads for blocking calls, one a call, kept warm for a moment.

A pool of a fixed size would not do: streams would wait for each other, and leaving an event loop would wait for them.
A new thread a call would, but its cold memory costs about as much as a sixth of a short streamed call of boto3. So
a thread that has done its work waits a moment for more, and as many threads as there are calls may exist.
"""

import contextvars
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

#: how long a thread without work lives, in seconds
IDLE_SECONDS = 1.0

_idle: list["_Worker"] = []
_lock = threading.Lock()


def start(function: Callable[[], object]) -> None:
    """Run ``function``, which must not raise, in a daemon thread that sees the caller's context variables."""
    context = contextvars.copy_context()
    with _lock:
        worker = _idle.pop() if _idle else None
    if worker is None:
        worker = _Worker()
        worker.start()
    worker.inbox.put(lambda: context.run(function))


class _Worker(threading.Thread):
    """Runs what comes into its inbox, until nothing comes for a while."""

    def __init__(self) -> None:
        super().__init__(name="provider-worker", daemon=True)
        self.inbox: SimpleQueue[Callable[[], object]] = SimpleQueue()

    def run(self) -> None:
        work: Callable[[], object] | None = self.inbox.get()
        while work is not None:
            work()
            del work  # what it holds may be large
            work = self._next()

    def _next(self) -> Callable[[], object] | None:
        with _lock:
            _idle.append(self)
        try:
            return self.inbox.get(timeout=IDLE_SECONDS)
        except Empty:
            pass
        with _lock:
            if self in _idle:
                _idle.remove(self)
                return None
        return self.inbox.get()  # it was chosen at the last moment, so there is work on its way
