import asyncio
from contextlib import aclosing
from typing import Any

import ollama
import pytest
from pydantic import BaseModel

from harness.contract.config import UnknownStopReasonWarning
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelResponseError,
    ModelThrottledException,
    StructuredOutputException,
    ToolsUnsupportedException,
)
from harness.endpoint.base import Delivery
from harness.wire.faults import Terminal
from providers.ollama.model import OllamaModel
from providers.ollama.stops import STOPS
from tests.providers.ollama.service import HELLO, NDJSON, Service, answered, call, last, line, said, streamed
from tests.providers.shared.openai_chat.wire import uses

COUNTS: Any = {"prompt_eval_count": 3, "eval_count": 5, "total_duration": 7_000_000}


class Sum(BaseModel):
    """A sum."""

    total: int


def test_a_streamed_and_a_whole_reply() -> None:
    stream = Service(streamed(said(content="Hel"), said(content="lo"), last(**COUNTS)))
    whole = Service(answered({**last(**COUNTS), "message": {"role": "assistant", "content": "Hello"}}), stream=False)
    for found in (stream.ask(), whole.ask()):
        assert found.message == {"role": "assistant", "content": [{"text": "Hello"}]}
        assert found.stop_reason == "end_turn"
        assert found.usage == {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
        assert found.metrics is not None
        assert found.metrics["latencyMs"] == 7
    assert (stream.sent["stream"], whole.sent["stream"]) == (True, False)


# --- what a reply says --------------------------------------------------------------------------------------------


def test_thinking_text_and_calls_are_blocks_of_their_own() -> None:
    found = Service(
        streamed(
            said(thinking="Let "),
            said(thinking="me see."),
            said(content="Well.", tool_calls=[call(arguments={"a": 1}), call(arguments={"a": 2})]),
            last(),
        )
    ).ask()
    kinds = [next(iter(block)) for block in found.message["content"]]
    assert kinds == ["reasoningContent", "text", "toolUse", "toolUse"]
    assert [use[1:] for use in uses(found)] == [("add", {"a": 1}), ("add", {"a": 2})]
    assert found.stop_reason == "tool_use"


def test_calls_without_ids_get_some_and_others_keep_theirs() -> None:
    entries = [call(id="call_1"), call(), call(id="call_1"), call(id="")]
    found = Service(streamed(said(tool_calls=entries[:1]), {**last(), "message": {"tool_calls": entries[1:]}})).ask()
    ids = [use[0] for use in uses(found)]
    assert ids[0] == "call_1"
    assert len(set(ids)) == 4
    assert all(ids)


@pytest.mark.parametrize("arguments", [{"a": "é"}, '{"a": "é"}'])
def test_arguments_are_an_object_or_its_text(arguments: Any) -> None:
    assert uses(Service(streamed(said(tool_calls=[call(arguments=arguments)]), last())).ask())[0][2] == {"a": "é"}


def test_a_call_that_names_no_tool_is_no_reply() -> None:
    with pytest.raises(ModelResponseError, match="without a name"):
        Service(streamed(said(tool_calls=[call(None)]), last())).ask()


@pytest.mark.parametrize(("reason", "stop"), STOPS.items())
def test_stop_reasons(reason: str, stop: Any) -> None:
    assert Service(streamed(said(content="x"), last(reason))).ask().stop_reason == stop.means


def test_a_cut_reply_stays_cut_though_it_calls() -> None:
    assert Service(streamed(said(tool_calls=[call()]), last("length"))).ask().stop_reason == "max_tokens"


def test_an_unknown_stop_reason_warns() -> None:
    with pytest.warns(UnknownStopReasonWarning, match="tired"):
        assert Service(streamed(said(content="x"), last("tired"))).ask().stop_reason == "end_turn"


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        ({}, None),
        ({"eval_count": 5}, {"inputTokens": 0, "outputTokens": 5, "totalTokens": 5}),
        ({"prompt_eval_count": 3}, {"inputTokens": 3, "outputTokens": 0, "totalTokens": 3}),
    ],
)
def test_counts_may_be_missing(counts: Any, usage: Any) -> None:
    found = Service(streamed(said(content="x"), last(**counts))).ask()
    assert found.usage == usage
    assert found.metrics is not None


# --- lines --------------------------------------------------------------------------------------------------------


def test_lines_end_at_line_feeds_only() -> None:
    text = "a\x85b\u2028c\x0bd"
    assert Service(streamed(said(content=text), last())).ask().message["content"] == [{"text": text}]


def test_blank_lines_say_nothing_and_chunks_may_cut_anywhere() -> None:
    body = b"\n" + line(said(content="é")) + b"\r\n\n" + line(last()).rstrip()
    delivery = Delivery(200, NDJSON, tuple(body[at : at + 1] for at in range(len(body))))
    assert Service(delivery).ask().message["content"] == [{"text": "é"}]


