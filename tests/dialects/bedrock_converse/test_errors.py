"""Errors say what the public reports and recordings say, as HTTP answers and inside streams."""

import json

import pytest

from harness.dialects.base import DecodeError, ErrorClass, VendorError
from harness.dialects.bedrock_converse import DIALECT
from harness.wire.eventstream import EventStreamDecoder
from tests.dialects.bedrock_converse.replies import RICH
from tests.shared import SHARED, needs_shared

#: the classes of the case file that the contract tells apart
CLASSES = {
    "overflow": ErrorClass.OVERFLOW,
    "throttle": ErrorClass.THROTTLE,
    "overloaded": ErrorClass.THROTTLE,
    "tools_unsupported": ErrorClass.TOOLS_UNSUPPORTED,
}

STREAMED = [error for error in DIALECT.errors if error.in_stream]


def test_every_class_has_an_error_and_ids_are_unique() -> None:
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass)
    assert len({error.id for error in DIALECT.errors}) == len(DIALECT.errors)


@needs_shared
def test_errors_agree_with_the_case_file() -> None:
    rows = [json.loads(line) for line in (SHARED / "data" / "error_responses.jsonl").read_text().splitlines()]
    cases = {row["id"]: row for row in rows if row["provider"] == "bedrock"}
    compared = 0
    for error in DIALECT.errors:
        for part in error.evidence.replace("in-stream: ", "").split("; "):
            if part in cases and not cases[part]["in_stream"]:
                case = cases[part]
                assert error.error_class == CLASSES.get(case["class"], ErrorClass.OTHER), error.id
                assert error.status == case["http_status"], error.id
                compared += 1
    assert compared >= 14


@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
@pytest.mark.parametrize("keep", [0, 1, 5, 10_000])
def test_an_error_follows_what_was_kept_and_is_no_reply(error: VendorError, keep: int) -> None:
    told = DIALECT.encode_stream_error(error, RICH[0], {}, keep=keep)
    whole = DIALECT.encode(RICH[0], {}, stream=True)
    assert told is not None
    assert told.status == 200
    kept = min(keep, len(whole.frames) - whole.terminal_frames)
    assert told.frames == (*whole.frames[:kept], error.in_stream)
    with pytest.raises(DecodeError, match="an error"):
        DIALECT.decode(told.body, stream=True)


def test_an_error_frame_names_the_exception_and_says_the_same() -> None:
    error = next(error for error in DIALECT.errors if error.id == "rate_limit")
    (message,) = EventStreamDecoder().feed(error.in_stream or b"")
    assert message.headers[":message-type"] == "exception"
    assert message.headers[":exception-type"] == "throttlingException"
    assert message.payload == error.body


def test_errors_that_come_before_a_stream_alone() -> None:
    error = next(error for error in DIALECT.errors if error.id == "access_denied")
    assert DIALECT.encode_stream_error(error, RICH[0], {}, keep=1) is None


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_an_http_error_is_no_reply(error: VendorError) -> None:
    with pytest.raises(DecodeError):
        DIALECT.decode(DIALECT.encode_error(error).body, stream=False)
