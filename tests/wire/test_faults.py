"""Faults: what is lost, what arrives, and that it never amounts to a finished reply."""

import json
import zlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.wire import eventstream
from harness.wire.cuts import Cut, CutKind, apply
from harness.wire.errors import WireError
from harness.wire.eventstream import EventStreamDecoder
from harness.wire.faults import ELSEWHERE, HTML_PAGE, STATUSES, Fault, FaultKind, Terminal, cut_body, head
from harness.wire.sse import SseDecoder, SseEvent, encode_comment, encode_sse
from tests.wire.strategies import cuts, decode, steady

K = FaultKind

TERMINAL_DATA = ('{"finish":"stop"}', "[DONE]")
SSE = [
    encode_comment("PROCESSING"),
    *(encode_sse(SseEvent(f'{{"text":"{text}"}}')) for text in ("a", "é", "c")),
    *(encode_sse(SseEvent(data)) for data in TERMINAL_DATA),
]
DOCUMENT = [b'{"text":"abc","finish":"stop"}']

KEEPING = [K.RESET, K.CLEAN_EOF, K.EOF_MID_FRAME, K.EOF_MID_CHARACTER, K.SILENCE]
fractions = st.floats(0, 1)


def kept_of(frames: Sequence[bytes], fault: Fault, terminal_frames: int, cut: Cut | None = None) -> bytes:
    chunks = apply(cut or Cut(CutKind.FRAMES), frames)
    kept, _ = cut_body(chunks, frames, fault, terminal_frames=terminal_frames)
    assert all(kept)
    return b"".join(kept)


@steady
@given(st.sampled_from(KEEPING), fractions, cuts)
def test_what_arrives_is_a_prefix_without_the_terminal_frames(kind: FaultKind, at: float, cut: Cut) -> None:
    kept = kept_of(SSE, Fault(kind, at), 2, cut)
    assert b"".join(SSE).startswith(kept)
    assert kept == kept_of(SSE, Fault(kind, at), 2)
    assert not {event.data for event in decode(SseDecoder(), [kept])}.intersection(TERMINAL_DATA)


BORDERS = [len(b"".join(SSE[:count])) for count in range(len(SSE) + 1)]


@steady
@given(fractions)
def test_where_the_body_ends(at: float) -> None:
    assert len(kept_of(SSE, Fault(K.CLEAN_EOF, at), 2)) in BORDERS[:5]
    assert len(kept_of(SSE, Fault(K.SILENCE, at), 2)) in BORDERS[:5]
    assert len(kept_of(SSE, Fault(K.EOF_MID_FRAME, at), 2)) not in BORDERS


@pytest.mark.parametrize(
    ("kind", "at", "kept"),
    [
        (K.RESET, 0, 0),
        (K.RESET, 1, 4 * 10 + 5),
        (K.RESET, 0.2, 9),
        (K.CLEAN_EOF, 0, 0),
        (K.CLEAN_EOF, 0.5, 20),
        (K.CLEAN_EOF, 1, 40),
        (K.SILENCE, 1, 40),
        (K.EOF_MID_FRAME, 0, 5),
        (K.EOF_MID_FRAME, 0.5, 25),
        (K.EOF_MID_FRAME, 0.9, 45),
        (K.EOF_MID_FRAME, 1, 45),
    ],
)
def test_how_much_arrives(kind: FaultKind, at: float, kept: int) -> None:
    frames = [bytes([65 + index]) * 10 for index in range(6)]
    assert len(kept_of(frames, Fault(kind, at), 2)) == kept


@steady
@given(st.sampled_from(KEEPING), fractions, cuts)
def test_a_single_document_is_never_whole(kind: FaultKind, at: float, cut: Cut) -> None:
    with pytest.raises(json.JSONDecodeError):
        json.loads(kept_of(DOCUMENT, Fault(kind, at), 1, cut))


