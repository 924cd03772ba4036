from types import SimpleNamespace
from typing import Any

import httpx
import httpx2
import pytest

from harness.contract.errors import classify, to_exception
from providers.anthropic.errors import STATUS_OF_TYPE, VendorError, facts, json_error, transport_failure


def error(status: int, kind: str, message: str, **headers: str) -> Any:
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return SimpleNamespace(status_code=status, body=body, response=SimpleNamespace(headers=headers))


def means(facts_of: Any) -> str | None:
    row = classify(facts_of)
    return row.means if row else None


@pytest.mark.parametrize("status", [200, 429])
def test_an_error_event_means_what_the_status_means(status: int) -> None:
    read = facts(error(status, "rate_limit_error", "slow down", **{"Retry-After": "3"}))
    assert (read.status, read.codes, read.message) == (429, ("rate_limit_error",), "slow down")
    assert read.headers == {"retry-after": "3"}


def test_overflow_in_the_stream_is_overflow() -> None:
    assert means(facts(error(200, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"))) == (
        "overflow"
    )


def test_an_overloaded_service_is_throttling_in_both_places() -> None:
    assert {means(facts(error(status, "overloaded_error", "Overloaded"))) for status in (200, 529)} == {"overloaded"}


@pytest.mark.parametrize("kind", ["api_error", "authentication_error", "not_found_error", "permission_error"])
def test_other_types_mean_nothing_special(kind: str) -> None:
    assert to_exception(facts(error(200, kind, "no"))) is None
    assert facts(error(200, kind, "no")).status == STATUS_OF_TYPE[kind]


@pytest.mark.parametrize("body", [None, "<html>", [], {"error": "a string"}, {"detail": "x"}])
def test_bodies_without_an_error_object(body: Any) -> None:
    read = facts(SimpleNamespace(status_code=502, body=body))
    assert (read.status, read.codes) == (502, ())


def test_an_error_object_without_an_exception() -> None:
    found = json_error('{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}')
    assert isinstance(found, VendorError)
    assert str(found) == "Overloaded"
    assert means(facts(found)) == "overloaded"
    assert json_error("{}") is None
    assert json_error("<html>") is None


@pytest.mark.parametrize("library", [httpx, httpx2])
def test_failures_of_either_http_library(library: Any) -> None:
    assert transport_failure(library.ReadTimeout("t")) == "timeout"
    assert transport_failure(library.ReadError("cut")) == "connection"
    assert transport_failure(library.RemoteProtocolError("cut")) == "connection"
    assert transport_failure(library.StreamClosed()) == "connection"


def test_other_errors_are_not_the_transports() -> None:
    class RequestError(Exception):
        pass

    assert transport_failure(RequestError()) is None
    assert transport_failure(TimeoutError()) is None
