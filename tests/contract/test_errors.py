import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from harness.contract.errors import ROWS, ErrorFacts, classify, explain, retry_after, to_exception
from harness.contract.errors.facts import HEAD, TAIL, plain_text
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    ModelError,
    ModelThrottledException,
    ToolsUnsupportedException,
)
from harness.dialects.anthropic_messages import DIALECT as ANTHROPIC
from harness.dialects.base import ErrorClass, VendorError
from harness.dialects.bedrock_converse import DIALECT as BEDROCK
from harness.dialects.openai_chat import DIALECT as OPENAI
from tests.shared import SHARED, needs_shared


def means(facts: ErrorFacts) -> str | None:
    row = classify(facts)
    return row.means if row else None


# --- the case file ------------------------------------------------------------------------------------------------


@cache
def cases() -> tuple[dict[str, Any], ...]:
    path = SHARED / "data" / "error_responses.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else ()
    return tuple(json.loads(line) for line in lines)


def facts_of(case: dict[str, Any]) -> ErrorFacts:
    kind = case["error_type"]
    return ErrorFacts(case["message"], case["http_status"], (kind,) if kind else ())


@needs_shared
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    assert means(facts_of(case)) == case["class"], explain(facts_of(case))


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("", "overflow"),
        ("Payload Too Large", "overflow"),
        ("Request exceeds the maximum size", "overflow"),
        ("Request exceeds the maximum allowed number of bytes", "invalid_request"),
        ("http: request body too large", "invalid_request"),
        ("The image is larger than 20 MB", "invalid_request"),
        ("Request body too large for this model. Max size: 8000 tokens.", "overflow"),
        ("Request too large on tokens per minute (TPM): Limit 12000, Requested 14137", "throttle"),
    ],
)
def test_a_413_is_an_overflow_unless_it_tells_of_bytes_or_of_a_rate(said: str, wanted: str) -> None:
    assert means(ErrorFacts(said, 413)) == wanted


ENVELOPES: dict[str, Callable[[str], str]] = {
    "litellm": lambda text: f"litellm.BadRequestError: OpenAIException - {text}",
    "bedrock": lambda text: f"The model returned the following errors: {text}",
    "openrouter": lambda text: f"Provider returned error: {json.dumps({'error': {'message': text}})}",
    "openai sdk": lambda text: f"Error code: 400 - { ({'error': {'message': text}})!r}",
    "sagemaker": lambda text: f'Received client error (400) from primary with message "{json.dumps({"error": text})}"',
    "request id": lambda text: f"{text} (request id: req_0123456789)",
    "capitals": str.upper,
    "line breaks": lambda text: text.replace(" ", "\n"),
    "numbers": lambda text: re.sub(r"\d{4,}", lambda number: str(int(number[0]) * 3 + 1), text),
}


@needs_shared
@pytest.mark.parametrize("envelope", ENVELOPES)
def test_envelopes_ids_and_numbers_change_nothing(envelope: str) -> None:
    changed = [
        (case["id"], explain(wrapped))
        for case in cases()
        if means(wrapped := replace(facts_of(case), message=ENVELOPES[envelope](case["message"])))
        != means(facts_of(case))
    ]
    assert changed == []


@needs_shared
def test_a_code_means_the_same_in_any_spelling() -> None:
    def spelled(case: dict[str, Any], spell: Callable[[str], str]) -> str | None:
        facts = facts_of(case)
        return means(replace(facts, codes=tuple(map(spell, facts.codes))))

    for case in cases():
        assert {spelled(case, str.upper), spelled(case, lambda code: f"com.amazon#{code}:")} == {means(facts_of(case))}


# --- wordings and traps ---------------------------------------------------------------------------------------------


WORDINGS: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("wordings.toml").read_text(encoding="utf-8")
)
ALL_WORDINGS = [wording for wordings in WORDINGS.values() for wording in wordings]


def facts_in(wording: dict[str, Any]) -> ErrorFacts:
    return ErrorFacts(wording["message"], wording.get("status"), tuple(wording.get("codes", ())))


@pytest.mark.parametrize("wording", ALL_WORDINGS, ids=lambda wording: wording["message"][:60])
def test_wording(wording: dict[str, Any]) -> None:
    assert means(facts_in(wording)) == wording["means"], explain(facts_in(wording))


@pytest.mark.parametrize("status", [None, 200, 400, 422, 500])
@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("overflow", "prompt is too long: 205391 tokens > 200000 maximum"),
        ("tools_unsupported", "example/model:latest does not support tools"),
    ],
)
def test_words_decide_whatever_the_status_of_the_answer(wanted: str, message: str, status: int | None) -> None:
    assert means(ErrorFacts(message, status)) == wanted


def test_a_status_in_the_codes_counts_when_the_answer_has_none() -> None:
    assert means(ErrorFacts("Provider disconnected", 200, ("502",))) == "server"
    assert means(ErrorFacts("Provider disconnected", 400, ("502",))) == "invalid_request"
    assert means(ErrorFacts("Provider disconnected", 200, ("1502", "50x"))) is None


