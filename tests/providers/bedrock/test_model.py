"""The model: settings, clients, errors, release of connections, counting, structured output."""

import asyncio
import threading
import warnings
from contextlib import aclosing
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.eventstream import ParserError
from botocore.exceptions import ClientError, EndpointConnectionError, ReadTimeoutError, ResponseStreamingError
from pydantic import BaseModel

from harness.contract.assembler import assemble
from harness.contract.config import UnknownConfigWarning
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelResponseError,
    ModelThrottledException,
    StructuredOutputException,
)
from harness.endpoint.base import Delivery
from harness.endpoint.loopback import LoopbackEndpoint
from harness.wire.faults import Terminal
from providers.bedrock import PROVIDER
from providers.bedrock.config import UnknownRegionWarning, default_model_id, foundation_model_id
from providers.bedrock.model import BedrockModel
from tests.providers.bedrock.support import (
    HELLO,
    HI,
    LIMIT,
    METADATA,
    START,
    Bedrock,
    answered,
    begin,
    delta,
    end,
    frames,
    refusal,
    reply,
    stop,
    streamed,
)

TEXT = (START, delta(0, text="Hi"))


# --- settings


@pytest.mark.parametrize(
    ("region", "geography"),
    [("us-east-1", "us"), ("us-gov-west-1", "us-gov"), ("eu-central-1", "eu"), ("ap-northeast-1", "apac")],
)
def test_the_default_model_is_one_of_the_region(region: str, geography: str) -> None:
    assert default_model_id(region) == f"{geography}.anthropic.claude-sonnet-4-20250514-v1:0"


def test_a_region_without_a_default_model_warns() -> None:
    with pytest.warns(UnknownRegionWarning, match="'sa-east-1'"):
        assert default_model_id("sa-east-1").startswith("global.")


def test_a_given_model_does_not_warn_of_the_region() -> None:
    session = boto3.Session(aws_access_key_id="none", aws_secret_access_key="none")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = BedrockModel(boto_session=session, region_name="sa-east-1", model_id="amazon.nova-lite-v1:0")
    assert model.client.meta.region_name == "sa-east-1"


@pytest.mark.parametrize(
    ("profile", "model"),
    [
        ("us.anthropic.claude-x", "anthropic.claude-x"),
        ("global.amazon.nova", "amazon.nova"),
        ("anthropic.claude-x", "anthropic.claude-x"),
        ("us-gov.anthropic.claude-x", "anthropic.claude-x"),
        ("us.custom", "us.custom"),
    ],
)
def test_the_model_behind_a_profile(profile: str, model: str) -> None:
    assert foundation_model_id(profile) == model


def test_unknown_settings_warn_with_their_name() -> None:
    with pytest.warns(UnknownConfigWarning, match="max_tokenz"):
        model = Bedrock(streamed(frames(*HI)), max_tokenz=3).model
    with pytest.warns(UnknownConfigWarning, match="temprature"):
        model.update_config(temprature=1)


def test_changed_settings_hold_for_the_next_call() -> None:
    bedrock = Bedrock(streamed(frames(*HI)))
    bedrock.model.update_config(max_tokens=3, model_id="amazon.nova-lite-v1:0")
    bedrock.run()
    assert bedrock.body["inferenceConfig"] == {"maxTokens": 3}
    assert bedrock.endpoint.log.requests[0].path.startswith("/model/amazon.nova-lite-v1")


def test_the_setting_chooses_the_operation() -> None:
    answers = {"converse-stream": streamed(frames(*HI)), "converse": reply({"text": "Hi"})}
    bedrock = Bedrock(lambda request: answers[request.path.rsplit("/", 1)[1]])
    for streaming, operation in ((True, "converse-stream"), (False, "converse")):
        bedrock.model.update_config(streaming=streaming)
        assert assemble(bedrock.run()).message["content"] == [{"text": "Hi"}]
        assert bedrock.endpoint.log.requests[-1].path.endswith(f"/{operation}")


