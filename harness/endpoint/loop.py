"""How long an event loop did not come round, measured through asyncio's public interface."""

import asyncio
import os
import selectors
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

#: where Linux tells how long a thread ran, and how long it was ready to run while others did, in nanoseconds
_SCHEDULE: Final = "/proc/thread-self/schedstat"


@contextmanager
def own_time() -> Iterator[Callable[[], float]]:
    """A clock of this thread, in seconds, that stands still while the thread waits for a processor.

    So a busy machine does not look like a busy thread; sleeping and blocking count. Elsewhere than on Linux it is an
    ordinary clock.
    """
    try:
        schedule = os.open(_SCHEDULE, os.O_RDONLY)
    except OSError:
        yield time.perf_counter
        return
    try:
        yield lambda: time.perf_counter() - int(os.pread(schedule, 96, 0).split()[1]) / 1e9
    finally:
        os.close(schedule)


class StallSelector(selectors.DefaultSelector):
    """A selector that times what its event loop does between two selections.

    A loop runs all ready callbacks between the return of one ``select()`` and the next call of it, so that time is
    how long it was deaf to everything else. Waiting inside ``select()`` does not count.
    """

    def __init__(self) -> None:
        super().__init__()
        self._longest = 0.0
        self._since: float | None = None
        self._returned: float | None = None
        self._clock: Callable[[], float] = time.perf_counter

    @contextmanager
    def fairly(self) -> Iterator[None]:
        """Measure by :func:`own_time`, which costs a few microseconds a selection. To be entered on the loop."""
        with own_time() as clock:
            self._clock = clock
            try:
                yield
            finally:
                self._clock = time.perf_counter
                self.reset()

    @property
    def longest(self) -> float:
        """The longest stall since the last :meth:`reset`, in seconds, the one going on included.

        To be read on the loop, or before anything else is done after it stopped.
        """
        return self._longest if self._since is None else max(self._longest, self._clock() - self._since)

    @property
    def deaf_for(self) -> float:
        """Seconds since the loop last looked; 0 while it waits. To be read from any thread, while the loop runs."""
        returned = self._returned
        return 0.0 if returned is None else time.perf_counter() - returned

    def reset(self) -> None:
        """Forget what was measured, and start a new stall now."""
        self._longest = 0.0
        self._returned = time.perf_counter()
        self._since = self._clock()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait as the selector does, after taking the time since it last returned."""
        self._longest = self.longest
        self._returned = None
        ready = super().select(timeout)
        self._returned = time.perf_counter()
        self._since = self._clock()
        return ready


class BegunTasks:
    """A loop's task factory that remembers what it has made: ``asyncio.all_tasks`` looks through every task there is.

    Tasks are not kept alive.
    """

    def __init__(self) -> None:
        self._begun: list[weakref.ref[asyncio.Task[Any]]] = []

    def __call__(self, loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
        """Make a task."""
        task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **options)
        self._begun.append(weakref.ref(task))
        return task

    def forget(self) -> None:
        """Forget the tasks so far."""
        self._begun.clear()

    @property
    def left(self) -> list[asyncio.Task[Any]]:
        """The tasks since then that are not done."""
        return [task for begun in self._begun if (task := begun()) is not None and not task.done()]


def begun_tasks() -> BegunTasks:
    """What remembers the tasks of the running loop, which must be one of :func:`run_loop`."""
    factory = asyncio.get_running_loop().get_task_factory()
    if not isinstance(factory, BegunTasks):
        raise TypeError("the running loop is none that run_loop has made")
    return factory


def run_loop(selector: StallSelector) -> asyncio.Runner:
    """A runner whose event loop is timed by ``selector``, and remembers its tasks; closing the runner closes both."""

    def make() -> asyncio.AbstractEventLoop:
        loop = asyncio.SelectorEventLoop(selector)
        loop.set_task_factory(BegunTasks())
        return loop

    return asyncio.Runner(loop_factory=make)
