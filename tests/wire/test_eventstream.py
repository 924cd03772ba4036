"""The AWS event stream encoding: known messages, round trips, and every way to break one."""

from __future__ import annotations

import struct
from collections.abc import Callable
from uuid import UUID
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.wire import eventstream
from harness.wire.cuts import Cut, apply
from harness.wire.errors import WireError
from harness.wire.eventstream import (
    Byte,
    EventStreamDecoder,
    EventStreamMessage,
    HeaderValue,
    Long,
    Short,
    Timestamp,
    encode_message,
)
from tests.wire.strategies import cuts, decode, event_stream_messages, steady

# Messages with the checksums that other implementations of the encoding publish for them.
KNOWN = {
    "empty": (EventStreamMessage({}), "00000010 00000000 05c248eb 7d98c8ff"),
    "no headers": (
        EventStreamMessage({}, b'{"foo": "bar"}'),
        "0000001e 00000000 baf2f68a 7b22666f6f223a2022626172227d ae7258e4",
    ),
    "a string header": (
        EventStreamMessage({"content-type": "application/json"}, b'{"foo": "bar"}'),
        "0000003e 00000020 405df946 0c636f6e74656e742d74797065 07 0010 6170706c69636174696f6e2f6a736f6e"
        "7b22666f6f223a2022626172227d 6fa2bf3b",
    ),
}


@pytest.mark.parametrize(("message", "text"), KNOWN.values(), ids=KNOWN)
def test_known_messages(message: EventStreamMessage, text: str) -> None:
    assert encode_message(message).hex() == text.replace(" ", "")
    assert decode(EventStreamDecoder(), [bytes.fromhex(text)]) == [message]


UUID_VALUE = UUID("00112233-4455-6677-8899-aabbccddeeff")
HEADER_FORMS: list[tuple[HeaderValue, str]] = [
    (True, "00"),
    (False, "01"),
    (Byte(-1), "02 ff"),
    (Short(-2), "03 fffe"),
    (40_972, "04 0000a00c"),
    (Long(-(1 << 63)), "05 8000000000000000"),
    (b"\0\xff", "06 0002 00ff"),
    ("é", "07 0002 c3a9"),
    (Timestamp(1_700_000_000_123), "08 0000018bcfe5687b"),
    (UUID_VALUE, "09 00112233445566778899aabbccddeeff"),
]


@pytest.mark.parametrize(("value", "form"), HEADER_FORMS, ids=lambda value: type(value).__name__)
def test_header_forms(value: HeaderValue, form: str) -> None:
    frame = encode_message(EventStreamMessage({"n": value}))
    assert frame[12:-4].hex() == "016e" + form.replace(" ", "")
    (message,) = decode(EventStreamDecoder(), [frame])
    assert (message.headers["n"], type(message.headers["n"])) == (value, type(value))


def test_equal_values_of_other_types_are_other_headers() -> None:
    values: list[HeaderValue] = [True, Byte(1), Short(1), 1, Long(1), Timestamp(1)]
    assert len({encode_message(EventStreamMessage({"n": value})) for value in values}) == len(values)


def types(message: EventStreamMessage) -> list[tuple[str, type]]:
    return [(name, type(value)) for name, value in message.headers.items()]


@steady
@given(st.lists(event_stream_messages, max_size=4), cuts)
def test_decoding_is_the_inverse_of_encoding_under_every_cut(messages: list[EventStreamMessage], cut: Cut) -> None:
    decoded = decode(EventStreamDecoder(), apply(cut, [encode_message(message) for message in messages]))
    assert decoded == messages
    assert [*map(types, decoded)] == [*map(types, messages)]


def test_the_three_kinds_of_message() -> None:
    assert [*eventstream.event("messageStop", b"{}").headers.items()] == [
        (":event-type", "messageStop"),
        (":content-type", "application/json"),
        (":message-type", "event"),
    ]
    assert [*eventstream.exception("throttlingException", b"{}").headers.items()] == [
        (":exception-type", "throttlingException"),
        (":content-type", "application/json"),
        (":message-type", "exception"),
    ]
    error = eventstream.error("InternalError", "try again")
    assert [*error.headers.items()] == [
        (":error-code", "InternalError"),
        (":error-message", "try again"),
        (":message-type", "error"),
    ]
    assert error.payload == b""


def frame(headers: bytes = b"", *, total: int | None = None, headers_length: int | None = None) -> bytes:
    """A message with true checksums, whatever its lengths and headers say."""
    lengths = struct.pack(
        ">II",
        16 + len(headers) if total is None else total,
        len(headers) if headers_length is None else headers_length,
    )
    checked = lengths + struct.pack(">I", crc32(lengths)) + headers
    return checked + struct.pack(">I", crc32(checked))


