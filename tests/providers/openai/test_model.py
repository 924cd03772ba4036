import asyncio
import gc
from contextlib import aclosing
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from harness.contract.config import UnknownConfigWarning
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelResponseError,
    ModelThrottledException,
    StructuredOutputException,
)
from harness.endpoint.base import Delivery
from harness.wire.faults import Terminal
from providers.openai import PROVIDER
from providers.openai.model import OpenAIModel
from tests.providers.openai.service import DONE, HELLO, JSON, SSE, Service, answered, frames, streamed
from tests.providers.shared.openai_chat.wire import USAGE, body, calls, chunk, entry, uses

HELLO_REPLY = (
    chunk(role="assistant", content="Hel"),
    chunk(content="lo"),
    chunk("stop"),
    {"choices": [], "usage": USAGE},
)

ADD: Any = {"name": "math.add", "description": "Adds.", "inputSchema": {"json": {"type": "object", "properties": {}}}}


class Sum(BaseModel):
    """A sum."""

    total: int


def test_a_streamed_and_a_whole_reply() -> None:
    stream, whole = Service(streamed(*HELLO_REPLY)), Service(answered(body(content="Hello")), stream=False)
    for found in (stream.ask(), whole.ask()):
        assert found.message == {"role": "assistant", "content": [{"text": "Hello"}]}
        assert found.usage == {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
        assert found.metrics is not None
        assert found.metrics["latencyMs"] >= 0
    assert stream.sent == [
        {
            "model": "gpt-4o",
            "messages": [{"role": "user", "content": "Hello"}],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]
    assert whole.sent[0]["stream"] is False


def test_a_body_in_place_of_a_stream_is_read_all_the_same() -> None:
    assert Service(answered(body(content="Hello"))).ask().message["content"] == [{"text": "Hello"}]


def test_fields_and_options_that_the_sdk_does_not_know_of_a_service_are_sent() -> None:
    params = {"temperature": 0.5, "top_k": 3, "extra_body": {"min_p": 0.1}, "extra_headers": {"x-tenant": "t"}}
    service = Service(streamed(*HELLO_REPLY), params=params)
    service.ask()
    sent, request = service.sent[0], service.endpoint.log.requests[0]
    assert (sent["temperature"], sent["top_k"], sent["min_p"]) == (0.5, 3, 0.1)
    assert request.header("x-tenant") == "t"
    assert request.path == "/v1/chat/completions"
    assert {"extra_body", "extra_headers"}.isdisjoint(sent)


def test_tool_names_go_there_and_back() -> None:
    service = Service(streamed(calls(entry("{}", "math_add_", index=0, id="a"), finish="tool_calls")))
    service.ask(tool_specs=[ADD], tool_choice={"any": {}})
    sent = service.sent[0]["tools"][0]["function"]["name"]
    assert service.sent[0]["tool_choice"] == "required"
    again = Service(streamed(calls(entry("{}", sent, index=0, id="a"), finish="tool_calls")))
    assert uses(again.ask(tool_specs=[ADD])) == [("a", "math.add", {})]


def test_unknown_arguments_are_ignored_and_unknown_settings_warn() -> None:
    assert Service(streamed(*HELLO_REPLY)).ask(novelty=1, invocation_state={}).stop_reason == "end_turn"
    with pytest.warns(UnknownConfigWarning, match="modle_id"):
        OpenAIModel(model_id="m", modle_id="n")


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("status", "code", "raised"),
    [
        (429, "rate_limit_exceeded", ModelThrottledException),
        (429, "insufficient_quota", openai.RateLimitError),
        (503, None, ModelThrottledException),
        (400, "context_length_exceeded", ContextWindowOverflowException),
        (400, "invalid_value", openai.BadRequestError),
        (401, "invalid_api_key", openai.AuthenticationError),
        (500, None, openai.InternalServerError),
    ],
)
def test_errors_at_the_call_are_asked_for_once(
    status: int, code: str | None, raised: type[Exception], stream: bool
) -> None:
    service = Service(answered({"error": {"message": "the words", "code": code}}, status), stream=stream)
    with pytest.raises(raised, match="the words") as caught:
        service.ask()
    assert isinstance(caught.value.__cause__ or caught.value, openai.APIStatusError)
    assert len(service.sent) == 1
    assert service.unreleased == 0


def test_the_wait_that_the_service_asks_for_is_kept() -> None:
    service = Service(answered({"error": {"message": "slow down"}}, 429, (("retry-after", "7"),)))
    with pytest.raises(ModelThrottledException) as caught:
        service.ask()
    assert caught.value.retry_after == 7.0


def test_retries_are_the_callers_wish() -> None:
    busy = answered({"error": {"message": "busy"}}, 503, (("retry-after-ms", "1"),))
    service = Service(busy, streamed(*HELLO_REPLY), client_args={"max_retries": 1})
    assert service.ask().stop_reason == "end_turn"
    assert len(service.sent) == 2


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        ({"message": "the words", "code": "rate_limit_exceeded"}, ModelThrottledException),
        ({"message": "the words", "code": 429}, ModelThrottledException),
        ({"message": "the words", "code": "context_length_exceeded"}, ContextWindowOverflowException),
        ({"message": "the words", "type": "server_error", "code": None}, openai.APIError),
    ],
)
def test_errors_in_the_stream(error: Any, raised: type[Exception]) -> None:
    service = Service(streamed(HELLO_REPLY[0], {"error": error}))
    with pytest.raises(raised, match="the words") as caught:
        service.ask()
    assert isinstance(caught.value.__cause__ or caught.value, openai.APIError)
    assert service.unreleased == 0


