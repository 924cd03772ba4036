"""Rows of files of bugs, as they come."""

import json
from typing import Any

import pytest

from tests.detection.bugs import Bug, Run, read_bugs, stand_ins
from tests.detection.kinds import rules_of

_ROW = {"id": "a", "provider": "openai", "category": "usage", "last_bad": "1.0.0", "first_fixed": "1.1.0"}


def _read(**fields: Any) -> Bug:
    (bug,) = read_bugs([json.dumps({**_ROW, **fields})])
    return bug


@pytest.mark.parametrize(
    ("provider", "wanted"),
    [
        ("openai/litellm", ("openai", "litellm")),
        ("OpenAI, Gemini and ollama", ("openai", "gemini", "ollama")),
        ("openai-responses", ("openai_responses",)),
        ("strands/bedrock", ("bedrock",)),
        ("strict_schema", ("bedrock",)),
        ("google", ("gemini",)),
    ],
)
def test_a_row_may_name_adapters_in_several_ways(provider: str, wanted: tuple[str, ...]) -> None:
    bug = _read(provider=provider)
    assert (bug.providers, bug.unusable) == (wanted, "")


def test_all_but_one() -> None:
    every, others = _read(provider="all").providers, _read(provider="all-but-bedrock").providers
    assert {*every} - {*others} == {"bedrock"}


@pytest.mark.parametrize(("value", "wanted"), [("v1.2", "1.2.0"), ("0.3.0", "0.3.0"), ("1.2.3", "1.2.3")])
def test_versions_are_read_as_people_write_them(value: str, wanted: str) -> None:
    assert _read(last_bad=value).last_bad == wanted


@pytest.mark.parametrize("value", [None, "", "none", "present"])
def test_a_bug_that_nothing_mended_is_no_pair(value: object) -> None:
    assert not _read(first_fixed=value).pair


def test_the_bad_version_may_be_told_by_where_the_bug_is_still() -> None:
    assert _read(last_bad=None, first_fixed=None, in_1_62_0="present").last_bad == "1.62.0"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"last_bad": None}, "no version: last_bad is missing"),
        ({"last_bad": "main"}, "no version: main"),
        ({"first_fixed": "soon"}, "no version: soon"),
        ({"provider": ""}, "the row names no provider"),
    ],
)
def test_a_row_that_cannot_be_tried_says_why(fields: dict[str, Any], why: str) -> None:
    assert _read(**fields).unusable == why


@pytest.mark.parametrize("line", ["[1]", "{", "7"])
def test_a_line_that_is_no_row_is_a_bug_that_cannot_be_tried(line: str) -> None:
    (bug,) = read_bugs(["", line])
    assert bug.id == "line 2"
    assert bug.unusable.startswith("the line is no JSON")


def test_fields_of_other_types_are_taken_as_text() -> None:
    assert _read(title=["a"], trigger=7, observed=None).words == '["a"] 7 '


def test_a_name_that_is_there_twice_is_told_apart_by_its_line() -> None:
    first, second = read_bugs([json.dumps(_ROW)] * 2)
    assert (first.id, second.id) == ("a", "a (line 2)")


def test_both_versions_of_each_adapter_are_tried() -> None:
    assert _read(provider="openai/gemini/parrot").runs == [
        Run(version, provider) for version in ("1.0.0", "1.1.0") for provider in ("openai", "gemini")
    ]


def test_others_of_the_same_protocol_stand_in() -> None:
    assert stand_ins(_read()).providers == ("litellm",)


def test_an_unknown_category_may_break_any_rule() -> None:
    assert rules_of("usage") < rules_of("something-new")
