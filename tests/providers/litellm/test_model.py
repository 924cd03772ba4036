import asyncio
import os
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from litellm.integrations.custom_logger import CustomLogger
from pydantic import BaseModel

from harness.contract.config import UnknownConfigWarning
from harness.contract.events import StreamEvent
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
from providers.litellm.model import LiteLLMModel
from providers.litellm.sdk import exceptions, litellm
from tests.providers.litellm.service import Service
from tests.providers.openai.service import DONE, HELLO, JSON, SSE, answered, frames, streamed
from tests.providers.shared.openai_chat.wire import USAGE, body, calls, chunk, entry, in_order, uses

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


def served(stream: bool, reply: Any) -> Service:
    """A service whose one reply is ``reply``: chunks, or a body."""
    return Service(streamed(*reply) if stream else answered(reply), stream=stream)


def test_a_streamed_and_a_whole_reply() -> None:
    stream, whole = served(True, HELLO_REPLY), served(False, body(content="Hello"))
    for found in (stream.ask(), whole.ask()):
        assert found.message == {"role": "assistant", "content": [{"text": "Hello"}]}
        assert found.usage == {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
    messages = [{"role": "user", "content": "Hello"}]
    assert stream.sent == [
        {"model": "gpt-4o", "messages": messages, "stream": True, "stream_options": {"include_usage": True}}
    ]
    assert whole.sent == [{"model": "gpt-4o", "messages": messages}]


def test_a_body_in_place_of_a_stream_is_read_all_the_same() -> None:
    assert Service(answered(body(content="Hello"))).ask().message["content"] == [{"text": "Hello"}]


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # litellm's, about the parts
def test_parts_that_litellm_refuses_are_read() -> None:
    parts = [{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]
    assert served(False, body(content=parts)).ask().message["content"] == [{"text": "Hello"}]


def test_calls_that_litellm_takes_for_one_are_told_apart() -> None:
    two = streamed(
        calls(entry("{}", "math.add", index=0, id="a")),
        calls(entry("{}", "math.add", index=0, id="b"), finish="tool_calls"),
    )
    assert uses(Service(two).ask(tool_specs=[ADD])) == [("a", "math.add", {}), ("b", "math.add", {})]


def test_params_are_sent_and_stay_as_they_are() -> None:
    params = {"temperature": 0.5, "top_k": 3, "extra_headers": {"x-tenant": "t"}}
    service = Service(streamed(*HELLO_REPLY), params=params)
    service.ask()
    assert (service.sent[0]["temperature"], service.sent[0]["top_k"]) == (0.5, 3)
    assert service.endpoint.log.requests[0].header("x-tenant") == "t"
    assert params == {"temperature": 0.5, "top_k": 3, "extra_headers": {"x-tenant": "t"}}


def test_unknown_arguments_are_ignored_and_unknown_settings_warn() -> None:
    assert Service(streamed(*HELLO_REPLY)).ask(novelty=1, invocation_state={}).stop_reason == "end_turn"
    with pytest.warns(UnknownConfigWarning, match="modle_id"):
        LiteLLMModel(model_id="m", modle_id="n")


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("status", "code", "raised"),
    [
        (429, "rate_limit_exceeded", ModelThrottledException),
        (429, "insufficient_quota", exceptions.RateLimitError),
        (503, None, ModelThrottledException),
        (400, "context_length_exceeded", ContextWindowOverflowException),
        (400, "invalid_value", exceptions.BadRequestError),
        (401, "invalid_api_key", exceptions.AuthenticationError),
        (500, None, exceptions.InternalServerError),
    ],
)
def test_errors_at_the_call_are_asked_for_once(
    status: int, code: str | None, raised: type[Exception], stream: bool
) -> None:
    service = Service(answered({"error": {"message": "the words", "code": code}}, status), stream=stream)
    with pytest.raises(raised, match="the words") as caught:
        service.ask()
    told = caught.value if isinstance(caught.value, openai.APIError) else caught.value.__cause__
    assert type(told).__module__ == "litellm.exceptions"
    assert len(service.sent) == 1
    assert service.unreleased == 0


def test_words_that_litellm_leaves_out_are_told() -> None:
    error = {"message": "Provider returned error", "code": 400, "metadata": {"raw": "the words"}}
    with pytest.raises(exceptions.BadRequestError, match="Provider returned error: the words"):
        Service(answered({"error": error}, 400)).ask()


def test_the_wait_that_the_service_asks_for_is_kept() -> None:
    service = Service(answered({"error": {"message": "slow down"}}, 429, (("retry-after", "7"),)))
    with pytest.raises(ModelThrottledException) as caught:
        service.ask()
    assert caught.value.retry_after == 7.0


def test_an_error_that_the_caller_was_handling_does_not_decide() -> None:
    service = Service(answered({"error": {"message": "busy"}}, 429), answered({"error": {"message": "odd"}}, 418))

    async def twice() -> None:
        try:
            await service.events()
        except ModelThrottledException:
            await service.events()

    with pytest.raises(openai.APIError, match="odd"):
        asyncio.run(twice())


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        ({"message": "the words", "code": "rate_limit_exceeded"}, ModelThrottledException),
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
@pytest.mark.parametrize("answer", [b"{", b"", b"null", b'"\xff"', b'{"choices": []}'])
def test_bodies_that_are_no_reply(answer: bytes, stream: bool) -> None:
    service = Service(Delivery(200, JSON, (answer,)), stream=stream)
    with pytest.raises(ModelResponseError):
        service.ask()
    assert service.unreleased == 0


def test_a_stream_that_ends_early_is_an_error() -> None:
    with pytest.raises(IncompleteStreamError):
        Service(streamed(*HELLO_REPLY[:2], done=False)).ask()
    with pytest.raises(ModelResponseError, match="no reply"):
        Service(Delivery(200, SSE, (*frames(HELLO_REPLY[:1]), b"data: {]\n\n", DONE))).ask()


@pytest.mark.parametrize("stream", [True, False])
def test_a_cut_connection_is_a_connection_error(stream: bool) -> None:
    cut = streamed(HELLO_REPLY[0], done=False, terminal=Terminal.RESET)
    service = Service(cut if stream else Delivery(200, JSON, (b'{"choices"',), Terminal.RESET), stream=stream)
    with pytest.raises(openai.APIConnectionError) as caught:
        service.ask()
    assert caught.value.__cause__ is not None
    assert service.unreleased == 0


@pytest.mark.parametrize(("model_id", "native"), [("openai/gpt-4o", True), ("openai/gpt-3.5-turbo", False)])
def test_structured_output_is_asked_for_as_the_model_can(model_id: str, native: bool) -> None:
    assert litellm.supports_response_schema(model_id) is native
    reply = chunk("stop", content='{"total": 3}') if native else calls(entry('{"total": 3}', "Sum", index=0, id="a"))
    service = Service(streamed(reply), model_id=model_id)
    assert structured(service)[-1] == {"output": Sum(total=3)}
    sent = service.sent[0]
    assert ("response_format" in sent, "tools" in sent) == (native, not native)
    assert native or sent["tool_choice"] == {"type": "function", "function": {"name": "Sum"}}


def test_structured_output_that_is_none() -> None:
    with pytest.raises(StructuredOutputException):
        structured(Service(streamed(chunk("stop", content="three"))))


def structured(service: Service) -> list[Any]:
    async def ask() -> list[Any]:
        return [event async for event in service.model.structured_output(Sum, HELLO)]

    return asyncio.run(ask())


class Listener(CustomLogger):
    def __init__(self) -> None:
        super().__init__()
        self.heard = asyncio.Event()

    async def async_log_success_event(self, *_: Any, **__: Any) -> None:
        self.heard.set()


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> Listener:
    found = Listener()
    monkeypatch.setattr(litellm, "callbacks", [found])
    return found


def test_litellms_listeners_hear_of_whole_replies(listener: Listener) -> None:
    service = served(False, body(content="Hello"))

    async def ask() -> list[StreamEvent]:
        events = await service.events()
        await asyncio.wait_for(listener.heard.wait(), 20)
        return events

    assert in_order(asyncio.run(ask())).stop_reason == "end_turn"


@pytest.mark.parametrize("stream", [True, False])
def test_replies_that_do_not_come_through_the_openai_sdk_are_read_from_litellm(stream: bool) -> None:
    model = LiteLLMModel(model_id="anthropic/claude", stream=stream, client_args={"mock_response": "Hello"})

    async def ask() -> list[StreamEvent]:
        return [event async for event in model.stream(HELLO)]

    reply = in_order(asyncio.run(ask()))
    assert (reply.message["content"], reply.stop_reason) == ([{"text": "Hello"}], "end_turn")


@pytest.fixture
def loopback() -> Iterator[LoopbackEndpoint]:
    endpoint = LoopbackEndpoint()
    yield endpoint
    endpoint.close()


@pytest.mark.parametrize("stream", [True, False])
def test_without_a_client_litellm_has_its_own_on_each_loop(loopback: LoopbackEndpoint, stream: bool) -> None:
    reply = streamed(*HELLO_REPLY) if stream else answered(body(content="Hello"))
    loopback.reset(lambda _: reply)
    own = {"api_base": f"{loopback.base_url}/v1", "api_key": "test-key"}
    model = LiteLLMModel(model_id="openai/gpt-4o", stream=stream, client_args=own)

    async def ask() -> list[StreamEvent]:
        return [event async for event in model.stream(HELLO)]

    for _ in range(2):
        assert in_order(asyncio.run(ask())).message["content"] == [{"text": "Hello"}]


def test_nothing_is_fetched_when_litellm_is_imported() -> None:
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "True"
