"""JSON as models write it: one value from a text, in linear time.

Strict JSON is read as such. Besides it these are understood, since models were seen to write them: Python's literals
and quotes, typographic and triple quotes, raw line breaks and stray backslashes in strings, quotes that were forgotten
to be escaped, bare keys, missing or surplus commas, comments, doubled braces, JSON that was escaped once more, and
values whose end is missing.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.contract.content import Json

#: nesting that no arguments of a tool need, and that every stack bears
_DEPTH: Final = 100


@dataclass(frozen=True, slots=True)
class Reading:
    """A value and where it ends in the text.

    ``closed`` says whether its own end was there (False: the text broke off before it), ``in_string`` whether it broke
    off in a string, ``strict`` whether it was JSON to the letter.
    """

    value: Json
    end: int
    closed: bool = True
    in_string: bool = False
    strict: bool = False


def loads(text: str) -> Json:
    """The one value that a text holds, with nothing but spaces around it. Raises ValueError."""
    reading = read(text, len(text) - len(text.lstrip()))
    if text[reading.end :].strip():
        raise ValueError(f"text follows the JSON value: {text[reading.end : reading.end + 40].strip()!r}")
    return reading.value


def read(text: str, start: int = 0, stop: int | None = None) -> Reading:
    """The value that begins at ``start``, an offset in characters; nothing from ``stop`` on is looked at.

    Raises ValueError where no value begins.
    """
    end = len(text) if stop is None else stop
    try:
        return read_strict(text, start, end)
    except ValueError:
        reader = _Reader(text, start, end)
        return Reading(_sendable(reader.value()), reader.at, reader.closed, reader.in_string)


def read_strict(text: str, start: int, stop: int) -> Reading:
    """As :func:`read`, but JSON to the letter, except that strings may hold raw line breaks. Raises ValueError."""
    try:
        value, length = _STRICT.raw_decode(text[start:stop])
    except RecursionError as error:
        raise ValueError("too many brackets deep") from error
    return Reading(_sendable(value), start + length, strict=True)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


_STRICT: Final = json.JSONDecoder(strict=False, parse_constant=_no_constant)


def _sendable(value: Any, depth: int = _DEPTH) -> Json:
    """The value without halves of surrogate pairs, which no request can hold, and not too deep for anyone's stack."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not isinstance(value, list | dict):
        other: Json = value
        return other
    if not depth:
        raise ValueError(f"more than {_DEPTH} brackets deep")
    if isinstance(value, list):
        return [_sendable(item, depth - 1) for item in value]
    return {str(_sendable(key)): _sendable(item, depth - 1) for key, item in value.items()}


# ---------------------------------------------------------------------------------------------------------- strings

_ESCAPES: Final[Mapping[str, str]] = {
    "n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'", "\n": "",
}  # fmt: skip
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
#: a Windows path whose backslashes were left single: none of them begins an escape
_PATH: Final = re.compile(r"[A-Za-z]:\\(?!\\)|\\\\\w")
_ODD_ESCAPE: Final = re.compile(r"\\(?:\\|[^\\])", re.DOTALL)


def _unescape(match: re.Match[str]) -> str:
    code, short, char = match.groups()
    if code or short:
        return chr(int(code or short, 16))
    return _ESCAPES.get(char, match.group())


def _decoded(content: str) -> str:
    if "\\" not in content or (_PATH.match(content) and _has_odd_escape(content)):
        return content
    return _ESCAPE.sub(_unescape, content)


def _has_odd_escape(content: str) -> bool:
    return any(match.group()[1] not in '"\\/bfnrt' for match in _ODD_ESCAPE.finditer(content))


def _decoded_twice(content: str) -> str:
    return _decoded(re.sub(r'\\(["\\])', r"\1", content))


@dataclass(frozen=True, slots=True)
class _Quote:
    """How a string ends. ``stops`` finds the next place that may be it, or an escape to pass over."""

    end: str
    stops: re.Pattern[str]
    decode: Callable[[str], str] = _decoded
    certain: bool = False  # the mark is too rare to stand inside the string unescaped


def _quote(end: str, *, certain: bool = False) -> _Quote:
    return _Quote(end, re.compile(rf"\\.|{re.escape(end)}", re.DOTALL), certain=certain)


#: longest first
_QUOTES: Final[Mapping[str, _Quote]] = {
    '"""': _quote('"""', certain=True),
    "'''": _quote("'''", certain=True),
    '\\"': _Quote('\\"', re.compile(r'\\\\(?:\\\\|\\"|.)|\\"', re.DOTALL), _decoded_twice),
    '"': _quote('"'),
    "'": _quote("'"),
    "`": _quote("`"),
    "“": _quote("”"),
    "„": _quote("“"),
    "‘": _quote("’"),
}
QUOTES: Final = frozenset(quote[0] for quote in _QUOTES)

# --------------------------------------------------------------------------------------------------------- the reader

