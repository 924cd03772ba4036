"""The line buffer: lines whole whatever the chunks, and work linear in the bytes."""

import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.wire import eventstream, ndjson, sse
from harness.wire.cuts import Cut, CutKind, apply
from harness.wire.lines import LineBuffer
from tests.wire.strategies import Decoder, decode, steady


def split(chunk: bytes) -> list[bytes]:
    return chunk.split(b"\n")


@steady
@given(st.lists(st.binary(max_size=8), max_size=20))
def test_lines_are_those_of_the_whole_body(chunks: list[bytes]) -> None:
    buffer = LineBuffer(split)
    lines = [line for chunk in chunks for line in buffer.feed(chunk)]
    assert [*lines, buffer.finish()] == b"".join(chunks).split(b"\n")


def test_finish_gives_the_open_line_once() -> None:
    buffer = LineBuffer(split)
    assert buffer.feed(b"done\nopen") == [b"done"]
    assert (buffer.finish(), buffer.finish()) == (b"open", b"")


class Counted:
    """A function over bytes that notes how many it is given at each call."""

    def __init__(self, plain: Callable[[bytes], object]) -> None:
        self.plain = plain
        self.sizes: list[int] = []

    def __call__(self, data: bytes) -> object:
        self.sizes.append(len(data))
        return self.plain(data)


MEGABYTE = b"x" * (1 << 20)
CRUMBS = Cut(CutKind.FIXED, 3)


@pytest.mark.parametrize(
    ("module", "name", "decoder"),
    [(sse, "_split_bytes", sse.SseDecoder), (ndjson, "_split", ndjson.NdjsonDecoder)],
)
def test_a_megabyte_line_in_crumbs_is_scanned_once(
    monkeypatch: pytest.MonkeyPatch,
    module: object,
    name: str,
    decoder: Callable[[], Decoder[object]],
) -> None:
    scan = Counted(getattr(module, name))
    monkeypatch.setattr(module, name, scan)
    body = b"data: " + MEGABYTE + b"\n\n"
    assert len(decode(decoder(), apply(CRUMBS, [body]))) == 1
    assert sum(scan.sizes) == len(body)


def test_a_megabyte_message_in_crumbs_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    body = eventstream.encode_message(eventstream.EventStreamMessage({}, MEGABYTE))
    checksum = Counted(zlib.crc32)
    monkeypatch.setattr(eventstream, "crc32", checksum)
    assert len(decode(eventstream.EventStreamDecoder(), apply(CRUMBS, [body]))) == 1
    assert checksum.sizes == [8, len(body) - 4]
