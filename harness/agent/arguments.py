"""The value behind ``Action Input:``: the first JSON value, the content of a code fence, or plain text."""

import re
from dataclasses import dataclass
from typing import Final

from harness.agent import lenient_json
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


@dataclass(frozen=True, slots=True)
class Found:
    """An input and where it ends, as an offset in characters."""

    value: Json
    end: int


def read_input(text: str, start: int, label: int, stop: int) -> Found:
    """The input that begins at ``start``.

    ``label`` is where the next label stands. A label inside a complete value is data: what is not complete before
    ``label`` is looked at up to ``stop``.
    """
    at = _skip(text, start, label)
    if at >= label:
        return Found("", label)
    fence = _FENCE.match(text, at)
    if fence:
        return _fenced(text, fence, label, stop)
    prefix = _PREFIX.match(text, at, label)
    return _json(text, prefix.end() if prefix else at, label, stop) or _plain(text, at, label)


def _skip(text: str, start: int, stop: int) -> int:
    match = _SPACE.match(text, start, stop)
    return match.end() if match else start


def _fenced(text: str, fence: re.Match[str], label: int, stop: int) -> Found:
    bar, start = fence["bar"], fence.end()
    if (fence["info"] or "").lower() in _DATA:
        found = _json(text, start, label, stop)
        if found:
            return Found(found.value, _behind_fence(text, found.end, bar))
    ends = (_end_of_fence(text, start, bar, limit) for limit in (label, stop))
    end = next((end for end in ends if end is not None), label)
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


def _json(text: str, start: int, label: int, stop: int) -> Found | None:
    if text[start : start + 1] not in _STRUCTURES | lenient_json.QUOTES:
        return None
    readings = [_attempt(text, start, label)]
    if stop > label and not (readings[0] and readings[0].closed):
        readings.insert(0, _attempt(text, start, stop))
    complete = [reading for reading in readings if reading and reading.closed]
    reading = next(iter(complete), readings[-1])
    if reading is None:
        return None
    return _structure(text, reading) if text[start] in _STRUCTURES else _string(text, reading)


def _attempt(text: str, start: int, stop: int) -> lenient_json.Reading | None:
    try:
        return lenient_json.read(text, start, stop)
    except ValueError:
        return None


def _structure(text: str, reading: lenient_json.Reading) -> Found | None:
    """A list with text right behind it was prose in brackets, unless it is JSON to the letter."""
    if isinstance(reading.value, list) and not reading.strict and _has_rest(text, reading.end):
        return None
    return Found(reading.value, reading.end)


def _string(text: str, reading: lenient_json.Reading) -> Found | None:
    """A string that fills its line; one that holds a JSON object or list stands for that."""
    if not reading.closed or _has_rest(text, reading.end):
        return None
    value = reading.value
    if isinstance(value, str) and value.lstrip()[:1] in _STRUCTURES:
        inner = _attempt(value, len(value) - len(value.lstrip()), len(value))
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
        return Found(lenient_json.scalar(_undecorated(first.strip())), start + len(first))
    except ValueError:
        return Found(_undecorated(content), label)


def _scalar_or_text(content: str) -> Json:
    try:
        return lenient_json.scalar(content)
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