_LITERALS: Final[Mapping[str, Json]] = {"true": True, "false": False, "null": None, "none": None, "undefined": None}
_GAP: Final = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SKIP: Final = re.compile(r"(?:[\s,;]|//[^\n]*|#[^\n]*|/\*.*?\*/)*", re.DOTALL)
_COLON: Final = re.compile(r"\s*(?:[:：]|=>?)\s*")
_BARE_KEY: Final = re.compile(r"[\w$][\w$.-]*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\Z")
_BARE_VALUE: Final = re.compile(r"[^,}\]\n\r()\[{\"'`“”]+")
_BARE_ITEM: Final = re.compile(r"[\w$.+-]+")
#: what stands behind the quote that ends a value, or a key; behind any other the string goes on
_AFTER_VALUE: Final = re.compile(
    r"""\s*(?:[}\])]|\Z|//|/\*|,\s*(?:[,}\])\[{"'“‘`\\\d-]|\Z|[\w$.-]{1,64}\s*[:,\]}])|["'“][^"'”\n]{1,64}["'”]\s*[:：])"""
)
_AFTER_KEY: Final = re.compile(r"\s*(?:[:：=]|\Z)")


def scalar(word: str) -> Json:
    """A number or a literal of JSON or Python by its text. Raises ValueError."""
    if word.lower() in _LITERALS:
        return _LITERALS[word.lower()]
    if not _NUMBER.match(word):
        raise ValueError(f"{word[:40]!r} is neither a number nor a literal")
    number: Json = json.loads(word)
    return number


class _Reader:
    """A recursive descent of bounded depth. ``at`` only grows; ``closed`` says whether every end was met."""

    def __init__(self, text: str, start: int, stop: int) -> None:
        self.text, self.at, self.stop = text, start, stop
        self.closed, self.in_string, self.depth = True, False, 0

    def value(self, bare: re.Pattern[str] = _BARE_VALUE) -> Json:
        self._match(_GAP)
        container = self._CONTAINERS.get(self._char())
        if container:
            return self._nested(container)
        return self._string(_AFTER_VALUE) if self._opens() else self._bare(bare)

    def _char(self) -> str:
        return self.text[self.at] if self.at < self.stop else ""

    def _match(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self.text, self.at, self.stop)
        self.at = match.end() if match else self.at
        return match.group() if match else None

    def _nested(self, container: "Callable[[_Reader], Json]") -> Json:
        self.depth += 1
        if self.depth > _DEPTH:
            raise ValueError(f"more than {_DEPTH} brackets deep")
        self.at += 1
        value = container(self)
        self.depth -= 1
        return value

    def _object(self) -> Json:
        found: dict[str, Json] = {}
        while not self._ends():
            before = self._match(_SKIP) or ""
            if self._ends():
                break
            if self._char() == "{" and not found:
                return self._doubled()
            if not self._opens() and found and "," not in before:
                return self._broken(found)
            key = self._key()
            found[key] = self.value()
        self._close("}", empty=not found)
        return found

    def _doubled(self) -> Json:
        inner = self.value()
        self._match(_SPACE)
        self._close("}")
        return inner

    def _array(self) -> Json:
        return self._items("]")

    def _tuple(self) -> Json:
        return self._items(")")

    def _items(self, end: str) -> Json:
        found: list[Json] = []
        self._match(_SKIP)
        while not self._ends():
            found.append(self.value(_BARE_ITEM))
            self._match(_SKIP)
        self._close(end, empty=not found)
        return found

    def _ends(self) -> bool:
        return self._char() in ("", "}", "]", ")")

    def _close(self, end: str, *, empty: bool = False) -> None:
        """Pass over the bracket; one that belongs to something further out is left to it."""
        if empty and not self._char():
            raise ValueError("nothing follows a bracket")
        self.closed = self.closed and self._char() != ""
        self.at += self._char() == end

    def _broken(self, found: dict[str, Json]) -> Json:
        """Prose follows where a comma or the end should: the object ends before it."""
        self.closed, self.stop = False, self.at
        return found

    def _key(self) -> str:
        key = self._string(_AFTER_KEY) if self._opens() else self._match(_BARE_KEY)
        if key is None or self._match(_COLON) is None or self.at == self.stop:
            raise ValueError(f"no key and value at {self.text[self.at : self.at + 40]!r}")
        return key

    def _opens(self) -> bool:
        return self._char() in QUOTES and (self._char() != "\\" or self.text.startswith('\\"', self.at, self.stop))

    def _string(self, after: re.Pattern[str]) -> str:
        opening = next(mark for mark in _QUOTES if self.text.startswith(mark, self.at, self.stop))
        quote, start = _QUOTES[opening], self.at + len(opening)
        end = self._end_of_string(quote, start, after)
        content = self.text[start:end]
        return quote.decode(content.rstrip() if self.in_string else content)

    def _end_of_string(self, quote: _Quote, start: int, after: re.Pattern[str]) -> int:
        for match in quote.stops.finditer(self.text, start, self.stop):
            ends = match.group() == quote.end and (
                quote.certain or after.match(self.text, match.end(), self.stop) is not None
            )
            if ends:
                self.at = match.end()
                return match.start()
        self.at, self.closed, self.in_string = self.stop, False, True
        return self.stop

    def _bare(self, pattern: re.Pattern[str]) -> Json:
        word = (self._match(pattern) or "").strip()
        if not word:
            raise ValueError(f"no value at {self.text[self.at : self.at + 40]!r}")
        try:
            return scalar(word)
        except ValueError:
            return word

    _CONTAINERS: Mapping[str, "Callable[[_Reader], Json]"] = {"{": _object, "[": _array, "(": _tuple}


_SPACE: Final = re.compile(r"\s*")
