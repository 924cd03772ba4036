import json

import pytest

from harness.wire.cuts import Cut, CutKind, apply
from harness.wire.eventstream import EventStreamMessage, encode_message
from tests.replay.frames import error_payload, eventstream_frames, ndjson_frames, sse_frames, sse_mended

EVENT = encode_message(EventStreamMessage({":message-type": "event", ":event-type": "x"}, b"{}"))
FAILURE = encode_message(
    EventStreamMessage({":message-type": "exception", ":exception-type": "y"}, b'{"message":"no"}')
)


@pytest.mark.parametrize(
    ("body", "frames"),
    [
        (b"data: a\n\ndata: b\n\n", [b"data: a\n\n", b"data: b\n\n"]),
        (b"data: a\r\n\r\ndata: b\r\n\r\n", [b"data: a\r\n\r\n", b"data: b\r\n\r\n"]),
        (
            b": hold on\n\nevent: e\ndata: a\n\n\n\ndata: b",
            [b": hold on\n\n", b"event: e\ndata: a\n\n\n\n", b"data: b"],
        ),
        (b"data: a\r\ndata: b\r\n\r\n", [b"data: a\r\ndata: b\r\n\r\n"]),
    ],
)
def test_server_sent_events_end_with_their_blank_lines(body: bytes, frames: list[bytes]) -> None:
    assert list(sse_frames(body)) == frames


@pytest.mark.parametrize("body", [b"data: a", b"data: a\n", b"data: a\r\n", b"data: a\n\n"])
def test_a_lost_blank_line_is_put_back_once(body: bytes) -> None:
    assert sse_mended(body) == b"data: a\n\n"


def test_whole_streams_are_left_alone() -> None:
    assert sse_mended(b"data: a\r\n\r\n") == b"data: a\r\n\r\n"


def test_lines_of_json_keep_their_ends_and_blank_ones_are_none() -> None:
    assert ndjson_frames(b'{"a":1}\n\n{"b":"\xc2\x85"}') == (b'{"a":1}\n', b'{"b":"\xc2\x85"}\n')


def test_messages_of_an_event_stream_are_found_by_their_lengths() -> None:
    assert eventstream_frames(EVENT + FAILURE) == (EVENT, FAILURE)


@pytest.mark.parametrize("body", [EVENT[:-1], EVENT + b"\0\0\0\1", EVENT + b"\0"])
def test_lengths_that_do_not_fill_the_body_are_refused(body: bytes) -> None:
    with pytest.raises(ValueError, match="a message of"):
        eventstream_frames(body)


@pytest.mark.parametrize(
    ("kind", "body", "error"),
    [
        ("json", b'{"error":{"message":"no"}}', {"message": "no"}),
        ("json", b'{"choices":[{"error":{"code":502}}]}', {"code": 502}),
        ("sse", b'data: {"choices":[]}\n\nevent: error\ndata: {"error":{"message":"no"}}\n\n', {"message": "no"}),
        ("ndjson", b'{"done":false}\n{"error":"no"}\n', "no"),
        ("eventstream", EVENT + FAILURE, {"message": "no"}),
    ],
)
def test_errors_under_status_200_are_found(kind: str, body: bytes, error: object) -> None:
    assert json.loads(error_payload(kind, body) or b"null") == error


@pytest.mark.parametrize(
    ("kind", "body"),
    [("json", b'{"error":null}'), ("sse", b'data: {"choices":[{}]}\n\ndata: [DONE]\n\n'), ("eventstream", EVENT)],
)
def test_replies_hold_no_error(kind: str, body: bytes) -> None:
    assert error_payload(kind, body) is None


def test_frames_are_cut_inside_characters() -> None:
    frames = sse_frames("data: é\n\ndata: 🙂\n\n".encode())
    assert apply(Cut(CutKind.INSIDE_CHARACTER), frames)[0] == b"data: \xc3"