BROKEN = {
    "shorter than its frame": (frame(total=15), "no room"),
    "headers longer than the message": (frame(headers_length=1), "no room"),
    "too many headers": (frame(total=1 << 18, headers_length=(1 << 17) + 1), "headers of 131073 bytes exceed"),
    "too large a payload": (frame(total=(24 << 20) + 17), "payload of 25165825 bytes exceeds"),
    "unknown type": (frame(b"\x01n\x0a"), "malformed header at byte 0"),
    "no type": (frame(b"\x01n"), "malformed header at byte 0"),
    "no name": (frame(b"\x05n"), "malformed header at byte 0"),
    "name not UTF-8": (frame(b"\x01\xff\x00"), "malformed header at byte 0"),
    "string not UTF-8": (frame(b"\x01n\x07\x00\x01\xff"), "malformed header at byte 0"),
    "no string length": (frame(b"\x01n\x07\x00"), "malformed header at byte 0"),
    "string too short": (frame(b"\x01n\x07\x00\x02x"), "header n runs past the end"),
    "number too short": (frame(b"\x01n\x04\x00\x00"), "malformed header at byte 0"),
    "UUID too short": (frame(b"\x01n\x09\x00"), "malformed header at byte 0"),
    "second header broken": (frame(b"\x01a\x00\x01b\x0a"), "malformed header at byte 3"),
    "same header twice": (frame(b"\x01a\x00\x01a\x01"), "header a occurs twice"),
}


@pytest.mark.parametrize(("raw", "message"), BROKEN.values(), ids=BROKEN)
def test_broken_messages(raw: bytes, message: str) -> None:
    with pytest.raises(WireError, match=message):
        EventStreamDecoder().feed(raw)


def test_a_wrong_prelude_is_told_before_the_message_is_there() -> None:
    raw = b"\1" + encode_message(eventstream.event("x", b"{}"))[1:]
    with pytest.raises(WireError, match=r"prelude checksum mismatch: expected 0x[0-9a-f]{8}, calculated 0x[0-9a-f]{8}"):
        EventStreamDecoder().feed(raw[:12])


def test_a_wrong_byte_in_the_payload_is_told() -> None:
    raw = encode_message(EventStreamMessage({}, b"payload"))
    with pytest.raises(WireError, match=rf"message checksum mismatch: expected 0x{raw[-4:].hex()}, calculated 0x"):
        EventStreamDecoder().feed(raw.replace(b"payload", b"Payload"))


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_messages_before_a_broken_one_arrive_however_the_bytes_are_cut(size: int) -> None:
    good = eventstream.event("x", b"{}")
    body = encode_message(good) + encode_message(good)[:-1] + b"\0"
    decoder = EventStreamDecoder()
    seen = []
    with pytest.raises(WireError, match="message checksum mismatch"):  # noqa: PT012 - where it raises is the cut's choice
        for at in range(0, len(body), size):
            seen += decoder.feed(body[at : at + size])
        decoder.finish()
    assert seen == [good]
    with pytest.raises(WireError, match="message checksum mismatch"):
        decoder.feed(encode_message(good))


@pytest.mark.parametrize(
    ("kept", "told"), [(5, "5 of at least 16 bytes"), (12, "12 of 16 bytes"), (15, "15 of 16 bytes")]
)
def test_an_end_inside_a_message_is_told(kept: int, told: str) -> None:
    decoder = EventStreamDecoder()
    assert decoder.feed(encode_message(EventStreamMessage({}))[:kept]) == []
    with pytest.raises(WireError, match=f"ended inside a message: {told}"):
        decoder.finish()


UNFIT: dict[str, Callable[[], EventStreamMessage]] = {
    "payload": lambda: EventStreamMessage({}, bytes((24 << 20) + 1)),
    "headers": lambda: EventStreamMessage({name: bytes(60_000) for name in "abc"}),
    "string": lambda: EventStreamMessage({"n": "x" * 65_536}),
    "bytes": lambda: EventStreamMessage({"n": bytes(65_536)}),
    "empty name": lambda: EventStreamMessage({"": True}),
    "long name": lambda: EventStreamMessage({"n" * 256: True}),
    "byte": lambda: EventStreamMessage({"n": Byte(128)}),
    "int": lambda: EventStreamMessage({"n": 1 << 31}),
    "float": lambda: EventStreamMessage({"n": 1.5}),  # type: ignore[dict-item]
}


@pytest.mark.parametrize("make", UNFIT.values(), ids=UNFIT)
def test_what_does_not_fit_is_refused(make: Callable[[], EventStreamMessage]) -> None:
    with pytest.raises(WireError):
        encode_message(make())


@pytest.mark.parametrize(
    "message",
    [
        EventStreamMessage({}, bytes(24 << 20)),
        EventStreamMessage({"a": bytes(65_535), "b": bytes((128 << 10) - 65_535 - 2 * 5)}),
    ],
    ids=["payload", "headers"],
)
def test_the_maximum_lengths_pass(message: EventStreamMessage) -> None:
    assert decode(EventStreamDecoder(), [encode_message(message)]) == [message]


def test_an_event_is_framed_alike_both_ways() -> None:
    message = eventstream.event("chunk", b"\x00\xff", "application/octet-stream")
    assert eventstream.encode_event("chunk", b"\x00\xff", "application/octet-stream") == encode_message(message)
    with pytest.raises(WireError):
        eventstream.encode_event("chunk", bytes(eventstream.MAX_PAYLOAD_LENGTH + 1))
