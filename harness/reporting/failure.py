"""The text of one failing item: what a reader needs to understand it, on one screen."""

from collections.abc import Iterable, Sequence
from typing import Final

from harness.contract.rules import RULES
from harness.reporting.text import cut, folded, printable
from harness.reporting.timeline import Row, rows

WIDTH: Final = 100
HEIGHT: Final = 16
TIMELINE_HEIGHT: Final = 7
EXCHANGE_HEIGHT: Final = 3


def failure_text(
    rule: str,
    met: str,
    wanted: str | None,
    index: int | None,
    timeline: Sequence[str],
    exchange: Sequence[str],
    command: str,
    others: Sequence[str] = (),
    file: str = "",
) -> str:
    """At most 16 lines of at most 100 columns, apart from command and file, which are never cut: they are to be copied.

    ``timeline`` has one line an event, not numbered; ``index`` is the offending one's place, or the timeline's length
    for the end of the stream. ``exchange`` tells the shortest exchange, ``others`` are more rules that it violates,
    and ``file`` is the repro file.
    """
    head = [
        *_headline(rule),
        *_labelled("met:", met),
        *(_labelled("wanted:", wanted) if wanted else ()),
    ]
    tail = [
        *(f"  {cut(line, WIDTH - 2)}" for line in exchange[:EXCHANGE_HEIGHT]),
        *([cut(f"  also violated: {', '.join(others)}", WIDTH)] if others else ()),
        f"  run again: {printable(command)}",
        *([f"  repro file: {printable(file)}"] if file else ()),
    ]
    room = min(TIMELINE_HEIGHT, HEIGHT - len(head) - len(tail))
    return "\n".join([*head, *_events(rows(timeline, index, room)), *tail])


def _headline(rule_id: str) -> list[str]:
    rule = RULES.get(rule_id)
    text = f"{rule_id} {rule.level}: {rule.title}" if rule else rule_id
    first, *more = folded(text, WIDTH - 2, 2)
    return [first, *(f"  {line}" for line in more)]


def _labelled(label: str, text: str) -> list[str]:
    """At most two lines, the second one beneath the first one's text."""
    lines = folded(text, WIDTH - 10, 2)
    return [f"  {label if not place else '':<7} {line}" for place, line in enumerate(lines)]


def _events(shown: Iterable[Row]) -> list[str]:
    return [cut(f"{'>' if row.marked else ' ':>3} {_place(row)} {row.text}", WIDTH) for row in shown]


def _place(row: Row) -> str:
    return "   " if row.place is None else f"{row.place:>3}"