def test_the_sdk_does_not_retry_unless_told_to() -> None:
    busy = answered({"message": "Busy"}, 503, x_amzn_errortype="ServiceUnavailableException")
    once = Bedrock(busy)
    thrice = Bedrock(busy, boto_client_config=Config(retries={"total_max_attempts": 3, "mode": "standard"}))
    for bedrock, requests in ((once, 1), (thrice, 3)):
        with pytest.raises(ModelThrottledException):
            bedrock.run()
        assert len(bedrock.endpoint.log.requests) == requests


def test_client_settings_of_the_caller_join_the_adapters() -> None:
    settings = Config(read_timeout=7, user_agent_extra="mine")
    config = Bedrock(streamed(frames(*HI)), boto_client_config=settings).model.client.meta.config
    assert (config.read_timeout, config.user_agent_extra) == (7, "mine")
    assert config.retries["total_max_attempts"] == 1


def test_an_api_key_is_sent_instead_of_a_signature() -> None:
    bedrock = Bedrock(streamed(frames(*HI)), api_key="key-1")
    bedrock.run()
    headers = dict(bedrock.endpoint.log.requests[0].headers)
    assert headers["authorization"] == "Bearer key-1"
    assert "x-amz-date" not in headers


def test_unknown_arguments_of_stream_are_ignored() -> None:
    events = Bedrock(streamed(frames(*HI))).run(HELLO, cancel_signal=None, model_state={}, novelty=1)
    assert "messageStop" in events[-2]


def test_a_message_that_cannot_be_sent_raises() -> None:
    bedrock = Bedrock(streamed(frames(*HI)))
    with pytest.raises(KeyError):
        bedrock.run([{"role": "user", "content": [{"toolUse": {}}]}])  # type: ignore[typeddict-item]


# --- errors


OVERFLOW = "The model returned the following errors: prompt is too long: 203470 tokens > 200000 maximum"


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize(
    ("status", "code", "message", "expected"),
    [
        (429, "ThrottlingException", "Rate exceeded", ModelThrottledException),
        (429, "ModelNotReadyException", "Not ready", ModelThrottledException),
        (503, "ServiceUnavailableException", "Bedrock is unable to process your request.", ModelThrottledException),
        (400, "ValidationException", OVERFLOW, ContextWindowOverflowException),
    ],
)
def test_errors_of_the_contract(streaming: bool, status: int, code: str, message: str, expected: Any) -> None:
    bedrock = Bedrock(answered({"message": message}, status, x_amzn_errortype=code), streaming=streaming)
    with pytest.raises(expected) as caught:
        bedrock.run()
    assert caught.value.message == message
    assert isinstance(caught.value.__cause__, ClientError)


def test_the_wait_that_the_service_asks_for_is_told() -> None:
    busy = answered({"message": "Busy"}, 429, x_amzn_errortype="ThrottlingException", Retry_After="3")
    with pytest.raises(ModelThrottledException) as caught:
        Bedrock(busy).run()
    assert caught.value.retry_after == 3


@pytest.mark.parametrize("before", [(), TEXT])
@pytest.mark.parametrize(
    ("kind", "message", "expected"),
    [
        ("throttlingException", "Too many requests", ModelThrottledException),
        ("serviceUnavailableException", "Bedrock is unable to process your request.", ModelThrottledException),
        ("validationException", OVERFLOW, ContextWindowOverflowException),
        ("modelStreamErrorException", "Try again", ClientError),
        ("internalServerException", "Try again", ClientError),
        ("validationException", "Not a PNG", ClientError),
    ],
)
def test_errors_inside_a_stream(before: Any, kind: str, message: str, expected: Any) -> None:
    bedrock = Bedrock(streamed([*frames(*before), refusal(kind, message)]))
    events: list[Any] = []

    async def run() -> None:
        async for event in bedrock.model.stream(HELLO):
            events.append(event)  # noqa: PERF401 - what came before the error counts

    with pytest.raises(expected, match=message):
        asyncio.run(run())
    assert not any("messageStop" in event for event in events)
    assert bool(events) == bool(before)
    assert bedrock.endpoint.log.unreleased == 0


