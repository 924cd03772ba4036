from collections.abc import Mapping

import pytest

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.events import StopReason
from harness.contract.exceptions import IncompleteStreamError
from providers._shared.stops import Stop, read_stop, with_calls

STOPS: Mapping[str, Stop] = {"done": Stop("end_turn", ""), "lost": Stop(IncompleteStreamError, "")}


def test_words_of_the_table() -> None:
    assert read_stop(STOPS, "done") == "end_turn"
    with pytest.raises(IncompleteStreamError, match="'lost'"):
        read_stop(STOPS, "lost")


@pytest.mark.parametrize("word", ["novel", "", None])
def test_other_words_warn(word: str | None) -> None:
    with pytest.warns(UnknownStopReasonWarning, match=repr(word)):
        assert read_stop(STOPS, word) == "end_turn"


@pytest.mark.parametrize(
    ("told", "without", "cut", "complete"),
    [
        ("end_turn", "end_turn", "end_turn", "tool_use"),
        ("stop_sequence", "stop_sequence", "stop_sequence", "tool_use"),
        ("tool_use", "end_turn", "tool_use", "tool_use"),
        ("max_tokens", "max_tokens", "max_tokens", "max_tokens"),
        ("content_filtered", "content_filtered", "content_filtered", "content_filtered"),
    ],
)
def test_what_calls_make_of_it(told: StopReason, without: str, cut: str, complete: str) -> None:
    assert with_calls(told, called=False, complete=True) == without
    assert with_calls(told, called=True, complete=False) == cut
    assert with_calls(told, called=True, complete=True) == complete
