"""How long an event loop did not come round, measured through asyncio's public interface."""

import asyncio
import selectors
import time


class StallSelector(selectors.DefaultSelector):
    """A selector that times what its event loop does between two selections.

    A loop runs all ready callbacks between the return of one ``select()`` and the next call of it, so that time is
    how long it was deaf to everything else. Waiting inside ``select()`` does not count.
    """

    def __init__(self) -> None:
        super().__init__()
        self._longest = 0.0
        self._since: float | None = None

    @property
    def longest(self) -> float:
        """The longest stall since the last :meth:`reset`, in seconds, the one going on included.

        To be read on the loop, or before anything else is done after it stopped.
        """
        return self._longest if self._since is None else max(self._longest, time.perf_counter() - self._since)

    def reset(self) -> None:
        """Forget what was measured, and start a new stall now."""
        self._longest = 0.0
        self._since = time.perf_counter()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait as the selector does, after taking the time since it last returned."""
        self._longest = self.longest
        ready = super().select(timeout)
        self._since = time.perf_counter()
        return ready


def run_loop(selector: StallSelector) -> asyncio.Runner:
    """A runner whose event loop is timed by ``selector``; closing the runner closes both."""

    def make() -> asyncio.AbstractEventLoop:
        return asyncio.SelectorEventLoop(selector)

    return asyncio.Runner(loop_factory=make)
