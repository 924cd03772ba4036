"""Time as the endpoints keep it: real, or virtual so that silences cost nothing."""

import asyncio
import threading
import time
from bisect import insort
from collections.abc import Callable
from itertools import count
from typing import Protocol


class Clock(Protocol):
    """Where an endpoint takes its time from. All values are seconds."""

    def time(self) -> float:
        """The time now, from an arbitrary origin; it never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Let ``seconds`` pass for the calling task."""

    def sleep_blocking(self, seconds: float, interrupt: threading.Event | None = None) -> None:
        """Let ``seconds`` pass for the calling thread, or less once ``interrupt`` is set."""


class RealClock:
    """The machine's monotonic clock."""

    def time(self) -> float:
        """Seconds of the monotonic clock."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Sleep on the running event loop."""
        await asyncio.sleep(seconds)

    def sleep_blocking(self, seconds: float, interrupt: threading.Event | None = None) -> None:
        """Block the thread, until ``interrupt`` is set at the latest."""
        if interrupt is None:
            time.sleep(seconds)
        else:
            interrupt.wait(seconds)


#: when the sleeper is due, its number among all sleepers, and what tells it that it has become the first
_Sleeper = tuple[float, int, Callable[[], object]]


class VirtualClock:
    """A clock that only sleepers move: time jumps to the deadline of the sleeper that is due first.

    Sleeping tasks wake in the order of their deadlines, those of one deadline in the order in which they went to
    sleep, also across event loops. Before time jumps, every callback that is ready in the sleeper's loop gets a
    turn, so that tasks which run side by side go to sleep before any of them wakes.

    Limits. Work that is still going on (a task that waits for a socket, another thread) does not hold the time
    back. A blocking sleeper jumps at once, past sleeping tasks whose loop it may be blocking: these wake late, and
    threads that sleep at the same time count one after the other.
    """

    def __init__(self, start: float = 0.0) -> None:
        self._now = start
        self._lock = threading.Lock()
        self._numbers = count()
        self._sleepers: list[_Sleeper] = []

    def time(self) -> float:
        """Virtual seconds."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Wait for every earlier sleeper, then let the time be the deadline."""
        loop, turn = asyncio.get_running_loop(), asyncio.Event()
        sleeper = self._enter(seconds, lambda: loop.call_soon_threadsafe(turn.set))
        try:
            await asyncio.sleep(0)
            while self._sleepers[0] is not sleeper:
                await turn.wait()
                turn.clear()
                await asyncio.sleep(0)
            self._advance(sleeper[0])
        finally:
            self._leave(sleeper)

    def sleep_blocking(self, seconds: float, interrupt: threading.Event | None = None) -> None:
        """Let the time be ``seconds`` later at once, unless ``interrupt`` is set already."""
        if interrupt is None or not interrupt.is_set():
            self._advance(self._now + max(seconds, 0.0))

    def _advance(self, deadline: float) -> None:
        with self._lock:
            self._now = max(self._now, deadline)

    def _enter(self, seconds: float, wake: Callable[[], object]) -> _Sleeper:
        with self._lock:
            sleeper = (self._now + max(seconds, 0.0), next(self._numbers), wake)
            insort(self._sleepers, sleeper)
        return sleeper

    def _leave(self, sleeper: _Sleeper) -> None:
        with self._lock:
            self._sleepers.remove(sleeper)
            first = self._sleepers[0] if self._sleepers else None
        if first is not None:
            first[2]()
