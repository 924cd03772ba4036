import asyncio
from contextlib import aclosing
from importlib import import_module
from typing import Any

import pytest
from pydantic import BaseModel

from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelResponseError,
    ModelThrottledException,
    StructuredOutputException,
)
from harness.endpoint.base import Delivery
from harness.wire.faults import Terminal
from providers.mistral import sdk
from providers.mistral.model import MistralModel
from tests.providers.mistral.service import DONE, HELLO, JSON, SSE, Service, answered, frame, streamed
from tests.providers.shared.openai_chat.wire import USAGE, body, calls, chunk, entry, uses

THOUGHT = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}], "closed": True}]
REPLY = {"id": "1", "model": "m", "created": 1}

MISTRAL_ERROR = import_module("mistralai.client.errors").MistralError


class Sum(BaseModel):
    """A sum."""

    total: int


def kinds(message: Any) -> list[str]:
    return [next(iter(block)) for block in message["content"]]


def test_a_streamed_and_a_whole_reply() -> None:
    stream = Service(streamed(chunk(role="assistant", content="Hel"), {**chunk("stop", content="lo"), "usage": USAGE}))
    whole = Service(answered({**REPLY, **body(content="Hello")}), stream=False)
    for found in (stream.ask(), whole.ask()):
        assert found.message == {"role": "assistant", "content": [{"text": "Hello"}]}
        assert found.usage == {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
    assert (stream.sent["stream"], whole.sent["stream"]) == (True, False)


@pytest.mark.parametrize("arguments", ['{"a": 1}', {"a": 1}])
def test_calls_have_arguments_as_text_or_object_and_need_no_index(arguments: Any) -> None:
    entries = [entry(arguments, "add", id="D681PevKs"), entry(arguments, "add", id="XcfmxfDXD")]
    wanted = [("D681PevKs", "add", {"a": 1}), ("XcfmxfDXD", "add", {"a": 1})]
    stream = Service(streamed(chunk(role="assistant", content=""), calls(*entries, finish="tool_calls")))
    whole = Service(answered({**REPLY, **body("tool_calls", content="", tool_calls=entries)}), stream=False)
    for found in (stream.ask(), whole.ask()):
        assert uses(found) == wanted
        assert found.stop_reason == "tool_use"


def test_content_may_be_a_list_of_chunks() -> None:
    parts = [*THOUGHT, {"type": "text", "text": "Yes."}]
    stream = Service(streamed(chunk(content=THOUGHT), chunk(content="Yes."), chunk("stop", content="")))
    whole = Service(answered({**REPLY, **body(content=parts)}), stream=False)
    for found in (stream.ask(), whole.ask()):
        assert found.message["content"] == [
            {"reasoningContent": {"reasoningText": {"text": "Hm."}}},
            {"text": "Yes."},
        ]


def test_chunks_of_kinds_yet_to_come_say_nothing() -> None:
    parts = [{"type": "hologram", "data": 1}, {"type": "text", "text": "Yes."}]
    assert kinds(Service(streamed(chunk(content=parts), chunk("stop"))).ask().message) == ["text"]


@pytest.mark.parametrize(
    ("word", "stop"),
    [("stop", "end_turn"), ("length", "max_tokens"), ("model_length", "max_tokens")],
)
def test_stop_reasons(word: str, stop: str) -> None:
    assert Service(streamed(chunk(word, content="x"))).ask().stop_reason == stop


def test_a_generation_that_failed() -> None:
    with pytest.raises(ModelResponseError):
        Service(streamed(chunk("error", content="x"))).ask()


@pytest.mark.parametrize(
    "delivery",
    [
        streamed(chunk(content="x"), done=False),
        streamed(chunk(content="x"), done=False, terminal=Terminal.RESET),
        Delivery(200, SSE, (frame(chunk(content="x")), frame(chunk("stop"))[:-20])),
        Delivery(200, SSE, (frame(chunk(content="x")), b"data: {]\n\n", DONE)),
    ],
)
def test_a_stream_that_is_cut_or_garbled(delivery: Delivery) -> None:
    service = Service(delivery)
    with pytest.raises(IncompleteStreamError):
        service.ask()
    assert service.endpoint.log.unreleased == 0


def test_what_comes_after_the_end_spoils_nothing() -> None:
    service = Service(streamed(chunk("stop", content="x"), terminal=Terminal.RESET))
    assert service.ask().message["content"] == [{"text": "x"}]
    assert service.endpoint.log.unreleased == 0


def test_a_whole_reply_that_the_sdk_does_not_know_is_a_reply() -> None:
    lean = {"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}
    found = Service(answered(lean), stream=False).ask()
    assert found.message["content"] == [{"text": "Hello"}]
    assert found.usage is None


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("raw", [b"", b"<html>", b"[]", b"{}", b'{"choices": []}'])
def test_a_body_that_is_no_reply(raw: bytes, *, stream: bool) -> None:
    service = Service(Delivery(200, JSON, (raw,)), stream=stream)
    with pytest.raises(ModelResponseError):
        service.ask()
    assert service.endpoint.log.unreleased == 0


def test_a_refusal_without_a_body() -> None:
    with pytest.raises(MISTRAL_ERROR):
        Service(Delivery(500, JSON, ()), stream=False).ask()
    with pytest.raises(ModelResponseError, match="HTTP 500 without a body"):
        Service(Delivery(500, JSON, ())).ask()
    with pytest.raises(ModelThrottledException) as raised:
        Service(Delivery(429, (*JSON, ("retry-after", "7")), ())).ask()
    assert raised.value.retry_after == 7


RATE = {"object": "error", "message": "Rate limit exceeded", "type": "rate_limited", "param": None, "code": "1300"}
LONG = {"object": "error", "message": "Prompt contains 9 tokens, too large for model with 8 maximum context length"}
WRONG = {"detail": [{"type": "extra_forbidden", "loc": ["body", "x"], "msg": "Extra inputs are not permitted"}]}


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (429, RATE, ModelThrottledException),
        (400, LONG, ContextWindowOverflowException),
        (401, {"detail": "Invalid API Key"}, MISTRAL_ERROR),
        (422, WRONG, MISTRAL_ERROR),
        (422, {"object": "error", "message": WRONG}, MISTRAL_ERROR),
        (500, {"message": "failed to generate completion"}, MISTRAL_ERROR),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_refusals(status: int, error: Any, kind: type[Exception], *, stream: bool) -> None:
    service = Service(answered(error, status, (("retry-after", "7"),)), stream=stream)
    with pytest.raises(kind) as caught:
        service.ask()
    vendor = caught.value if kind is MISTRAL_ERROR else caught.value.__cause__
    assert isinstance(vendor, MISTRAL_ERROR)
    if isinstance(caught.value, ModelThrottledException):
        assert caught.value.retry_after == 7
    assert len(service.endpoint.log.exchanges) == 1


def test_an_error_object_in_place_of_a_reply() -> None:
    for service in (Service(answered(RATE)), Service(answered(RATE), stream=False), Service(streamed(RATE))):
        with pytest.raises(ModelThrottledException):
            service.ask()


def test_a_caller_who_leaves_closes_the_connection() -> None:
    service = Service(streamed(chunk(content="a"), chunk(content="b"), chunk("stop")))

    async def leave() -> None:
        async with aclosing(service.model.stream(HELLO)) as events:
            await anext(events)

    asyncio.run(leave())
    (exchange,) = service.endpoint.log.exchanges
    assert exchange.released
    assert not exchange.finished


def structured(service: Service) -> Any:
    async def output() -> Any:
        return [event async for event in service.model.structured_output(Sum, HELLO)][-1]

    return asyncio.run(output())


def test_structured_output_is_held_to_the_schema() -> None:
    service = Service(streamed(chunk(content='{"total": 3}'), chunk("stop")))
    assert structured(service) == {"output": Sum(total=3)}
    form = service.sent["response_format"]
    assert form["type"] == "json_schema"
    assert (form["json_schema"]["name"], form["json_schema"]["strict"]) == ("Sum", True)
    assert form["json_schema"]["schema"]["required"] == ["total"]


def test_structured_output_that_was_cut() -> None:
    with pytest.raises(StructuredOutputException):
        structured(Service(streamed(chunk("length", content='{"total'))))


def test_one_instance_serves_one_loop_after_the_other() -> None:
    service = Service(streamed(chunk("stop", content="x")))
    assert service.ask().message == service.ask().message


def test_a_client_of_the_callers_is_used_as_it_is() -> None:
    service = Service(streamed(chunk("stop", content="x")))
    url, http = service.endpoint.base_url, service.endpoint.async_client_for("mistralai")
    client = sdk.Mistral(api_key="none", server_url=url, async_client=http)
    service.model = MistralModel(client=client, model_id="m")
    assert service.ask().message["content"] == [{"text": "x"}]
