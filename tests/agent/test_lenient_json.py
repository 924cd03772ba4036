"""Where a value ends, and what is none."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.agent.lenient_json import loads, read
from tests.agent.test_react_properties import JSON


@given(JSON)
def test_json_is_read_as_json(value: Any) -> None:
    assert loads(json.dumps(value)) == value


@given(st.dictionaries(st.text("abc é", min_size=1), JSON, max_size=3), st.text("}] x", max_size=5))
def test_what_follows_a_value_is_left(value: dict[str, Any], rest: str) -> None:
    text = json.dumps(value)
    assert read(text + rest).end == len(text)


@given(st.text("{}[]()\"'`,:\\ an1\n"))
def test_every_text_is_read_or_refused(text: str) -> None:
    try:
        found = read(text)
    except ValueError:
        return
    assert 0 <= found.end <= len(text)
    json.dumps(found.value).encode()


@pytest.mark.parametrize("text", ["", " ", "{", '{"k":', "{k}", "[" * 5000, "{'a':" * 5000, '{"a": 1} b', "}"])
def test_what_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        loads(text)
