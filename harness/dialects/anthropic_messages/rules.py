"""What the rules of a request are made of: tests of one value, and objects with known members.

The words in quotes are the service's own (errors of type ``invalid_request_error``).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind

Faults = Iterator[RequestFault]
#: the service's words when the value is wrong, else None
Test = Callable[[Any], str | None]


def fault(kind: RequestFaultKind, path: str, what: str, words: str) -> RequestFault:
    """A fault with the service's words as its evidence."""
    return RequestFault(kind, path, what, f"400 invalid_request_error: {words}")


# --- tests of one value -----------------------------------------------------------------------------------------


def anything(_: Any) -> str | None:
    """Any value."""
    return None


def text(value: Any) -> str | None:
    """A string."""
    return None if isinstance(value, str) else "Input should be a valid string"


def full_text(value: Any) -> str | None:
    """A string that is not empty."""
    return text(value) or (None if value else "String should have at least 1 character")


def boolean(value: Any) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else "Input should be a valid boolean"


def mapping(value: Any) -> str | None:
    """An object."""
    return None if isinstance(value, dict) else "Input should be a valid dictionary"


def array(value: Any) -> str | None:
    """An array."""
    return None if isinstance(value, list) else "Input should be a valid list"


def content(value: Any) -> str | None:
    """A string or an array of blocks."""
    return None if isinstance(value, str | list) else "Input should be a valid string or a valid list"


def texts(value: Any) -> str | None:
    """An array of strings."""
    return array(value) or next((words for item in value if (words := text(item))), None)


def integer(least: int) -> Test:
    """A whole number, at least ``least``."""

    def test(value: Any) -> str | None:
        if not isinstance(value, int) or isinstance(value, bool):
            return "Input should be a valid integer"
        return None if value >= least else f"Input should be greater than or equal to {least}"

    return test


def number(least: float, most: float) -> Test:
    """A number within bounds, both included."""

    def test(value: Any) -> str | None:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return "Input should be a valid number"
        if value < least:
            return f"Input should be greater than or equal to {least:g}"
        return None if value <= most else f"Input should be less than or equal to {most:g}"

    return test


def one_of(*values: str) -> Test:
    """One of some strings."""
    words = f"Input should be {', '.join(map(repr, values))}"
    return lambda value: None if value in values else words


def matching(pattern: str) -> Test:
    """A string that a pattern matches as a whole."""
    match = re.compile(pattern).fullmatch
    return lambda value: text(value) or (None if match(value) else f"String should match pattern '{pattern}'")


# --- objects ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object: how its value is tested, and what kind of fault a wrong or missing one is."""

    test: Test
    required: bool = False
    kind: RequestFaultKind = RequestFaultKind.FORM
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """An object's members. ``open`` lets through members that are not listed."""

    members: Mapping[str, Member]
    open: bool = False

    @property
    def required(self) -> frozenset[str]:
        """Names of the members that must be there."""
        return frozenset(name for name, member in self.members.items() if member.required)


_EXTRA_KINDS: Final = {"cache_control": RequestFaultKind.CACHE}


def check_object(value: Mapping[str, Any], shape: Shape, path: str) -> Faults:
    """Members that are missing, unknown, or of a wrong value. The body's own path is empty."""
    at = f"{path}." if path else ""
    for name, given in value.items():
        member = shape.members.get(name)
        if member is None:
            if not shape.open:
                kind = _EXTRA_KINDS.get(name, RequestFaultKind.FORM)
                yield fault(kind, f"{at}{name}", "a member that is not known here", "Extra inputs are not permitted")
        elif (given is not None or not member.nullable) and (words := member.test(given)):
            yield fault(member.kind, f"{at}{name}", f"{given!r:.80}", words)
    for name, member in shape.members.items():
        if member.required and name not in value:
            yield fault(member.kind, f"{at}{name}", "missing", "Field required")
