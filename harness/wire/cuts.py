"""Cuts: where the transport splits the bytes of a body.

TCP promises bytes, not messages, so any split is legal and a reader must not care. Each kind aims at one
way of caring: taking chunk for event (WHOLE, PAIRS), waiting for a whole event in one chunk (BYTES,
FIXED, RANDOM), decoding text chunk by chunk (INSIDE_CHARACTER). A cut never changes the bytes:
``b"".join(apply(cut, frames)) == b"".join(frames)``, and no chunk is empty.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

BYTES_LIMIT = 8 * 1024
"""How far BYTES goes byte by byte, in bytes; beyond it the chunks are LONG_CHUNK bytes."""

LONG_CHUNK = 97
"""A prime, so that chunk borders drift through frames of any regular length."""

_LARGEST_EXPONENT = 9
_MULTI_BYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]{1,3}")


class CutKind(StrEnum):
    """The ways to split a body."""

    FRAMES = "frames"
    WHOLE = "whole"
    BYTES = "bytes"
    FIXED = "fixed"
    INSIDE_CHARACTER = "inside_character"
    RANDOM = "random"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Cut:
    """A split to apply: its kind and, where the kind has one, its number.

    `seed_or_size` is the chunk size in bytes for FIXED (at least 1), the seed of the sizes for RANDOM, and
    for INSIDE_CHARACTER a choice among the places inside each character; the other kinds ignore it.
    """

    kind: CutKind
    seed_or_size: int = 0

    def __post_init__(self) -> None:
        if self.kind is CutKind.FIXED and self.seed_or_size < 1:
            raise ValueError(f"a fixed cut needs a chunk size of at least one byte, not {self.seed_or_size}")


def apply(cut: Cut, frames: Sequence[bytes]) -> tuple[bytes, ...]:
    """Split a body, given as the frames it consists of, into the chunks that the transport delivers."""
    return tuple(filter(None, _CUTTERS[cut.kind](frames, cut.seed_or_size)))


def _frames(frames: Sequence[bytes], _: int) -> Sequence[bytes]:
    return frames


def _whole(frames: Sequence[bytes], _: int) -> Sequence[bytes]:
    return [b"".join(frames)]


def _bytes(frames: Sequence[bytes], _: int) -> Sequence[bytes]:
    body = b"".join(frames)
    return _every(body[:BYTES_LIMIT], 1) + _every(body[BYTES_LIMIT:], LONG_CHUNK)


def _fixed(frames: Sequence[bytes], size: int) -> Sequence[bytes]:
    return _every(b"".join(frames), size)


def _every(body: bytes, size: int) -> list[bytes]:
    return [body[at : at + size] for at in range(0, len(body), size)]


def _inside_character(frames: Sequence[bytes], seed: int) -> Sequence[bytes]:
    """Frames, each cut once inside every multi-byte UTF-8 character: mere frames when all is ASCII."""
    return [chunk for frame in frames for chunk in _split_at(frame, _places_inside(frame, seed))]


def _places_inside(frame: bytes, seed: int) -> list[int]:
    if frame.isascii():
        return []
    spans = (found.span() for found in _MULTI_BYTE.finditer(frame))
    return [start + 1 + seed % (end - start - 1) for start, end in spans]


def _split_at(body: bytes, places: Sequence[int]) -> list[bytes]:
    return [body[start:end] for start, end in zip([0, *places], [*places, len(body)], strict=True)]


def _random(frames: Sequence[bytes], seed: int) -> Sequence[bytes]:
    """Sizes of 1 to 511 bytes, each order of magnitude as likely as the next."""
    body = b"".join(frames)
    draw = random.Random(seed).random  # noqa: S311 - nothing secret: the same seed must give the same cut
    places: list[int] = []
    at = int(2 ** (_LARGEST_EXPONENT * draw()))
    while at < len(body):
        places.append(at)
        at += int(2 ** (_LARGEST_EXPONENT * draw()))
    return _split_at(body, places)


def _pairs(frames: Sequence[bytes], _: int) -> Sequence[bytes]:
    """Each chunk ends halfway through every second frame: one event and a half, then the half left."""
    return [
        chunk
        for at in range(0, len(frames), 2)
        for chunk in _joined_and_cut(frames[at], b"".join(frames[at + 1 : at + 2]))
    ]


def _joined_and_cut(first: bytes, second: bytes) -> tuple[bytes, bytes]:
    middle = len(second) // 2
    return first + second[:middle], second[middle:]


_CUTTERS: dict[CutKind, Callable[[Sequence[bytes], int], Sequence[bytes]]] = {
    CutKind.FRAMES: _frames,
    CutKind.WHOLE: _whole,
    CutKind.BYTES: _bytes,
    CutKind.FIXED: _fixed,
    CutKind.INSIDE_CHARACTER: _inside_character,
    CutKind.RANDOM: _random,
    CutKind.PAIRS: _pairs,
}
