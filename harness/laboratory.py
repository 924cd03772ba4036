"""Everything a process needs to try adapters: one event loop, and a subject for each provider."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from harness.bench import Bench
from harness.dialects import load_dialect
from harness.dialects.narrowed import without_styles
from harness.endpoint.base import Endpoint
from harness.endpoint.in_process import InProcessEndpoint
from harness.endpoint.loop import StallSelector, run_loop
from harness.endpoint.loopback import LoopbackEndpoint
from harness.endpoint.watchdog import Watchdog
from harness.provider import Provider
from harness.run import Subject

T = TypeVar("T")


class Laboratory:
    """Subjects and the event loop that they run in. Close it to release sockets, threads and loop."""

    def __init__(self) -> None:
        self._selector = StallSelector()
        self._runner: asyncio.Runner = run_loop(self._selector)
        self._subjects: dict[str, Subject] = {}
        self._watchdog = Watchdog(self._selector, self._runner.get_loop().is_running)

    def run(self, work: Awaitable[T]) -> T:
        """Run a coroutine in the laboratory's loop.

        ``Runner.run`` would do it too, but the signal handler that it sets for each run costs more than an exchange.
        """
        self._selector.reset()
        return self._runner.get_loop().run_until_complete(work)

    def bench(self, provider: Provider) -> Bench:
        """A new bench for a provider; its clients are kept from earlier ones."""
        if provider.name not in self._subjects:
            dialect = without_styles(load_dialect(provider.dialect), provider.unclaimed_styles)
            self._watchdog.impatient = False
            self._subjects[provider.name] = Subject(provider, dialect, endpoint_for(provider), self._selector)
        return Bench(self._subjects[provider.name])

    def close(self) -> None:
        """Release everything."""
        for subject in self._subjects.values():
            subject.endpoint.close()
        self._watchdog.close()
        self._runner.close()


def endpoint_for(provider: Provider) -> Endpoint:
    """A new endpoint of the kind that a provider needs."""
    return LoopbackEndpoint() if provider.loopback else InProcessEndpoint()
