"""What is said in any style is what is read, however it is cut into parts."""

import json

import pytest
from hypothesis import given

from harness.dialects.base import DecodeError, ErrorClass, Style, VendorError
from harness.dialects.reply import Reply
from harness.dialects.sagemaker_chat import DIALECT
from harness.dialects.sagemaker_chat.parts import is_payload, payload_of
from harness.wire.eventstream import EventStreamDecoder
from tests.dialects.openai_chat.samples import styles
from tests.dialects.relatives import MANY, replies, single_styles
from tests.dialects.sagemaker_chat.samples import CALLS, PLAIN, SAMPLES

STREAMED = [error for error in DIALECT.errors if error.in_stream]


@MANY
@given(replies(DIALECT), styles(DIALECT.axes))
@pytest.mark.parametrize("stream", [True, False])
def test_reply_survives_any_style(stream: bool, reply: Reply, style: Style) -> None:
    body = DIALECT.encode(reply, style, stream=stream).body
    assert DIALECT.decode(body, stream=stream) == DIALECT.expected(reply, style, stream=stream)


@MANY
@given(replies(DIALECT), styles(DIALECT.axes))
def test_losing_the_terminal_frames_makes_the_reply_unfinished(reply: Reply, style: Style) -> None:
    told = DIALECT.encode(reply, style, stream=True)
    assert 1 <= told.terminal_frames <= len(told.frames)
    with pytest.raises(DecodeError):
        DIALECT.decode(b"".join(told.frames[: -told.terminal_frames]), stream=True)


def payloads(style: Style) -> list[bytes]:
    return [message.payload for message in EventStreamDecoder().feed(DIALECT.encode(PLAIN, style, stream=True).body)]


def test_parts_differ_only_in_where_they_are_cut() -> None:
    [axis] = [axis for axis in DIALECT.axes if axis.name == "parts"]
    told = {name: payloads({"parts": name}) for name in axis.names}
    assert len({b"".join(parts) for parts in told.values()}) == 1
    assert all(part.count(b"data:") == 1 for part in told["event_each"])
    assert max(part.count(b"data:") for part in told["two_events"]) == 2
    assert len(told["all_in_one"]) == 1
    assert {len(part) for part in told["cut"][:3]} == {100}


def test_a_part_can_end_inside_a_character() -> None:
    broken = [part for part in payloads({"parts": "inside_character"}) if part[-1] >= 0xC0]
    assert broken
    for part in broken:
        with pytest.raises(UnicodeDecodeError):
            part.decode()


def test_json_lines_have_nothing_of_an_event_stream() -> None:
    told = DIALECT.encode(CALLS, {"lines": "json", "comments": "bare_colon"}, stream=True)
    lines = b"".join(payloads({"lines": "json", "comments": "bare_colon"})).splitlines()
    assert all(json.loads(line)["object"] == "chat.completion.chunk" for line in lines)
    assert dict(told.headers)["x-amzn-sagemaker-content-type"] == "application/jsonlines"


@pytest.mark.parametrize("style", [{"parts": "thirds"}, {"lines": "csv"}, {"newline": "cr"}])
def test_an_unknown_style_is_refused(style: Style) -> None:
    with pytest.raises(ValueError, match="no style"):
        DIALECT.encode(PLAIN, style, stream=True)


def test_a_broken_event_stream_is_no_reply() -> None:
    body = DIALECT.encode(PLAIN, {}, stream=True).body
    for bad in (body[:-1], body[:40] + b"?" + body[41:]):
        with pytest.raises(DecodeError):
            DIALECT.decode(bad, stream=True)


# --- errors -------------------------------------------------------------------------------------------------------


def test_every_class_is_there() -> None:
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass)
    assert {error.status for error in DIALECT.errors} >= {400, 403, 424, 429, 500, 503, 530}


def ends_an_event(kept: list[bytes], error: bytes) -> bool:
    return is_payload(error) and payload_of(b"".join(kept)).endswith((b"\n\n", b"}\n"))


@pytest.mark.parametrize("keep", [1, 2, 3, 99])
@pytest.mark.parametrize("parts", ["cut", "inside_character"])
@pytest.mark.parametrize("lines", ["events", "json"])
def test_an_error_of_the_model_server_is_an_event_of_its_own(parts: str, lines: str, keep: int) -> None:
    style = {"parts": parts, "lines": lines}
    for error in (error for error in STREAMED if is_payload(error.in_stream or b"")):
        told = DIALECT.encode_stream_error(error, PLAIN, style, keep=keep)
        assert told is not None
        for line in filter(None, payload_of(told.body).split(b"\n")):
            json.loads(line.removeprefix(b"data:"))


@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
def test_a_stream_breaks_off_with_the_error(error: VendorError) -> None:
    for style in single_styles(DIALECT):
        whole = DIALECT.encode(PLAIN, style, stream=True)
        told = DIALECT.encode_stream_error(error, PLAIN, style, keep=99)
        assert told is not None
        *kept, last = told.frames
        assert last == error.in_stream
        assert tuple(kept) == whole.frames[: len(kept)]
        assert len(kept) == len(whole.frames) - whole.terminal_frames or ends_an_event(kept, last)
        with pytest.raises(DecodeError, match=r"[Ee]rror|Failure"):
            DIALECT.decode(told.body, stream=True)


@pytest.mark.parametrize("reply", SAMPLES)
def test_the_usual_style_lets_everything_through(reply: Reply) -> None:
    assert DIALECT.expected(reply, {}, stream=True) == reply