@pytest.mark.parametrize("stream", [True, False])
def test_an_error_object_under_status_200(stream: bool) -> None:
    with pytest.raises(ModelThrottledException, match="busy"):
        Service(answered({"error": {"message": "busy", "code": 429}}), stream=stream).ask()
    with pytest.raises(ModelResponseError, match="odd"):
        Service(answered({"error": {"message": "odd"}}), stream=stream).ask()


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "answer",
    [
        Delivery(200, (("content-type", "text/html"),), (b"<html>busy</html>",)),
        Delivery(200, JSON, (b"{",)),
        Delivery(200, JSON, (b"",)),
        Delivery(200, JSON, (b"null",)),
        Delivery(200, JSON, (b'"\xff"',)),
        Delivery(200, JSON, (b'{"choices": []}',)),
    ],
)
def test_bodies_that_are_no_reply(answer: Delivery, stream: bool) -> None:
    service = Service(answer, stream=stream)
    with pytest.raises(ModelResponseError):
        service.ask()
    assert service.unreleased == 0


def test_a_broken_chunk_is_an_error() -> None:
    with pytest.raises(ModelResponseError, match="not JSON"):
        Service(Delivery(200, SSE, (*frames(HELLO_REPLY[:1]), b'data: {"choices": [}\n\n', DONE))).ask()


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_a_stream_that_ends_early_is_an_error(kept: int) -> None:
    service = Service(streamed(*HELLO_REPLY[:kept], done=False))
    with pytest.raises(IncompleteStreamError):
        service.ask()
    assert service.unreleased == 0


def test_a_stream_that_ends_inside_a_chunk_is_an_error() -> None:
    with pytest.raises(IncompleteStreamError):
        Service(Delivery(200, SSE, (*frames(HELLO_REPLY[:1]), b'data: {"choices": [{"del'))).ask()


def test_done_or_a_finish_reason_is_an_end() -> None:
    assert Service(streamed(*HELLO_REPLY[:2])).ask().stop_reason == "end_turn"
    assert Service(streamed(*HELLO_REPLY[:3], done=False)).ask().stop_reason == "end_turn"
    unframed = Delivery(200, SSE, (*frames(HELLO_REPLY), b"data: [DONE]"))
    assert Service(unframed).ask().stop_reason == "end_turn"


def test_events_without_data_are_nothing() -> None:
    empty = (b"event: ping\n\n", b"id: 1\n\n", b": comment\n\n", b"retry: 10\n\n")
    service = Service(Delivery(200, SSE, (*empty, *frames(HELLO_REPLY), *empty, DONE)))
    assert service.ask().message["content"] == [{"text": "Hello"}]


@pytest.mark.parametrize("kept", [0, 1, 3])
def test_a_cut_connection_is_the_sdks_connection_error(kept: int) -> None:
    service = Service(streamed(*HELLO_REPLY[:kept], done=False, terminal=Terminal.RESET))
    with pytest.raises(openai.APIConnectionError) as caught:
        service.ask()
    assert caught.value.__cause__ is not None
    assert service.unreleased == 0


def test_a_cut_body_is_the_sdks_connection_error() -> None:
    for stream in (True, False):
        with pytest.raises(openai.APIConnectionError):
            Service(Delivery(200, JSON, (b'{"choices"',), Terminal.RESET), stream=stream).ask()


def test_silence_is_the_sdks_timeout() -> None:
    service = Service(streamed(*HELLO_REPLY[:2], done=False, terminal=Terminal.SILENCE), client_args={"timeout": 5.0})
    with pytest.raises(openai.APITimeoutError):
        service.ask()


