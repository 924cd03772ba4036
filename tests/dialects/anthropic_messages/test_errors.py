import json

import pytest

from harness.dialects.anthropic_messages import DIALECT
from harness.dialects.base import DecodeError, ErrorClass, VendorError
from tests.dialects.anthropic_messages.replies import RICH
from tests.shared import SHARED, needs_shared

IN_STREAM = [error for error in DIALECT.errors if error.in_stream is not None]
by_id = pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
in_stream = pytest.mark.parametrize("error", IN_STREAM, ids=lambda error: error.id)

#: what the case file's classes mean to a caller
CLASSES = {
    "throttle": ErrorClass.THROTTLE,
    "overloaded": ErrorClass.THROTTLE,
    "overflow": ErrorClass.OVERFLOW,
}


def test_ids_are_unique_and_the_classes_of_the_vendor_are_all_there() -> None:
    assert len({error.id for error in DIALECT.errors}) == len(DIALECT.errors)
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass) - {ErrorClass.TOOLS_UNSUPPORTED}


@by_id
def test_an_error_is_answered_as_it_is(error: VendorError) -> None:
    wire = DIALECT.encode_error(error)
    assert (wire.status, wire.headers, wire.body) == (error.status, error.headers, error.body)
    if ("content-type", "application/json") in error.headers:
        body = json.loads(error.body)
        assert body["type"] == "error"
        assert set(body["error"]) == {"type", "message"}
    for stream in (True, False):
        with pytest.raises(DecodeError):
            DIALECT.decode(error.body, stream=stream)


@needs_shared
def test_classes_agree_with_the_verified_cases_of_the_same_words() -> None:
    lines = (SHARED / "data/error_responses.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {case["id"]: case for case in map(json.loads, lines)}
    cited = [(error, word.strip(",;")) for error in DIALECT.errors for word in error.evidence.split()]
    found = [(error, cases[word]) for error, word in cited if word in cases]
    assert len(found) >= 8
    for error, case in found:
        assert case["verified"]
        assert error.error_class is CLASSES.get(case["class"], ErrorClass.OTHER)
        assert case["error_type"] == json.loads(error.body)["error"]["type"]
        assert case["http_status"] in (error.status, 200)


@in_stream
@pytest.mark.parametrize("keep", [0, 1, 3, 1000])
def test_an_error_in_the_stream_follows_what_was_kept_and_ends_it(error: VendorError, keep: int) -> None:
    whole = DIALECT.encode(RICH, {}, stream=True)
    wire = DIALECT.encode_stream_error(error, RICH, {}, keep=keep)
    assert wire is not None
    assert wire.status == 200
    assert wire.frames[:-1] == whole.frames[: min(keep, len(whole.frames) - 1)]
    assert wire.frames[-1] == b"event: error\ndata: %b\n\n" % (error.in_stream or b"")
    with pytest.raises(DecodeError, match=json.loads(error.body)["error"]["type"]):
        DIALECT.decode(wire.body, stream=True)


def test_an_error_that_only_http_can_tell_has_no_stream_form() -> None:
    (auth,) = (error for error in DIALECT.errors if error.id == "authentication")
    assert DIALECT.encode_stream_error(auth, RICH, {}, keep=1) is None


def test_streams_fail_in_each_way_that_was_reported() -> None:
    told = {json.loads(error.in_stream or b"")["error"]["type"] for error in IN_STREAM}
    assert told == {"overloaded_error", "rate_limit_error", "api_error", "invalid_request_error"}
