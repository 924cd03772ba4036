"""LiteLLM's chunks become pieces, and the contract's messages those of Chat Completions."""

import asyncio
from types import SimpleNamespace as Told
from typing import Any

import pytest

from harness.bridges.events import Piece
from harness.bridges.litellm.model import Completion
from harness.bridges.litellm.replies import blocks_of, pieces_of, stop_of, usage_of
from harness.bridges.litellm.requests import CONTENT, assistant_of, choice_of, messages_of, result_of
from harness.bridges.openai_parts import tool_of

CALL = Told(id="1", function=Told(name="f", arguments='{"a": 1}'))


def _chunk(content: str | None = None, calls: Any = None, reason: str | None = None) -> Any:
    return Told(choices=[Told(delta=Told(content=content, tool_calls=calls), finish_reason=reason)])


def _reply(content: str | None = None, calls: Any = None, usage: Any = None) -> Any:
    return Told(choices=[Told(message=Told(content=content, tool_calls=calls))], usage=usage)


def test_refusals_are_text() -> None:
    delta = Told(content=None, tool_calls=None, refusal="No.")
    assert Piece("text", "No.") in pieces_of(Told(choices=[Told(delta=delta)]))
    message = Told(content="", tool_calls=None, refusal="No.")
    assert list(blocks_of(Told(choices=[Told(message=message)]))) == [Piece("text", "No.")]


def test_chunks() -> None:
    assert list(pieces_of(_chunk("a", [CALL]))) == [Piece("text", "a"), Piece("text"), Piece("call")]
    assert list(pieces_of(Told(choices=[]))) == []


def test_whole_replies() -> None:
    called = Piece("call", '{"a": 1}', name="f", id="1")
    assert list(blocks_of(_reply("a", [CALL]))) == [Piece("text", "a"), called]
    assert list(blocks_of(_reply())) == [Piece("text", "")]


@pytest.mark.parametrize(
    ("reasons", "wanted"),
    [([None, "stop"], "end_turn"), (["tool_calls", None], "tool_use"), ([None], None), (["odd"], "odd")],
)
def test_ends(reasons: Any, wanted: str | None) -> None:
    assert stop_of([_chunk(reason=reason) for reason in reasons]) == wanted


def test_usage() -> None:
    told = Told(prompt_tokens=5, completion_tokens=2, total_tokens=7, prompt_tokens_details=Told(cached_tokens=3))
    counts = {"inputTokens": 5, "outputTokens": 2, "totalTokens": 7, "cacheReadInputTokens": 3}
    assert (usage_of(_reply(usage=told)), usage_of(_reply())) == (counts, None)


def test_history() -> None:
    broken = {"toolUse": {"toolUseId": "2", "name": "g", "input": "{bad"}}
    made = assistant_of([{"text": "a"}, {"toolUse": {"toolUseId": "1", "name": "f", "input": {"é": 1}}}, broken])
    assert [call["function"]["arguments"] for call in made["tool_calls"]] == ['{"é": 1}', "{}"]
    assert assistant_of([{"text": "a"}]) == {"role": "assistant", "content": "a"}


def test_results_come_before_what_is_said_beside_them() -> None:
    result = {"toolResult": {"toolUseId": "1", "content": [{"text": "x"}, {"json": ["é"]}]}}
    made = messages_of([{"role": "user", "content": [{"text": "And?"}, result]}], "Be kind.", None)
    assert [message["role"] for message in made] == ["system", "tool", "user"]
    assert made[1]["content"] == 'x\n["é"]'


def test_what_is_not_translated_is_left_out_with_a_warning() -> None:
    image: Any = {"image": {"format": "png", "source": {"bytes": b"png"}}}
    with pytest.warns(UserWarning, match="cachePoint"):
        assert CONTENT.parts_of([{"cachePoint": {"type": "default"}}, {"text": " "}]) == []
    with pytest.warns(UserWarning, match="image"):
        assert result_of({"toolUseId": "1", "content": [image]})["content"] == ""
    assert CONTENT.parts_of([image]) == [{"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}}]


def test_tools_and_choices() -> None:
    spec: Any = {"name": "f", "description": "d", "inputSchema": {"json": {"type": "object"}}}
    assert tool_of(spec)["function"] == {"name": "f", "description": "d", "parameters": {"type": "object"}}
    named = {"type": "function", "function": {"name": "f"}}
    choices: list[Any] = [{"auto": {}}, {"any": {}}, {"tool": {"name": "f"}}]
    assert [choice_of(choice)["tool_choice"] for choice in choices] == ["auto", "required", named]
    assert choice_of(None) == {}


def test_a_stream_is_closed_when_its_caller_leaves() -> None:
    closed = []

    async def chunks() -> Any:
        try:
            yield _chunk("Hel")
            yield _chunk("lo")
        finally:
            closed.append(True)

    async def acompletion(**asked: Any) -> Any:
        return chunks()

    async def leave() -> None:
        stream = Completion(Told(acompletion=acompletion), {}).stream([])
        async for event in stream:
            if "contentBlockDelta" in event:
                break
        await stream.aclose()  # type: ignore[attr-defined]

    asyncio.run(leave())
    assert closed == [True]
