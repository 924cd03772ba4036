"""Kinds of values with the constraints of Bedrock's service model, and how a value breaks them."""

import re
from base64 import b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from harness.dialects.base import RequestFault, RequestFaultKind

MODEL: Final = "Amazon Bedrock service model, bedrock-runtime"
_FORM: Final = RequestFaultKind.FORM


class Node(Protocol):
    """A kind of value."""

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``, which lies at ``path``."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What breaking a constraint is called, and who says so."""

    kind: RequestFaultKind = _FORM
    evidence: str = MODEL

    def fault(self, path: str, what: str) -> RequestFault:
        """The fault at ``path``."""
        return RequestFault(self.kind, path, what, self.evidence)


_PLAIN: Final = Rule()


@dataclass(frozen=True, slots=True)
class String:
    """Text of ``least`` to ``most`` characters that matches ``pattern`` whole."""

    least: int = 0
    most: int | None = None
    pattern: re.Pattern[str] | None = None
    rule: Rule = _PLAIN

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        if not isinstance(value, str):
            faults.append(_PLAIN.fault(path, f"{_kind(value)} where text belongs"))
        elif len(value) < self.least or (self.most is not None and len(value) > self.most):
            bounds = f"{self.least} to {self.most or 'any number of'}"
            faults.append(self.rule.fault(path, f"{len(value)} characters, not {bounds}"))
        elif self.pattern and not self.pattern.fullmatch(value):
            faults.append(self.rule.fault(path, f"{value[:80]!r} does not match {self.pattern.pattern}"))


@dataclass(frozen=True, slots=True)
class OneOf:
    """Text out of a list."""

    values: frozenset[str]
    rule: Rule = _PLAIN

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        if not isinstance(value, str) or value not in self.values:
            faults.append(self.rule.fault(path, f"{value!r} is none of {', '.join(sorted(self.values))}"))


@dataclass(frozen=True, slots=True)
class Number:
    """A number of ``least`` to ``most``."""

    least: float | None = None
    most: float | None = None
    whole: bool = False

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        kinds = int if self.whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            faults.append(_PLAIN.fault(path, f"{_kind(value)} where a number belongs"))
        elif (self.least is not None and value < self.least) or (self.most is not None and value > self.most):
            faults.append(_PLAIN.fault(path, f"{value} is not between {self.least} and {self.most}"))


@dataclass(frozen=True, slots=True)
class Boolean:
    """True or false."""

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        if not isinstance(value, bool):
            faults.append(_PLAIN.fault(path, f"{_kind(value)} where true or false belongs"))


@dataclass(frozen=True, slots=True)
class Blob:
    """Bytes in base64, at least ``least`` of them."""

    least: int = 0
    rule: Rule = _PLAIN

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        try:
            size = len(b64decode(value, validate=True))
        except (ValueError, TypeError) as cause:
            faults.append(self.rule.fault(path, f"not base64: {cause}"))
        else:
            if size < self.least:
                faults.append(self.rule.fault(path, f"{size} bytes, fewer than {self.least}"))


@dataclass(frozen=True, slots=True)
class Document:
    """Any JSON, or an object where ``mapping`` is set."""

    mapping: bool = False
    rule: Rule = _PLAIN

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        if self.mapping and not isinstance(value, dict):
            faults.append(self.rule.fault(path, f"{_kind(value)} where an object belongs"))


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of ``least`` to ``most`` items."""

    item: Node
    least: int = 0
    most: int | None = None
    rule: Rule = _PLAIN

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        if not isinstance(value, list):
            faults.append(_PLAIN.fault(path, f"{_kind(value)} where a list belongs"))
            return
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            faults.append(self.rule.fault(path, f"{len(value)} items"))
        for at, item in enumerate(value):
            self.item.check(item, f"{path}[{at}]", faults)


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with ``least`` to ``most`` free keys."""

    key: Node
    value: Node
    least: int = 0
    most: int | None = None

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        if not isinstance(value, dict):
            faults.append(_PLAIN.fault(path, f"{_kind(value)} where an object belongs"))
            return
        if len(value) < self.least or (self.most is not None and len(value) > self.most):
            faults.append(_PLAIN.fault(path, f"{len(value)} members"))
        for key, inner in value.items():
            self.key.check(key, f"{path}.{key}", faults)
            self.value.check(inner, f"{path}.{key}", faults)


@dataclass(frozen=True, slots=True)
class Struct:
    """An object with known members, of which ``required`` are there; exactly one member where it is a union."""

    members: Mapping[str, Node]
    required: frozenset[str] = field(default_factory=frozenset)
    union: bool = False

    def check(self, value: Any, path: str, faults: list[RequestFault]) -> None:
        """Append what is wrong with ``value``."""
        if not isinstance(value, dict):
            faults.append(_PLAIN.fault(path, f"{_kind(value)} where an object belongs"))
            return
        if self.union and len(value) != 1:
            faults.append(_PLAIN.fault(path, f"{len(value)} members ({', '.join(value)}) where exactly one belongs"))
        if not self.required <= value.keys():
            faults.append(_PLAIN.fault(path, f"{', '.join(sorted(self.required - value.keys()))} missing"))
        for name, inner in value.items():
            inside = f"{path}.{name}" if path else name
            if member := self.members.get(name):
                member.check(inner, inside, faults)
            else:
                faults.append(_PLAIN.fault(inside, f"there is no such member; there are {', '.join(self.members)}"))


def struct(*required: str, **members: Node) -> Struct:
    """An object with these members."""
    return Struct(members, frozenset(required))


def union(**members: Node) -> Struct:
    """An object with exactly one of these members."""
    return Struct(members, union=True)


def one_of(values: str, rule: Rule = _PLAIN) -> OneOf:
    """One of the words of ``values``."""
    return OneOf(frozenset(values.split()), rule)


def _kind(value: Any) -> str:
    names: Iterable[tuple[type, str]] = ((dict, "an object"), (list, "a list"), (str, "text"), (type(None), "null"))
    return next((name for kind, name in names if isinstance(value, kind)), str(value))
