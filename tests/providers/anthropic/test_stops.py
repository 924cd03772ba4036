import pytest

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.events import STOP_REASONS as CONTRACT
from providers._shared.stops import read_stop, with_calls
from providers.anthropic.stops import STOPS


@pytest.mark.parametrize(
    ("vendor", "has_tool", "expected"),
    [
        ("end_turn", False, "end_turn"),
        ("end_turn", True, "tool_use"),
        ("stop_sequence", False, "stop_sequence"),
        ("stop_sequence", True, "tool_use"),
        ("tool_use", True, "tool_use"),
        ("tool_use", False, "end_turn"),
        ("max_tokens", True, "max_tokens"),
        ("model_context_window_exceeded", False, "max_tokens"),
        ("pause_turn", False, "max_tokens"),
        ("refusal", True, "content_filtered"),
    ],
)
def test_known_reasons(vendor: str, has_tool: bool, expected: str) -> None:
    assert with_calls(read_stop(STOPS, vendor), called=has_tool, complete=True) == expected


@pytest.mark.parametrize("vendor", ["brand_new", "", None])
def test_unknown_reasons_warn(vendor: str | None) -> None:
    with pytest.warns(UnknownStopReasonWarning, match=repr(vendor)):
        assert read_stop(STOPS, vendor) == "end_turn"


def test_every_reason_of_the_sdk_has_a_row() -> None:
    """The SDK's literal is the vendor's own list."""
    from typing import get_args

    from anthropic.types import StopReason

    assert set(get_args(StopReason)) <= set(STOPS)
    assert {stop.means for stop in STOPS.values()} <= CONTRACT
