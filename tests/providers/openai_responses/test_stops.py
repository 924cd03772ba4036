from typing import Any, get_args

import pytest
from openai.types.responses import ResponseStatus

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.events import STOP_REASONS
from harness.contract.exceptions import IncompleteStreamError
from providers.openai_responses.stops import STOPS, stop_reason
from tests.providers.openai_responses.wire import (
    call,
    completed,
    cut,
    done,
    event,
    message,
    read,
    response,
    text,
    whole,
)


def ended(status: str | None, reason: str | None = None, *, refused: bool = False) -> str:
    details = None if reason is None else {"reason": reason}
    return stop_reason({"status": status, "incomplete_details": details}, [], refused=refused)


@pytest.mark.parametrize(
    ("status", "reason", "refused", "means"),
    [
        ("completed", None, False, "end_turn"),
        ("completed", None, True, "content_filtered"),
        (None, None, False, "end_turn"),
        ("incomplete", "max_output_tokens", False, "max_tokens"),
        ("incomplete", "max_output_tokens", True, "max_tokens"),
        ("incomplete", "content_filter", False, "content_filtered"),
        ("incomplete", None, False, "max_tokens"),
        ("cancelled", None, False, "cancelled"),
    ],
)
def test_statuses(status: str | None, reason: str | None, refused: bool, means: str) -> None:
    assert ended(status, reason, refused=refused) == means


def test_unknown_words_warn() -> None:
    with pytest.warns(UnknownStopReasonWarning, match="'brand_new'"):
        assert ended("brand_new") == "end_turn"
    with pytest.warns(UnknownStopReasonWarning, match="'brand_new'"):
        assert ended("incomplete", "brand_new") == "max_tokens"


def test_every_status_of_the_sdk_has_a_row() -> None:
    assert set(get_args(ResponseStatus)) - {"failed"} <= set(STOPS)
    assert {stop.means for stop in STOPS.values() if isinstance(stop.means, str)} <= STOP_REASONS


@pytest.mark.parametrize("status", ["queued", "in_progress"])
def test_a_whole_response_that_is_not_over_is_incomplete(status: str) -> None:
    with pytest.raises(IncompleteStreamError, match=status):
        whole(response(status=status))


@pytest.mark.parametrize("status", [None, "in_progress", "completed"])
def test_the_terminal_event_counts_where_the_response_in_it_forgot(status: str | None) -> None:
    assert read(completed(message(text("Hi")), status=status)).stop_reason == "end_turn"
    assert read(event("incomplete", response=response(status=status))).stop_reason == "max_tokens"


@pytest.mark.parametrize(
    ("end", "means"),
    [(completed(), "tool_use"), (cut("max_output_tokens"), "max_tokens"), (cut("content_filter"), "content_filtered")],
)
def test_complete_calls_win_over_an_end_and_over_nothing_else(end: Any, means: str) -> None:
    assert read(done(call("{}")), end).stop_reason == means
