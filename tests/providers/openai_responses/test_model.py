import asyncio
from contextlib import aclosing
from typing import Any

import openai
import pytest
from pydantic import BaseModel

from harness.contract.config import UnknownConfigWarning
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelError,
    ModelResponseError,
    ModelThrottledException,
    StructuredOutputException,
)
from harness.endpoint.base import Delivery
from harness.wire.faults import Terminal
from providers.openai_responses import PROVIDER
from providers.openai_responses.model import OpenAIResponsesModel
from tests.providers.openai.service import HELLO, JSON, SSE, answered, frames, streamed
from tests.providers.openai_responses.service import Service
from tests.providers.openai_responses.wire import HELLO_REPLY, completed, cut, event, message, response, said, text

BODY = response(message(text("Hello")))


class Sum(BaseModel):
    """A sum."""

    total: int


def reply(*events: Any, **fields: Any) -> Delivery:
    return streamed(*events, done=False, **fields)


def test_a_streamed_and_a_whole_reply() -> None:
    stream, whole = Service(reply(*HELLO_REPLY)), Service(answered(BODY), stream=False)
    for found in (stream.ask(), whole.ask()):
        assert found.message == {"role": "assistant", "content": [{"text": "Hello"}]}
        assert found.usage == {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
        assert found.metrics is not None
        assert found.metrics["latencyMs"] >= 0
    assert [service.sent[0]["stream"] for service in (stream, whole)] == [True, False]
    assert stream.endpoint.log.requests[0].path == "/v1/responses"


def test_a_body_in_place_of_a_stream_is_read_all_the_same() -> None:
    assert Service(answered(BODY)).ask().message["content"] == [{"text": "Hello"}]


def test_fields_and_options_that_the_sdk_does_not_know_of_a_service_are_sent() -> None:
    params = {"temperature": 0.5, "top_k": 3, "extra_body": {"min_p": 0.1}, "extra_headers": {"x-tenant": "t"}}
    service = Service(reply(*HELLO_REPLY), params=params)
    service.ask()
    sent, request = service.sent[0], service.endpoint.log.requests[0]
    assert (sent["temperature"], sent["top_k"], sent["min_p"]) == (0.5, 3, 0.1)
    assert request.header("x-tenant") == "t"


def test_unknown_arguments_are_ignored_and_unknown_settings_warn() -> None:
    assert Service(reply(*HELLO_REPLY), params=None).ask(novelty=1, invocation_state={}).stop_reason == "end_turn"
    with pytest.warns(UnknownConfigWarning, match="modle_id"):
        OpenAIResponsesModel(model_id="m", modle_id="n")


# --- errors -----------------------------------------------------------------------------------------------------

ERRORS = [
    ("rate_limit_exceeded", ModelThrottledException),
    ("context_length_exceeded", ContextWindowOverflowException),
    ("server_error", openai.APIError),
    ("insufficient_quota", openai.APIError),
]


def told_in(code: str) -> list[Any]:
    error = {"code": code, "message": "the words"}
    return [
        {"type": "error", **error},
        {"type": "error", "error": error},
        event("failed", response=response(status="failed", error=error)),
    ]


@pytest.mark.parametrize("kept", [0, 3])
@pytest.mark.parametrize("form", range(3))
@pytest.mark.parametrize(("code", "raised"), ERRORS)
def test_errors_in_the_stream(code: str, raised: type[Exception], form: int, kept: int) -> None:
    service = Service(reply(*HELLO_REPLY[:kept], told_in(code)[form]))
    with pytest.raises(raised, match="the words") as caught:
        service.ask()
    assert isinstance(caught.value.__cause__ or caught.value, openai.APIError)
    assert isinstance(caught.value, ModelError) == (raised is not openai.APIError)
    assert service.unreleased == 0


@pytest.mark.parametrize(("code", "raised"), ERRORS)
def test_whole_failures(code: str, raised: type[Exception]) -> None:
    failed = response(status="failed", error={"code": code, "message": "the words"})
    with pytest.raises(raised, match="the words"):
        Service(answered(failed), stream=False).ask()


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("status", "code", "raised"),
    [
        (429, "rate_limit_exceeded", ModelThrottledException),
        (400, "context_length_exceeded", ContextWindowOverflowException),
        (400, "invalid_value", openai.BadRequestError),
    ],
)
def test_errors_at_the_call_are_asked_for_once(status: int, code: str, raised: type[Exception], stream: bool) -> None:
    service = Service(answered({"error": {"message": "the words", "code": code}}, status), stream=stream)
    with pytest.raises(raised, match="the words"):
        service.ask()
    assert len(service.sent) == 1
    assert service.unreleased == 0


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("data", [b"{", b"", b"null", b'{"output": null}', b"<html>busy</html>"])
def test_bodies_that_are_no_response(data: bytes, stream: bool) -> None:
    with pytest.raises(ModelResponseError):
        Service(Delivery(200, JSON, (data,)), stream=stream).ask()


@pytest.mark.parametrize("kept", [0, 1, 3, 5])
def test_a_stream_without_a_terminal_event_is_an_error(kept: int) -> None:
    for done in (False, True):
        service = Service(streamed(*HELLO_REPLY[:kept], done=done))
        with pytest.raises(IncompleteStreamError):
            service.ask()
        assert service.unreleased == 0


