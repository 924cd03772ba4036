import pytest
from google.genai.types import BlockedReason, FinishReason

from harness.contract.events import STOP_REASONS
from providers.gemini.stops import STOPS, block_reason, stop_reason


@pytest.mark.parametrize("reason", [word for word in FinishReason if not word.name.endswith("UNSPECIFIED")])
def test_every_word_of_the_sdk_has_a_row(reason: FinishReason) -> None:
    assert stop_reason(reason.value, called=False, complete=True) in STOP_REASONS
    assert STOPS[reason.value].why


@pytest.mark.parametrize("reason", BlockedReason)
def test_no_refused_prompt_looks_like_an_answer(reason: BlockedReason) -> None:
    assert block_reason(reason.value) in {"content_filtered", "guardrail_intervened"}


@pytest.mark.parametrize("word", sorted(STOPS))
def test_calls_win_over_what_leaves_them_standing_only(word: str) -> None:
    stands = stop_reason(word, called=True, complete=True) == "tool_use"
    assert stands is (word in {"STOP", "UNEXPECTED_TOOL_CALL"})
    assert stop_reason(word, called=True, complete=False) != "tool_use"
    assert (stop_reason(word, called=False, complete=True) == "end_turn") is (word == "STOP")
