import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.contract.expected import ExpectedFailure
from harness.contract.rules import RULES
from harness.reporting.events import Event, ProviderInfo, RunStarted, ScenarioFinished, ViolationInfo
from harness.reporting.markdown import MOST_TOLD, render_markdown
from harness.reporting.markup import code, fenced, inline
from harness.reporting.verdicts import aggregate
from tests.reporting.runs import MAY, MUST, SHOULD, TOOLS, finished, provider, run, scenario, started

#: what GitHub takes at most
STEP_SUMMARY = 1024 * 1024


def told(events: list[Event]) -> list[str]:
    return render_markdown(aggregate(events)).splitlines()


def test_a_run_in_one_document() -> None:
    lines = told(run(scenario((MUST, SHOULD, MAY, TOOLS), (MUST, SHOULD), "failed")))
    assert lines[:3] == [
        "## Provider conformance",
        "",
        "Broken rules: 1 MUST, 1 SHOULD, 0 MAY. 3 exchanges in 1.5 s.",
    ]
    assert f"| ❌ MUST | a | `{MUST}` | {inline(RULES[MUST].title)} | 1 of 1 |" in lines
    start = lines.index("<details>")
    assert lines[start + 3 : lines.index("</details>")] == [
        "```text",
        "met:    met this",
        "wanted: wanted that",
        "    0 one",
        ">   1 two",
        "call: x",
        "run again: again",
        "```",
        "",
    ]


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ([], "> **Partial run** (broken off): what is missing is not a pass."),
        ([replace(finished(False), cut_short="interrupted")], "> **Partial run** (interrupted): what is missing"),
        ([finished(False)], "> **Part of the suite**: what is missing is not a pass."),
    ],
)
def test_a_run_that_is_not_whole_says_so_first(end: list[Event], words: str) -> None:
    assert told([started(provider()), *end])[2].startswith(words)


def test_what_has_no_verdict_and_what_passed_unexpectedly_is_told() -> None:
    events = run(
        scenario(outcome="error", message="boom"), scenario((MUST,), name="s2"), info=provider(expected=(MUST,))
    )
    assert "| a | `s1` | boom |" in told(events)
    assert f"| a | {inline(MUST)} |" in told(events)


def test_a_large_run_fits_the_summary_of_a_build() -> None:
    infos = [provider(f"vendor/adapter{number}") for number in range(32)]
    long = ViolationInfo("", "m" * 3000, "w" * 3000, 40, "e\n" * 3000, ("event " * 100,) * 100, "r" * 300)
    met = tuple(replace(long, rule=rule) for rule in RULES)
    events: list[Event] = [started(*infos)]
    events += [ScenarioFinished(info.name, "s", "t", "failed", tuple(RULES), met, message="m") for info in infos]
    text = render_markdown(aggregate([*events, finished()]))
    assert len(text.encode()) < STEP_SUMMARY
    assert text.count("<details>") == MOST_TOLD


def hostile(text: str) -> list[Event]:
    info = ProviderInfo(text, text, ("core",), sdk={text: text}, expected=(ExpectedFailure(SHOULD, text),))
    violations = (ViolationInfo(MUST, text, text, 0, text, (text, text), text, text), ViolationInfo(text, text))
    first = RunStarted(text, text, text, text, text, text, (info,))
    met = ScenarioFinished(text, text, text, "failed", (MUST, SHOULD), violations)
    return [first, met, ScenarioFinished(text, f"{text}x", text, "error", message=text), finished()]


@settings(deadline=None, max_examples=100)
@given(st.text(st.sampled_from("|`<>&[]()*_!#\\\n@:~ab$-=") | st.characters(), min_size=1, max_size=40))
def test_no_text_changes_the_document(text: str) -> None:
    assert shape(f"x{text}") == shape("harmless")


def shape(text: str) -> list[str]:
    """The lines of markup, without what their cells say."""
    lines = [line for line in prose(told(hostile(text))) if line.startswith(("|", "#", "<details", "</details"))]
    return [re.sub("[^|]", "", line) if line.startswith("|") else line[:9] for line in lines]


def prose(lines: list[str]) -> Iterator[str]:
    """The lines outside blocks of code."""
    fence = ""
    for line in lines:
        if not fence and line.startswith("```"):
            fence = line.removesuffix("text")
        elif line == fence:
            fence = ""
        elif not fence:
            yield line


@given(st.text(st.sampled_from("`~ \nab") | st.characters(), max_size=40))
def test_a_block_of_code_ends_where_it_should(text: str) -> None:
    opening, *lines, closing = fenced([text])
    assert opening == f"{closing}text"
    assert len(lines) == 1
    assert closing not in lines[0]


@given(st.text(max_size=40))
def test_code_is_one_piece(text: str) -> None:
    assert code(text).count("`") == 2
    assert "|" not in code(text)