FLIPS = {K.CORRUPT: 0x80, K.PRELUDE: 0x00}


@pytest.mark.parametrize("kind", FaultKind)
@pytest.mark.parametrize("frames", [[], [b"x"]], ids=["no-frames", "one-byte"])
def test_the_smallest_bodies(kind: FaultKind, frames: list[bytes]) -> None:
    kept, _ = cut_body(frames, frames, Fault(kind), terminal_frames=3)
    flipped = {kind: bytes(byte ^ bits for byte in b"".join(frames)) for kind, bits in FLIPS.items()}
    replaced = {**dict.fromkeys((K.NOT_JSON, K.HTML_STATUS), HTML_PAGE), **flipped, K.GZIP: b"\xff" * 64}
    assert b"".join(kept) == replaced.get(kind, b"")


@pytest.mark.parametrize(
    ("kind", "terminal"),
    [
        (K.RESET, Terminal.RESET),
        (K.CLEAN_EOF, Terminal.COMPLETE),
        (K.EOF_MID_FRAME, Terminal.COMPLETE),
        (K.SILENCE, Terminal.SILENCE),
        (K.CORRUPT, Terminal.COMPLETE),
        (K.HALF_JSON, Terminal.COMPLETE),
        (K.PRELUDE, Terminal.COMPLETE),
        (K.GZIP, Terminal.COMPLETE),
        (K.REDIRECT, Terminal.COMPLETE),
        (K.HTML_STATUS, Terminal.COMPLETE),
        (K.EMPTY_STATUS, Terminal.COMPLETE),
        (K.NOT_JSON, Terminal.COMPLETE),
        (K.EMPTY, Terminal.COMPLETE),
        (K.REFUSED, Terminal.RESET),
        (K.HEADERS_THEN_RESET, Terminal.RESET),
    ],
)
def test_what_the_transport_does_next(kind: FaultKind, terminal: Terminal) -> None:
    assert cut_body(SSE, SSE, Fault(kind))[1] is terminal


@pytest.mark.parametrize(
    ("kind", "chunks"), [(K.NOT_JSON, (HTML_PAGE,)), (K.EMPTY, ()), (K.REFUSED, ()), (K.HEADERS_THEN_RESET, ())]
)
def test_replaced_bodies(kind: FaultKind, chunks: tuple[bytes, ...]) -> None:
    assert cut_body(SSE, SSE, Fault(kind))[0] == chunks


