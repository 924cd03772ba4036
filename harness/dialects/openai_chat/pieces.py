"""How a text is cut into the deltas that carry it."""

from collections.abc import Callable, Mapping

#: beyond this many, the remaining characters come in one piece: the point is made, and a stream stays short
SINGLE_CHARACTERS = 24


def pieces(text: str, how: str) -> list[str]:
    """Non-empty pieces that join to ``text``; ``how`` is ``whole``, ``few`` (up to three) or ``characters``."""
    return [piece for piece in _CUTS[how](text) if piece]


def _few(text: str) -> list[str]:
    third = (len(text) + 2) // 3
    return [text[:third], text[third : 2 * third], text[2 * third :]]


def _characters(text: str) -> list[str]:
    return [*text[:SINGLE_CHARACTERS], text[SINGLE_CHARACTERS:]]


_CUTS: Mapping[str, Callable[[str], list[str]]] = {
    "whole": lambda text: [text],
    "few": _few,
    "characters": _characters,
}