@pytest.mark.parametrize(
    ("details", "wanted"),
    [
        (None, "throttle"),
        ([{"@type": "google.rpc.QuotaFailure", "violations": [{"quotaId": "RequestsPerDayPerProject"}]}], "quota"),
        (
            [
                {"@type": "google.rpc.QuotaFailure", "violations": [{"quotaId": "RequestsPerMinutePerProject"}]},
                {"@type": "google.rpc.RetryInfo", "retryDelay": "13s"},
            ],
            "throttle",
        ),
        ([{"@type": "google.rpc.QuotaFailure", "violations": []}], "quota"),
    ],
)
def test_details_tell_the_quota_of_a_day_from_the_rate_of_a_minute(details: Any, wanted: str) -> None:
    said = "You exceeded your current quota, please check your plan and billing details."
    assert means(ErrorFacts(said, 429, ("RESOURCE_EXHAUSTED",), details=details)) == wanted


def test_an_error_that_no_row_knows() -> None:
    facts = ErrorFacts("", 418, ("teapot",))
    assert classify(facts) is None
    assert to_exception(facts) is None
    assert "status 418" in explain(facts)
    assert "teapot" in explain(facts)


# --- exceptions and explanations --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        (ErrorFacts("slow down", 429), ModelThrottledException),
        (ErrorFacts("busy", 529), ModelThrottledException),
        (ErrorFacts("input is too long", 400), ContextWindowOverflowException),
        (ErrorFacts("x does not support tools", 400), ToolsUnsupportedException),
    ],
)
def test_exceptions_keep_the_words(facts: ErrorFacts, kind: type[ModelError]) -> None:
    raised = to_exception(facts)
    assert type(raised) is kind
    assert raised.message == facts.message


def test_other_classes_leave_the_vendors_own_exception() -> None:
    mapped = {wording["means"] for wording in ALL_WORDINGS if to_exception(facts_in(wording)) is not None}
    assert mapped == {"throttle", "overloaded", "overflow", "tools_unsupported"}
    assert {wording["means"] for wording in ALL_WORDINGS} == {row.means for row in ROWS}


def test_explanations_name_the_row_its_reasons_and_its_source() -> None:
    facts = ErrorFacts("Prompt is too long: 9 tokens > 8 maximum", 400, ("invalid_request_error",))
    row = classify(facts)
    assert row is not None
    told = explain(facts)
    assert told.startswith(f"overflow: row {row.name} by the words 'prompt is too long")
    assert row.source in told
    assert "status 429" in explain(ErrorFacts("", 429))
    assert "code overloadederror" in explain(ErrorFacts("", 200, ("overloaded_error",)))


# --- waits ------------------------------------------------------------------------------------------------------------

DATE = "Wed, 21 Oct 2015 07:28:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "13"}, 13.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"x-ms-retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:30 GMT", "date": DATE}, 30.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:27:00 GMT", "date": DATE}, 0.0),
        ({"retry-after": DATE}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
    ],
)
def test_waits_in_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("details", "seconds"),
    [
        ([{"@type": "google.rpc.RetryInfo", "retryDelay": "13s"}], 13.0),
        ({"error": {"details": [{"reason": "x"}, {"retryDelay": "0.25s"}]}}, 0.25),
        ({"retryDelay": "120ms"}, 0.12),
        ({"retryDelay": 13}, None),
        ({"retryDelay": "later"}, None),
        ("13s", None),
    ],
)
def test_waits_in_details(details: Any, seconds: float | None) -> None:
    assert retry_after({}, details) == seconds


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Please try again in 18.642s.", 18.642),
        ("Please try again in 7m12.5s. Need more?", 432.5),
        ("Please try again in 120ms", 0.12),
        ("Try again in 2 seconds.", 2.0),
        ("Please retry after 1 minute", 60.0),
        ("Please wait 12 seconds before retrying", 12.0),
        ("Please retry in 1h2m.", 3720.0),
        ("try again later", None),
        ("try again in a while", None),
    ],
)
def test_waits_in_words(message: str, seconds: float | None) -> None:
    assert retry_after({}, message=message) == seconds


def test_headers_win_over_details_and_details_over_words() -> None:
    details, message = {"retryDelay": "2s"}, "Please try again in 3s"
    assert retry_after({"retry-after": "1"}, details, message) == 1.0
    assert retry_after({"retry-after": "soon"}, details, message) == 2.0


def test_throttling_carries_the_wait() -> None:
    raised = to_exception(ErrorFacts("no", 429, details={"retryDelay": "13s"}))
    assert isinstance(raised, ModelThrottledException)
    assert raised.retry_after == 13.0


# --- hostile text -----------------------------------------------------------------------------------------------------


