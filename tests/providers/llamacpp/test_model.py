import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from pydantic import BaseModel

from harness.contract.assembler import Assembler
from harness.contract.config import UnsupportedContentWarning, UnsupportedToolChoiceWarning
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
from harness.wire.faults import Terminal
from providers.llamacpp import PROVIDER
from providers.llamacpp.model import LlamaCppModel
from tests.providers.shared.openai_chat.wire import USAGE, body, chunk, in_order

HELLO: Any = [{"role": "user", "content": [{"text": "Hello"}]}]
TOOL: Any = {"name": "add", "description": "Adds.", "inputSchema": {"json": {"type": "object"}}}
TIMINGS = {"prompt_n": 3, "prompt_ms": 20.5, "predicted_n": 5, "predicted_ms": 30.0}


class Sum(BaseModel):
    """A sum."""

    total: int


def answered(value: Any, status: int = 200, kind: str = "application/json") -> Delivery:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return Delivery(status, (("content-type", kind),), (data,))


def streamed(*values: Any, end: bytes = b"data: [DONE]\n\n", terminal: Terminal = Terminal.COMPLETE) -> Delivery:
    events = tuple(b"data:" + json.dumps(value).encode() + b"\n\n" for value in values)
    return Delivery(200, (("content-type", "text/event-stream"),), (*events, end), terminal)


class Service:
    """Gives one delivery to whoever asks, or one by path."""

    def __init__(self, delivery: Delivery | Callable[[WireRequest], Delivery], **config: Any) -> None:
        self.endpoint = InProcessEndpoint()
        self.model = PROVIDER.build(self.endpoint, config)

        def respond(request: WireRequest) -> Delivery:
            return delivery if isinstance(delivery, Delivery) else delivery(request)

        self.endpoint.reset(respond)

    @property
    def sent(self) -> Any:
        """The body of the last request."""
        return json.loads(self.endpoint.log.requests[-1].body)

    def ask(self, messages: Any = HELLO, **arguments: Any) -> Assembler:
        async def events() -> list[Any]:
            return [event async for event in self.model.stream(messages, **arguments)]

        return in_order(asyncio.run(events()))

    def structured(self) -> Any:
        async def last() -> Any:
            return [event async for event in self.model.structured_output(Sum, HELLO)][-1]["output"]

        return asyncio.run(last())


HI = streamed(chunk("stop", content="Hi"))


def test_a_streamed_and_a_whole_reply() -> None:
    usage = {"choices": [], "usage": USAGE, "timings": TIMINGS}
    stream = Service(
        streamed(
            chunk(role="assistant", content=None),
            {**chunk(reasoning_content="Hm."), "usage": None},
            chunk(content="Hello", tool_calls=None),
            chunk("stop"),
            usage,
        )
    )
    message = {"reasoning_content": "Hm.", "content": "Hello", "tool_calls": None}
    whole = Service(answered({**body(**message), "timings": TIMINGS}), stream=False)
    for found in (stream.ask(), whole.ask()):
        assert found.message["content"] == [
            {"reasoningContent": {"reasoningText": {"text": "Hm."}}},
            {"text": "Hello"},
        ]
        assert found.usage == {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
        assert found.metrics is not None
        assert found.metrics["latencyMs"] == 50
    assert (stream.sent["stream"], whole.sent["stream"]) == (True, False)


def test_the_latency_is_the_adapters_own_without_timings() -> None:
    found = Service(streamed(chunk("stop", content="Hi"), {"choices": [], "usage": USAGE, "timings": None})).ask()
    assert found.metrics is not None
    assert 0 <= found.metrics["latencyMs"] < 10_000


# --- requests -----------------------------------------------------------------------------------------------------


def test_params_are_fields_of_the_request() -> None:
    params = {"min_p": 0.1, "grammar": "root ::= [0-9]+", "cache_prompt": True}
    service = Service(HI, params=params)
    service.ask()
    assert service.sent.items() >= params.items()
    assert service.sent["model"] == "default"


def test_a_choice_is_a_word() -> None:
    service = Service(HI)
    service.ask(tool_specs=[TOOL], tool_choice={"any": {}})
    assert service.sent["tool_choice"] == "required"
    with pytest.warns(UnsupportedToolChoiceWarning):
        service.ask(tool_specs=[TOOL], tool_choice={"tool": {"name": "add"}})
    assert "tool_choice" not in service.sent


def test_documents_are_left_out_with_a_warning() -> None:
    service = Service(HI)
    document = {"document": {"format": "pdf", "name": "a", "source": {"bytes": b"%PDF-1.4"}}}
    with pytest.warns(UnsupportedContentWarning, match="document"):
        service.ask([{"role": "user", "content": [{"text": "Read é"}, document]}])
    assert service.sent["messages"] == [{"role": "user", "content": "Read é"}]
    assert "é".encode() in service.endpoint.log.requests[-1].body


def test_structured_output_is_held_to_one_form() -> None:
    params = {"grammar": "root ::= x", "json_schema": {}, "temperature": 0}
    service = Service(streamed(chunk("stop", content='{"total": 3}')), params=params)
    assert service.structured() == Sum(total=3)
    assert service.sent["response_format"]["json_schema"]["schema"]["properties"].keys() == {"total"}
    assert not {"grammar", "json_schema"} & service.sent.keys()
    assert params.keys() == {"grammar", "json_schema", "temperature"}


# --- errors -------------------------------------------------------------------------------------------------------

OVERFLOW = {
    "code": 400,
    "message": "the request exceeds the available context size",
    "type": "exceed_context_size_error",
}
LOADING = {"code": 503, "message": "Loading model", "type": "unavailable_error"}
JINJA = {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (OVERFLOW, ContextWindowOverflowException),
        (LOADING, ModelThrottledException),
        (JINJA, ToolsUnsupportedException),
    ],
)
def test_errors_of_the_contract(error: dict[str, Any], kind: type[Exception]) -> None:
    said = json.dumps({"error": error}).encode()
    tellings = (
        answered(said, error["code"]),
        streamed(chunk(content="a"), {"error": error}),
        streamed(end=b"error: " + json.dumps(error).encode() + b"\n\n"),
        streamed(end=said),
    )
    for delivery in tellings:
        with pytest.raises(kind, match=error["message"]) as raised:
            Service(delivery).ask()
        assert raised.value.__cause__ is not None


