"""The numbers as a table, each beside its target."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from rich.table import Table

from tests.benchmarks.rounds import Round


@dataclass(frozen=True, slots=True)
class _Number:
    """A column: the median over the rounds of ``of``, and what it may be at most (None: for information)."""

    name: str
    of: Callable[[Round], float]
    form: str
    most: float | None = None


_NUMBERS: Final = (
    _Number("bare ms", lambda r: 1000 * r.bare / r.exchanges, ".2f"),
    _Number("prepared ms", lambda r: 1000 * r.prepared / r.exchanges, ".2f"),
    _Number("drawn ms", lambda r: 1000 * r.drawn / r.exchanges, ".2f"),
    _Number("prepared/bare", lambda r: r.prepared / r.bare, ".2f", 1.5),
    _Number("drawn/bare", lambda r: r.drawn / r.bare, ".2f", 2.5),
    _Number("machine/prepared", lambda r: r.machine / r.prepared, ".1%", 0.1),
    _Number("exchanges/s", lambda r: r.exchanges / r.prepared, ".0f"),
)
#: how long `pytest --provider=NAME` may take, in seconds
_SUITE_MOST: Final = 20.0


def table(rounds: Mapping[str, Sequence[Round]], suites: Mapping[str, float]) -> Table:
    """One row a provider; ``suites`` are the seconds that the suite took."""
    made = Table(title="What the harness costs: medians of rounds; targets below the names")
    made.add_column("provider")
    for number in _NUMBERS:
        made.add_column(_head(number.name, number.most, number.form), justify="right")
    made.add_column(_head("suite s", _SUITE_MOST, ".0f"), justify="right")
    for name, measured in rounds.items():
        made.add_row(name, *_cells(measured), _cell(suites[name], _SUITE_MOST, ".1f"))
    return made


def _head(name: str, most: float | None, form: str) -> str:
    return name if most is None else f"{name}\n≤ {most:{form}}"


def _cells(measured: Sequence[Round]) -> Iterator[str]:
    for number in _NUMBERS:
        yield _cell(median(map(number.of, measured)), number.most, number.form)


def _cell(value: float, most: float | None, form: str) -> str:
    text = f"{value:{form}}"
    return text if most is None else f"[{'green' if value <= most else 'red'}]{text}[/]"
