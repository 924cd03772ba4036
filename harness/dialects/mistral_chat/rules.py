"""What the rules of a request are made of: tests of one value, and objects that take no other members.

The words in quotes are the service's own: it answers 422 with what pydantic says of the request's form, and 400 with
what its tokenizer says of the conversation.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind

Faults = Iterator[RequestFault]
#: the service's words when the value is wrong, else None
Test = Callable[[Any], str | None]
Kind = RequestFaultKind


def form_fault(path: str, met: Any, words: str, kind: RequestFaultKind = Kind.FORM) -> RequestFault:
    """A fault of form."""
    return RequestFault(kind, path, f"{met!r:.80}", f"Mistral 422: {words}")


def sense_fault(kind: RequestFaultKind, path: str, what: str, words: str) -> RequestFault:
    """A fault of the conversation."""
    return RequestFault(kind, path, what, f"Mistral 400: {words}")


# --- tests of one value -------------------------------------------------------------------------------------------


def anything(_: Any) -> str | None:
    """Any value."""
    return None


def text(value: Any) -> str | None:
    """A string."""
    return None if isinstance(value, str) else "Input should be a valid string"


def boolean(value: Any) -> str | None:
    """True or false."""
    return None if isinstance(value, bool) else "Input should be a valid boolean"


def mapping(value: Any) -> str | None:
    """An object."""
    return None if isinstance(value, dict) else "Input should be a valid dictionary"


def array(value: Any) -> str | None:
    """An array."""
    return None if isinstance(value, list) else "Input should be a valid list"


def either(*tests: Test) -> Test:
    """A value that passes one of the tests."""
    return lambda value: None if any(test(value) is None for test in tests) else tests[0](value)


def one_of(*values: str) -> Test:
    """One of some strings."""
    return lambda value: None if value in values else f"Input should be {', '.join(map(repr, values))}"


def integer(least: int) -> Test:
    """A whole number, at least ``least``; the service reads numbers out of strings, too."""

    def test(value: Any) -> str | None:
        try:
            met = float(str(value))
        except ValueError:
            return "Input should be a valid integer"
        if not met.is_integer():
            return "Input should be a valid integer, got a number with a fractional part"
        return None if met >= least else f"Input should be greater than or equal to {least}"

    return test


def number(least: float, most: float) -> Test:
    """A number within bounds, both included; the service reads numbers out of strings, too."""

    def test(value: Any) -> str | None:
        try:
            met = float(str(value))
        except ValueError:
            return "Input should be a valid number"
        if met < least:
            return f"Input should be greater than or equal to {least:g}"
        return None if met <= most else f"Input should be less than or equal to {most:g}"

    return test


# --- objects ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object: how its value is tested, and what kind of fault a wrong or missing one is."""

    test: Test
    required: bool = False
    nullable: bool = False
    kind: RequestFaultKind = Kind.FORM


Members = Mapping[str, Member]

_EXTRA_KINDS: Final = {"cache_control": Kind.CACHE}


def check_object(value: Any, members: Members, path: str, kind: RequestFaultKind = Kind.FORM) -> list[RequestFault]:
    """Members that are missing, unknown, or of a wrong value; the body's own path is empty."""
    if not isinstance(value, dict):
        return [form_fault(path, value, "Input should be a valid dictionary or object", kind)]
    return list(_members(value, members, f"{path}." if path else "", kind))


def _members(value: dict[str, Any], members: Members, at: str, kind: RequestFaultKind) -> Faults:
    for name, given in value.items():
        member = members.get(name)
        if member is None:
            yield form_fault(f"{at}{name}", given, "Extra inputs are not permitted", _EXTRA_KINDS.get(name, kind))
        elif (given is not None or not member.nullable) and (words := member.test(given)):
            yield form_fault(f"{at}{name}", given, words, member.kind)
    for name, member in members.items():
        if member.required and name not in value:
            yield form_fault(f"{at}{name}", "missing", "Field required", member.kind)
