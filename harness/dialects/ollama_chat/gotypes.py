"""What Go's JSON decoder takes for a type: the form of a request is that of the server's structs.

The decoder passes over fields that a struct does not have, and takes null for anything.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind

Faults = Iterator[RequestFault]
#: faults of a value at a path
Check = Callable[[Any, str], Faults]

_KINDS: Final[Mapping[type, str]] = {
    bool: "bool",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def fault(kind: RequestFaultKind, path: str, met: Any, words: str) -> RequestFault:
    """A fault with the server's words as its evidence."""
    return RequestFault(kind, path, f"{met!r:.80}", f"Ollama 400: {words}")


def scalar(go_type: str, *accepted: type, kind: RequestFaultKind = RequestFaultKind.FORM) -> Check:
    """A value of some JSON types; Go keeps whole numbers and fractions apart, and true is no number."""

    def check(value: Any, path: str) -> Faults:
        if type(value) not in accepted:
            yield mistyped(kind, path, value, go_type)

    return check


def mistyped(kind: RequestFaultKind, path: str, value: Any, go_type: str) -> RequestFault:
    """A value that the decoder does not take for a type."""
    met = _KINDS[type(value)]
    return fault(kind, path, value, f"json: cannot unmarshal {met} into Go struct field of type {go_type}")


def list_of(inner: Check, kind: RequestFaultKind = RequestFaultKind.FORM) -> Check:
    """An array whose items pass ``inner``."""

    def check(value: Any, path: str) -> Faults:
        if not isinstance(value, list):
            yield mistyped(kind, path, value, "slice")
            return
        for at, item in enumerate(value):
            if item is not None:
                yield from inner(item, f"{path}[{at}]")

    return check


def map_of(inner: Check, kind: RequestFaultKind = RequestFaultKind.FORM) -> Check:
    """An object whose values pass ``inner``."""

    def check(value: Any, path: str) -> Faults:
        if not isinstance(value, dict):
            yield mistyped(kind, path, value, "map")
            return
        for name, item in value.items():
            if item is not None:
                yield from inner(item, f"{path}.{name}")

    return check


def struct(fields: Callable[[], Mapping[str, Check]], kind: RequestFaultKind = RequestFaultKind.FORM) -> Check:
    """An object whose known members pass their checks; ``fields`` is called late, since types refer to each other."""

    def check(value: Any, path: str) -> Faults:
        if not isinstance(value, dict):
            yield mistyped(kind, path, value, "struct")
            return
        known = fields()
        for name, item in value.items():
            inner = known.get(name)
            if inner is not None and item is not None:
                yield from inner(item, f"{path}.{name}" if path else name)

    return check


def anything(value: Any, path: str) -> Faults:
    """Any value."""
    return iter(())
