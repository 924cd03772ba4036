import asyncio
import json
from typing import Any

import llama_api_client
import pytest
from pydantic import BaseModel

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelResponseError,
    ModelThrottledException,
)
from harness.endpoint.base import Delivery
from harness.wire.faults import Terminal
from providers.llamaapi import PROVIDER
from tests.providers.openai.service import HELLO, SSE, answered, frames, streamed
from tests.providers.openai.service import Service as ChatService
from tests.providers.shared.openai_chat.wire import uses

METRICS = [
    {"metric": "num_completion_tokens", "value": 5.0, "unit": "tokens"},
    {"metric": "num_prompt_tokens", "value": 3.0, "unit": "tokens"},
    {"metric": "num_total_tokens", "value": 8.0, "unit": "tokens"},
]

#: what an error that the contract has no type for leaves as: the SDK's, unless the SDK takes it for an event
OTHER = (llama_api_client.APIError, ModelResponseError)


class Service(ChatService):
    provider = PROVIDER


class Sum(BaseModel):
    """A sum."""

    total: int


def event(kind: str, text: str = "", **fields: Any) -> dict[str, Any]:
    return {"id": "1", "event": {"event_type": kind, "delta": {"type": "text", "text": text}, **fields}}


def call(arguments: str | None, name: str | None = None, call_id: str | None = None) -> dict[str, Any]:
    delta = {"type": "tool_call", "id": call_id, "function": {"name": name, "arguments": arguments}}
    return event("progress", delta=delta)


def said(*events: dict[str, Any], stop: str | None = "stop", **fields: Any) -> Delivery:
    ending = (event("complete", stop_reason=stop), event("metrics", metrics=METRICS))
    return streamed(event("start"), *events, *ending, done=False, **fields)


def whole(content: Any, stop: str = "stop", **message: Any) -> Delivery:
    reply = {"role": "assistant", "content": content, "stop_reason": stop, **message}
    return answered({"id": "1", "completion_message": reply, "metrics": METRICS})


@pytest.mark.parametrize("content", ["Hello", {"type": "text", "text": "Hello"}])
def test_a_streamed_and_a_whole_reply(content: Any) -> None:
    stream = Service(said(event("progress", "Hel"), event("progress", "lo")))
    for found in (stream.ask(), Service(whole(content), stream=False).ask()):
        assert found.message["content"] == [{"text": "Hello"}]
        assert json.dumps(found.usage) == '{"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}'
        assert found.stop_reason == "end_turn"
    assert stream.endpoint.log.requests[0].path == "/v1/chat/completions"
    assert stream.sent[0].keys() == {"model", "messages", "stream"}


def test_arguments_of_the_first_delta_are_kept_and_later_deltas_need_no_id() -> None:
    deltas = (call('{"a": ', "add", "c1"), call("1}"), call('{"a": 2}', "add", "c2"))
    entries = [
        {"id": f"c{n}", "type": "function", "function": {"name": "add", "arguments": f'{{"a": {n}}}'}} for n in (1, 2)
    ]
    stream = Service(said(*deltas, stop="tool_calls"))
    once = Service(whole(None, "tool_calls", tool_calls=entries), stream=False)
    for found in (stream.ask(), once.ask()):
        assert uses(found) == [("c1", "add", {"a": 1}), ("c2", "add", {"a": 2})]
        assert found.stop_reason == "tool_use"


@pytest.mark.parametrize("word", ["stop", None])
def test_a_call_wins_over_an_ordinary_end(word: str | None) -> None:
    assert Service(said(call("{}", "add", "c"), stop=word)).ask().stop_reason == "tool_use"


@pytest.mark.parametrize(
    ("word", "stop"), [("stop", "end_turn"), ("length", "max_tokens"), ("tool_calls", "tool_use"), (None, "end_turn")]
)
def test_stop_reasons(word: str | None, stop: str) -> None:
    deltas = (call("{}", "add", "c"),) if word == "tool_calls" else (event("progress", "x"),)
    assert Service(said(*deltas, stop=word)).ask().stop_reason == stop


def test_an_unknown_stop_reason_warns() -> None:
    with pytest.warns(UnknownStopReasonWarning, match="novelty"):
        assert Service(said(event("progress", "x"), stop="novelty")).ask().stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("terminal", "raised"),
    [(Terminal.COMPLETE, IncompleteStreamError), (Terminal.RESET, llama_api_client.APIConnectionError)],
)
def test_a_stream_without_its_end_is_no_reply(terminal: Terminal, raised: type[Exception]) -> None:
    service = Service(streamed(event("start"), event("progress", "x"), done=False, terminal=terminal))
    with pytest.raises(raised):
        service.ask()
    assert service.unreleased == 0


def test_a_body_that_is_no_reply() -> None:
    with pytest.raises(ModelResponseError):
        Service(answered({"id": "1"}), stream=False).ask()


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("status", "detail", "raised"),
    [
        (400, "prompt is too long", ContextWindowOverflowException),
        (400, "the words", llama_api_client.BadRequestError),
        (401, "the words", llama_api_client.AuthenticationError),
        (429, "the words", ModelThrottledException),
        (500, "the words", llama_api_client.InternalServerError),
    ],
)
def test_errors_at_the_call_are_asked_for_once(status: int, detail: str, raised: type[Exception], stream: bool) -> None:
    service = Service(answered({"title": "Refused", "detail": detail, "status": status}, status), stream=stream)
    with pytest.raises(raised, match=detail):
        service.ask()
    assert len(service.sent) == 1


@pytest.mark.parametrize("frame", ["{}\n\n", "data: {}\n\n", "event: error\ndata: {}\n\n"])
@pytest.mark.parametrize(("status", "raised"), [(429, ModelThrottledException), (500, OTHER)])
def test_errors_in_the_stream(frame: str, status: int, raised: Any) -> None:
    error = json.dumps({"title": "Broken", "detail": "the words", "status": status})
    body = (*frames([event("start"), event("progress", "x")]), frame.replace("{}", error).encode())
    service = Service(Delivery(200, SSE, body))
    with pytest.raises(raised, match="the words"):
        service.ask()
    assert service.unreleased == 0


def test_assistant_turns_have_one_text_and_calls_without_a_type() -> None:
    service = Service(said(event("progress", "x")))
    use = {"toolUse": {"toolUseId": "c", "name": "add", "input": {"a": "é"}}}
    said_before: Any = [
        *HELLO,
        {"role": "assistant", "content": [{"text": "One."}, {"text": "Two."}, use]},
        {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [{"json": {"b": 1}}]}}]},
    ]

    async def ask() -> None:
        async for _ in service.model.stream(said_before):
            pass

    asyncio.run(ask())
    assert service.sent[0]["messages"][1:] == [
        {
            "role": "assistant",
            "content": "One.\n\nTwo.",
            "tool_calls": [{"id": "c", "function": {"name": "add", "arguments": '{"a": "é"}'}}],
        },
        {"role": "tool", "tool_call_id": "c", "content": '{"b": 1}'},
    ]


def test_structured_output_is_held_to_the_schema() -> None:
    service = Service(said(event("progress", '{"total"'), event("progress", ": 3}")))

    async def output() -> Any:
        return [each async for each in service.model.structured_output(Sum, HELLO)][-1]

    assert asyncio.run(output()) == {"output": Sum(total=3)}
    assert service.sent[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "Sum", "schema": Sum.model_json_schema()},
    }
