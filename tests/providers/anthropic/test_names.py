import re

from hypothesis import given
from hypothesis import strategies as st

from providers.anthropic.names import ToolNames, wire_id

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,128}")


def test_legal_names_stay() -> None:
    names = ToolNames(["get_weather", "a-b"])
    assert [names.wire("get_weather"), names.wire("a-b"), names.wire("never-seen")] == [
        "get_weather",
        "a-b",
        "never-seen",
    ]
    assert names.own("get_weather") == "get_weather"


def test_an_illegal_name_does_not_take_a_legal_one() -> None:
    names = ToolNames(["calendar.read", "calendar_read"])
    assert names.wire("calendar_read") == "calendar_read"
    assert names.wire("calendar.read") == "calendar_read_2"
    assert names.own("calendar_read_2") == "calendar.read"


@given(st.lists(st.text(max_size=200), unique=True, max_size=8))
def test_every_name_is_legal_unique_and_comes_back(own: list[str]) -> None:
    names = ToolNames(own)
    wire = [names.wire(name) for name in own]
    assert all(LEGAL.fullmatch(name) for name in wire)
    assert len(set(wire)) == len(own)
    assert [names.own(name) for name in wire] == own


def test_ids_of_other_vendors_become_legal() -> None:
    assert wire_id("functions.add:0") == "functions_add_0"
    assert wire_id("toolu_01A-b") == "toolu_01A-b"
