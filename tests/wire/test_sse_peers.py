"""Our SSE decoder beside those of the vendors' SDKs: the same events, but where the SDKs leave the grammar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest
from anthropic import _streaming as anthropic_streaming
from hypothesis import given
from hypothesis import strategies as st
from openai import _streaming as openai_streaming

from harness.wire.cuts import Cut, CutKind, apply
from harness.wire.sse import BOM, Newline, SseDecoder, SseEvent, encode_sse
from tests.recordings.corpus import exchanges
from tests.shared import needs_shared
from tests.wire.strategies import cuts, decode, newlines, sse_events, steady

Peer = type[openai_streaming.SSEDecoder] | type[anthropic_streaming.SSEDecoder]

PEERS = [
    pytest.param(openai_streaming.SSEDecoder, id="openai"),
    pytest.param(anthropic_streaming.SSEDecoder, id="anthropic"),
]


def read_by(peer: Peer, chunks: Iterable[bytes]) -> list[SseEvent]:
    return [SseEvent(sse.data, sse.event, sse.id, sse.retry) for sse in peer().iter_bytes(iter(chunks))]


def with_ids_carried_over(events: Sequence[SseEvent]) -> list[SseEvent]:
    """Both SDKs carry the last id over to later events, as a browser does; ours tells what each block said."""
    carried, last = [], None
    for event in events:
        last = last if event.id is None else event.id
        carried.append(replace(event, id=last))
    return carried


@pytest.mark.parametrize("peer", PEERS)
@steady
@given(st.lists(sse_events, max_size=4), newlines, st.booleans(), cuts)
def test_sdks_read_what_we_encode(peer: Peer, events: list[SseEvent], newline: Newline, space: bool, cut: Cut) -> None:
    chunks = apply(cut, [encode_sse(event, newline=newline, space=space) for event in events])
    assert read_by(peer, chunks) == with_ids_carried_over(events)


@needs_shared
@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize(
    "protocol", ["anthropic-messages", "openai-responses", "openrouter-chat", "gemini", "cohere-v2"]
)
def test_sdks_and_ours_read_recordings_alike(peer: Peer, protocol: str) -> None:
    bodies = [
        body
        for found in exchanges([protocol])
        if found.exchange.response.header("content-type") == "text/event-stream"
        and (body := found.exchange.response.body).endswith((b"\n\n", b"\r\n\r\n"))
    ]
    assert len(bodies) >= 5
    for body in bodies:
        chunks = apply(Cut(CutKind.FIXED, 61), [body])
        assert read_by(peer, chunks) == decode(SseDecoder(), chunks)


# Where the SDKs leave the grammar (`_streaming.py` in openai 3.57 and anthropic 2.14). Adapters are tested through
# these SDKs, so an endpoint that wants to be understood keeps off these paths.


@pytest.mark.parametrize("peer", PEERS)
def test_sdks_dispatch_blocks_without_data(peer: Peer) -> None:
    # `decode` gives up on a block only when event, data, id and retry are all unset; the standard asks for data.
    body = [b"event: ping\n\n"]
    assert read_by(peer, body) == [SseEvent("", "ping")]
    assert decode(SseDecoder(), body) == []


@pytest.mark.parametrize("peer", PEERS)
def test_sdks_dispatch_every_blank_line_once_an_id_is_set(peer: Peer) -> None:
    # The id is kept, so the check above never holds again: a keep-alive comment becomes an empty event.
    body = [b"id: 1\ndata: a\n\n", b": keep-alive\n\n"]
    assert read_by(peer, body) == [SseEvent("a", id="1"), SseEvent("", id="1")]
    assert decode(SseDecoder(), body) == [SseEvent("a", id="1")]


@pytest.mark.parametrize("peer", PEERS)
def test_sdks_keep_the_bom(peer: Peer) -> None:
    # The first field's name then begins with U+FEFF and the field is unknown.
    body = [BOM + b"data: a\n\n", b"data: b\n\n"]
    assert read_by(peer, body) == [SseEvent("b")]
    assert decode(SseDecoder(), body) == [SseEvent("a"), SseEvent("b")]


@pytest.mark.parametrize("peer", PEERS)
def test_sdks_raise_for_malformed_utf8(peer: Peer) -> None:
    # Lines are decoded strictly; the standard decodes with replacement.
    body = [b"data: \xff\n\n"]
    with pytest.raises(UnicodeDecodeError):
        read_by(peer, body)
    assert decode(SseDecoder(), body) == [SseEvent("\ufffd")]


@pytest.mark.parametrize("peer", PEERS)
def test_sdks_take_any_integer_for_a_retry_time(peer: Peer) -> None:
    body = [b"retry: -1_0\ndata: a\n\n"]
    assert read_by(peer, body) == [SseEvent("a", retry=-10)]
    assert decode(SseDecoder(), body) == [SseEvent("a")]


@pytest.mark.parametrize("peer", PEERS)
def test_sdks_drop_an_event_without_its_blank_line(peer: Peer) -> None:
    # Here it is the SDKs that follow the standard: see the choices in harness/wire/sse.py.
    body = [b"data: a\n\n", b"data: b\n"]
    assert read_by(peer, body) == [SseEvent("a")]
    assert decode(SseDecoder(), body) == [SseEvent("a"), SseEvent("b")]
