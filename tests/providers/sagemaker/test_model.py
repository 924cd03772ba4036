import asyncio
import json
from typing import Any

import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, EventStreamError, ResponseStreamingError
from pydantic import BaseModel

from harness.contract.assembler import Assembler
from harness.contract.config import UnknownConfigWarning, UnsupportedToolChoiceWarning
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelResponseError,
    ModelThrottledException,
    ToolsUnsupportedException,
)
from harness.dialects.base import WireRequest
from harness.endpoint.base import Delivery
from harness.endpoint.in_process import InProcessEndpoint
from harness.wire import eventstream
from harness.wire.faults import Terminal
from providers.sagemaker import PROVIDER
from providers.sagemaker.model import SageMakerModel
from tests.providers.shared.openai_chat.wire import body, chunk, in_order

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]
TOOL: Any = {"name": "add", "description": "Adds.", "inputSchema": {"json": {"type": "object"}}}


class Sum(BaseModel):
    """A sum."""

    total: int


def sse(*values: Any) -> bytes:
    return b"".join(b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n" for value in values)


def part(payload: bytes) -> bytes:
    return eventstream.encode_message(eventstream.event("PayloadPart", payload))


def refusal(kind: str, **members: str) -> bytes:
    return eventstream.encode_message(eventstream.exception(kind, json.dumps(members).encode()))


def parts(*messages: bytes, terminal: Terminal = Terminal.COMPLETE) -> Delivery:
    return Delivery(200, (("content-type", "application/vnd.amazon.eventstream"),), messages, terminal)


def answered(value: Any, status: int = 200, code: str = "") -> Delivery:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    named = (("x-amzn-errortype", code),) if code else ()
    return Delivery(status, (("content-type", "application/json"), *named), (data,))


def behind(message: str, status: int) -> Delivery:
    """What the container behind the endpoint refused."""
    words = f'Received client error ({status}) from primary with message "{message}". See https://logs for more.'
    return answered({"Message": words, "OriginalMessage": message, "OriginalStatusCode": status}, 424, "ModelError")


class Service:
    """Gives one delivery to whoever asks."""

    def __init__(self, delivery: Delivery, **config: Any) -> None:
        self.endpoint = InProcessEndpoint()
        self.model = PROVIDER.build(self.endpoint, config)

        def respond(_: WireRequest) -> Delivery:
            return delivery

        self.endpoint.reset(respond)

    @property
    def asked(self) -> WireRequest:
        """The last request."""
        return self.endpoint.log.requests[-1]

    @property
    def sent(self) -> Any:
        """Its body."""
        return json.loads(self.asked.body)

    def ask(self, messages: Any = HELLO, **arguments: Any) -> Assembler:
        async def events() -> list[Any]:
            return [event async for event in self.model.stream(messages, **arguments)]

        return in_order(asyncio.run(events()))


TOLD = sse(chunk(content="Hé"), chunk(content="llo🙂", tool_calls=None), chunk("stop")) + b"data: [DONE]\n\n"
HI = parts(part(sse(chunk("stop", content="Hi"))))


# --- replies ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
def test_parts_are_cut_anywhere(size: int) -> None:
    service = Service(parts(*(part(TOLD[at : at + size]) for at in range(0, len(TOLD), size))))
    found = service.ask()
    assert found.message["content"] == [{"text": "Héllo🙂"}]
    assert found.stop_reason == "end_turn"
    assert service.endpoint.log.unreleased == 0


def test_a_container_may_answer_whole_or_in_lines() -> None:
    lines = b"".join(json.dumps(value).encode() + b"\n" for value in (chunk(content="Hi"), chunk("stop")))
    tellings = (
        Service(parts(part(lines))),
        Service(parts(part(json.dumps(body(content="Hi")).encode()))),
        Service(answered(body(content="Hi")), stream=False),
    )
    for service in tellings:
        assert service.ask().message["content"] == [{"text": "Hi"}]


def test_structured_output_in_either_mode() -> None:
    text = '{"total": 3}'
    services = (
        Service(parts(part(sse(chunk("stop", content=text))))),
        Service(answered(body(content=text)), stream=False),
    )

    async def output(model: Any) -> Any:
        return [event async for event in model.structured_output(Sum, HELLO)][-1]["output"]

    for service, path in zip(services, ("invocations-response-stream", "invocations"), strict=True):
        assert asyncio.run(output(service.model)) == Sum(total=3)
        assert service.asked.path == f"/endpoints/conformance/{path}"
        assert service.sent["stream"] is path.endswith("stream")
        assert service.sent["response_format"]["type"] == "json_schema"


# --- requests -----------------------------------------------------------------------------------------------------


def test_settings_may_be_grouped() -> None:
    endpoint = {"endpoint_name": "mine", "inference_component_name": "part", "region_name": "eu-west-1"}
    payload = {"max_tokens": 5, "additional_args": {"min_p": 0.1}, "stream": True}
    more = {"CustomAttributes": "a=b"}
    service = Service(HI, endpoint_config={**endpoint, "additional_args": more}, payload_config=payload)
    service.model.update_config(payload_config={"temperature": 0})
    service.ask()
    headers = dict(service.asked.headers)
    assert headers["x-amzn-sagemaker-inference-component"] == "part"
    assert headers["x-amzn-sagemaker-custom-attributes"] == "a=b"
    assert service.sent.items() >= {"max_tokens": 5, "min_p": 0.1, "temperature": 0}.items()
    assert "model" not in service.sent
    assert service.model.client.meta.region_name == "eu-west-1"
    assert payload.keys() == {"max_tokens", "additional_args", "stream"}


def test_a_group_names_the_endpoint() -> None:
    model = SageMakerModel(endpoint_config={"endpoint_name": "mine"}, region_name="us-east-1")
    assert model.get_config() == {"endpoint_name": "mine"}


def test_unknown_settings_of_an_endpoint_warn() -> None:
    with pytest.warns(UnknownConfigWarning, match="endpoint_nam\\b"):
        SageMakerModel(endpoint_config={"endpoint_nam": "mine"}, region_name="us-east-1")


def test_a_choice_of_tools_is_ignored_with_a_warning() -> None:
    service = Service(HI, model_id="m")
    with pytest.warns(UnsupportedToolChoiceWarning):
        service.ask(tool_specs=[TOOL], tool_choice={"any": {}})
    assert "tool_choice" not in service.sent
    assert service.sent["tools"][0]["function"]["name"] == "add"
    assert service.sent["model"] == "m"


def test_tool_results_may_be_told_by_the_user() -> None:
    use = {"toolUse": {"toolUseId": "c1", "name": "add", "input": {}}}
    result = {"toolResult": {"toolUseId": "c1", "content": [{"text": "3"}], "status": "success"}}
    messages = [*HELLO, {"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    tellings = {}
    for setting in (False, True):
        service = Service(HI, tool_results_as_user_messages=setting)
        service.ask(messages, tool_specs=[TOOL])
        tellings[setting] = service.sent["messages"][-1]
    assert tellings[False] == {"role": "tool", "tool_call_id": "c1", "content": "3"}
    assert tellings[True] == {"role": "user", "content": "Output of tool call c1:\n3"}


def test_the_caller_decides_on_retries() -> None:
    busy = answered({"Message": "Rate exceeded"}, 400, "ThrottlingException")
    asked = []
    for config in (None, Config(retries={"total_max_attempts": 2, "mode": "standard"})):
        service = Service(busy, boto_client_config=config)
        with pytest.raises(ModelThrottledException):
            service.ask()
        asked.append(len(service.endpoint.log.requests))
    assert asked == [1, 2]


# --- errors -------------------------------------------------------------------------------------------------------

TGI = '{"error": "Input validation error: `inputs` must have less than 1000 tokens. Given: 1413"}'
VLLM = '{"object": "error", "message": "auto tool choice requires --enable-auto-tool-choice to be set"}'


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("delivery", "kind"),
    [
        (behind(TGI, 422), ContextWindowOverflowException),
        (behind(VLLM, 400), ToolsUnsupportedException),
        (behind("too many requests", 429), ModelThrottledException),
        (answered({"Message": "Wait and try again."}, 429, "ModelNotReadyException"), ModelThrottledException),
    ],
)
def test_errors_of_the_contract(delivery: Delivery, kind: type[Exception], stream: bool) -> None:
    with pytest.raises(kind) as raised:
        Service(delivery, stream=stream).ask()
    assert isinstance(raised.value.__cause__, ClientError)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    "delivery",
    [behind("index of shard 3 is broken", 500), answered({"Message": "No such endpoint."}, 400, "ValidationError")],
)
def test_other_errors_are_the_sdks(delivery: Delivery, stream: bool) -> None:
    with pytest.raises(ClientError):
        Service(delivery, stream=stream).ask()


@pytest.mark.parametrize("kind", ["ModelStreamError", "InternalStreamFailure"])
def test_exceptions_in_the_stream_are_the_sdks(kind: str) -> None:
    with pytest.raises(EventStreamError, match="It broke"):
        Service(
            parts(part(sse(chunk(content="a"))), refusal(kind, Message="It broke.", ErrorCode="StreamBroken"))
        ).ask()


def test_an_overflow_in_the_stream() -> None:
    words = "This model's maximum context length is 10 tokens. However, you requested 20 tokens"
    for message in (refusal("ModelStreamError", Message=words), part(sse({"error": {"message": words}}))):
        with pytest.raises(ContextWindowOverflowException, match="maximum context length"):
            Service(parts(part(sse(chunk(content="a"))), message)).ask()


def test_a_stream_without_an_end_is_incomplete() -> None:
    service = Service(parts(part(TOLD[:-60])))
    with pytest.raises(IncompleteStreamError):
        service.ask()
    assert service.endpoint.log.unreleased == 0


def test_a_connection_that_breaks_is_the_sdks() -> None:
    with pytest.raises(ResponseStreamingError):
        Service(parts(part(TOLD[:-60]), terminal=Terminal.RESET)).ask()


def test_an_answer_that_is_no_reply() -> None:
    for service in (
        Service(answered(b"<html>Hello, this is no event stream</html>")),
        Service(answered(b"<html>"), stream=False),
    ):
        with pytest.raises(ModelResponseError):
            service.ask()
