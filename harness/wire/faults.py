"""Faults: where and how a body ends badly.

A reply is finished when its terminal frames have arrived: the finish chunk and ``[DONE]``, a
``message_stop``, or, for a body that is one JSON document, that document. A fault that loses the end of the
body loses every terminal frame, however the body was cut into chunks, so what arrives is an unfinished
reply and must never be reported as a finished one. CORRUPT, HALF_JSON and PRELUDE break one frame and lose nothing
else. The kinds of :data:`STATUSES` answer with a status that is no success.
"""

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from itertools import accumulate
from typing import Final

Headers = tuple[tuple[str, str], ...]

HTML_PAGE = (
    b"<!DOCTYPE html>\n<html><head><title>Service Unavailable</title></head>"
    b"<body><h1>Service Unavailable</h1><p>Please try again later.</p></body></html>\n"
)
"""What NOT_JSON and HTML_STATUS send: the page of a gateway that answers for the service behind it."""

ELSEWHERE: Final = "elsewhere.invalid"
"""The host that REDIRECT points to; it never resolves (RFC 6761)."""


class FaultKind(StrEnum):
    """The ways a body ends badly."""

    RESET = "reset"  # the connection is cut at a byte
    CLEAN_EOF = "clean_eof"  # the body ends in good order, early, between two frames
    EOF_MID_FRAME = "eof_mid_frame"  # the body ends in good order, inside a frame
    EOF_MID_CHARACTER = "eof_mid_character"  # the body ends in good order, inside a character of UTF-8
    SILENCE = "silence"  # after some frame nothing more ever comes, and the connection stays open
    CORRUPT = "corrupt"  # one byte is changed, so that a checksum or JSON document breaks
    HALF_JSON = "half_json"  # the JSON of one frame stops half-way, and everything else comes in good order
    PRELUDE = "prelude"  # a byte of one frame's length is changed, so that the prelude's checksum breaks (eventstream)
    GZIP = "gzip"  # the body is said to be compressed, begins so, and goes on with what no decompressor takes
    NOT_JSON = "not_json"  # an HTML page comes in the body's place
    EMPTY = "empty"  # the body has no bytes
    REFUSED = "refused"  # the connection is refused: no response at all
    HEADERS_THEN_RESET = "headers_then_reset"  # the connection is cut before the body's first byte
    REDIRECT = "redirect"  # the answer is a redirect to another host
    HTML_STATUS = "html_status"  # an error status, with a web page
    EMPTY_STATUS = "empty_status"  # an error status, and nothing more


class Terminal(Enum):
    """What the transport does after the last chunk."""

    COMPLETE = auto()  # end the body in good order
    RESET = auto()  # cut the connection
    SILENCE = auto()  # send nothing more and keep the connection open


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault to apply: its kind and, for the kinds that keep a part of the body, how much of it.

    `at` is a fraction from 0 to 1 of what can be kept with the reply still unfinished: 0 is nothing, or the
    first frame for the faults that need a frame (EOF_MID_FRAME, CORRUPT); 1 is as much as can be. `status` is the
    HTTP status in place of that of :data:`STATUSES`.
    """

    kind: FaultKind
    at: float = 0.5
    status: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.at <= 1:
            raise ValueError(f"a fault lies at a fraction from 0 to 1 of the body, not at {self.at}")


STATUSES: Final[Mapping[FaultKind, int]] = {
    FaultKind.REDIRECT: 307,
    FaultKind.HTML_STATUS: 502,
    FaultKind.EMPTY_STATUS: 502,
}
"""The statuses of the faults that have one of their own."""

_HEADERS: Final[Mapping[FaultKind, Headers]] = {
    FaultKind.GZIP: (("content-encoding", "gzip"),),
    FaultKind.REDIRECT: (("location", f"http://{ELSEWHERE}/"),),
    FaultKind.HTML_STATUS: (("content-type", "text/html"),),
}


def head(status: int, headers: Headers, fault: Fault) -> tuple[int, Headers]:
    """Apply a fault to a response's status and headers."""
    own = _HEADERS.get(fault.kind, ())
    names = {name for name, _ in own}
    kept = tuple(pair for pair in headers if pair[0].lower() not in names)
    return fault.status or STATUSES.get(fault.kind, status), (*kept, *own)


def cut_body(
    chunks: Sequence[bytes], frames: Sequence[bytes], fault: Fault, *, terminal_frames: int = 1
) -> tuple[tuple[bytes, ...], Terminal]:
    """Apply a fault to a body: the chunks that still arrive, and what the transport does after them.

    `chunks` is the body as the transport would deliver it, `frames` the same bytes as the frames they consist
    of. `terminal_frames` (at least 1) is how many of the last frames finish the reply: all of them are lost,
    but for at most the first half of the first one.

    For REFUSED no byte is left; that there is not even a response is for the endpoint to bring about.
    """
    if terminal_frames < 1:
        raise ValueError(f"a reply has at least one terminal frame, not {terminal_frames}")
    starts = [*accumulate(map(len, frames), initial=0)]
    body = _Body(chunks, frames, starts, max(len(frames) - terminal_frames, 0))
    rewrite, terminal = _FAULTS[fault.kind]
    return rewrite(body, fault.at), terminal


@dataclass(frozen=True, slots=True)
class _Body:
    chunks: Sequence[bytes]
    frames: Sequence[bytes]
    starts: Sequence[int]  # the offset of each frame, in bytes, and that of the end
    first_terminal: int  # the index of the first terminal frame

    def frame_near(self, at: float) -> int:
        """Give the index of the frame at a fraction of those up to the first terminal one."""
        return min(int(at * (self.first_terminal + 1)), self.first_terminal)

    def middle_of(self, index: int) -> int:
        return (self.starts[index] + self.starts[min(index + 1, len(self.frames))]) // 2