@pytest.mark.parametrize(
    ("code", "message", "note"),
    [
        ("AccessDeniedException", "You don't have access to the model with the specified model ID.", "permission"),
        ("ValidationException", "The provided model identifier is invalid.", "not known in this region"),
        ("ValidationException", "with on-demand throughput isn’t supported", "inference profile"),
    ],
)
def test_notes_tell_what_to_do(code: str, message: str, note: str) -> None:
    bedrock = Bedrock(answered({"message": message}, 400, x_amzn_errortype=code))
    with pytest.raises(ClientError, match=message) as caught:
        bedrock.run()
    assert type(caught.value).__name__ == code
    notes = "\n".join(caught.value.__notes__)
    assert "us-east-1" in notes
    assert bedrock.model.config["model_id"] in notes
    assert note in notes


@pytest.mark.parametrize(
    ("terminal", "streaming", "expected"),
    [
        (Terminal.RESET, True, ResponseStreamingError),
        (Terminal.SILENCE, True, ReadTimeoutError),
        (Terminal.SILENCE, False, ReadTimeoutError),
        (Terminal.COMPLETE, True, IncompleteStreamError),
        (Terminal.COMPLETE, False, ModelResponseError),
    ],
)
def test_broken_connections(terminal: Terminal, streaming: bool, expected: Any) -> None:
    chunks = frames(*TEXT) if streaming else (b'{"output": {"mess',)
    bedrock = Bedrock(streamed(chunks, terminal), streaming=streaming)
    with pytest.raises(expected):
        bedrock.run()
    assert bedrock.endpoint.log.unreleased == 0


def test_a_refused_connection() -> None:
    with pytest.raises(EndpointConnectionError):
        Bedrock(Delivery(200, (), (), refused=True)).run()


@pytest.mark.parametrize("streaming", [True, False])
@pytest.mark.parametrize("page", [b"<!DOCTYPE html><html>Service</html>", b'{"Output": {"__type": "Unknown"}}'])
def test_answers_that_are_no_reply(streaming: bool, page: bytes) -> None:
    bedrock = Bedrock(Delivery(200, (("content-type", "text/html"),), (page,)), streaming=streaming)
    with pytest.raises(ModelResponseError):
        bedrock.run()
    assert bedrock.endpoint.log.unreleased == 0


def test_a_damaged_frame_in_the_middle() -> None:
    first, second = frames(*TEXT)
    with pytest.raises(ParserError):
        Bedrock(streamed([first, second[:-1] + bytes([second[-1] ^ 1])])).run()


# --- connections


@pytest.fixture
def loopback() -> Any:
    endpoint = LoopbackEndpoint()
    yield endpoint
    endpoint.close()


@pytest.mark.parametrize("taken", [1, 3])
def test_leaving_early_releases_the_connection_of_a_silent_server(loopback: Any, taken: int) -> None:
    loopback.reset(lambda _: streamed(frames(*TEXT), Terminal.SILENCE))
    model = PROVIDER.build(loopback, {})

    async def leave() -> None:
        async with aclosing(model.stream(HELLO)) as events:
            for _ in range(taken):
                await anext(events)

    before = threading.active_count()
    asyncio.run(asyncio.wait_for(leave(), LIMIT))
    assert loopback.log.unreleased == 0
    assert threading.active_count() <= before + 1  # a warm thread


def test_cancellation_releases_the_connection_of_a_silent_server(loopback: Any) -> None:
    loopback.reset(lambda _: streamed(frames(*TEXT), Terminal.SILENCE))
    model = PROVIDER.build(loopback, {})

    async def cancel() -> None:
        seen = asyncio.Event()

        async def read() -> None:
            async with aclosing(model.stream(HELLO)) as events:
                async for event in events:
                    if "contentBlockDelta" in event:
                        seen.set()

        task = asyncio.create_task(read())
        await seen.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(cancel(), LIMIT))
    assert loopback.log.unreleased == 0


def test_cancellation_in_process_closes_the_response() -> None:
    bedrock = Bedrock(streamed(frames(*TEXT), Terminal.SILENCE), boto_client_config=Config(read_timeout=None))

    async def leave() -> None:
        async with aclosing(bedrock.model.stream(HELLO)) as events:
            await anext(events)

    asyncio.run(leave())
    assert bedrock.endpoint.log.unreleased == 0


