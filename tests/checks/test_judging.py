"""What is judged once for all that is alike is what each would be judged by itself."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from harness.checks import judge
from harness.checks.judging import Judge
from harness.checks.observation import Observation
from harness.checks.taken import joined, restored, taken, without_times
from harness.dialects.reply import Reply, Text, ToolUse, Usage
from harness.exchange import Answer, Call, Exchange
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.run import observe_all
from harness.scenarios.catalogue.samples import WEATHER
from harness.scenarios.styles import CUTS, single_styles
from tests.miniatures.miniature import ALL, provider
from tests.miniatures.replies import REPLIES

CALL = ToolUse.of("call_1", "get_weather", {"city": "Zürich"})
REPLY = Reply((Text("Hello, you.\n"), CALL), "tool_use", usage=Usage(3, 5))
#: wrong for whoever tells what the first one came to
OTHER = replace(REPLY, usage=Usage(3, 6))


def seen_of(laboratory: Laboratory, record: Provider, styles: int) -> list[Observation]:
    """The replies in the usual style and some that stray from it, in two cuts each."""
    subject, call = laboratory.bench(record).subject, Call(tool_specs=[WEATHER])
    exchanges = [
        Exchange(call, Answer(reply, style, cut))
        for style in single_styles(subject.dialect, stream=True)[:styles]
        for cut in (CUTS[0], CUTS[2])
        for reply in (REPLY, OTHER)
    ]
    return laboratory.run(observe_all(subject, exchanges))


@pytest.mark.parametrize("base", ALL)
def test_little_is_judged_anew_and_nothing_else_is_said(laboratory: Laboratory, base: str) -> None:
    seen, judging = seen_of(laboratory, provider(base), 8), Judge()
    found = [judging.judge(each) for each in seen]
    assert sum("assembled" in vars(each) for each in seen) < len(seen) / 2
    assert found == [judge(each) for each in seen]


@pytest.mark.parametrize("miniature", [each for each in REPLIES if "openai" in each.on], ids=lambda each: each.title)
def test_the_broken_are_told_the_same(laboratory: Laboratory, miniature: Any) -> None:
    record = replace(miniature.of(provider("openai")), name=f"openai {miniature.title}")
    seen, judging = seen_of(laboratory, record, 2), Judge()
    assert [judging.judge(each) for each in seen] == [judge(each) for each in seen]


def test_events_are_taken_as_they_come() -> None:
    event: Any = {"contentBlockDelta": {"delta": {"text": "a"}}}
    kept = [taken(event)]
    event["contentBlockDelta"]["delta"]["text"] = "b"
    kept.append(taken(event))
    assert [each["contentBlockDelta"]["delta"] for each in restored(kept)] == [{"text": "a"}, {"text": "b"}]


def test_what_has_no_value_is_kept_as_it_is() -> None:
    odd: Any = {"metadata": {"lock": Iterator, "made": lambda: None}}
    assert next(iter(restored([taken(odd)]))) is odd
    assert joined([taken(odd)]) is None


@pytest.mark.parametrize(
    ("metrics", "alike"),
    [
        ({"latencyMs": 2.5, "timeToFirstByteMs": 1}, True),
        ({"latencyMs": -1}, False),
        ({"latencyMs": None}, False),
        ({}, False),
        (None, False),
    ],
)
def test_measured_times_are_left_out_where_they_are_times(metrics: Any, alike: bool) -> None:
    one: Any = {"metadata": {"metrics": {"latencyMs": 7, "timeToFirstByteMs": 0.5}}}
    other = without_times(taken({"metadata": {"metrics": metrics}}))
    assert (without_times(taken(one)) == other) is alike


@pytest.mark.parametrize("event", [None, [], "text", {"messageStop": {}}, {"metadata": None}, {"metadata": {}}])
def test_what_has_no_times_stays(event: Any) -> None:
    assert without_times(taken(event)) == taken(event)