#: the first byte of a character of several bytes
_LEAD: Final = re.compile(rb"[\xc2-\xf4]")
#: where a message's length has its last byte, from the message's start (AWS eventstream)
_LENGTH: Final = 3
#: a stream of zlib's with the header of gzip
_GZIP: Final = 31
#: more bytes of a Deflate block of the reserved type than anybody waits for
_NO_BLOCK: Final = b"\xff" * 64

_Rewrite = Callable[[_Body, float], tuple[bytes, ...]]


def _keep(place: Callable[[_Body, float], int]) -> _Rewrite:
    """Keep the chunks up to a place in the body, in bytes."""
    return lambda body, at: _before(body.chunks, place(body, at))


def _before(chunks: Sequence[bytes], place: int) -> tuple[bytes, ...]:
    kept = []
    for chunk in chunks:
        if place <= 0:
            break
        kept.append(chunk[:place])
        place -= len(chunk)
    return tuple(kept)


def _replace(*chunks: bytes) -> _Rewrite:
    return lambda _body, _at: chunks


def _any_byte(body: _Body, at: float) -> int:
    return int(at * body.middle_of(body.first_terminal))


def _frame_border(body: _Body, at: float) -> int:
    return body.starts[int(at * body.first_terminal)]


def _inside_frame(body: _Body, at: float) -> int:
    return body.middle_of(body.frame_near(at))


def _inside_character(body: _Body, at: float) -> int:
    """Find the byte behind the first one of a character: in the frame at hand, else in another one before the end."""
    near = body.frame_near(at)
    for index in (*range(near, min(body.first_terminal + 1, len(body.frames))), *range(near)):
        if lead := _LEAD.search(body.frames[index]):
            place: int = body.starts[index] + lead.end()
            return place
    return body.middle_of(near)


def _corrupt(body: _Body, at: float) -> tuple[bytes, ...]:
    return _flipped(body, *_weak_spot(body, at))


def _break_prelude(body: _Body, at: float) -> tuple[bytes, ...]:
    return _flipped(body, body.starts[body.frame_near(at)] + _LENGTH, 0x01)


def _flipped(body: _Body, place: int, flips: int) -> tuple[bytes, ...]:
    changed = []
    for chunk in body.chunks:
        if 0 <= place < len(chunk):
            chunk = chunk[:place] + bytes([chunk[place] ^ flips]) + chunk[place + 1 :]
        changed.append(chunk)
        place -= len(chunk)
    return tuple(changed)


def _weak_spot(body: _Body, at: float) -> tuple[int, int]:
    """Find the byte whose change cannot go unnoticed, and the bits to flip in it.

    A flipped letter inside a JSON string is another string; a flipped ``{`` is no JSON at all. So: the first
    ``{`` of the frame at hand, else of a later one, else of an earlier one. A body without any gets a byte
    that is no ASCII.
    """
    near = body.frame_near(at)
    for index in (*range(near, len(body.frames)), *range(near - 1, -1, -1)):
        if (brace := body.frames[index].find(b"{")) >= 0:
            return body.starts[index] + brace, 0x01
    return body.middle_of(near), 0x80


def _half_json(body: _Body, at: float) -> tuple[bytes, ...]:
    """Leave out the second half of a frame's JSON, but not the line ends behind it."""
    place, _ = _weak_spot(body, at)
    index = max(sum(start <= place for start in body.starts[:-1]) - 1, 0)
    frames = list(body.frames)
    if frames:
        frame, brace = frames[index], place - body.starts[index]
        text = frame.rstrip(b"\r\n")
        frames[index] = frame[: (brace + len(text)) // 2] + frame[len(text) :]
    return tuple(filter(None, frames))


def _bad_gzip(body: _Body, at: float) -> tuple[bytes, ...]:
    """Compress the frames that are kept, each to its end, and go on with a block of a type that there is not."""
    packer = zlib.compressobj(wbits=_GZIP)
    kept = body.frames[: int(at * body.first_terminal)]
    return (*(packer.compress(frame) + packer.flush(zlib.Z_SYNC_FLUSH) for frame in kept), _NO_BLOCK)


_FAULTS: dict[FaultKind, tuple[_Rewrite, Terminal]] = {
    FaultKind.RESET: (_keep(_any_byte), Terminal.RESET),
    FaultKind.CLEAN_EOF: (_keep(_frame_border), Terminal.COMPLETE),
    FaultKind.EOF_MID_FRAME: (_keep(_inside_frame), Terminal.COMPLETE),
    FaultKind.EOF_MID_CHARACTER: (_keep(_inside_character), Terminal.COMPLETE),
    FaultKind.SILENCE: (_keep(_frame_border), Terminal.SILENCE),
    FaultKind.CORRUPT: (_corrupt, Terminal.COMPLETE),
    FaultKind.HALF_JSON: (_half_json, Terminal.COMPLETE),
    FaultKind.PRELUDE: (_break_prelude, Terminal.COMPLETE),
    FaultKind.GZIP: (_bad_gzip, Terminal.COMPLETE),
    FaultKind.NOT_JSON: (_replace(HTML_PAGE), Terminal.COMPLETE),
    FaultKind.EMPTY: (_replace(), Terminal.COMPLETE),
    FaultKind.REFUSED: (_replace(), Terminal.RESET),
    FaultKind.HEADERS_THEN_RESET: (_replace(), Terminal.RESET),
    FaultKind.REDIRECT: (_replace(), Terminal.COMPLETE),
    FaultKind.HTML_STATUS: (_replace(HTML_PAGE), Terminal.COMPLETE),
    FaultKind.EMPTY_STATUS: (_replace(), Terminal.COMPLETE),
}
