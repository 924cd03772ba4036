"""Errors: at the call and in a stream."""

import json

import pytest

from harness.dialects.base import DecodeError, ErrorClass, VendorError
from harness.dialects.openai_chat import DIALECT
from harness.wire.sse import SseDecoder
from tests.dialects.openai_chat.samples import PLAIN

STREAMED = [error for error in DIALECT.errors if error.in_stream]


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_http_error_is_told_as_it_is(error: VendorError) -> None:
    told = DIALECT.encode_error(error)
    assert (told.status, told.body) == (error.status, error.body)
    assert told.status >= 400
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=False)


def test_every_class_is_there_with_and_without_a_stream() -> None:
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass)
    assert {error.error_class for error in STREAMED} >= {ErrorClass.THROTTLE, ErrorClass.OVERFLOW, ErrorClass.OTHER}


def test_statuses_that_vendors_use_are_there() -> None:
    assert {error.status for error in DIALECT.errors} >= {400, 401, 402, 404, 429, 500, 502, 503}


@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
@pytest.mark.parametrize("form", ["chunk", "event", "chunk_with_choice"])
def test_a_stream_breaks_off_with_the_error(error: VendorError, form: str) -> None:
    usual = DIALECT.encode(PLAIN, {}, stream=True)
    told = DIALECT.encode_stream_error(error, PLAIN, {"error": form}, keep=3)
    assert told is not None
    assert told.status == 200
    assert told.frames[:3] == usual.frames[:3]
    events = SseDecoder().feed(b"".join(told.frames[3:]))
    assert json.loads(events[0].data)["error"] == json.loads(error.body)["error"]
    assert [event.event for event in events[:1]] == (["error"] if form == "event" else [None])
    assert [event.data for event in events[1:]] == (["[DONE]"] if form == "chunk_with_choice" else [])
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=True)


def test_an_error_that_no_stream_tells_is_none() -> None:
    html = next(error for error in DIALECT.errors if error.id == "proxy_bad_gateway")
    assert DIALECT.encode_stream_error(html, PLAIN, {}, keep=1) is None
