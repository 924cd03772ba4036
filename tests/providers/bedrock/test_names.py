"""Names and ids within the service's alphabets."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers.bedrock.names import DocumentNames, ToolNames, sent_tool_id


@given(st.lists(st.text(min_size=1), max_size=8))
def test_tool_names_are_valid_and_distinct_and_come_back(names: list[str]) -> None:
    tools = ToolNames(names)
    sent = {name: tools.sent(name) for name in names}
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in sent.values())
    assert len(set(sent.values())) == len(sent)
    assert {tools.original(wire): name for name, wire in sent.items()} == {name: name for name in names}


@pytest.mark.parametrize(
    ("names", "sent"),
    [
        (["get_weather"], ["get_weather"]),
        (["math.add", "math_add"], ["math_add_2", "math_add"]),
        (["a" * 70, "a" * 64], ["a" * 62 + "_2", "a" * 64]),
    ],
)
def test_valid_tool_names_are_kept_and_others_give_way(names: list[str], sent: list[str]) -> None:
    tools = ToolNames(names)
    assert [tools.sent(name) for name in names] == sent


def test_a_tool_that_was_not_given_keeps_its_name() -> None:
    assert ToolNames([]).original("other") == "other"


@given(st.text(min_size=1), st.text(min_size=1))
def test_tool_ids_are_valid_and_distinct(first: str, second: str) -> None:
    assert re.fullmatch(r"[a-zA-Z0-9_.:-]{1,64}", sent_tool_id(first))
    assert (sent_tool_id(first) == sent_tool_id(second)) == (first == second)


def test_valid_tool_ids_are_kept() -> None:
    assert sent_tool_id("tooluse_Ab-1.2:3") == "tooluse_Ab-1.2:3"


@given(st.lists(st.text(), max_size=6))
def test_document_names_are_valid_and_distinct(names: list[str]) -> None:
    documents = DocumentNames()
    sent = [documents.sent(name) for name in names]
    assert len(set(sent)) == len(sent)
    for name in sent:
        assert re.fullmatch(r"[a-zA-Z0-9()\[\] -]{1,200}", name)
        assert "  " not in name
        assert name == name.strip()


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("Report (draft) [2]", "Report (draft) [2]"),
        ("report.csv", "report csv"),
        ("Bob's  #1", "Bob s 1"),
        ("資料", "document"),
        (None, "document"),
        ("x" * 300, "x" * 200),
    ],
)
def test_document_names(name: str | None, sent: str) -> None:
    assert DocumentNames().sent(name) == sent


def test_equal_document_names_are_numbered() -> None:
    documents = DocumentNames()
    assert [documents.sent(name) for name in ("a", "a", None, None)] == ["a", "a-2", "document", "document-2"]