def test_one_model_serves_several_loops_and_reuses_its_client() -> None:
    bedrock = Bedrock(streamed(frames(*HI)))
    client = bedrock.model.client
    assert bedrock.run() == bedrock.run()
    assert bedrock.model.client is client


# --- counting


def counted(answer: Any, model_id: str = "us.amazon.nova-lite-v1:0") -> Bedrock:
    return Bedrock(answer, use_native_token_count=True, model_id=model_id)


def count(bedrock: Bedrock) -> int:
    return int(asyncio.run(bedrock.model.count_tokens(HELLO, None, "Be brief")))


def test_the_service_counts_for_the_model_behind_the_profile() -> None:
    bedrock = counted(answered({"inputTokens": 4711}))
    assert count(bedrock) == 4711
    assert bedrock.endpoint.log.requests[0].path.startswith("/model/amazon.nova-lite-v1")
    assert bedrock.body == {"input": {"converse": {"messages": HELLO, "system": [{"text": "Be brief"}]}}}


def test_it_estimates_unless_it_is_set_to_ask() -> None:
    bedrock = Bedrock(answered({"inputTokens": 4711}))
    assert 0 < count(bedrock) < 100
    assert bedrock.endpoint.log.requests == []


@pytest.mark.parametrize(
    ("status", "code", "message", "requests"),
    [
        (400, "ValidationException", "The provided model doesn't support counting tokens.", 1),
        (403, "AccessDeniedException", "Not authorized", 1),
        (404, "ResourceNotFoundException", "Not found", 1),
        (429, "ThrottlingException", "Rate exceeded", 2),
        (400, "ValidationException", "A conversation must start with a user message.", 2),
    ],
)
def test_a_refusal_is_remembered_and_a_failure_is_not(status: int, code: str, message: str, requests: int) -> None:
    bedrock = counted(answered({"message": message}, status, x_amzn_errortype=code))
    estimates = {count(bedrock), count(bedrock)}
    assert len(estimates) == 1
    assert 0 < estimates.pop() < 100
    assert len(bedrock.endpoint.log.requests) == requests


def test_a_refusal_holds_for_its_model_only() -> None:
    bedrock = counted(answered({"message": "no"}, 403, x_amzn_errortype="AccessDeniedException"))
    count(bedrock)
    bedrock.model.update_config(model_id="amazon.nova-pro-v1:0")
    count(bedrock)
    assert len(bedrock.endpoint.log.requests) == 2


def test_a_service_out_of_reach_is_no_error_of_counting() -> None:
    assert 0 < count(counted(Delivery(200, (), (), refused=True))) < 100


# --- structured output


class Person(BaseModel):
    """Somebody."""

    name: str


def structured(*events: Any, **config: Any) -> tuple[Bedrock, list[Any]]:
    bedrock = Bedrock(streamed(frames(START, *events, METADATA)), **config)

    async def run() -> list[Any]:
        return [output async for output in bedrock.model.structured_output(Person, HELLO, "Be brief")]

    return bedrock, asyncio.run(run())


PERSON = (
    begin(0, toolUse={"toolUseId": "t", "name": "Person"}),
    delta(0, toolUse={"input": '{"name": "Ada"}'}),
    end(0),
)


def test_structured_output_is_a_forced_call() -> None:
    thinking = {"thinking": {"type": "enabled", "budget_tokens": 1024}}
    bedrock, outputs = structured(*PERSON, stop("tool_use"), additional_request_fields=thinking)
    assert outputs[-1] == {"output": Person(name="Ada")}
    assert outputs[0] == {"messageStart": {"role": "assistant"}}
    assert bedrock.body["toolConfig"]["toolChoice"] == {"tool": {"name": "Person"}}
    assert bedrock.body["system"] == [{"text": "Be brief"}]
    assert "additionalModelRequestFields" not in bedrock.body


def test_structured_output_without_the_call() -> None:
    with pytest.raises(StructuredOutputException):
        structured(delta(0, text="Ada"), end(0), stop("end_turn"))