def test_only_a_bounded_part_of_a_message_is_read() -> None:
    hostile = "prompt tokens exceed " * 50_000
    assert len(plain_text(hostile)) <= HEAD + TAIL + 1
    assert means(ErrorFacts(f"{hostile} does not support tools", 500)) == "tools_unsupported"
    assert means(ErrorFacts(f"prompt is too long {'x' * 1_000_000}", 400)) == "overflow"


PARSER: Any = import_module("re._parser")
REPEATS = frozenset({PARSER.MAX_REPEAT, PARSER.MIN_REPEAT})


def repeats(parsed: Any, inside: int = 1) -> Iterator[tuple[int, int]]:
    """Of each repetition, how often it may repeat, and how often what it stands in may."""
    for operator, argument in parsed:
        counted = operator in REPEATS
        if counted:
            yield int(argument[1]), inside
        deeper = inside * int(argument[1]) if counted else inside
        parts = argument if isinstance(argument, list | tuple) else ()
        branches = [branch for part in parts if isinstance(part, list) for branch in part]
        for part in (*parts, *branches):
            if isinstance(part, PARSER.SubPattern):
                yield from repeats(part, deeper)


def all_patterns() -> Iterator[re.Pattern[str]]:
    for row in ROWS:
        yield from (*row.words, *row.unless, *row.details)


def test_no_pattern_repeats_without_bound_or_inside_another_repetition() -> None:
    found = [(pattern.pattern, most) for pattern in all_patterns() for most in repeats(PARSER.parse(pattern.pattern))]
    assert len(found) > 500
    assert [one for one in found if one[1][0] > 8000 or (one[1][1] > 1 and one[1][0] > 1)] == []


def test_the_measure_of_patterns_sees_nesting_and_the_unbounded() -> None:
    assert (8, 4) in set(repeats(PARSER.parse("(?:ab{0,8}){0,4}")))
    assert max(most for most, _ in repeats(PARSER.parse("a|(?=b*)"))) > 8000


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_rows_have_a_source_and_a_condition(row: Any) -> None:
    assert row.source
    assert row.codes or row.statuses or row.words
    assert [other.name for other in ROWS].count(row.name) == 1


# --- what the dialects send ------------------------------------------------------------------------------------------

CLASSES: dict[str | None, ErrorClass] = {
    "throttle": ErrorClass.THROTTLE,
    "overloaded": ErrorClass.THROTTLE,
    "overflow": ErrorClass.OVERFLOW,
    "tools_unsupported": ErrorClass.TOOLS_UNSUPPORTED,
}
JSON_ERRORS = [*ANTHROPIC.errors, *OPENAI.errors]


def read_json(body: bytes, status: int) -> ErrorFacts:
    try:
        said = json.loads(body)
    except ValueError:
        return ErrorFacts(body.decode(), status)
    error = said.get("error", said)
    error = {**said, "message": error} if isinstance(error, str) else error
    codes = tuple(str(code) for key in ("code", "type", "status") if (code := error.get(key)) is not None)
    message = f"{error.get('message', '')} {error.get('metadata', {}).get('raw', '')}"
    return ErrorFacts(message, status, codes, details=said)


def error_class(facts: ErrorFacts) -> ErrorClass:
    return CLASSES.get(means(facts), ErrorClass.OTHER)


@pytest.mark.parametrize("error", JSON_ERRORS, ids=lambda error: error.id)
def test_json_errors_of_the_dialects(error: VendorError) -> None:
    facts = read_json(error.body, error.status)
    assert error_class(facts) == error.error_class, explain(facts)


@pytest.mark.parametrize("error", [error for error in JSON_ERRORS if error.in_stream], ids=lambda error: error.id)
def test_json_errors_mean_the_same_inside_a_stream(error: VendorError) -> None:
    facts = read_json(error.in_stream or b"", 200)
    assert error_class(facts) == error.error_class, explain(facts)


@pytest.mark.parametrize("error", BEDROCK.errors, ids=lambda error: error.id)
def test_bedrocks_errors(error: VendorError) -> None:
    code, message = dict(error.headers)["x-amzn-errortype"], json.loads(error.body)["message"]
    answered = ErrorFacts(message, error.status, (code,))
    assert error_class(answered) == error.error_class, explain(answered)
    # in a stream botocore gives the code in camel case, and says 400 or nothing of the status
    name = code.partition(":")[0]
    for status in (400, 200, None) if error.in_stream else ():
        streamed = ErrorFacts(message, status, (name[0].lower() + name[1:],))
        assert error_class(streamed) == error.error_class, explain(streamed)


@needs_shared
def test_every_row_decides_some_error() -> None:
    known = [
        *map(facts_of, cases()),
        *map(facts_in, ALL_WORDINGS),
        *(read_json(error.body, error.status) for error in JSON_ERRORS),
        ErrorFacts("", 429, ("RESOURCE_EXHAUSTED",), details={"quotaId": "RequestsPerDay"}),
    ]
    assert {row.name for row in ROWS} - {row.name for facts in known if (row := classify(facts))} == set()
