"""Strands' models and its reading of events; the framework itself is met in an environment of its own."""

from typing import Any, cast

from harness.bridges.strands import PROVIDERS
from harness.bridges.strands.reading import _cut, _without
from harness.contract.rules import RULES
from harness.dialects import load_dialect
from harness.dialects.narrowed import without_styles


def begun(call_id: str, *pieces: str) -> list[Any]:
    start = {"contentBlockStart": {"start": {"toolUse": {"toolUseId": call_id, "name": "f"}}}}
    return [start, *({"contentBlockDelta": {"delta": {"toolUse": {"input": piece}}}} for piece in pieces)]


def test_calls_that_the_limit_cut_are_found() -> None:
    events = [*begun("whole", '{"a"', ": 1}"), *begun("bare"), *begun("cut", '{"a"', ": ")]
    assert _cut(cast("Any", events)) == {"cut"}


def test_they_are_left_out_and_all_else_stays() -> None:
    content: Any = [{"text": "So."}, {"toolUse": {"toolUseId": "cut"}}, {"toolUse": {"toolUseId": "whole"}}]
    left = _without(cast("Any", {"role": "assistant", "content": content}), {"cut"})
    assert left == {"role": "assistant", "content": [content[0], content[2]]}


def test_records_name_rules_and_styles_that_there_are() -> None:
    for record in PROVIDERS.values():
        assert {*record.expected, *record.cannot_show} <= set(RULES)
        assert without_styles(load_dialect(record.dialect), record.unclaimed_styles).name == record.dialect
