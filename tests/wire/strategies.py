"""What the wire tests draw, and how they read a body that comes in chunks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar
from uuid import UUID

from hypothesis import settings
from hypothesis import strategies as st

from harness.wire import eventstream
from harness.wire.cuts import Cut, CutKind
from harness.wire.eventstream import EventStreamMessage
from harness.wire.sse import SseEvent

steady = settings(deadline=None, derandomize=True)
"""The same examples each run, and no failure because the machine is busy."""

Item = TypeVar("Item")


class Decoder(Protocol[Item]):
    def feed(self, chunk: bytes, /) -> list[Item]: ...
    def finish(self) -> list[Item]: ...


def decode(decoder: Decoder[Item], chunks: Iterable[bytes]) -> list[Item]:
    items = [item for chunk in chunks for item in decoder.feed(chunk)]
    return items + decoder.finish()


# The characters that framings trip over: separators, the line ends of str.splitlines, a BOM, NUL.
_TROUBLE = " :\n\r\0\x0b\x0c\x1c\x1e\x85\u2028\u2029\ufeff"
_characters = st.one_of(st.sampled_from(_TROUBLE), st.characters(codec="utf-8"))
texts = st.text(_characters, max_size=40)
one_line_texts = st.text(_characters.filter(lambda c: c not in "\r\n\0"), max_size=20)

newlines = st.sampled_from(["\n", "\r\n", "\r"])
cuts = st.builds(Cut, st.sampled_from(CutKind), st.integers(1, 1 << 32))

sse_events = st.builds(
    SseEvent,
    data=texts.map(lambda text: text.replace("\r\n", "\n").replace("\r", "\n")),
    event=st.none() | one_line_texts.filter(bool),
    id=st.none() | one_line_texts,
    retry=st.none() | st.integers(0, 10**18 - 1),
)


def _signed(bits: int) -> st.SearchStrategy[int]:
    return st.integers(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


header_values = st.one_of(
    st.booleans(),
    st.builds(eventstream.Byte, _signed(8)),
    st.builds(eventstream.Short, _signed(16)),
    _signed(32),
    st.builds(eventstream.Long, _signed(64)),
    st.binary(max_size=40),
    texts,
    st.builds(eventstream.Timestamp, _signed(64)),
    st.builds(UUID, int=st.integers(0, (1 << 128) - 1)),
)
event_stream_messages = st.builds(
    EventStreamMessage,
    st.dictionaries(st.text(_characters, min_size=1, max_size=30), header_values, max_size=5),
    st.binary(max_size=200),
)
