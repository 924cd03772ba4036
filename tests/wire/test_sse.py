"""Server-sent events against the WHATWG grammar, both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.wire.cuts import Cut, CutKind, apply
from harness.wire.errors import WireError
from harness.wire.sse import BOM, Newline, SseDecoder, SseEvent, encode_comment, encode_sse
from tests.wire.strategies import cuts, decode, newlines, sse_events, steady, texts

E = SseEvent

GRAMMAR: dict[str, tuple[bytes, list[SseEvent]]] = {
    "nothing": (b"", []),
    "lf": (b"data: a\n\ndata: b\n\n", [E("a"), E("b")]),
    "crlf": (b"data: a\r\n\r\ndata: b\r\n\r\n", [E("a"), E("b")]),
    "cr": (b"data: a\r\rdata: b\r\r", [E("a"), E("b")]),
    "mixed line ends": (b"data: a\r\n\ndata: b\r\r\ndata: c\n\r", [E("a"), E("b"), E("c")]),
    "all fields": (b"event: x\nid: 7\nretry: 250\ndata: a\n\n", [E("a", "x", "7", 250)]),
    "any order of fields": (b"data: a\nretry: 250\nid: 7\nevent: x\n\n", [E("a", "x", "7", 250)]),
    "several data lines": (b"data: a\ndata:\ndata: b\n\n", [E("a\n\nb")]),
    "no space": (b"data:a\n\n", [E("a")]),
    "one space is dropped": (b"data:  a\n\n", [E(" a")]),
    "no other space is dropped": (b"data:\ta \n\n", [E("\ta ")]),
    "colons in a value": (b"data: a: b\n\n", [E("a: b")]),
    "a field without colon": (b"data\n\n", [E("")]),
    "an empty value": (b"data:\n\n", [E("")]),
    "two lines without colon": (b"data\ndata\n\n", [E("\n")]),
    "comments": (b": hello\n\n:\n\ndata: a\n: inside\ndata: b\n\n", [E("a\nb")]),
    "unknown fields": (b"datum: x\nDATA: x\n data: x\ndata : x\ndata: a\n\n", [E("a")]),
    "without data nothing comes": (b"event: x\nid: 1\nretry: 5\n\ndata: a\n\n", [E("a")]),
    "the last event type counts": (b"event: x\nevent: y\ndata: a\n\n", [E("a", "y")]),
    "an empty event type is none": (b"event: x\nevent:\ndata: a\n\n", [E("a")]),
    "an empty id is an id": (b"id\ndata: a\n\n", [E("a", id="")]),
    "an id with NUL is passed over": (b"id: 1\nid: 2\x003\ndata: a\n\n", [E("a", id="1")]),
    "retry takes digits only": (b"retry: 5\nretry: -1\nretry: 1_0\nretry:\ndata: a\n\n", [E("a", retry=5)]),
    "retry takes ASCII digits only": ("retry: ٣\ndata: a\n\n".encode(), [E("a")]),
    "retry of ten thousand digits": (b"retry: " + b"9" * 10_000 + b"\ndata: a\n\n", [E("a")]),
    "one BOM": (BOM + b"data: a\n\n", [E("a")]),
    "a second BOM is text": (BOM + BOM + b"data: x\ndata: a\n\n", [E("a")]),
    "a later BOM is text": (b"data: a\n\n" + BOM + b"data: x\n\n", [E("a")]),
    "nothing but a BOM": (BOM, []),
    "other line separators are text": (
        "data: a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\n\n".encode(),
        [E("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg")],
    ),
    "malformed UTF-8": (b"data: a\xffb\xe2\x82\n\ndata: \xc3\n\n", [E("a\ufffdb\ufffd"), E("\ufffd")]),
    "NUL in data": (b"data: a\0b\n\n", [E("a\0b")]),
    "no last blank line": (b"data: a\n\ndata: b\n", [E("a"), E("b")]),
    "no last line end": (b"data: a\n\ndata: b", [E("a"), E("b")]),
    "an end inside a field name": (b"data: a\n\nda", [E("a")]),
}


@pytest.mark.parametrize(("body", "events"), GRAMMAR.values(), ids=GRAMMAR)
@pytest.mark.parametrize("cut", [Cut(CutKind.WHOLE), Cut(CutKind.BYTES), Cut(CutKind.FIXED, 2)], ids=str)
def test_grammar(body: bytes, events: list[SseEvent], cut: Cut) -> None:
    assert decode(SseDecoder(), apply(cut, [body])) == events


def test_an_event_comes_with_the_cr_that_ends_it() -> None:
    decoder = SseDecoder()
    assert decoder.feed(b"data: a\r\n\r") == [E("a")]
    assert decoder.feed(b"") == []
    assert decoder.feed(b"\n") == []
    assert decoder.feed(b"\ndata: b\r\n\r\n") == [E("b")]


def test_an_empty_chunk_between_cr_and_lf_changes_nothing() -> None:
    assert decode(SseDecoder(), [b"data: a\r", b"", b"\ndata: b\r\n\r\n"]) == [E("a\nb")]


def test_finish_leaves_nothing_behind() -> None:
    decoder = SseDecoder()
    decoder.feed(b"data: a")
    assert (decoder.finish(), decoder.finish()) == ([E("a")], [])


@steady
@given(st.lists(sse_events, max_size=5), newlines, st.booleans(), st.booleans(), cuts)
def test_decoding_is_the_inverse_of_encoding(
    events: list[SseEvent], newline: Newline, space: bool, bom: bool, cut: Cut
) -> None:
    frames = [BOM * bom, *(encode_sse(event, newline=newline, space=space) for event in events)]
    assert decode(SseDecoder(), apply(cut, frames)) == events


@steady
@given(st.lists(sse_events, max_size=3), texts, newlines, cuts)
def test_comments_between_events_change_nothing(events: list[SseEvent], text: str, newline: Newline, cut: Cut) -> None:
    frames = [
        frame for event in events for frame in (encode_comment(text, newline), encode_sse(event, newline=newline))
    ]
    assert decode(SseDecoder(), apply(cut, frames)) == events


@steady
@given(st.lists(st.sampled_from([b"\r", b"\n", b"data", b":", b" ", b"x", BOM, b"id:1", b"\xc3", b"\xa9"])), cuts)
def test_no_cut_changes_what_any_bytes_mean(pieces: list[bytes], cut: Cut) -> None:
    assert decode(SseDecoder(), apply(cut, pieces)) == decode(SseDecoder(), [b"".join(pieces)])


@pytest.mark.parametrize(
    ("event", "style", "frame"),
    [
        (E("{}"), {}, b"data: {}\n\n"),
        (E("{}", "ping"), {}, b"event: ping\ndata: {}\n\n"),
        (E("{}", "x", "7", 9), {}, b"event: x\nid: 7\nretry: 9\ndata: {}\n\n"),
        (E("{}", "ping"), {"newline": "\r\n"}, b"event: ping\r\ndata: {}\r\n\r\n"),
        (E("{}"), {"newline": "\r"}, b"data: {}\r\r"),
        (E("{}"), {"space": False}, b"data:{}\n\n"),
        (E(" a"), {"space": False}, b"data:  a\n\n"),
        (E("{}"), {"final_blank": False}, b"data: {}\n"),
        (E("a\nb\r\nc\rd"), {}, b"data: a\ndata: b\ndata: c\ndata: d\n\n"),
        (E(""), {}, b"data: \n\n"),
        (E("é"), {}, b"data: \xc3\xa9\n\n"),
    ],
)
def test_frames(event: SseEvent, style: dict[str, object], frame: bytes) -> None:
    assert encode_sse(event, **style) == frame  # type: ignore[arg-type]


def test_comment_frames() -> None:
    assert encode_comment("PROCESSING") == b": PROCESSING\n\n"
    assert encode_comment("a\nb", "\r\n") == b": a\r\n: b\r\n\r\n"


@pytest.mark.parametrize("event", [E("", event="a\nb"), E("", event="a\rb"), E("", id="\n"), E("", id="a\0")])
def test_a_field_that_is_not_one_line_is_refused(event: SseEvent) -> None:
    with pytest.raises(WireError, match="one line"):
        encode_sse(event)
