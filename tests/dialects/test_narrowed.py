"""A dialect without some of its styles is the dialect in all else."""

import pytest

from harness.dialects import load_dialect
from harness.dialects.narrowed import without_styles
from harness.scenarios.styles import single_styles


def test_the_style_is_gone_and_no_other() -> None:
    whole = load_dialect("anthropic_messages")
    narrow = without_styles(whole, {"block_stop=at_end"})
    told = single_styles(whole, stream=True)
    assert [style for style in told if style != {"block_stop": "at_end"}] == single_styles(narrow, stream=True)
    assert len(told) == len(single_styles(narrow, stream=True)) + 1
    assert (narrow.name, narrow.errors, narrow.stops) == (whole.name, whole.errors, whole.stops)


def test_without_any_it_is_the_same() -> None:
    dialect = load_dialect("openai_chat")
    assert without_styles(dialect, ()) is dialect


@pytest.mark.parametrize("style", ["block_stop=never", "block_stop=each", "no_such=axis"])
def test_a_style_that_is_none_of_its_unusual_ones_is_named(style: str) -> None:
    with pytest.raises(LookupError, match=style):
        without_styles(load_dialect("anthropic_messages"), {style})
