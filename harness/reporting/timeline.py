"""Timelines of events, elided around the place that matters."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, zip_longest
from typing import Final

END: Final = "end of the stream"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a timeline: an event with its place, or (``place`` None) a count of events left out."""

    place: int | None
    text: str
    marked: bool = False


def rows(timeline: Sequence[str], index: int | None, limit: int) -> list[Row]:
    """The timeline in at most ``limit`` rows (4 or more), the event at ``index`` marked and always among them.

    An index past the last event stands for the end of the stream, which then has a row of its own.
    """
    lines = list(timeline) if index is None or index < len(timeline) else [*timeline, END]
    mark = None if index is None else min(index, len(lines) - 1)
    return list(_rows(lines, mark, _kept(len(lines), mark, limit)))


def _kept(count: int, mark: int | None, limit: int) -> set[int]:
    """The places to show: as many as fit, the mark first, then both ends, then what is near them."""
    kept: set[int] = set()
    # what is worth less than so many others is not next to any that is kept
    for place in islice(_by_worth(count, mark), 2 * limit + 7):
        if _height(kept | {place}, count) <= limit:
            kept.add(place)
    return kept


def _by_worth(count: int, mark: int | None) -> Iterable[int]:
    ends = [place for pair in zip_longest(range(count), reversed(range(count))) for place in pair]
    if mark is None:
        return ends
    near = [mark, 0, count - 1, mark - 1, mark + 1, mark - 2, mark + 2]
    return [place for place in near if 0 <= place < count] + ends


def _height(kept: set[int], count: int) -> int:
    """Rows that the places take, with one more for each gap."""
    edges = [-1, *sorted(kept), count]
    return len(kept) + sum(after - before > 1 for before, after in pairwise(edges))


def _rows(lines: Sequence[str], mark: int | None, kept: set[int]) -> Iterator[Row]:
    before = -1
    for place in [*sorted(kept), len(lines)]:
        if place - before > 1:
            yield Row(None, f"… {place - before - 1} more")
        if place < len(lines):
            yield Row(place, lines[place], place == mark)
        before = place
