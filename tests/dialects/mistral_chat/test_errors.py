"""Errors: at the call and in a stream; and that all that is named exists."""

import json
from functools import cache

import pytest

from harness.dialects.base import DecodeError, ErrorClass, VendorError
from harness.dialects.mistral_chat import DIALECT
from harness.wire.sse import SseDecoder
from tests.dialects.mistral_chat.samples import PLAIN
from tests.recordings.corpus import rows
from tests.shared import SHARED, needs_shared

STREAMED = [error for error in DIALECT.errors if error.in_stream]
EVIDENCE = sorted(
    {option.evidence for axis in DIALECT.axes for option in axis.options}
    | {row.evidence for row in DIALECT.stops}
    | {error.evidence for error in DIALECT.errors}
)


@pytest.mark.parametrize("error", DIALECT.errors, ids=lambda error: error.id)
def test_http_error_is_told_as_it_is(error: VendorError) -> None:
    told = DIALECT.encode_error(error)
    assert (told.status, told.body) == (error.status, error.body)
    assert told.status >= 400
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=False)


def test_every_class_that_mistral_has_is_there() -> None:
    assert {error.error_class for error in DIALECT.errors} == set(ErrorClass) - {ErrorClass.TOOLS_UNSUPPORTED}
    assert {error.status for error in DIALECT.errors} >= {400, 401, 403, 422, 429, 500}
    assert len({error.id for error in DIALECT.errors}) == len(DIALECT.errors)


@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
@pytest.mark.parametrize("keep", [0, 2, 99])
def test_a_stream_breaks_off_with_the_error(error: VendorError, keep: int) -> None:
    usual = DIALECT.encode(PLAIN, {}, stream=True)
    told = DIALECT.encode_stream_error(error, PLAIN, {}, keep=keep)
    assert told is not None
    assert (told.status, told.headers) == (200, usual.headers)
    assert told.frames[:-2] == usual.frames[: min(keep, len(usual.frames) - usual.terminal_frames)]
    broken, done = SseDecoder().feed(b"".join(told.frames[-2:]))
    assert json.loads(broken.data)["choices"][0]["finish_reason"] == "error"
    assert done.data == "[DONE]"
    with pytest.raises(DecodeError):
        DIALECT.decode(told.body, stream=True)


def test_an_error_object_of_a_proxy_is_an_event_of_its_own() -> None:
    said = {"error": {"message": "Overloaded", "code": 503}}
    error = VendorError("x", ErrorClass.THROTTLE, 503, b"{}", "made up", in_stream=json.dumps(said).encode())
    told = DIALECT.encode_stream_error(error, PLAIN, {}, keep=1)
    assert told is not None
    broken, _ = SseDecoder().feed(b"".join(told.frames[-2:]))
    assert json.loads(broken.data) == said


def test_an_error_that_no_stream_tells_is_none() -> None:
    limited = next(error for error in DIALECT.errors if error.id == "rate_limit")
    assert DIALECT.encode_stream_error(limited, PLAIN, {}, keep=1) is None


@cache
def known() -> frozenset[str]:
    """Paths of recordings, ids of reports and of errors."""
    ids: set[str] = {row.path for row in rows()}
    for name in ("adapter_bugs", "error_responses"):
        lines = (SHARED / "data" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        ids |= {json.loads(line)["id"] for line in lines}
    return frozenset(ids)


@needs_shared
@pytest.mark.parametrize("evidence", EVIDENCE)
def test_evidence_exists(evidence: str) -> None:
    assert evidence.startswith(("doc: ", "report: ")) or evidence in known()


@needs_shared
def test_errors_from_the_case_file_are_classified_as_it_says() -> None:
    lines = (SHARED / "data" / "error_responses.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {case["id"]: case for case in map(json.loads, lines)}
    compared = {error.evidence: error for error in DIALECT.errors if error.evidence in cases}
    assert sorted(compared) == ["e128", "e129", "e133", "e134"]
    for evidence, error in compared.items():
        wanted = ErrorClass.THROTTLE if cases[evidence]["class"] == "throttle" else ErrorClass.OTHER
        assert (error.error_class, error.status) == (wanted, cases[evidence]["http_status"]), error.id
