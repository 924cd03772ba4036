import asyncio
import json
from typing import Any

import pytest
from google import genai
from google.genai import errors, types
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
from providers.gemini.client import http_options, make_client
from providers.gemini.model import GeminiModel
from tests.providers.gemini.service import HELLO, JSON, SSE, USAGE, Service, answered, chunk, error, frames, streamed

REPLY = (chunk({"text": "Hel"}), chunk({"text": "lo"}, finish="STOP", usageMetadata=USAGE))

RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "13s"}
DAILY = {
    "@type": "type.googleapis.com/google.rpc.QuotaFailure",
    "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier", "quotaValue": "250"}],
}
BUSY = error(429, "RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota).", RETRY)
OVERFLOW = error(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the maximum number of tokens allowed (8).")
OVERLOADED = error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")


class Answer(BaseModel):
    """An answer."""

    total: int


def test_a_streamed_and_a_whole_reply() -> None:
    stream, whole = (
        Service(streamed(*REPLY)),
        Service(answered(chunk({"text": "Hello"}, finish="STOP", usageMetadata=USAGE)), stream=False),
    )
    for service, method in ((stream, ":streamGenerateContent?alt=sse"), (whole, ":generateContent")):
        found = service.ask()
        assert found.message == {"role": "assistant", "content": [{"text": "Hello"}]}
        assert found.usage == {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
        assert found.metrics is not None
        assert found.metrics["latencyMs"] >= 0
        assert service.endpoint.log.requests[0].path.endswith(f"/models/gemini-conformance{method}")
        assert service.sent[0]["contents"] == [{"role": "user", "parts": [{"text": "Hello"}]}]


def test_fields_of_the_request_reach_the_wire() -> None:
    service = Service(streamed(*REPLY), params={"temperature": 0.5, "topK": 3})
    tool: Any = {"name": "f", "description": "F.", "inputSchema": {"json": {"type": "object", "properties": {}}}}
    service.ask(tool_specs=[tool], system_prompt="Be kind.", tool_choice={"any": {}}, novelty=1)
    body = service.sent[0]
    assert body["systemInstruction"]["parts"] == [{"text": "Be kind."}]
    assert body["generationConfig"] == {"temperature": 0.5, "topK": 3}
    assert body["toolConfig"] == {"functionCallingConfig": {"mode": "ANY"}}
    assert body["tools"][0]["functionDeclarations"][0]["name"] == "f"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (BUSY, ModelThrottledException),
        (OVERLOADED, ModelThrottledException),
        (OVERFLOW, ContextWindowOverflowException),
    ],
)
@pytest.mark.parametrize("place", ["streamed call", "whole call", "first in stream", "later in stream"])
def test_errors_have_the_contracts_type_wherever_they_come(body: Any, kind: type[Exception], place: str) -> None:
    refused = answered(body, body["error"]["code"])
    deliveries = {
        "streamed call": refused,
        "whole call": refused,
        "first in stream": streamed(body),
        "later in stream": streamed(REPLY[0], body),
    }
    service = Service(deliveries[place], stream=place != "whole call")
    with pytest.raises(kind, match=body["error"]["message"][:20]) as caught:
        service.ask()
    assert isinstance(caught.value.__cause__, errors.APIError)
    assert (service.unreleased, len(service.sent)) == (0, 1)


def test_the_wait_that_the_service_asks_for() -> None:
    with pytest.raises(ModelThrottledException) as caught:
        Service(answered(BUSY, 429)).ask()
    assert caught.value.retry_after == 13.0


@pytest.mark.parametrize(
    "body",
    [
        error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota.", DAILY),
        error(403, "PERMISSION_DENIED", "No."),
        error(500, "INTERNAL", "Internal error."),
    ],
)
def test_other_errors_are_the_sdks_own(body: Any) -> None:
    with pytest.raises(errors.APIError, match=body["error"]["message"]) as caught:
        Service(answered(body, body["error"]["code"])).ask()
    assert caught.value.code == body["error"]["code"]


def test_an_error_that_is_no_json() -> None:
    with pytest.raises(errors.APIError, match="sorry"):
        Service(Delivery(502, (("content-type", "text/html"),), (b"<html>sorry</html>",))).ask()


@pytest.mark.parametrize("terminal", [Terminal.COMPLETE, Terminal.RESET])
@pytest.mark.parametrize("chunks", [frames(REPLY[0]), (frames(REPLY[0])[0], b'data: {"candidates":[{"con')])
def test_a_reply_that_breaks_off_is_incomplete(chunks: tuple[bytes, ...], terminal: Terminal) -> None:
    service = Service(Delivery(200, SSE, chunks, terminal))
    with pytest.raises(IncompleteStreamError):
        service.ask()
    assert service.unreleased == 0


