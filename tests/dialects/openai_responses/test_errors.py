"""Errors: at the call and in a stream."""

import json

import pytest

from harness.dialects.base import DecodeError, ErrorClass, VendorError
from harness.dialects.openai_responses import DIALECT
from harness.wire.sse import SseDecoder
from tests.dialects.openai_responses.samples import PLAIN

STREAMED = [error for error in DIALECT.errors if error.in_stream]
FORMS = {
    "error_and_failed": ["error", "response.failed"],
    "failed": ["response.failed"],
    "error": ["error"],
    "flat_error": ["error"],
}


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_http_error_is_told_as_it_is(error: VendorError) -> None:
    told = DIALECT.encode_error(error)
    assert (told.status, told.body) == (error.status, error.body)
    assert told.status >= 400
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=False)


def test_every_class_is_there_with_and_without_a_stream() -> None:
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass)
    assert {error.error_class for error in STREAMED} == set(ErrorClass) - {ErrorClass.TOOLS_UNSUPPORTED}


def test_statuses_that_vendors_use_are_there() -> None:
    assert {error.status for error in DIALECT.errors} >= {400, 401, 404, 429, 500, 502, 503}


@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
@pytest.mark.parametrize("form", FORMS)
def test_a_stream_breaks_off_with_the_error(error: VendorError, form: str) -> None:
    usual = DIALECT.encode(PLAIN, {}, stream=True)
    told = DIALECT.encode_stream_error(error, PLAIN, {"error": form}, keep=3)
    assert told is not None
    assert (told.status, told.frames[:3]) == (200, usual.frames[:3])
    met = [json.loads(event.data) for event in SseDecoder().feed(b"".join(told.frames[3:]))]
    assert [event["type"] for event in met] == FORMS[form]
    assert [event["sequence_number"] for event in met] == list(range(3, 3 + len(met)))
    error_said = json.loads(error.body)["error"]
    for event in met:
        said = event.get("response", event).get("error") or event
        assert (said["code"], said["message"]) == (error_said["code"], error_said["message"])
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=True)


def test_a_reply_that_has_ended_cannot_be_broken_off() -> None:
    told = DIALECT.encode_stream_error(STREAMED[0], PLAIN, {"done": "present"}, keep=1000)
    assert told is not None
    assert b"response.completed" not in told.body
    assert b"[DONE]" not in told.body


def test_an_error_that_no_stream_tells_is_none() -> None:
    html = next(error for error in DIALECT.errors if error.id == "proxy_bad_gateway")
    assert DIALECT.encode_stream_error(html, PLAIN, {}, keep=1) is None
