"""The numbers of all replays as a table."""

from collections import Counter
from collections.abc import Iterator

from rich.table import Table

from tests.replay.known import ERROR_CLASSES, EXPLAINED, MENDED
from tests.replay.replay import Tally, tallies

_NUMBERS = ("exchanges", "replayed", "of them errors", "replays", "skipped", "explained", "unexplained")


def numbers() -> Table:
    """One row a protocol, and the sum."""
    table = Table(title="Recorded exchanges through the real SDKs")
    for name in ("provider", "protocol"):
        table.add_column(name, no_wrap=True)
    for name in _NUMBERS:
        table.add_column(name, justify="right")
    total: Counter[str] = Counter()
    for provider, protocol, tally in tallies():
        counts = _counts(tally)
        total.update(counts)
        table.add_row(provider, protocol, *(str(counts[name]) for name in _NUMBERS))
    table.add_section()
    table.add_row("all", "", *(str(total[name]) for name in _NUMBERS))
    return table


def _counts(tally: Tally) -> dict[str, int]:
    explained = len(tally.breaches) - len(tally.unexplained)
    values = (
        tally.exchanges,
        tally.replayed,
        tally.errors,
        tally.replays,
        sum(tally.skipped.values()),
        explained,
        len(tally.unexplained),
    )
    return dict(zip(_NUMBERS, values, strict=True))


def remarks() -> Iterator[str]:
    """What the tables of known things say, and every unexplained violation."""
    skipped = sum((tally.skipped for _, _, tally in tallies()), Counter[str]())
    for reason, count in sorted(skipped.items()):
        yield f"skipped: {count} of {reason}"
    for name, reason in MENDED.items():
        yield f"mended: {name}: {reason}"
    for (name, rule), reason in EXPLAINED.items():
        yield f"explained: {name}, {rule}: {reason}"
    yield f"read by eye: the classes of {len(ERROR_CLASSES)} errors"
    for _, _, tally in tallies():
        yield from (f"unexplained: {breach}" for breach in tally.unexplained)
