"""How a stream of the model server becomes PayloadParts, and back."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from harness.dialects.base import DecodeError
from harness.wire.errors import WireError
from harness.wire.eventstream import EventStreamDecoder, EventStreamMessage, encode_event

Frames = tuple[bytes, ...]

#: bytes of a part where parts are cut without regard to what they hold
_CUT: Final = 100
#: beyond this many cuts inside characters, the remaining bytes come in one part
_CHARACTERS: Final = 24
#: the first byte of a UTF-8 character of several bytes
_LEAD: Final = 0xC0


def payload_part(payload: bytes) -> bytes:
    """One PayloadPart message."""
    return encode_event("PayloadPart", payload, "application/octet-stream")


def payload_parts(frames: Frames, how: str) -> Frames:
    """The messages that carry ``frames``, cut as the ``parts`` axis says."""
    return tuple(payload_part(payload) for payload in _CUTS[how](frames) if payload)


def as_lines(frames: Frames) -> Frames:
    """Events as JSON lines: without what is only there for the event stream."""
    data = (frame.removeprefix(b"data:").strip() for frame in frames)
    return tuple(line + b"\n" for line in data if line.startswith(b"{"))


def payload_of(body: bytes) -> bytes:
    """What the parts hold together. Raises DecodeError for an exception, an error, or a broken event stream."""
    decoder = EventStreamDecoder()
    try:
        messages = [*decoder.feed(body), *decoder.finish()]
    except WireError as cause:
        raise DecodeError(str(cause)) from cause
    return b"".join(map(_payload, messages))


def is_payload(message: bytes) -> bool:
    """Whether a message is a part, and no exception of the service."""
    [told] = EventStreamDecoder().feed(message)
    return told.headers.get(":message-type") == "event"


def as_events(payload: bytes) -> bytes:
    """JSON lines as events; events as they are."""
    if not payload.lstrip().startswith(b"{"):
        return payload
    return b"".join(b"data: " + line + b"\n\n" for line in payload.split(b"\n") if line)


def _payload(message: EventStreamMessage) -> bytes:
    if message.headers.get(":message-type") != "event":
        raise DecodeError(f"{message.headers}: {message.payload.decode(errors='replace')}")
    return message.payload


# --- cuts ---------------------------------------------------------------------------------------------------------


def _pairs(frames: Frames) -> Iterable[bytes]:
    return (b"".join(frames[at : at + 2]) for at in range(0, len(frames), 2))


def _anywhere(frames: Frames) -> Iterable[bytes]:
    data = b"".join(frames)
    return (data[at : at + _CUT] for at in range(0, len(data), _CUT))


def _inside_character(frames: Frames) -> Iterable[bytes]:
    data = b"".join(frames)
    places = [at + 1 for at, byte in enumerate(data) if byte >= _LEAD][:_CHARACTERS]
    return (data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True))


_CUTS: Mapping[str, Callable[[Frames], Iterable[bytes]]] = {
    "event_each": lambda frames: frames,
    "two_events": _pairs,
    "all_in_one": lambda frames: (b"".join(frames),),
    "cut": _anywhere,
    "inside_character": _inside_character,
}
