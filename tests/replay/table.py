"""The numbers of all replays as a table."""

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from rich.box import SIMPLE_HEAD
from rich.table import Table

from tests.replay.known import ERROR_CLASSES, EXPLAINED, MENDED
from tests.replay.replay import Tally, tallies

#: what is counted, and its heading: all of them fit into 80 columns
_NUMBERS = {
    "exchanges": "met",
    "replayed": "read",
    "of them errors": "errs",
    "replays": "runs",
    "skipped": "skip",
    "explained": "told",
    "unexplained": "open",
}
_LEGEND = (
    "met: recorded exchanges; read: those the SDK took; errs: of these, errors; runs: whole and cut in several "
    "ways; skip: left out for a reason; told: violations that are the recording's; open: violations"
)


def numbers() -> Table:
    """One row a protocol under its provider, and the sum."""
    table = Table(title="Recorded exchanges through the real SDKs", box=SIMPLE_HEAD, caption=_LEGEND)
    table.add_column("protocol", no_wrap=True)
    for heading in _NUMBERS.values():
        table.add_column(heading, justify="right")
    total: Counter[str] = Counter()
    for provider, group in groupby(tallies(), key=itemgetter(0)):
        table.add_row(f"[bold]{provider}")
        for _, protocol, tally in group:
            counts = _counts(tally)
            total.update(counts)
            table.add_row(f"  {protocol}", *(str(counts[name]) for name in _NUMBERS))
    table.add_section()
    table.add_row("all", *(str(total[name]) for name in _NUMBERS))
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
