import asyncio
import threading
import warnings
from contextlib import aclosing
from typing import Any

import anthropic
import pytest
from anthropic.resources.messages import AsyncMessages
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
from providers.anthropic import PROVIDER
from providers.anthropic.model import AnthropicModel
from tests.providers.anthropic.wire import (
    HELLO,
    JSON,
    SSE,
    Service,
    body,
    call,
    end,
    message,
    start,
    streamed,
    text,
)

HELLO_REPLY = (start(), *text(0, "Hel", "lo"), *end())


def error(kind: str, words: str) -> Any:
    return {"type": "error", "error": {"type": kind, "message": words}}


class Sum(BaseModel):
    """A sum."""

    total: int


def test_a_streamed_and_a_whole_reply() -> None:
    stream = Service(streamed(*HELLO_REPLY))
    whole = Service(body(message({"type": "text", "text": "Hello"})), stream=False)
    assert stream.ask().message == whole.ask().message == {"role": "assistant", "content": [{"text": "Hello"}]}
    assert stream.sent[0]["stream"] is True
    assert whole.sent[0]["stream"] is False


def test_params_that_the_sdk_dropped_are_sent() -> None:
    service = Service(streamed(*HELLO_REPLY), params={"temperature": 0.5, "top_k": 3})
    service.ask()
    assert (service.sent[0]["temperature"], service.sent[0]["top_k"]) == (0.5, 3)


@pytest.mark.parametrize(
    ("kind", "words", "raised"),
    [
        ("overloaded_error", "Overloaded", ModelThrottledException),
        ("rate_limit_error", "slow down", ModelThrottledException),
        ("invalid_request_error", "prompt is too long: 3 tokens > 2 maximum", ContextWindowOverflowException),
        ("api_error", "Internal server error", anthropic.APIStatusError),
    ],
)
def test_errors_in_the_stream(kind: str, words: str, raised: type[Exception]) -> None:
    service = Service(streamed(start(), *text(0, "a"), error(kind, words)))
    with pytest.raises(raised, match=words) as caught:
        service.ask()
    assert isinstance(caught.value.__cause__ or caught.value, anthropic.APIStatusError)
    assert service.unreleased == 0


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("status", "kind", "raised"),
    [
        (529, "overloaded_error", ModelThrottledException),
        (429, "rate_limit_error", ModelThrottledException),
        (401, "authentication_error", anthropic.AuthenticationError),
        (500, "api_error", anthropic.InternalServerError),
    ],
)
def test_errors_at_the_call_are_asked_for_once(status: int, kind: str, raised: type[Exception], stream: bool) -> None:
    service = Service(body(error(kind, "the words"), status), stream=stream)
    with pytest.raises(raised, match="the words"):
        service.ask()
    assert len(service.sent) == 1


def test_an_error_object_under_status_200() -> None:
    for stream in (True, False):
        with pytest.raises(ModelThrottledException, match="Overloaded"):
            Service(body(error("overloaded_error", "Overloaded")), stream=stream).ask()
        with pytest.raises(ModelResponseError, match="odd"):
            Service(body(error("api_error", "odd")), stream=stream).ask()


def test_an_error_event_under_another_name() -> None:
    frame = (
        b'event: message_delta\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}}\n\n'
    )
    with pytest.raises(ModelThrottledException, match="Busy"):
        Service(Delivery(200, SSE, (frame,))).ask()


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "answer",
    [
        Delivery(200, (("content-type", "text/html"),), (b"<html>busy</html>",)),
        Delivery(200, JSON, (b"{",)),
        Delivery(200, JSON, (b"",)),
        Delivery(200, JSON, (b"null",)),
        Delivery(200, JSON, (b'{"type": "message"}',)),
    ],
)
def test_bodies_that_are_no_reply(answer: Delivery, stream: bool) -> None:
    service = Service(answer, stream=stream)
    with pytest.raises(ModelResponseError):
        service.ask()
    assert service.unreleased == 0


@pytest.mark.parametrize("kept", range(len(HELLO_REPLY)))
def test_a_stream_that_ends_early_is_an_error(kept: int) -> None:
    service = Service(streamed(*HELLO_REPLY[:kept]))
    with pytest.raises(IncompleteStreamError):
        service.ask()


