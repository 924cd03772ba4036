"""What is known of an error, and the reading of it that the rows are held against."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

#: characters of a message that are read: of a longer one, its beginning and its end. What vendors say is far shorter;
#: a message that echoes a request is not, and the time to search it must stay bounded.
HEAD: Final = 6000
TAIL: Final = 2000
#: characters of the details that are read
DETAILS: Final = 20_000
#: levels of JSON objects and arrays in the details that are read
DEPTH: Final = 6

_PLAIN: Final = str.maketrans({"'": '"', "’": '"', "‘": '"', "“": '"', "”": '"', "_": " ", "\\": " ", "`": "", "*": ""})
#: what follows these words and a quotation mark is what the caller sent: it must not decide
_ECHO: Final = re.compile(r'(?:\bgot|\breceived|\bvalue(?: was| is)?|input value|"input"|\bgiven)[:=]? {0,3}["{\[]')
_HEAD_CODE: Final = re.compile(r"(?:An error occurred \()?([A-Za-z]{3,60}Exception)\b")
_NOT_WORD: Final = re.compile(r"[^a-z0-9]")


@dataclass(frozen=True, slots=True)
class ErrorFacts:
    """What is known of a vendor's error.

    ``codes`` are its structured codes and types (``rate_limit_exceeded``, ``ThrottlingException``), in any case, and
    numbers as strings; header names are in lower case. ``details`` is what the body says beyond that, as JSON data,
    where it may decide: Google's ``error.details`` (google.rpc.QuotaFailure, google.rpc.RetryInfo) or the whole body.
    """

    message: str = ""
    status: int | None = None
    codes: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    provider: str | None = None
    details: Any = None


@dataclass(frozen=True, slots=True)
class Reading:
    """An error's facts in the form in which they are compared."""

    text: str
    status: int | None
    codes: frozenset[str]
    details: str


def read(facts: ErrorFacts) -> Reading:
    """The facts, with an HTTP status that a code names when the answer's own status says success or is unknown."""
    named = _HEAD_CODE.match(facts.message[:120])
    codes = tuple(map(plain_code, (*facts.codes, *(named.groups() if named else ()))))
    status = facts.status if facts.status and facts.status >= 400 else _status_among(codes) or facts.status
    return Reading(plain_text(facts.message), status, frozenset(codes), _details_text(facts.details))


def plain_code(code: str) -> str:
    """A code in one spelling: ``ServiceUnavailable``, ``service_unavailable``, AWS's ``a.b#ServiceUnavailable:url``."""
    return _NOT_WORD.sub("", code.rpartition("#")[2].partition(":")[0].lower())


def plain_text(message: str) -> str:
    """The bounded text that patterns search: lower case, one kind of quotation mark, single spaces, no echoed input."""
    bounded = message if len(message) <= HEAD + TAIL else f"{message[:HEAD]} {message[-TAIL:]}"
    text = " ".join(bounded.lower().translate(_PLAIN).split())
    echo = _ECHO.search(text)
    return text[: echo.end()] if echo else text


def _status_among(codes: tuple[str, ...]) -> int | None:
    numbers = (int(code) for code in codes if len(code) == 3 and code.isdecimal())
    return next((number for number in numbers if 400 <= number <= 599), None)


def mappings(details: Any, depth: int = DEPTH) -> Iterator[Mapping[str, Any]]:
    """Every JSON object in ``details``, the outer ones first."""
    if isinstance(details, Mapping):
        yield details
    inner = details.values() if isinstance(details, Mapping) else details if isinstance(details, list | tuple) else ()
    if depth:
        for value in inner:
            yield from mappings(value, depth - 1)


def _details_text(details: Any) -> str:
    pairs = (
        f"{name}={value}" for found in mappings(details) for name, value in found.items() if isinstance(value, str)
    )
    return " ".join(pairs)[:DETAILS].lower()