@pytest.mark.parametrize("kept", [0, 1, 3])
def test_a_cut_connection_is_the_sdks_connection_error(kept: int) -> None:
    service = Service(reply(*HELLO_REPLY[:kept], terminal=Terminal.RESET))
    with pytest.raises(openai.APIConnectionError) as caught:
        service.ask()
    assert caught.value.__cause__ is not None
    assert service.unreleased == 0


@pytest.mark.parametrize("terminal", [Terminal.RESET, Terminal.SILENCE])
def test_after_the_terminal_event_nothing_can_spoil_the_reply(terminal: Terminal) -> None:
    service = Service(reply(*HELLO_REPLY, terminal=terminal))
    assert service.ask().message["content"] == [{"text": "Hello"}]
    assert service.unreleased == 0


def test_what_follows_the_terminal_event_is_not_read() -> None:
    late = Delivery(200, SSE, (*frames(HELLO_REPLY), *frames([said("more")]), b"data: {broken\n\n"))
    assert Service(late).ask().message["content"] == [{"text": "Hello"}]


@pytest.mark.parametrize("taken", range(1, 8))
def test_closing_early_frees_the_connection(taken: int) -> None:
    service = Service(reply(*HELLO_REPLY))

    async def listen() -> int:
        async with aclosing(service.model.stream(HELLO)) as events:
            for _ in range(taken):
                await anext(events)
        return service.unreleased

    assert asyncio.run(listen()) == 0


# --- what the service keeps -------------------------------------------------------------------------------------


def test_the_setting_says_who_keeps_the_conversation() -> None:
    model = OpenAIResponsesModel(model_id="m", stateful=True)
    assert model.stateful is True
    model.update_config(stateful=False)
    assert model.stateful is OpenAIResponsesModel(model_id="m").stateful is False


@pytest.mark.parametrize("stream", [True, False])
def test_a_conversation_goes_on_where_its_state_says(stream: bool) -> None:
    first = reply(*HELLO_REPLY) if stream else answered(BODY)
    second = {**BODY, "id": "resp_2"}
    service = Service(
        first, reply(event("completed", response=second)) if stream else answered(second), stateful=True, stream=stream
    )
    state: dict[str, Any] = {}
    service.ask(model_state=state)
    assert state == {"response_id": "resp_1"}
    service.ask(model_state=state)
    assert state == {"response_id": "resp_2"}
    service.ask(model_state={})
    assert [sent.get("previous_response_id") for sent in service.sent] == [None, "resp_1", None]


@pytest.mark.parametrize(
    ("delivery", "settings", "kept"),
    [
        (reply(cut("max_output_tokens")), {"stateful": True}, {"response_id": "resp_1"}),
        (reply(*HELLO_REPLY[:3]), {"stateful": True}, {}),
        (reply(*HELLO_REPLY[:3], event("failed", response=response(status="failed"))), {"stateful": True}, {}),
        (reply(*HELLO_REPLY), {}, {}),
    ],
)
def test_only_a_reply_that_ended_changes_the_state(delivery: Delivery, settings: Any, kept: Any) -> None:
    state: dict[str, Any] = {}
    try:
        Service(delivery, **settings).ask(model_state=state)
    except (ModelError, openai.APIError):
        assert kept == {}
    assert state == kept


def test_a_stateful_model_without_a_state_begins_anew() -> None:
    service = Service(reply(*HELLO_REPLY), stateful=True)
    for _ in range(2):
        assert service.ask().stop_reason == "end_turn"
    assert [(sent["store"], "previous_response_id" in sent) for sent in service.sent] == [(True, False)] * 2


# --- structured output ------------------------------------------------------------------------------------------


def structured(service: Service, **arguments: Any) -> list[Any]:
    async def ask() -> list[Any]:
        return [item async for item in service.model.structured_output(Sum, HELLO, "Be exact.", **arguments)]

    return asyncio.run(ask())


def test_structured_output_gives_events_and_then_the_instance() -> None:
    service, state = Service(reply(said('{"total"'), said(": 7}"), completed()), stateful=True), dict[str, Any]()
    *events, last = structured(service, model_state=state)
    assert last == {"output": Sum(total=7)}
    assert next(iter(events[-2])) == "messageStop"
    assert service.sent[0]["text"]["format"]["name"] == "Sum"
    assert service.sent[0]["instructions"] == "Be exact."
    assert state == {"response_id": "resp_1"}


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([completed(message({"type": "refusal", "refusal": "I will not"}))], "I will not"),
        ([said('{"total": 7}'), cut("max_output_tokens")], "cut"),
        ([said("seven"), completed()], "no JSON"),
        ([said('{"sum": 7}'), completed()], "no valid Sum"),
    ],
)
def test_structured_output_without_an_answer_raises(events: list[Any], words: str) -> None:
    with pytest.raises(StructuredOutputException, match=words):
        structured(Service(reply(*events)))


def test_the_record_says_what_the_adapter_does() -> None:
    assert (PROVIDER.name, PROVIDER.dialect) == ("openai_responses", "openai_responses")
    for settings in (PROVIDER.stream_config, PROVIDER.whole_config):
        assert set(settings or {}) == {PROVIDER.capabilities.streaming_key}
