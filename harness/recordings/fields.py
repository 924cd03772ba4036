"""Parsed documents, walked with the place kept, so that a misfit names where it is."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable
from dataclasses import dataclass

from harness.recordings.model import Malformed

_SHOWN = 60  # characters of an offending value


@dataclass(frozen=True, slots=True)
class Field:
    """A value of a parsed JSON or YAML document and its place, such as `interactions[0].response.status`."""

    value: object
    place: str = ""

    def get(self, key: str) -> Field:
        """The member of a mapping; its value is None when absent."""
        value = self.value.get(key) if isinstance(self.value, dict) else None
        return Field(value, f"{self.place}.{key}".lstrip("."))

    def at(self, key: str) -> Field:
        """The member of a mapping, which must be there. Raises Malformed."""
        if not isinstance(self.value, dict):
            raise self.misfit("a mapping")
        member = self.get(key)
        if key not in self.value:
            raise Malformed(f"{member.place} is missing")
        return member

    def has(self, *keys: str) -> bool:
        """Whether this is a mapping with all these keys."""
        return isinstance(self.value, dict) and all(key in self.value for key in keys)

    def items(self) -> list[Field]:
        """The items of a list. Raises Malformed."""
        if not isinstance(self.value, list):
            raise self.misfit("a list")
        return [Field(item, f"{self.place}[{i}]") for i, item in enumerate(self.value)]

    def members(self) -> list[tuple[str, Field]]:
        """The (key, member) pairs of a mapping; none for null. Raises Malformed."""
        if self.value is None:
            return []
        if not isinstance(self.value, dict):
            raise self.misfit("a mapping")
        return [(as_text(key), Field(item, f"{self.place}.{as_text(key)}")) for key, item in self.value.items()]

    def text(self) -> str:
        """A string. Raises Malformed."""
        if not isinstance(self.value, str):
            raise self.misfit("a string")
        return self.value

    def octets(self) -> bytes:
        """A string as UTF-8, binary as it is. Raises Malformed."""
        if isinstance(self.value, bytes):
            return self.value
        try:
            return self.text().encode()
        except UnicodeEncodeError:
            raise self.misfit("text that UTF-8 can hold") from None

    def base64(self) -> bytes:
        """The bytes that a base64 string stands for. Raises Malformed."""
        try:
            return base64.b64decode("".join(self.text().split()), validate=True)
        except (binascii.Error, ValueError):
            raise self.misfit("base64") from None

    def hex(self) -> bytes:
        """The bytes that a hexadecimal string stands for. Raises Malformed."""
        try:
            return bytes.fromhex(self.text())
        except ValueError:
            raise self.misfit("hexadecimal digits") from None

    def json(self) -> bytes:
        """The value written as compact JSON in UTF-8. Raises Malformed."""
        try:
            return json.dumps(self.value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError):
            raise self.misfit("a value that JSON can hold") from None

    def status(self) -> int:
        """An HTTP status. Raises Malformed."""
        if not isinstance(self.value, int) or not 100 <= self.value <= 599:
            raise self.misfit("an HTTP status")
        return self.value

    def misfit(self, expected: str) -> Malformed:
        """The error for a value that is not what was expected here."""
        shown = repr(self.value)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
        return Malformed(f"{self.place or 'the document'}: expected {expected}, found {shown}")


def as_text(value: object) -> str:
    """A scalar of a document as text; botocore's recorded header values are bytes."""
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def header_pairs(headers: Field) -> Iterable[tuple[str, str]]:
    """(name, value) pairs of a mapping whose values are scalars or lists of scalars. Raises Malformed."""
    for name, field in headers.members():
        values = field.value if isinstance(field.value, list) else [field.value]
        yield from ((name, as_text(value)) for value in values)
