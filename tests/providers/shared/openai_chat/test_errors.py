"""Error objects in the envelopes of services that are reached through the OpenAI SDK."""

from typing import Any

import pytest

from harness.contract.errors import classify, to_exception
from harness.contract.exceptions import ModelThrottledException
from providers._shared.openai_chat.errors import error_facts, error_in

WAIT = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "13s"}
GOOGLE = "You exceeded your current quota, please check your plan and billing details."


def google(quota: str, *more: dict[str, Any]) -> list[Any]:
    failure = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota}]}
    error = {"code": 429, "message": GOOGLE, "status": "RESOURCE_EXHAUSTED", "details": [failure, *more]}
    return [{"error": error}]


@pytest.mark.parametrize(
    ("quota", "means"), [("RequestsPerMinutePerProject", "throttle"), ("RequestsPerDayPerProject", "quota")]
)
def test_a_list_of_one_error_is_that_error(quota: str, means: str) -> None:
    facts = error_facts(google(quota, WAIT), 429)
    assert (facts.message, facts.codes) == (GOOGLE, ("429", "RESOURCE_EXHAUSTED"))
    row = classify(facts)
    assert row is not None
    assert row.means == means


def test_the_wait_in_the_details_is_kept() -> None:
    raised = to_exception(error_facts(google("RequestsPerMinute", WAIT), 429))
    assert isinstance(raised, ModelThrottledException)
    assert raised.retry_after == 13.0


@pytest.mark.parametrize("body", [[], ["words"], [{}], [None]])
def test_other_lists_are_told_as_they_are(body: list[Any]) -> None:
    assert error_facts(body, 400).message in (str(body), "{}")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "a", "code": "c"}}, "a"),
        ({"error": "a", "error_type": "validation"}, "a"),
        ({"object": "error", "message": "a"}, "a"),
        ({"detail": "a"}, "a"),
        ({"error_code": "BAD_REQUEST", "message": "a"}, "a"),
        ({"error": {"message": "a", "metadata": {"raw": "b"}}}, "a: b"),
        ({"tpe": "fail", "errors": [{"description": "a"}, {"description": "b"}]}, "a; b"),
    ],
)
def test_the_words_of_each_envelope(body: dict[str, Any], said: str) -> None:
    assert error_facts(error_in(body)).message == said


def test_codes_may_be_numbers() -> None:
    facts = error_facts({"message": "a", "code": 1302, "type": "b"})
    assert (facts.codes, facts.status) == (("1302", "b"), None)