def test_no_stop_is_told_of_an_unfinished_reply() -> None:
    service = Service(streamed(*HELLO_REPLY, {"error": {"message": "late", "code": 429}}))
    seen: list[str] = []

    async def listen() -> None:
        async for event in service.model.stream(HELLO):
            seen.append(next(iter(event)))  # noqa: PERF401 - what came before the error must be kept

    with pytest.raises(ModelThrottledException):
        asyncio.run(listen())
    assert seen == ["messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockDelta"]


@pytest.mark.parametrize("taken", range(1, 7))
def test_closing_early_frees_the_connection(taken: int) -> None:
    service = Service(streamed(*HELLO_REPLY))

    async def listen() -> int:
        async with aclosing(service.model.stream(HELLO)) as events:
            for _ in range(taken):
                await anext(events)
        return service.unreleased

    assert asyncio.run(listen()) == 0


def test_cancelling_frees_the_connection() -> None:
    service = Service(streamed(*HELLO_REPLY[:2], done=False, terminal=Terminal.SILENCE), client_args={"timeout": None})

    async def cancel() -> int:
        begun = asyncio.Event()

        async def listen() -> None:
            async for _ in service.model.stream(HELLO):
                begun.set()

        task = asyncio.ensure_future(listen())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return service.unreleased

    assert asyncio.run(cancel()) == 0


def test_streams_at_the_same_time_keep_apart() -> None:
    service = Service(*(streamed(chunk(content=word), chunk("stop", content="!")) for word in "abcd"))

    async def ask() -> list[list[Any]]:
        return list(await asyncio.gather(*(service.events() for _ in range(4))))

    texts = [
        "".join(event["contentBlockDelta"]["delta"]["text"] for event in found if "contentBlockDelta" in event)
        for found in asyncio.run(ask())
    ]
    assert sorted(texts) == ["a!", "b!", "c!", "d!"]


def test_each_loop_has_a_client_that_goes_with_it() -> None:
    model = OpenAIModel(model_id="m", client_args={"api_key": "k"})

    async def client() -> openai.AsyncOpenAI:
        assert await model._clients.current() is await model._clients.current()
        return await model._clients.current()

    assert asyncio.run(client()) is not asyncio.run(client())
    gc.collect()
    assert len(model._clients) == 0


def test_an_injected_client_is_used_as_it_is() -> None:
    endpoint = Service(streamed(*HELLO_REPLY)).endpoint
    client = openai.AsyncOpenAI(
        api_key="k", base_url="http://conformance.invalid/v9", http_client=endpoint.async_client_for("openai")
    )
    model = OpenAIModel(client=client, model_id="m")

    async def ask() -> None:
        async for _ in model.stream(HELLO):
            pass

    asyncio.run(ask())
    assert endpoint.log.requests[0].path == "/v9/chat/completions"


def structured(service: Service) -> list[Any]:
    async def ask() -> list[Any]:
        return [item async for item in service.model.structured_output(Sum, HELLO, "Be exact.")]

    return asyncio.run(ask())


def test_structured_output_gives_events_and_then_the_instance() -> None:
    service = Service(streamed(chunk(content='{"total"'), chunk(content=": 7}"), chunk("stop")))
    *events, last = structured(service)
    assert last == {"output": Sum(total=7)}
    assert [next(iter(event)) for event in events][-1] == "messageStop"
    sent = service.sent[0]
    assert sent["messages"][0] == {"role": "system", "content": "Be exact."}
    form = sent["response_format"]["json_schema"]
    assert (form["name"], form["strict"], form["schema"]["required"]) == ("Sum", True, ["total"])


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ([chunk(refusal="I will not"), chunk("stop")], "I will not"),
        ([chunk(content='{"total": 7}'), chunk("length")], "cut"),
        ([chunk(content="seven"), chunk("stop")], "no JSON"),
        ([chunk(content='{"sum": 7}'), chunk("stop")], "no valid Sum"),
        ([chunk("stop")], "no JSON"),
    ],
)
def test_structured_output_without_an_answer_raises(reply: list[Any], words: str) -> None:
    with pytest.raises(StructuredOutputException, match=words):
        structured(Service(streamed(*reply)))


def test_structured_output_maps_errors() -> None:
    with pytest.raises(ModelThrottledException):
        structured(Service(answered({"error": {"message": "busy"}}, 429)))


def test_the_record_says_what_the_adapter_does() -> None:
    assert (PROVIDER.name, PROVIDER.dialect) == ("openai", "openai_chat")
    for settings in (PROVIDER.stream_config, PROVIDER.whole_config):
        assert set(settings or {}) == {PROVIDER.capabilities.streaming_key}
