import io
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.text import Text

from harness.reporting.progress import Bar
from tests.reporting.runs import MUST, scenario


def shown(*scenarios: object, colour: bool = True, width: int = 80) -> str:
    out = io.StringIO()
    bar = Bar(out, width, 4, colour=colour)
    for each in scenarios:
        bar.add(each)  # type: ignore[arg-type]
    bar.close()
    return out.getvalue()


def test_the_bar_counts_scenarios_and_names_the_adapter() -> None:
    text = Text.from_ansi(shown(scenario(provider="bedrock"))).plain
    assert "1/4" in text
    assert "bedrock" in text
    assert "failed" not in text


@pytest.mark.parametrize(("outcome", "rules", "told"), [("failed", (MUST,), MUST), ("error", (), "boom")])
def test_what_does_not_pass_is_told_at_once(outcome: str, rules: tuple[str, ...], told: str) -> None:
    event = replace(scenario((MUST,), rules, name="s1", message="boom"), outcome=outcome)  # type: ignore[arg-type]
    lines = Text.from_ansi(shown(event)).plain.splitlines()
    assert any(line.startswith(outcome.upper()) and f"a-s1: {told}" in line for line in lines)


def test_without_colour_there_is_none() -> None:
    failed = scenario((MUST,), (MUST,), "failed")
    assert "\x1b[31m" in shown(failed)
    assert "\x1b[31m" not in shown(failed, colour=False)


@settings(deadline=None, max_examples=50)
@given(st.text(st.characters(), max_size=90))
def test_a_failure_takes_one_line_whatever_it_tells(text: str) -> None:
    plain = shown(scenario(outcome="error", name=text, provider=text, message=text), colour=False)
    (line,) = (line for line in Text.from_ansi(plain).plain.splitlines() if line.startswith("ERROR"))
    assert cell_len(line) <= 80
