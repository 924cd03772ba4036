"""Styles and cuts by number, so that one drawn integer is one way of telling a reply.

Small numbers stray little from the usual way: 0 is the usual style, then come those that differ on one axis, then on
two, then mixtures of everything. A failure therefore shrinks to the one choice that brings it about.
"""

import random
from functools import lru_cache
from typing import Final

from harness.dialects.base import Axis, Dialect, Style
from harness.exchange import FRAMES
from harness.wire.cuts import Cut, CutKind

#: ways to cut, the plainest first
CUTS: Final[tuple[Cut, ...]] = (
    FRAMES,
    Cut(CutKind.WHOLE),
    Cut(CutKind.FIXED, 61),
    Cut(CutKind.INSIDE_CHARACTER),
    Cut(CutKind.PAIRS),
    Cut(CutKind.RANDOM, 1),
    Cut(CutKind.FIXED, 7),
    Cut(CutKind.RANDOM, 2),
    Cut(CutKind.BYTES),
)


@lru_cache(maxsize=64)
def _choices(axes: tuple[Axis, ...], stream: bool) -> tuple[tuple[str, str], ...]:
    """Every unusual option of the axes that exist in a mode."""
    present = (axis for axis in axes if (axis.streamed if stream else axis.whole))
    return tuple((axis.name, option) for axis in present for option in axis.names[1:])


def style_count(dialect: Dialect, *, stream: bool) -> int:
    """How many style numbers make sense."""
    choices = len(_choices(dialect.axes, stream))
    return 1 + choices + 2 * choices * choices


def style_of(dialect: Dialect, number: int, *, stream: bool) -> Style:
    """The style with a number; 0 is the usual one."""
    choices = _choices(dialect.axes, stream)
    if number == 0 or not choices:
        return {}
    if number <= len(choices):
        return dict([choices[number - 1]])
    first, second = divmod(number - 1 - len(choices), len(choices))
    if first < len(choices):
        return dict([choices[first], choices[second]])
    return _mixture(dialect, number, stream=stream)


def _mixture(dialect: Dialect, number: int, *, stream: bool) -> Style:
    pick = random.Random(number)  # noqa: S311 - nothing secret: the same number must give the same style
    present = [axis for axis in dialect.axes if (axis.streamed if stream else axis.whole)]
    return {axis.name: pick.choice(axis.names) for axis in present}


def single_styles(dialect: Dialect, *, stream: bool) -> list[Style]:
    """The usual style, and every one that differs from it on one axis."""
    return [{}, *(dict([choice]) for choice in _choices(dialect.axes, stream))]