def test_a_busy_server_throttles() -> None:
    with pytest.raises(ModelThrottledException):
        Service(answered(b"", 429)).ask()


@pytest.mark.parametrize(
    ("status", "said", "words"),
    [
        (400, b'{"error": {"code": 400, "message": "invalid slot id", "type": "invalid_request_error"}}', "slot id"),
        (404, b'{"error": {"message": "File Not Found", "type": "not_found_error", "code": 404}}', "File Not Found"),
        (502, b"<html>Bad Gateway</html>", "Bad Gateway"),
    ],
)
def test_other_refusals_are_the_librarys(status: int, said: bytes, words: str) -> None:
    service = Service(answered(said, status))
    with pytest.raises(httpx.HTTPStatusError, match=words) as raised:
        service.ask()
    assert raised.value.response.status_code == status
    assert service.endpoint.log.unreleased == 0


@pytest.mark.parametrize("stream", [True, False])
def test_an_answer_that_is_no_reply(stream: bool) -> None:
    with pytest.raises(ModelResponseError):
        Service(answered(b"<html>Hello</html>", kind="text/html"), stream=stream).ask()


@pytest.mark.parametrize("terminal", [Terminal.COMPLETE, Terminal.RESET])
def test_a_cut_stream_is_incomplete(terminal: Terminal) -> None:
    service = Service(streamed(chunk(content="a"), end=b"", terminal=terminal))
    with pytest.raises(IncompleteStreamError):
        service.ask()
    assert service.endpoint.log.unreleased == 0


# --- counting -----------------------------------------------------------------------------------------------------


def test_the_server_counts() -> None:
    service = Service(answered({"tokens": [1, 2, 3]}), use_native_token_count=True)
    counted = asyncio.run(service.model.count_tokens(HELLO, [TOOL], "Be brief."))
    assert counted == 3
    assert service.endpoint.log.requests[-1].path == "/tokenize"
    assert all(words in service.sent["content"] for words in ("Hello", "Be brief.", "Adds."))


@pytest.mark.parametrize(("status", "asked"), [(404, 1), (500, 2)])
def test_a_server_that_does_not_count_is_not_asked_again(status: int, asked: int) -> None:
    service = Service(answered(b"{}", status), use_native_token_count=True)
    estimates = [asyncio.run(service.model.count_tokens(HELLO)) for _ in range(2)]
    assert min(estimates) > 0
    assert len(service.endpoint.log.requests) == asked


# --- clients ------------------------------------------------------------------------------------------------------


def test_a_client_is_made_for_each_loop_and_closed_with_it() -> None:
    requests, closed = [], []

    class Transport(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            requests.append(str(request.url))
            return httpx.Response(200, stream=httpx.ByteStream(b"".join(HI.chunks)))

        async def aclose(self) -> None:
            closed.append(self)

    model = LlamaCppModel("http://host:1/", client_args={"transport": Transport()})

    async def ask() -> int:
        return len([event async for event in model.stream(HELLO)])

    assert asyncio.run(ask()) == asyncio.run(ask()) > 3
    assert requests == ["http://host:1/v1/chat/completions"] * 2
    assert len(closed) == 2
