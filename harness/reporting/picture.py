"""A breach as a picture: the events of a faultless telling beside those that came, in inline SVG."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final, Literal

from markupsafe import Markup, escape

from harness.reporting.text import cut
from harness.reporting.timeline import END, rows

#: rows of a picture, and cells of one event
MOST_ROWS: Final = 12
_WIDEST: Final = 22
#: events of a lane that are compared with the other lane's
_MOST_ALIGNED: Final = 100
#: the geometry, in the picture's own units
_STEP: Final = 20
_TOP: Final = 30
_LANES: Final[Mapping[str, int]] = {"expected": 10, "observed": 210}
_WIDTH: Final = 400

State = Literal["same", "missing", "extra", "other"]

_NAMES: Final[Mapping[str, str]] = {
    "contentBlockStart": "blockStart",
    "contentBlockDelta": "delta",
    "contentBlockStop": "blockStop",
}
#: an event in a timeline, and what tells it from others of its name: the first key of its body, or why it stops
_EVENT: Final = re.compile(r"(\w+) \{(?:'start': \{)?(?:'stopReason': )?(?:'(\w+)')?")
#: the begin of a block of text or reasoning, which an adapter may leave out
_OPTIONAL: Final = "blockStart"
_PLAIN: Final = frozenset({"role", "usage", "metrics", "start"})


@dataclass(frozen=True, slots=True)
class Pair:
    """One row: an event of each lane, where there is one, and what came of it."""

    expected: str
    observed: str
    state: State
    marked: bool = False


@dataclass(frozen=True, slots=True)
class _Beat:
    """Adjacent events of one kind."""

    label: str
    count: int
    marked: bool = False

    @property
    def text(self) -> str:
        return f"{self.label} ×{self.count}" if self.count > 1 else self.label


def picture(expected: Sequence[str], observed: Sequence[str], index: int | None, most: int = MOST_ROWS) -> Markup:
    """The picture of two timelines, with the event at ``index`` of the observed one marked, in at most ``most`` rows.

    Without an expected one there is one lane. Fragments of one kind count as one event, since a reply may be told in
    any number of them.
    """
    told = list(pairs(expected, observed, index))
    lanes = _LANES if expected else {"observed": _LANES["expected"]}
    shown = list(_shown(told, most))
    label = _summary(told) if expected else "the events that came"
    size = f"0 0 {_WIDTH} {_TOP + _STEP * len(shown)}"
    body = "".join(_drawn(shown, lanes))
    # what an adapter chose is escaped where it is put in, by _text
    return Markup(f'<svg class="picture" viewBox="{size}" role="img" aria-label="{label}">{body}</svg>')  # noqa: S704


def pairs(expected: Sequence[str], observed: Sequence[str], index: int | None) -> Iterator[Pair]:
    """The rows of a picture: both lanes, aligned."""
    met = _near(list(_beats(observed, index)))
    needless = {_OPTIONAL} - {beat.label for beat in met}
    wanted = [beat for beat in _beats(expected, None) if beat.label not in needless][:_MOST_ALIGNED]
    matcher = SequenceMatcher(None, [beat.label for beat in wanted], [beat.label for beat in met], autojunk=False)
    for kind, a, b, c, d in matcher.get_opcodes():
        for old, new in zip_longest(wanted[a:b], met[c:d]):
            yield _pair(old, new, same=kind == "equal" or not wanted)
    if index is not None and index >= len(observed):
        yield Pair("", END, "extra", marked=True)


def _near(beats: list[_Beat]) -> list[_Beat]:
    """No more of them than can be aligned in no time, around the marked one."""
    mark = next((place for place, beat in enumerate(beats) if beat.marked), 0)
    start = max(0, min(mark - _MOST_ALIGNED // 2, len(beats) - _MOST_ALIGNED))
    return beats[start : start + _MOST_ALIGNED]


def _pair(old: _Beat | None, new: _Beat | None, *, same: bool) -> Pair:
    state: State = "same" if same else "missing" if new is None else "extra" if old is None else "other"
    return Pair(old.text if old else "", new.text if new else "", state, new is not None and new.marked)


def _beats(timeline: Iterable[str], index: int | None) -> Iterator[_Beat]:
    """Fragments of one kind as one; the marked one stands alone."""
    last: _Beat | None = None
    for place, line in enumerate(timeline):
        beat = _Beat(_label(line), 1, place == index)
        joins = last is not None and last.label == beat.label and beat.label.startswith("delta")
        if last is not None and joins and not (last.marked or beat.marked):
            last = _Beat(last.label, last.count + 1)
            continue
        if last is not None:
            yield last
        last = beat
    if last is not None:
        yield last


def _label(line: str) -> str:
    found = _EVENT.match(line)
    if found is None:
        return cut(line, _WIDEST)
    name, key = _NAMES.get(found[1], found[1]), found[2] or ""
    return cut(name if key in _PLAIN else f"{name} {key}".rstrip(), _WIDEST)


def _summary(told: Iterable[Pair]) -> str:
    states = [pair.state for pair in told]
    counts = {word: states.count(word) for word in ("missing", "extra", "other")}
    differing = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    return f"expected against observed events: {differing or 'the same kinds'}"


def _shown(told: Sequence[Pair], most: int) -> Iterator[Pair | str]:
    """As many rows as fit, around the marked one, or the first that differs; a text stands for those left out."""
    marks = [place for place, pair in enumerate(told) if pair.marked]
    marks += [place for place, pair in enumerate(told) if pair.state != "same"]
    for row in rows([""] * len(told), marks[0] if marks else None, most):
        yield row.text if row.place is None else told[row.place]


def _drawn(shown: Sequence[Pair | str], lanes: Mapping[str, int]) -> Iterator[str]:
    end = _TOP + _STEP * max(0, len(shown) - 1)
    for lane, x in lanes.items():
        yield f'<path class="lane" d="M{x} {_TOP}V{end}"/>{_text(x - 6, 12, lane, "head")}'
    for number, row in enumerate(shown):
        y = _TOP + _STEP * number
        if isinstance(row, str):
            yield _text(min(lanes.values()) + 12, y + 4, row, "gap")
            continue
        for lane, x in lanes.items():
            if text := getattr(row, lane):
                look = _look(row, lane)
                yield f'<circle cx="{x}" cy="{y}"{_class(look)}/>{_text(x + 12, y + 4, text, look)}'


def _look(pair: Pair, lane: str) -> str:
    if pair.marked and lane == "observed":
        return "bad"
    return "" if pair.state == "same" else pair.state


def _text(x: int, y: int, text: str, look: str) -> str:
    return f'<text x="{x}" y="{y}"{_class(look)}>{escape(text)}</text>'


def _class(look: str) -> str:
    return f' class="{look}"' if look else ""
