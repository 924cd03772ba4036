"""pydantic-ai's events become pieces, and the contract's messages pydantic-ai's."""

import asyncio
from importlib.util import find_spec
from types import SimpleNamespace as Told
from typing import Any

import pytest

from harness.bridges.events import Piece
from harness.bridges.pydantic_ai.replies import blocks_of, pieces_of, stop_of, usage_of
from harness.bridges.pydantic_ai.requests import choice_of

INSTALLED = find_spec("pydantic_ai") is not None


@pytest.mark.parametrize(
    ("event", "pieces"),
    [
        (Told(event_kind="part_start", index=0, part=Told(part_kind="text", content="a")), [Piece("text", "a", 0)]),
        (
            Told(event_kind="part_delta", index=1, delta=Told(part_delta_kind="text", content_delta="b")),
            [Piece("text", "b", 1)],
        ),
        (Told(event_kind="part_start", index=2, part=Told(part_kind="tool-call")), [Piece("call")]),
        (Told(event_kind="part_delta", index=2, delta=Told(part_delta_kind="tool_call")), []),
        (Told(event_kind="final_result"), []),
    ],
)
def test_events(event: Any, pieces: list[Piece]) -> None:
    assert list(pieces_of(event)) == pieces


@pytest.mark.parametrize(("args", "text"), [('{"a":1}', '{"a":1}'), ({"a": 1}, '{"a": 1}'), (None, "{}")])
def test_calls(args: Any, text: str) -> None:
    part = Told(part_kind="tool-call", args=args, tool_name="f", tool_call_id="1")
    assert list(blocks_of(Told(parts=[part]))) == [Piece("call", text, name="f", id="1")]


@pytest.mark.parametrize(
    ("reason", "state", "wanted"),
    [
        ("stop", "complete", "end_turn"),
        (None, "complete", None),
        ("stop", "incomplete", None),
        ("length", "", "max_tokens"),
    ],
)
def test_ends(reason: str | None, state: str, wanted: str | None) -> None:
    assert stop_of(Told(finish_reason=reason, state=state)) == wanted


def test_zeros_are_no_usage() -> None:
    counts = Told(input_tokens=0, output_tokens=0, cache_read_tokens=0, cache_write_tokens=0)
    assert usage_of(Told(usage=counts)) is None


def test_choices() -> None:
    met = [choice_of({"auto": {}}), choice_of({"any": {}}), choice_of({"tool": {"name": "f"}}), choice_of(None)]
    assert met == [{"tool_choice": "auto"}, {"tool_choice": "required"}, {"tool_choice": ["f"]}, {}]


@pytest.mark.skipif(not INSTALLED, reason="pydantic-ai is not installed beside the harness")
def test_the_framework_s_own_test_model() -> None:
    from pydantic_ai.models.test import TestModel

    from harness.bridges.pydantic_ai.model import BridgedModel

    async def texts() -> list[Any]:
        model = BridgedModel(TestModel(custom_output_text="Hello there"), {})
        events = [event async for event in model.stream([{"role": "user", "content": [{"text": "Hi"}]}])]
        return [event["contentBlockDelta"]["delta"]["text"] for event in events if "contentBlockDelta" in event]

    assert "".join(asyncio.run(texts())) == "Hello there"
