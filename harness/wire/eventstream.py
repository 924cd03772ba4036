"""The AWS event stream encoding (media type application/vnd.amazon.eventstream), both ways.

    message = prelude headers payload message-crc
    prelude = total-length:u32 headers-length:u32 prelude-crc:u32
    header  = name-length:u8 name type:u8 value

All numbers are big-endian. `prelude-crc` is the CRC-32 of the eight bytes before it, `message-crc` that of
every byte of the message before it. A value's form follows from its type; byte arrays and strings begin
with a u16 length, the other types have a fixed size.

The bounds (128 KiB of headers, 24 MiB of payload) are those of the specification and of botocore. They are
checked as soon as the prelude is there, so no one waits for a message that could not be taken.

Errors do not depend on how the bytes are cut: `feed` hands over every message before a broken one, and
raises, now or at the next call, only when there is none left to hand over. The broken message stays at the
front of the buffer, so every later call fails on it too: where the next one would begin cannot be known.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from uuid import UUID
from zlib import crc32

from harness.wire.errors import WireError

MAX_HEADERS_LENGTH = 128 * 1024
MAX_PAYLOAD_LENGTH = 24 * 1024 * 1024

_LENGTHS = struct.Struct(">II")
_PRELUDE = struct.Struct(">III")
_U16 = struct.Struct(">H")
_CRC = struct.Struct(">I")
_OVERHEAD = _PRELUDE.size + _CRC.size


class Byte(int):
    """A header value of one signed byte."""


class Short(int):
    """A header value of two signed bytes."""


class Long(int):
    """A header value of eight signed bytes."""


class Timestamp(int):
    """A header value in milliseconds since the Unix epoch, eight signed bytes."""


HeaderValue = bool | Byte | Short | int | Long | bytes | str | Timestamp | UUID
"""A typed header value; a plain `int` is the four-byte integer."""


@dataclass(frozen=True, slots=True)
class EventStreamMessage:
    """One message: headers in wire order, and the payload as it stands."""

    headers: Mapping[str, HeaderValue]
    payload: bytes = b""


def event(event_type: str, payload: bytes, content_type: str = "application/json") -> EventStreamMessage:
    """Make an event of the modelled stream."""
    return _typed("event", event_type, payload, content_type)


def exception(exception_type: str, payload: bytes, content_type: str = "application/json") -> EventStreamMessage:
    """Make a modelled exception, which ends the stream; its type is the shape's member name."""
    return _typed("exception", exception_type, payload, content_type)


def error(code: str, message: str) -> EventStreamMessage:
    """Make an unmodelled error, which ends the stream: all of it is in the headers."""
    return EventStreamMessage({":error-code": code, ":error-message": message, ":message-type": "error"})


def _typed(message_type: str, name: str, payload: bytes, content_type: str) -> EventStreamMessage:
    # The header order is that of recorded Bedrock streams.
    headers = {
        f":{message_type}-type": name,
        ":content-type": content_type,
        ":message-type": message_type,
    }
    return EventStreamMessage(headers, payload)


def encode_message(message: EventStreamMessage) -> bytes:
    """Frame one message, both checksums included.

    Raises `WireError` when a header or the payload is longer, or a number larger, than the encoding can carry.
    """
    return _framed(b"".join([_encode_header(name, value) for name, value in message.headers.items()]), message.payload)


def encode_event(event_type: str, payload: bytes, content_type: str = "application/json") -> bytes:
    """What `encode_message(event(...))` gives, without the objects between: streams are told thousands of times."""
    return _framed(_event_headers(event_type, content_type), payload)


@lru_cache(maxsize=256)
def _event_headers(event_type: str, content_type: str) -> bytes:
    headers = event(event_type, b"", content_type).headers
    return b"".join([_encode_header(name, value) for name, value in headers.items()])


def _framed(headers: bytes, payload: bytes) -> bytes:
    _check_bounds(len(headers), len(payload))
    lengths = _LENGTHS.pack(_OVERHEAD + len(headers) + len(payload), len(headers))
    checked = b"".join((lengths, _CRC.pack(crc32(lengths)), headers, payload))
    return checked + _CRC.pack(crc32(checked))


def _check_bounds(headers_length: int, payload_length: int) -> None:
    if headers_length > MAX_HEADERS_LENGTH:
        raise WireError(f"headers of {headers_length} bytes exceed the maximum of {MAX_HEADERS_LENGTH}")
    if payload_length > MAX_PAYLOAD_LENGTH:
        raise WireError(f"a payload of {payload_length} bytes exceeds the maximum of {MAX_PAYLOAD_LENGTH}")


# A stream repeats the same few headers on every message. The cache is typed since True == 1 == Byte(1).
@lru_cache(maxsize=256, typed=True)
def _encode_header(name: str, value: HeaderValue) -> bytes:
    raw_name = name.encode()
    if not 1 <= len(raw_name) <= 0xFF:
        raise WireError(f"a header name takes 1 to 255 bytes: {name[:80]!r}")
    try:
        return bytes([len(raw_name)]) + raw_name + _ENCODERS[type(value)](value)
    except (struct.error, KeyError) as cause:
        raise WireError(f"header {name} cannot carry {str(value)[:80]!r}: {cause}") from cause