def test_a_stream_that_ends_inside_an_event_is_an_error() -> None:
    cut = b'event: content_block_delta\ndata: {"type": "content_bl\n\n'
    with pytest.raises(IncompleteStreamError):
        Service(Delivery(200, SSE, (cut,))).ask()


def test_a_cut_connection_is_the_sdks_connection_error() -> None:
    service = Service(streamed(*HELLO_REPLY[:3], terminal=Terminal.RESET))
    with pytest.raises(anthropic.APIConnectionError) as caught:
        service.ask()
    assert caught.value.__cause__ is not None


def test_silence_is_the_sdks_timeout() -> None:
    service = Service(streamed(*HELLO_REPLY[:3], terminal=Terminal.SILENCE), client_args={"timeout": 5.0})
    with pytest.raises(anthropic.APITimeoutError):
        service.ask()


def test_no_stop_is_told_of_an_unfinished_reply() -> None:
    service = Service(streamed(start(), *text(0, "a"), end()[0], error("overloaded_error", "Overloaded")))
    seen: list[Any] = []

    async def listen() -> None:
        async for event in service.model.stream(HELLO):
            seen.append(event)  # noqa: PERF401 - what came before the error must be kept

    with pytest.raises(ModelThrottledException):
        asyncio.run(listen())
    assert [next(iter(event)) for event in seen][-1] == "contentBlockStop"


def test_a_finished_stream_is_read_to_its_end() -> None:
    service = Service(streamed(*HELLO_REPLY, {"type": "ping"}))
    service.ask()
    assert service.endpoint.log.exchanges[0].finished


def test_trouble_after_the_end_is_no_trouble() -> None:
    service = Service(streamed(*HELLO_REPLY, error("api_error", "too late"), terminal=Terminal.RESET))
    assert service.ask().stop_reason == "end_turn"


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
    service = Service(streamed(*HELLO_REPLY))

    async def listen(begun: asyncio.Event) -> None:
        async for _ in service.model.stream(HELLO):
            begun.set()
            await asyncio.Event().wait()

    async def cancel() -> int:
        begun = asyncio.Event()
        task = asyncio.ensure_future(listen(begun))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.sleep(0)
        return service.unreleased

    assert asyncio.run(cancel()) == 0


def test_two_streams_at_a_time_do_not_mix() -> None:
    service = Service(streamed(start(), *text(0, "a", "b"), *end()), streamed(start(), *call(0, '{"k": 1}'), *end()))

    async def both() -> Any:
        return await asyncio.gather(service.events(), service.events())

    kinds = {tuple(next(iter(event)) for event in events) for events in asyncio.run(both())}
    assert len(kinds) == 2


def test_one_client_for_each_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(streamed(*HELLO_REPLY))
    made: list[Any] = []

    def make(**arguments: Any) -> Any:
        made.append(real(**arguments))
        return made[-1]

    real = anthropic.AsyncAnthropic
    monkeypatch.setattr(anthropic, "AsyncAnthropic", make)

    loops = []  # kept, as connections would keep them

    async def twice() -> None:
        loops.append(asyncio.get_running_loop())
        await service.events()
        await service.events()

    asyncio.run(twice())
    asyncio.run(twice())
    assert len(made) == 2
    assert len(service.model._clients) == 1
    assert {client.max_retries for client in made} == {0}


