"""The numbers as a table, each beside its target.

Adapters serve programs on an event loop, and what they are held against is the SDK as such a program calls it without
an adapter: awaited, or, where the SDK blocks (boto3), in a thread by ``asyncio.to_thread``, since on the loop's own
thread it would stop everything else. The table also has what the call costs there, and the ratios to that.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from rich.table import Table

from tests.benchmarks.rounds import Round


@dataclass(frozen=True, slots=True)
class _Number:
    """A row: the median over the rounds of ``of``, and what it may be at most (None: for information)."""

    name: str
    of: Callable[[Round], float]
    form: str
    most: float | None = None


_NUMBERS: Final = (
    _Number("bare SDK, CPU ms an exchange", lambda r: 1000 * r.bare / r.exchanges, ".2f"),
    _Number("bare SDK on the loop's thread / bare", lambda r: r.on_loop / r.bare, ".2f"),
    _Number("adapter alone / bare", lambda r: r.adapter / r.bare, ".2f"),
    _Number("prepared exchanges / bare", lambda r: r.prepared / r.bare, ".2f", 1.3),
    _Number("drawn exchanges / bare", lambda r: r.drawn / r.bare, ".2f", 2.0),
    _Number("prepared / bare on the loop's thread", lambda r: r.prepared / r.on_loop, ".2f"),
    _Number("drawn / bare on the loop's thread", lambda r: r.drawn / r.on_loop, ".2f"),
    _Number("state machine / prepared", lambda r: r.machine / r.prepared, ".1%", 0.1),
    _Number("prepared exchanges a CPU second", lambda r: r.exchanges / r.prepared, ".0f"),
)


@dataclass(frozen=True, slots=True)
class Suite:
    """One run of `pytest --provider=NAME`, imports included: seconds, those of the processor, and exchanges."""

    seconds: float
    processor: float
    exchanges: int


#: how long a run may take, in seconds, and how many exchanges it must have
_SUITE_MOST: Final = 12.0
_SUITE_LEAST: Final = 3000


def table(rounds: Mapping[str, Sequence[Round]], suites: Mapping[str, Suite]) -> Table:
    """One column a provider."""
    made = Table("median of rounds", title="What the harness costs")
    for name in ("target", *rounds):
        made.add_column(name, justify="right")
    for number in _NUMBERS:
        values = [median(map(number.of, measured)) for measured in rounds.values()]
        made.add_row(*_row(number.name, values, number.most, number.form))
    runs = [suites[name] for name in rounds]
    made.add_row(*_row("pytest --provider, seconds", [run.seconds for run in runs], _SUITE_MOST, ".1f"))
    made.add_row(*_row("pytest --provider, CPU seconds", [run.processor for run in runs], None, ".1f"))
    counts = [_colored(f"{run.exchanges}", holds=run.exchanges >= _SUITE_LEAST) for run in runs]
    made.add_row("pytest --provider, exchanges", f"≥ {_SUITE_LEAST}", *counts)
    return made


def _row(name: str, values: Sequence[float], most: float | None, form: str) -> list[str]:
    target = "" if most is None else f"≤ {most:{form}}"
    return [name, target, *(_cell(value, most, form) for value in values)]


def _cell(value: float, most: float | None, form: str) -> str:
    text = f"{value:{form}}"
    return text if most is None else _colored(text, holds=value <= most)


def _colored(text: str, *, holds: bool) -> str:
    return f"[{'green' if holds else 'red'}]{text}[/]"
