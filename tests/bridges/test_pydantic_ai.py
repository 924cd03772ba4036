"""pydantic-ai's events become pieces, and the contract's messages pydantic-ai's."""

import asyncio
from importlib.util import find_spec
from types import SimpleNamespace as Told
from typing import Any

import pytest

from harness.bridges.base import CutReplyError
from harness.bridges.events import Piece, Telling
from harness.bridges.pydantic_ai.replies import blocks_of, pieces_of, stop_of, usage_of, whole_of
from harness.bridges.pydantic_ai.requests import call_of, choice_of, result_of

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
@pytest.mark.parametrize(("details", "signature"), [(None, None), ({"thought_signature": "c2ln"}, "c2ln")])
def test_calls(args: Any, text: str, details: Any, signature: str | None) -> None:
    part = Told(part_kind="tool-call", args=args, tool_name="f", tool_call_id="1", provider_details=details)
    assert list(blocks_of(Told(parts=[part]))) == [Piece("call", text, name="f", id="1", signature=signature)]


def test_texts_of_a_response_are_those_that_events_told_of() -> None:
    events = [
        Told(event_kind="part_start", index=place, part=Told(part_kind="text", content=text))
        for place, text in enumerate("ab")
    ]
    telling = Telling()
    live = [*telling.live(piece for event in events for piece in pieces_of(event))]
    rest = [*telling.rest(blocks_of(Told(parts=[event.part for event in events])))]
    deltas = [event["contentBlockDelta"]["delta"]["text"] for event in (*live, *rest) if "contentBlockDelta" in event]
    assert deltas == ["a", "b"]


@pytest.mark.parametrize(
    ("reason", "details", "wanted"),
    [
        ("stop", {"finish_reason": "end_turn"}, "end_turn"),
        ("length", None, "max_tokens"),
        (None, None, None),
        (None, {"finish_reason": "pause_turn"}, "pause_turn"),
    ],
)
def test_ends(reason: str | None, details: Any, wanted: str | None) -> None:
    assert stop_of(Told(finish_reason=reason, provider_details=details)) == wanted


@pytest.mark.parametrize(("state", "reason"), [("incomplete", None), ("interrupted", "stop"), ("complete", "error")])
def test_a_reply_that_is_not_whole_raises(state: str, reason: str | None) -> None:
    with pytest.raises(CutReplyError, match=f"{state}|error"):
        whole_of(Told(get=lambda: Told(state=state, provider_details={"finish_reason": reason})))


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ([], ""),
        ([{"text": "x"}], "x"),
        ([{"json": {"a": 1}}], {"a": 1}),
        ([{"text": "x"}, {"json": ["é"]}], 'x\n["é"]'),
    ],
)
def test_results(content: Any, wanted: Any) -> None:
    assert result_of({"toolUseId": "1", "content": content}, None) == wanted


@pytest.mark.parametrize(
    ("call", "more"),
    [
        ({"input": {"a": 1}}, {"args": {"a": 1}}),
        ({"input": "{bad"}, {"args": {}}),
        (
            {"input": {}, "reasoningSignature": "c2ln"},
            {"args": {}, "provider_name": "google", "provider_details": {"thought_signature": "c2ln"}},
        ),
    ],
)
def test_calls_of_the_history(call: Any, more: Any) -> None:
    made = call_of({"toolUseId": "1", "name": "f", **call})
    assert made == {"tool_name": "f", "tool_call_id": "1", **more}


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
