"""The value behind ``Action Input:``: the first JSON value, the content of a code fence, or plain text."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from harness.agent.lenient_json import QUOTES, Reading, read, read_strict, scalar
from harness.contract.content import Json

_SPACE: Final = re.compile(r"\s*")
#: a fence with its language, which is on the line of the mark, or known by its name
_FENCE: Final = re.compile(
    r"(?P<bar>`{3,}|~{3,})(?:[ \t]*(?P<info>[\w+#.-]{0,20})[ \t]*(?:\r?\n|\r)|(?:json[5c]?|javascript|python)\b)?\s*",
    re.IGNORECASE,
)
_FENCE_LINE: Final = re.compile(r"^[ \t>]{0,12}(?:`{3,}|~{3,})[ \t\r]*$", re.MULTILINE)
#: a single mark of code, or the name of the language without its fence
_PREFIX: Final = re.compile(r"(?:`|(?:json|python)\b\s*)(?=[{\[])", re.IGNORECASE)
_REST_OF_LINE: Final = re.compile(r"[^\n\r]*")
_DATA: Final = frozenset({"", "json", "json5", "jsonc", "javascript", "js", "python", "py"})
_STRUCTURES: Final = frozenset("{[")
#: a mark of code is no quote, except among quotes
_OPENINGS: Final = _STRUCTURES | QUOTES - {"`"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where an input may end, as offsets in characters.

    ``label`` is where the next label stands. Labels in a complete value are data: what has no end before ``label`` is
    looked for up to ``strict``, where it is JSON to the letter, and up to ``lenient`` else.
    """

    label: int
    strict: int
    lenient: int


@dataclass(frozen=True, slots=True)
class Found:
    """An input and where it ends, as an offset in characters."""

    value: Json
    end: int


def read_input(text: str, start: int, bounds: Bounds) -> Found:
    """The input that begins at ``start``."""
    at = _skip(text, start, bounds.label)
    if at >= bounds.label:
        return Found("", bounds.label)
    fence = _FENCE.match(text, at)
    if fence:
        return _fenced(text, fence, bounds)
    prefix = _PREFIX.match(text, at, bounds.label)
    return _json(text, prefix.end() if prefix else at, bounds) or _plain(text, at, bounds.label)


def _skip(text: str, start: int, stop: int) -> int:
    match = _SPACE.match(text, start, stop)
    return match.end() if match else start


def _fenced(text: str, fence: re.Match[str], bounds: Bounds) -> Found:
    bar, start = fence["bar"], fence.end()
    ends = [_end_of_fence(text, start, bar, limit) for limit in (bounds.label, bounds.lenient)]
    end = next((end for end in ends if end is not None), bounds.label)
    if (fence["info"] or "").lower() in _DATA:
        found = _json(text, start, replace(bounds, label=end))
        if found:
            return Found(found.value, _behind_fence(text, found.end, bar))
    return Found(_scalar_or_text(text[start:end].strip()), _behind_fence(text, end, bar))


def _end_of_fence(text: str, start: int, bar: str, stop: int) -> int | None:
    """The line that is only a fence, or else the mark wherever it stands."""
    line = _FENCE_LINE.search(text, start, stop)
    if line:
        return line.start()
    end = text.find(bar, start, stop)
    return None if end < 0 else end


def _behind_fence(text: str, end: int, bar: str) -> int:
    at = _skip(text, end, len(text))
    return at + len(bar) if text.startswith(bar, at) else end


def _json(text: str, start: int, bounds: Bounds) -> Found | None:
    if text[start : start + 1] not in _OPENINGS:
        return None
    reading = _reading(text, start, bounds)
    if reading is None:
        return None
    return _structure(text, reading) if text[start] in _STRUCTURES else _string(text, reading)


def _reading(text: str, start: int, bounds: Bounds) -> Reading | None:
    """The first that is complete: before the label, as strict JSON, as something like it; else what was begun."""
    begun = _attempt(read, text, start, bounds.label)
    if begun and begun.closed:
        return begun
    found = _attempt(read_strict, text, start, bounds.strict) if bounds.strict > bounds.label else None
    if found is None and bounds.lenient > bounds.label and (begun is None or begun.in_string):
        found = _attempt(read, text, start, bounds.lenient)
    return found if found and found.closed else begun


def _attempt(reader: Callable[[str, int, int], Reading], text: str, start: int, stop: int) -> Reading | None:
    try:
        return reader(text, start, stop)
    except ValueError:
        return None


def _structure(text: str, reading: Reading) -> Found | None:
    """A list with text right behind it was prose in brackets, unless it is JSON to the letter."""
    if isinstance(reading.value, list) and not reading.strict and _has_rest(text, reading.end):
        return None
    return Found(reading.value, reading.end)


def _string(text: str, reading: Reading) -> Found | None:
    """A string that fills its line; one that holds a JSON object or list stands for that."""
    if not reading.closed or _has_rest(text, reading.end):
        return None
    value = reading.value
    if isinstance(value, str) and value.lstrip()[:1] in _STRUCTURES:
        inner = _attempt(read, value, len(value) - len(value.lstrip()), len(value))
        whole = inner is not None and inner.closed and not value[inner.end :].strip()
        value = inner.value if inner is not None and whole else value
    return Found(value, reading.end)


def _has_rest(text: str, end: int) -> bool:
    rest = _REST_OF_LINE.match(text, end)
    return bool(rest and rest.group().strip(" \t`*.;"))


def _plain(text: str, start: int, label: int) -> Found:
    content = without_stray_fence(text[start:label].strip())
    first, _, _ = content.partition("\n")
    try:
        return Found(scalar(_undecorated(first.strip())), start + len(first))
    except ValueError:
        return Found(_undecorated(content), label)


def _scalar_or_text(content: str) -> Json:
    try:
        return scalar(content)
    except ValueError:
        return content


def _undecorated(text: str) -> str:
    """Without the marks of code or emphasis around all of it, and without a quote that has no partner."""
    for mark in ("**", "`"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark) and text.count(mark) == 2:
            text = text[len(mark) : -len(mark)].strip()
    return text[1:] if text.startswith('"') and text.count('"') == 1 else text


def without_stray_fence(text: str) -> str:
    """Text without a fence at its end that was opened outside of it."""
    if text.endswith("```") and text.count("```") % 2:
        return text.removesuffix("```").rstrip()
    return text