@pytest.mark.parametrize(
    ("delivery", "kind"),
    [
        (streamed(said(content="x")), IncompleteStreamError),
        (Delivery(200, NDJSON, (line(said(content="x")), line(last())[:-20])), IncompleteStreamError),
        (streamed(said(content="x"), last(), terminal=Terminal.RESET), None),
        (streamed(said(content="x"), terminal=Terminal.RESET), IncompleteStreamError),
        (Delivery(200, NDJSON, (b"<html>no</html>",)), ModelResponseError),
        (Delivery(200, NDJSON, (b"[]\n",)), ModelResponseError),
        (Delivery(200, NDJSON, ()), IncompleteStreamError),
    ],
)
def test_a_stream_that_is_no_whole_reply(delivery: Delivery, kind: type[Exception] | None) -> None:
    service = Service(delivery)
    if kind is None:
        assert service.ask().message["content"] == [{"text": "x"}]
    else:
        with pytest.raises(kind):
            service.ask()
    assert service.endpoint.log.unreleased == 0


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"{}", b'{"message":{"content":"x"},"done":false}'])
def test_a_body_that_is_no_reply(body: bytes) -> None:
    with pytest.raises(ModelResponseError):
        Service(Delivery(200, NDJSON, (body,)), stream=False).ask()


def test_a_caller_who_leaves_closes_the_connection() -> None:
    service = Service(streamed(said(content="a"), said(content="b"), last()))

    async def leave() -> None:
        async with aclosing(service.model.stream(HELLO)) as events:
            await anext(events)

    asyncio.run(leave())
    (exchange,) = service.endpoint.log.exchanges
    assert exchange.released
    assert not exchange.finished


# --- errors -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (429, "too many requests", ModelThrottledException),
        (503, "server busy, please try again. maximum pending requests exceeded", ModelThrottledException),
        (400, "registry.ollama.ai/library/phi does not support tools", ToolsUnsupportedException),
        (400, "prompt too long; exceeded max context length by 7 tokens", ContextWindowOverflowException),
        (404, "model 'm' not found", ollama.ResponseError),
        (500, "model runner has unexpectedly stopped", ollama.ResponseError),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
def test_refusals(status: int, error: str, kind: type[Exception], *, stream: bool) -> None:
    with pytest.raises(kind, match=error[:20]) as caught:
        Service(answered({"error": error}, status, (("retry-after", "7"),)), stream=stream).ask()
    vendor = caught.value if kind is ollama.ResponseError else caught.value.__cause__
    assert isinstance(vendor, ollama.ResponseError)
    assert vendor.status_code == status
    if isinstance(caught.value, ModelThrottledException):
        assert caught.value.retry_after == 7


@pytest.mark.parametrize("body", ["busy", ["busy"], {"error": {"message": "busy"}}, {"detail": "busy"}])
def test_refusals_by_proxies(body: Any) -> None:
    with pytest.raises(ollama.ResponseError, match="busy"):
        Service(answered(body, 500)).ask()


def test_a_refusal_tells_where_to_sign_in() -> None:
    with pytest.raises(ollama.ResponseError, match="unauthorized: sign in at https://there"):
        Service(answered({"error": "unauthorized", "signin_url": "https://there"}, 401)).ask()


def test_an_error_in_the_stream() -> None:
    service = Service(streamed(said(content="x"), {"error": "an error was encountered while running the model: EOF"}))
    with pytest.raises(ollama.ResponseError, match="an error was encountered"):
        service.ask()
    assert service.endpoint.log.unreleased == 0


# --- structured output, clients -----------------------------------------------------------------------------------


def structured(service: Service) -> Any:
    async def output() -> Any:
        return [event async for event in service.model.structured_output(Sum, HELLO)][-1]

    return asyncio.run(output())


def test_structured_output_is_held_to_the_schema() -> None:
    service = Service(streamed(said(content='{"total"'), said(content=": 3}"), last()))
    assert structured(service) == {"output": Sum(total=3)}
    assert service.sent["format"] == Sum.model_json_schema()


def test_structured_output_that_was_cut() -> None:
    with pytest.raises(StructuredOutputException):
        structured(Service(streamed(said(content='{"total"'), last("length"))))


def test_one_instance_serves_one_loop_after_the_other() -> None:
    service = Service(streamed(said(content="x"), last()))
    assert service.ask().message == service.ask().message


def test_the_service_may_not_be_silent_for_ever() -> None:
    async def timeout(model: OllamaModel) -> Any:
        return (await model._clients.current())._client.timeout.read

    assert asyncio.run(timeout(OllamaModel(model_id="m"))) == 600
    assert asyncio.run(timeout(OllamaModel(model_id="m", ollama_client_args={"timeout": 5}))) == 5