def is_json(text: str | bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


@steady
@given(fractions, cuts)
def test_a_corrupt_sse_body_has_one_event_more_that_is_no_json(at: float, cut: Cut) -> None:
    body = kept_of(SSE, Fault(K.CORRUPT, at), 2, cut)
    broken = [event.data for event in decode(SseDecoder(), [body]) if not is_json(event.data)]
    assert [data for data in broken if data != "[DONE]"] == [data for data in broken if data.startswith('z"')]
    assert len(broken) == 2
    assert sum(a != b for a, b in zip(body, b"".join(SSE), strict=True)) == 1


@steady
@given(fractions, cuts)
def test_a_corrupt_event_stream_fails_its_checksum(at: float, cut: Cut) -> None:
    frames = [eventstream.encode_message(eventstream.event("x", b'{"a":1}'))] * 3
    chunks, _ = cut_body(apply(cut, frames), frames, Fault(K.CORRUPT, at))
    with pytest.raises(WireError, match="checksum mismatch"):
        decode(EventStreamDecoder(), chunks)


@steady
@given(fractions, cuts)
def test_a_corrupt_document_is_no_json(at: float, cut: Cut) -> None:
    assert not is_json(kept_of(DOCUMENT, Fault(K.CORRUPT, at), 1, cut))


@pytest.mark.parametrize("at", [0, 0.5, 1])
def test_corruption_finds_the_one_frame_with_json(at: float) -> None:
    frames = [encode_comment("PROCESSING"), encode_sse(SseEvent("{}")), encode_sse(SseEvent("[DONE]"))]
    body = kept_of(frames, Fault(K.CORRUPT, at), 1)
    assert decode(SseDecoder(), [body]) == [SseEvent("z}"), SseEvent("[DONE]")]


@steady
@given(fractions, cuts)
def test_an_end_inside_a_character(at: float, cut: Cut) -> None:
    with pytest.raises(UnicodeDecodeError, match="unexpected end of data"):
        kept_of(SSE, Fault(K.EOF_MID_CHARACTER, at), 2, cut).decode()


def test_a_body_in_ascii_ends_inside_a_frame() -> None:
    assert kept_of(DOCUMENT, Fault(K.EOF_MID_CHARACTER), 1) == kept_of(DOCUMENT, Fault(K.EOF_MID_FRAME), 1)


@steady
@given(fractions)
def test_half_of_a_frame_s_json(at: float) -> None:
    events = decode(SseDecoder(), [kept_of(SSE, Fault(K.HALF_JSON, at), 2)])
    whole = decode(SseDecoder(), [b"".join(SSE)])
    (half,) = [(a.data, b.data) for a, b in zip(events, whole, strict=True) if a != b]
    assert half[1].startswith(half[0])
    assert not is_json(half[0])


def test_half_of_a_document() -> None:
    assert kept_of(DOCUMENT, Fault(K.HALF_JSON), 1) == DOCUMENT[0][: len(DOCUMENT[0]) // 2]


@steady
@given(fractions, cuts)
def test_a_broken_prelude_fails_its_checksum(at: float, cut: Cut) -> None:
    frames = [eventstream.encode_message(eventstream.event("x", b'{"a":1}'))] * 3
    chunks, _ = cut_body(apply(cut, frames), frames, Fault(K.PRELUDE, at))
    with pytest.raises(WireError, match="prelude"):
        decode(EventStreamDecoder(), chunks)


@steady
@given(fractions)
def test_compression_that_breaks_lets_the_frames_before_through(at: float) -> None:
    chunks, _ = cut_body(SSE, SSE, Fault(K.GZIP, at), terminal_frames=2)
    unpack = zlib.decompressobj(wbits=31)
    assert b"".join(map(unpack.decompress, chunks[:-1])) == kept_of(SSE, Fault(K.CLEAN_EOF, at), 2)
    with pytest.raises(zlib.error):
        unpack.decompress(chunks[-1])


JSON_HEADERS = (("Content-Type", "application/json"), ("x-id", "1"))


@pytest.mark.parametrize(
    ("fault", "status", "headers"),
    [
        (Fault(K.RESET), 200, JSON_HEADERS),
        (Fault(K.NOT_JSON, status=503), 503, JSON_HEADERS),
        (Fault(K.GZIP), 200, (*JSON_HEADERS, ("content-encoding", "gzip"))),
        (Fault(K.HTML_STATUS), 502, (("x-id", "1"), ("content-type", "text/html"))),
        (Fault(K.EMPTY_STATUS, status=404), 404, JSON_HEADERS),
        (Fault(K.REDIRECT), 307, (*JSON_HEADERS, ("location", f"http://{ELSEWHERE}/"))),
    ],
)
def test_status_and_headers(fault: Fault, status: int, headers: object) -> None:
    assert head(200, JSON_HEADERS, fault) == (status, headers)


def test_statuses_of_their_own_are_no_successes() -> None:
    assert all(status >= 300 for status in STATUSES.values())


@pytest.mark.parametrize("at", [-0.1, 1.1, float("nan")])
def test_a_fault_lies_within_the_body(at: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Fault(K.RESET, at)


def test_a_reply_has_a_terminal_frame() -> None:
    with pytest.raises(ValueError, match="at least one terminal frame"):
        cut_body(SSE, SSE, Fault(K.RESET), terminal_frames=0)