def test_making_a_client_does_not_hold_the_loop_up(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Service(streamed(*HELLO_REPLY))
    makers: list[int] = []

    def make(**arguments: Any) -> Any:
        makers.append(threading.get_ident())
        return real(**arguments)

    real = anthropic.AsyncAnthropic
    monkeypatch.setattr(anthropic, "AsyncAnthropic", make)
    service.ask()
    assert makers != [threading.get_ident()]
    assert len(makers) == 1


def test_retries_are_the_callers_to_ask_for() -> None:
    busy = Delivery(500, (*JSON, ("retry-after-ms", "1")), (b"{}",))
    service = Service(busy, streamed(*HELLO_REPLY), client_args={"max_retries": 1})
    assert service.ask().stop_reason == "end_turn"
    assert len(service.sent) == 2


def test_a_client_that_is_given_is_used_as_it_is() -> None:
    service = Service(streamed(*HELLO_REPLY))
    client = anthropic.AsyncAnthropic(
        api_key="mine",
        base_url=service.endpoint.base_url,
        http_client=service.endpoint.async_client_for("anthropic"),
        default_headers={"x-whose": "mine"},
    )
    service.model = AnthropicModel(client=client, model_id="m", max_tokens=5)
    service.ask()
    assert service.endpoint.log.requests[0].header("x-whose") == "mine"


def test_a_client_whose_method_was_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    create = AsyncMessages.create

    async def traced(*own: Any, **arguments: Any) -> Any:
        asked.append(arguments)
        return await create(*own, **arguments)

    monkeypatch.setattr(AsyncMessages, "create", traced)
    service = Service(streamed(*HELLO_REPLY), params={"metadata": {"user_id": "u"}})
    assert service.ask().stop_reason == "end_turn"
    assert asked[0]["metadata"] == service.sent[0]["metadata"] == {"user_id": "u"}


def test_structured_output() -> None:
    service = Service(
        streamed(start(), *call(0, '{"total": 4}', name="Sum"), *end("tool_use")), params={"thinking": {}}
    )

    async def run() -> list[Any]:
        return [event async for event in service.model.structured_output(Sum, HELLO, "Add.")]

    assert asyncio.run(run())[-1] == {"output": Sum(total=4)}
    assert service.sent[0]["tool_choice"] == {"type": "tool", "name": "Sum"}
    assert service.sent[0]["system"] == [{"type": "text", "text": "Add."}]
    assert "thinking" not in service.sent[0]


@pytest.mark.parametrize(
    ("answer", "raised"),
    [
        (streamed(*HELLO_REPLY), StructuredOutputException),
        (streamed(start(), *call(0, '{"total": "x"}', name="Sum"), *end("tool_use")), StructuredOutputException),
        (body(error("overloaded_error", "Overloaded"), 529), ModelThrottledException),
    ],
)
def test_structured_output_that_fails(answer: Delivery, raised: type[Exception]) -> None:
    service = Service(answer)

    async def run() -> list[Any]:
        return [event async for event in service.model.structured_output(Sum, HELLO)]

    with pytest.raises(raised):
        asyncio.run(run())
    assert service.unreleased == 0


def count(service: Service) -> int:
    return int(asyncio.run(service.model.count_tokens(HELLO, system_prompt="Be brief.")))


def test_tokens_are_counted_by_the_service_when_that_is_asked_for() -> None:
    service = Service(body({"input_tokens": 4321}), use_native_token_count=True, params={"temperature": 1.0})
    assert count(service) == 4321
    assert service.endpoint.log.requests[0].path.startswith("/v1/messages/count_tokens")
    assert sorted(service.sent[0]) == ["messages", "model", "system"]


def test_tokens_are_estimated_otherwise() -> None:
    service = Service(body({"input_tokens": 4321}))
    assert 1 <= count(service) < 100
    assert service.sent == []


@pytest.mark.parametrize(("status", "requests"), [(404, 1), (403, 1), (529, 2), (500, 2)])
def test_a_service_that_cannot_count_is_not_asked_again(status: int, requests: int) -> None:
    service = Service(body(error("api_error", "no"), status), use_native_token_count=True)
    assert count(service) == count(service) >= 1
    assert len(service.sent) == requests


def test_an_odd_count_is_no_count() -> None:
    assert 1 <= count(Service(body({"tokens": 1}), use_native_token_count=True)) < 100


def test_unknown_settings_warn() -> None:
    with pytest.warns(UnknownConfigWarning, match="max_token\\b"):
        Service(streamed(*HELLO_REPLY), max_token=5)


def test_known_settings_do_not_warn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = Service(streamed(*HELLO_REPLY), stream=False, context_window_limit=200_000).model
        model.update_config(max_tokens=7)
    assert (model.get_config()["max_tokens"], model.context_window_limit) == (7, 200_000)


def test_the_record_does_not_import_the_sdk() -> None:
    import subprocess
    import sys

    code = "import sys, providers.anthropic; sys.exit('anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    assert PROVIDER.capabilities.structured == "forced_tool"
