"""LangChain's chunks become pieces, and the contract's messages LangChain's."""

from dataclasses import replace
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

from harness.bridges.base import CutReplyError
from harness.bridges.events import Piece
from harness.bridges.langchain.replies import SIGNATURES, blocks_of, pieces_of, stop_of, usage_of
from harness.bridges.langchain.requests import CONTENT, assistant_of, choice_of, result_of
from harness.bridges.openai_parts import tool_of

INSTALLED = find_spec("langchain_core") is not None


def _chunk(content: Any = "", **more: Any) -> Any:
    empty: dict[str, Any] = {
        "tool_calls": [],
        "invalid_tool_calls": [],
        "tool_call_chunks": [],
        "additional_kwargs": {},
    }
    return SimpleNamespace(**{**empty, "content": content, "response_metadata": {}, "usage_metadata": None, **more})


CALL = {"name": "f", "args": {"a": 1}, "id": "1"}
CALLED = Piece("call", '{"a": 1}', name="f", id="1")


@pytest.mark.parametrize(
    ("chunk", "pieces"),
    [
        (_chunk("a"), [Piece("text", "a")]),
        (_chunk([{"type": "text", "text": "a", "index": 0}]), [Piece("text", "a", 0)]),
        (_chunk([], tool_call_chunks=[{}]), [Piece("call")]),
        (_chunk([{"type": "thinking", "thinking": "why"}]), []),
    ],
)
def test_chunks(chunk: Any, pieces: list[Piece]) -> None:
    assert list(pieces_of(chunk)) == pieces


@pytest.mark.parametrize(
    ("message", "blocks"),
    [
        (_chunk("a", tool_calls=[CALL]), [Piece("text", "a"), CALLED]),
        (_chunk([{"type": "tool_use", "id": "1"}, {"type": "text", "text": "b"}], tool_calls=[CALL]), [CALLED, "b"]),
        (_chunk("", additional_kwargs={"refusal": "No."}), [Piece("text", ""), Piece("text", "No.", "refusal")]),
        (
            _chunk([], additional_kwargs={SIGNATURES: {"1": "c2ln"}}, tool_calls=[CALL]),
            [replace(CALLED, signature="c2ln")],
        ),
        (_chunk([], invalid_tool_calls=[{"name": "f", "args": "{", "id": "2"}]), [Piece("call", "{", None, "f", "2")]),
    ],
)
def test_whole_messages(message: Any, blocks: list[Any]) -> None:
    assert list(blocks_of(message)) == [Piece("text", each) if isinstance(each, str) else each for each in blocks]


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({"finish_reason": "STOP"}, "end_turn"),
        ({"stopReason": "tool_use"}, "tool_use"),
        ({}, None),
        ({"done": True}, "end_turn"),
        ({"done": False}, None),
        ({"finish_reason": "x"}, "x"),
    ],
)
def test_ends(metadata: Any, reason: str | None) -> None:
    assert stop_of(_chunk(response_metadata=metadata)) == reason


def test_a_reply_that_failed_raises() -> None:
    with pytest.raises(CutReplyError, match="error"):
        stop_of(_chunk(response_metadata={"finish_reason": "error"}))


def test_usage() -> None:
    told = {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7, "input_token_details": {"cache_read": 3}}
    counts = {"inputTokens": 5, "outputTokens": 2, "totalTokens": 7, "cacheReadInputTokens": 3}
    assert (usage_of(_chunk(usage_metadata=told)), usage_of(_chunk())) == (counts, None)


def test_calls_of_the_history() -> None:
    broken = {"toolUse": {"toolUseId": "2", "name": "g", "input": "{bad", "reasoningSignature": "c2ln"}}
    made = assistant_of([{"text": "a"}, {"toolUse": {"toolUseId": "1", "name": "f", "input": {"a": 1}}}, broken])
    assert (made["content"], made["tool_calls"]) == ("a", [CALL, {"name": "g", "args": {}, "id": "2"}])
    assert made["additional_kwargs"] == {SIGNATURES: {"2": "c2ln"}}


def test_blank_text_is_not_said() -> None:
    assert CONTENT.parts_of([{"text": "a"}, {"text": ""}, {"text": " \n"}]) == [{"type": "text", "text": "a"}]


def test_media_of_results_are_left_out_with_a_warning() -> None:
    image = {"image": {"format": "png", "source": {"bytes": b"png"}}}
    with pytest.warns(UserWarning, match="image"):
        made = result_of({"toolUseId": "1", "content": [{"text": "a picture"}, image]})
    assert made["content"] == "a picture"


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ([], []),
        ([{"text": "x"}], "x"),
        ([{"json": {"é": 1}}], '{"é": 1}'),
        ([{"text": "x"}, {"text": "y"}], [{"type": "text", "text": "x"}, {"type": "text", "text": "y"}]),
    ],
)
def test_results(content: Any, wanted: Any) -> None:
    made = result_of({"toolUseId": "1", "content": content, "status": "error"})
    assert made == {"content": wanted or "", "tool_call_id": "1", "status": "error"}


def test_what_is_not_translated_is_left_out_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="cachePoint"):
        assert CONTENT.parts_of([{"cachePoint": {"type": "default"}}, {"text": "a"}]) == [{"type": "text", "text": "a"}]


def test_tools_and_choices() -> None:
    spec: Any = {"name": "f", "description": "d", "inputSchema": {"json": {"type": "object"}}}
    assert tool_of(spec)["function"] == {"name": "f", "description": "d", "parameters": {"type": "object"}}
    assert [choice_of({"any": {}}), choice_of({"tool": {"name": "f"}}), choice_of(None)] == [
        {"tool_choice": "any"},
        {"tool_choice": "f"},
        {},
    ]


@pytest.mark.skipif(not INSTALLED, reason="langchain-core is not installed beside the harness")
def test_the_framework_s_own_fake_model() -> None:
    import asyncio

    from langchain_core.language_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    from harness.bridges.langchain.model import ChatModel

    async def texts() -> list[Any]:
        model = ChatModel(GenericFakeChatModel(messages=iter([AIMessage("Hello there")])), {})
        events = [event async for event in model.stream([{"role": "user", "content": [{"text": "Hi"}]}])]
        return [event["contentBlockDelta"]["delta"]["text"] for event in events if "contentBlockDelta" in event]

    assert "".join(asyncio.run(texts())) == "Hello there"
