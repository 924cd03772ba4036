"""What holds of every reply: it is read without an error, in linear time, and what is written is read back."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.agent import react
from harness.agent.labels import MARK
from harness.agent.react import Action, FinalAnswer, ParseProblem, parse
from harness.agent.transcript import render_action

LABELS = ["\nAction:", "\nAction Input:", "\nThought:", "\nObservation:", "\nFinal Answer:"]
VALUES = ['{"a": "b"}', "{'a': None}", '\\"', "lookup", "\\ud800", "\n```", "```json\n", "<think>", "</think>"]
PIECES = [*"\n\r\t {}[]\"'`:：,*#-a1é“”\\", *LABELS, *VALUES]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60)
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="<["), max_size=30)
STRINGS = st.text(st.characters(codec="utf-8"), max_size=20)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | STRINGS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(STRINGS, inner, max_size=4),
    max_leaves=8,
)
OBJECTS = st.dictionaries(STRINGS, JSON, max_size=4)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,20}", fullmatch=True)


@given(TEXTS)
def test_every_text_is_read(text: str) -> None:
    found = parse(text)
    if isinstance(found, Action):
        assert found.tool
        assert 0 < found.end <= len(text)
    elif isinstance(found, FinalAnswer):
        assert found.text
    else:
        assert found.message.startswith(found.met.value)


@given(NAMES, OBJECTS, WORDS.filter(lambda words: not MARK.search(words)))
def test_an_action_is_read_back(name: str, value: dict[str, Any], thought: str) -> None:
    rendered = render_action(name, value, thought.strip())
    found = parse(rendered, {name})
    assert isinstance(found, Action)
    assert (found.tool, found.input, found.end) == (name, value, len(rendered))


@given(NAMES, OBJECTS, TEXTS.filter(lambda text: not re.search(r"</|\[/|/think|end_of", text)))
def test_what_follows_an_observation_changes_nothing(name: str, value: dict[str, Any], rest: str) -> None:
    rendered = render_action(name, value)
    assert parse(f"{rendered}\nObservation: {rest}", {name}) == parse(rendered, {name})


@given(TEXTS)
def test_an_action_ends_where_it_says(text: str) -> None:
    found = parse(text)
    if isinstance(found, Action):
        again = parse(text[: found.end])
        assert isinstance(again, Action | ParseProblem)
        assert again == found or isinstance(again, ParseProblem)


HOSTILE = {
    "actions": "Action: x\n",
    "answers": "Final Answer: x\n",
    "pairs": 'Action: x\nAction Input: {"a": 1}\n',
    "inputs without an end": "Action: x\nAction Input: {'a\n",
    "inputs in reasoning": "Action: x\nAction Input: {'a\n</think>\n",
    "reasoning that is never closed": "<think>",
    "reasoning that was never opened": "</think>",
    "fences": "```\n",
    "thoughts": "Thought: ",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_the_work_grows_with_the_length(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Characters between the start and the end of each search, added up: what a quadratic reader looks at again."""
    assert _looked_at(unit * 400, monkeypatch) <= 12 * _looked_at(unit * 40, monkeypatch)


class _Counting:
    """A pattern that adds up how far its searches went."""

    def __init__(self, pattern: re.Pattern[str], counts: list[int]) -> None:
        self.pattern, self.counts = pattern, counts

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        found = self.pattern.search(text, start)
        self.counts.append((found.end() if found else len(text)) - start + 1)
        return found

    def match(self, text: str, *where: int) -> re.Match[str] | None:
        return self.pattern.match(text, *where)

    def finditer(self, text: str, start: int) -> Any:
        while found := self.search(text, start):
            yield found
            start = found.end()


def _looked_at(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    counts: list[int] = []
    with monkeypatch.context() as patched:
        for name in ("MARK", "REASONING_END"):
            patched.setattr(react, name, _Counting(getattr(react, name), counts))
        parse(text)
    return sum(counts)
