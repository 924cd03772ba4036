r"""Server-sent events: the WHATWG event-stream grammar (HTML Living Standard, section 9.2), both ways.

    stream = [ BOM ] *event
    event  = *( comment / field ) end-of-line
    comment = ":" *any-char end-of-line
    field  = 1*name-char [ ":" [ space ] *any-char ] end-of-line
    end-of-line = CR LF / CR / LF

Two facts make the decoder small. CR and LF never occur inside a multi-byte UTF-8 character, so lines can
be found in bytes and decoded whole: no chunk border can fall inside a character that is being decoded.
And a CR ends its line at once, so an event is never held back for an LF that may not come; an LF that
does come first in the next chunk belongs to that CR and is dropped.

Three choices the standard leaves open, or that differ from it:

- `finish()` dispatches a last event that lacks its blank line, where a browser drops it: some bodies end so
  (the streaming fixtures of Anthropic's own Python SDK among them), and a decoder on the server's side
  of a test should show what was sent rather than hide it.
- An `SseEvent` holds what its own block said. A browser carries the last `id` over to later events; here
  an event without an `id` line has `id=None`, so that decoding is the inverse of encoding.
- A block that dispatches nothing, having no `data` line, takes its `event`, `id` and `retry` with it.
"""

import re
from dataclasses import dataclass
from typing import Literal

from harness.wire.errors import WireError
from harness.wire.lines import LineBuffer

Newline = Literal["\n", "\r\n", "\r"]

BOM = b"\xef\xbb\xbf"
"""The byte order mark that may come once, before everything else in a stream."""

_split_bytes = re.compile(rb"\r\n?|\n").split
_split_text = re.compile(r"\r\n?|\n").split
_unfit_for_a_line = re.compile(r"[\r\n\0]").search
_is_retry_time = re.compile(r"[0-9]{1,18}").fullmatch  # in 64 bits: no row of digits is an error or a burden


@dataclass(frozen=True, slots=True)
class SseEvent:
    r"""One event: `data` with its lines joined by ``\n``, and the other fields its block carried.

    `event` is the event type (None: the default type, "message"), `id` the last-event id that this block
    sets, `retry` the reconnection time in milliseconds.
    """

    data: str
    event: str | None = None
    id: str | None = None
    retry: int | None = None


def encode_sse(event: SseEvent, *, newline: Newline = "\n", space: bool = True, final_blank: bool = True) -> bytes:
    r"""Frame one event as `event`, `id`, `retry` and `data` lines, then the blank line that dispatches it.

    `newline` ends every line; `space` says whether a space follows each colon (a value that itself begins with
    a space gets one in any case, since a reader drops the first); `final_blank=False` leaves the blank line
    out, as at the end of a body that stops short.

    Data that holds line ends takes one `data` line for each of its lines, so a CR or CRLF in it is read back
    as ``\n``. Raises `WireError` for an event type or id with a CR, LF or NUL, which no field can carry.
    """
    lines = [
        f"{name}:{' ' if space or value.startswith(' ') else ''}{value}{newline}" for name, value in _fields(event)
    ]
    return ("".join(lines) + newline * final_blank).encode()


def encode_comment(text: str, newline: Newline = "\n") -> bytes:
    r"""Frame a comment, as servers send to keep a connection alive: ``: text``, then a blank line.

    A text of several lines takes one comment line for each.
    """
    lines = (f": {line}{newline}" for line in _split_text(text))
    return ("".join(lines) + newline).encode()


def _fields(event: SseEvent) -> list[tuple[str, str]]:
    fields = []
    if event.event is not None:
        fields.append(("event", _one_line("event", event.event)))
    if event.id is not None:
        fields.append(("id", _one_line("id", event.id)))
    if event.retry is not None:
        fields.append(("retry", str(event.retry)))
    fields.extend(("data", line) for line in _split_text(event.data))
    return fields


def _one_line(name: str, value: str) -> str:
    if _unfit_for_a_line(value):
        raise WireError(f"an SSE {name} must be one line without NUL: {value!r}")
    return value


class SseDecoder:
    """Reads events incrementally; `feed` takes chunks cut anywhere, even between CR and LF.

    Malformed UTF-8 reads as U+FFFD and unknown fields are passed over: as the grammar has it, no byte
    sequence is an error.
    """

    def __init__(self) -> None:
        self._lines = LineBuffer(_split_bytes)
        self._after_cr = False
        self._at_start = True
        self._clear()

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """Take a chunk; the events it completed, oldest first."""
        if not chunk:
            return []
        rest = chunk[1:] if self._after_cr and chunk.startswith(b"\n") else chunk
        self._after_cr = chunk.endswith(b"\r")
        return self._events(self._lines.feed(rest))

    def finish(self) -> list[SseEvent]:
        """End of the body: a last event that lacked its blank line, if there is one."""
        return self._events([self._lines.finish(), b""])

    def _events(self, lines: list[bytes]) -> list[SseEvent]:
        events = []
        for line in lines:
            if self._at_start:
                line, self._at_start = line.removeprefix(BOM), False
            if line:
                self._field(line.decode(errors="replace"))
            elif event := self._dispatch():
                events.append(event)
        return events

    def _field(self, line: str) -> None:
        name, _, value = line.partition(":")
        if take := _FIELDS.get(name):
            take(self, value.removeprefix(" "))

    def _dispatch(self) -> SseEvent | None:
        data, event, last_id, retry = self._data, self._event, self._id, self._retry
        self._clear()
        return SseEvent("\n".join(data), event, last_id, retry) if data else None

    def _clear(self) -> None:
        self._data: list[str] = []
        self._event: str | None = None
        self._id: str | None = None
        self._retry: int | None = None

    def _take_data(self, value: str) -> None:
        self._data.append(value)

    def _take_event(self, value: str) -> None:
        self._event = value or None  # an empty event type means the default one

    def _take_id(self, value: str) -> None:
        if "\0" not in value:
            self._id = value

    def _take_retry(self, value: str) -> None:
        if _is_retry_time(value):
            self._retry = int(value)


_FIELDS = {
    "data": SseDecoder._take_data,
    "event": SseDecoder._take_event,
    "id": SseDecoder._take_id,
    "retry": SseDecoder._take_retry,
}
