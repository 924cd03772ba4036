"""The exchanges of the catalogue that scenarios run in a row, without running them."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import Any

from harness.dialects import load_dialect
from harness.discovery import find
from harness.exchange import Exchange
from harness.scenarios.catalogue import CATALOGUE


class _Enough(Exception):
    """The scenario has a course of action of its own."""


class _Collecting:
    """A stage on which nothing is played."""

    def __init__(self, provider: Any, dialect: Any) -> None:
        self.subject = self
        self.provider = provider
        self.dialect = dialect
        self.rows: list[Exchange] = []

    async def run_all(self, exchanges: Iterable[Exchange]) -> None:
        self.rows += exchanges

    def __getattr__(self, name: str) -> Any:
        raise _Enough(name)


def rows(name: str) -> Iterator[tuple[str, Exchange]]:
    """Each exchange of an adapter, and the scenario that it is from."""
    (provider,) = find([name])
    dialect = load_dialect(provider.dialect)
    for scenario in CATALOGUE:
        if scenario.needs(provider, dialect):
            stage: Any = _Collecting(provider, dialect)
            try:
                asyncio.run(scenario.play(stage))  # type: ignore[arg-type]
            except _Enough:
                continue
            yield from ((scenario.id, exchange) for exchange in stage.rows)