def _number(code: int, form: str) -> Callable[[int], bytes]:
    packed = struct.Struct(f">B{form}")
    return lambda value: packed.pack(code, value)


def _sized(code: int, raw: bytes) -> bytes:
    return bytes([code]) + _U16.pack(len(raw)) + raw


_ENCODERS: dict[type, Callable[[Any], bytes]] = {
    bool: lambda value: b"\0" if value else b"\1",
    Byte: _number(2, "b"),
    Short: _number(3, "h"),
    int: _number(4, "i"),
    Long: _number(5, "q"),
    bytes: lambda value: _sized(6, value),
    str: lambda value: _sized(7, value.encode()),
    Timestamp: _number(8, "q"),
    UUID: lambda value: b"\t" + value.bytes,
}


class EventStreamDecoder:
    """Reads messages incrementally; `feed` takes chunks cut anywhere."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._lengths: tuple[int, int] | None = None  # of the message at hand, once its prelude is checked

    def feed(self, chunk: bytes) -> list[EventStreamMessage]:
        """Take a chunk; the messages it completed, oldest first.

        Raises `WireError` when a checksum, a length or a header of the next message is wrong.
        """
        self._buffer += chunk
        messages: list[EventStreamMessage] = []
        try:
            while message := self._next():
                messages.append(message)
        except WireError:
            if not messages:
                raise
        return messages

    def finish(self) -> list[EventStreamMessage]:
        """End of the body, where nothing is left to hand over: always an empty list.

        Raises `WireError` when the body ends inside a message, or had failed before.
        """
        self._next()
        if self._buffer:
            wanted = self._lengths[0] if self._lengths else "at least 16"
            raise WireError(f"the stream ended inside a message: {len(self._buffer)} of {wanted} bytes")
        return []

    def _next(self) -> EventStreamMessage | None:
        if self._lengths is None and len(self._buffer) >= _PRELUDE.size:
            self._lengths = _read_prelude(self._buffer)
        if self._lengths is None or len(self._buffer) < self._lengths[0]:
            return None
        total, headers_length = self._lengths
        message = _read_message(bytes(self._buffer[:total]), headers_length)
        del self._buffer[:total]
        self._lengths = None
        return message


def _read_prelude(buffer: bytearray) -> tuple[int, int]:
    total, headers_length, crc = _PRELUDE.unpack_from(buffer)
    _check_crc("prelude", crc, crc32(buffer[: _LENGTHS.size]))
    payload_length = total - headers_length - _OVERHEAD
    if payload_length < 0:
        raise WireError(f"a message of {total} bytes has no room for {headers_length} bytes of headers")
    _check_bounds(headers_length, payload_length)
    return total, headers_length


def _read_message(raw: bytes, headers_length: int) -> EventStreamMessage:
    checked, (crc,) = raw[: -_CRC.size], _CRC.unpack(raw[-_CRC.size :])
    _check_crc("message", crc, crc32(checked))
    headers_end = _PRELUDE.size + headers_length
    return EventStreamMessage(_read_headers(raw[_PRELUDE.size : headers_end]), checked[headers_end:])


def _check_crc(part: str, expected: int, calculated: int) -> None:
    if expected != calculated:
        raise WireError(f"{part} checksum mismatch: expected 0x{expected:08x}, calculated 0x{calculated:08x}")


def _read_headers(block: bytes) -> dict[str, HeaderValue]:
    headers: dict[str, HeaderValue] = {}
    at = 0
    while at < len(block):
        name, value, at = _read_header(block, at)
        if name in headers:
            raise WireError(f"header {name} occurs twice")
        headers[name] = value
    return headers


def _read_header(block: bytes, at: int) -> tuple[str, HeaderValue, int]:
    name_end = at + 1 + block[at]
    try:
        name = block[at + 1 : name_end].decode()
        value, end = _DECODERS[block[name_end]](block, name_end + 1)
    except (struct.error, LookupError, ValueError) as cause:
        raise WireError(f"malformed header at byte {at} of the header block: {cause!r}") from cause
    if end > len(block):
        raise WireError(f"header {name} runs past the end of the header block")
    return name, value, end


# A reader of one value type: from the block and the place where the value begins, the value and its end.
_Reader = Callable[[bytes, int], tuple[HeaderValue, int]]


def _constant(value: bool) -> _Reader:
    return lambda _block, at: (value, at)


def _fixed(form: str, make: Callable[[Any], HeaderValue]) -> _Reader:
    packed = struct.Struct(f">{form}")
    return lambda block, at: (make(*packed.unpack_from(block, at)), at + packed.size)


def _prefixed(make: Callable[[bytes], HeaderValue]) -> _Reader:
    def read(block: bytes, at: int) -> tuple[HeaderValue, int]:
        (length,) = _U16.unpack_from(block, at)
        end = at + _U16.size + length
        return make(block[at + _U16.size : end]), end

    return read


_DECODERS: dict[int, _Reader] = {
    0: _constant(True),
    1: _constant(False),
    2: _fixed("b", Byte),
    3: _fixed("h", Short),
    4: _fixed("i", int),
    5: _fixed("q", Long),
    6: _prefixed(bytes),
    7: _prefixed(bytes.decode),
    8: _fixed("q", Timestamp),
    9: _fixed("16s", lambda raw: UUID(bytes=raw)),
}
