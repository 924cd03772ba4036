"""JSON values out of streamed bytes that may be cut anywhere: server-sent events, or JSON a line.

Sources: HTML Living Standard, section 9.2.6 (interpreting an event stream); JSON Lines.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from harness.contract.exceptions import IncompleteStreamError, ModelResponseError

_BOM: Final = b"\xef\xbb\xbf"
_DONE: Final = b"[DONE]"

#: a field of an event; one without a name is a comment
_FIELD: Final = re.compile(rb"([A-Za-z_-]*)(?:: ?(.*))?")
#: fields that hold values: llama.cpp had one of its own for errors
_VALUES: Final = frozenset({b"data", b"error"})


class LineReader:
    """Cuts bytes into lines, without their ends: CR LF, LF or CR. No character of UTF-8 has these bytes in it."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        #: CR was the last byte, so that LF, should it come next, belongs to the same end
        self._after_cr = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that have ended."""
        if self._after_cr and data:
            data, self._after_cr = data.removeprefix(b"\n"), False
        if b"\r" in data:
            self._after_cr = data.endswith(b"\r")
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if b"\n" not in data:
            self._pieces.append(data)
            return []
        *lines, rest = (b"".join(self._pieces) + data).split(b"\n")
        self._pieces = [rest]
        return lines

    def finish(self) -> bytes:
        """What is left without an end."""
        rest, self._pieces = b"".join(self._pieces), []
        return rest


class JsonReader:
    """The JSON values of one stream. ``done`` is true once the service said ``[DONE]``; nothing is read behind that.

    A value is told as soon as it is whole, which may take several lines: some servers leave the blank line behind an
    event out. A value of a field ``error`` is told as ``{"error": value}``.
    """

    def __init__(self) -> None:
        self.done = False
        self._lines = LineReader()
        self._begun = b""
        self._at_start = True

    def feed(self, data: bytes) -> Iterator[Any]:
        """The values that are whole now. Raises like :meth:`finish` for an event that is no JSON."""
        return self._read(self._lines.feed(data))

    def finish(self) -> Iterator[Any]:
        """The last value, if no line ended behind it.

        Raises IncompleteStreamError for a JSON value that was cut, ModelResponseError for anything else.
        """
        return self._read((self._lines.finish(), b""))

    def _read(self, lines: Iterable[bytes]) -> Iterator[Any]:
        for line in lines:
            if self.done:
                return
            if not line:
                self._end_event()
                continue
            field, text = _split(line.removeprefix(_BOM) if self._at_start else line)
            self._at_start = False
            if field in _VALUES:
                yield from self._take(field, text)

    def _take(self, field: bytes, text: bytes) -> Iterator[Any]:
        text = b"\n".join((self._begun, text)).strip()
        if text == _DONE:
            self.done = True
            return
        try:
            value = json.loads(text)
        except ValueError:
            self._begun = text
            return
        self._begun = b""
        yield _as_error(value) if field == b"error" else value

    def _end_event(self) -> None:
        if self._begun:
            kind = IncompleteStreamError if self._begun.startswith(b"{") else ModelResponseError
            raise kind(f"the stream holds what is no JSON: {self._begun[:200]!r}")


def _split(line: bytes) -> tuple[bytes, bytes]:
    """A line's field and value; a line that is no field is data by itself."""
    field = _FIELD.fullmatch(line)
    return (field[1], field[2] or b"") if field else (b"data", line)


def _as_error(value: Any) -> Any:
    return value if isinstance(value, dict) and "error" in value else {"error": value}