@pytest.mark.parametrize(
    "answer", [streamed(*REPLY, terminal=Terminal.RESET), streamed(*REPLY, BUSY), streamed(*REPLY, chunk(finish=""))]
)
def test_what_breaks_after_the_end_spoils_nothing(answer: Delivery) -> None:
    service = Service(answer)
    found = service.ask()
    assert service.unreleased == 0
    assert (found.stop_reason, found.usage) == ("end_turn", {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8})


@pytest.mark.parametrize("stream", [True, False])
def test_a_page_in_place_of_a_reply_is_no_reply(*, stream: bool) -> None:
    with pytest.raises(ModelResponseError, match="sign in"):
        Service(Delivery(200, JSON, (b"<html>sign in</html>",)), stream=stream).ask()


@pytest.mark.parametrize("body", [{"usageMetadata": USAGE}, {"candidates": [{"index": "first"}]}])
def test_an_object_without_a_reply_is_none(body: Any) -> None:
    with pytest.raises(ModelResponseError):
        Service(answered(body), stream=False).ask()


def test_a_listener_that_leaves_frees_the_connection() -> None:
    service = Service(streamed(*REPLY))

    async def leave() -> int:
        events = service.model.stream(HELLO)
        await anext(events)
        await events.aclose()
        return service.unreleased

    assert asyncio.run(leave()) == 0


def test_one_model_serves_several_loops() -> None:
    service = Service(streamed(*REPLY))
    assert service.ask().message == service.ask().message
    assert len(service.sent) == 2


def test_structured_output_is_json_of_the_schema() -> None:
    service = Service(streamed(chunk({"text": '{"to'}), chunk({"text": 'tal": 3}'}, finish="STOP")))
    assert asyncio.run(_structured(service))[-1] == {"output": Answer(total=3)}
    wanted = service.sent[0]["generationConfig"]
    assert wanted["responseMimeType"] == "application/json"
    assert wanted["responseJsonSchema"]["required"] == ["total"]


async def _structured(service: Service) -> list[Any]:
    return [item async for item in service.model.structured_output(Answer, HELLO)]


@pytest.mark.parametrize(
    "reply",
    [
        chunk({"text": '{"total": "many"}'}, finish="STOP"),
        chunk(finish="SAFETY"),
        chunk({"text": '{"to'}, finish="MAX_TOKENS"),
    ],
)
def test_structured_output_that_is_none(reply: Any) -> None:
    with pytest.raises(StructuredOutputException):
        asyncio.run(_structured(Service(streamed(reply))))


def test_tokens_are_counted_by_the_service_and_the_rest_is_estimated() -> None:
    service = Service(answered({"totalTokens": 31}), use_native_token_count=True)
    assert asyncio.run(service.model.count_tokens(HELLO)) == 31
    assert asyncio.run(service.model.count_tokens(HELLO, system_prompt="Be kind to everyone.")) > 31
    assert all(json.dumps(body).count("Be kind") == 0 for body in service.sent)


def test_vertex_counts_everything() -> None:
    service = Service(answered({"totalTokens": 31}))
    options = http_options(service.endpoint.base_url, service.endpoint.async_client_for("google-genai"))
    client = genai.Client(vertexai=True, api_key="test-key", http_options=options)
    model = GeminiModel(client=client, model_id="gemini-3-pro", use_native_token_count=True)
    assert asyncio.run(model.count_tokens(HELLO, system_prompt="Be kind.")) == 31
    assert service.sent[0]["systemInstruction"]["parts"] == [{"text": "Be kind."}]


def test_a_service_that_does_not_count_is_asked_once() -> None:
    service = Service(answered(error(404, "NOT_FOUND", "no such method"), 404), use_native_token_count=True)
    counts = [asyncio.run(service.model.count_tokens(HELLO)) for _ in range(2)]
    assert counts[0] == counts[1] > 0
    assert len(service.sent) == 1


def test_unknown_settings_warn() -> None:
    with pytest.warns(UnknownConfigWarning, match="temprature"):
        GeminiModel(model_id="gemini-3-pro", temprature=1)  # type: ignore[call-arg]


def test_clients_try_once_and_do_not_wait_for_ever_unless_told_so() -> None:
    made = make_client({"api_key": "k", "http_options": {"headers": {"a": "b"}}})._api_client._http_options
    assert (made.retry_options and made.retry_options.attempts, made.timeout) == (1, 600_000)
    given = types.HttpOptions(timeout=5, retry_options=types.HttpRetryOptions(attempts=3))
    told = make_client({"api_key": "k", "http_options": given})._api_client._http_options
    assert (told.retry_options and told.retry_options.attempts, told.timeout) == (3, 5)
