import asyncio
import base64
from typing import Any

import pytest
import writerai
from pydantic import BaseModel

from harness.contract.config import UnsupportedContentWarning
from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelResponseError,
    ModelThrottledException,
)
from harness.wire.faults import Terminal
from providers.writer import PROVIDER
from tests.providers.openai.service import HELLO, answered, streamed
from tests.providers.openai.service import Service as ChatService
from tests.providers.shared.openai_chat.wire import USAGE, Chunk, body, chunk, entry, uses

PNG = b"\x89PNG\r\n\x1a\n"


class Service(ChatService):
    provider = PROVIDER


class Sum(BaseModel):
    """A sum."""

    total: int


def twice(said: Chunk) -> Chunk:
    """The chunk as the service tells it: once more under ``message``."""
    choices = [{**choice, "message": choice["delta"]} for choice in said["choices"]]
    return {**said, "choices": choices, "usage": None}


def refusal(*words: str, tpe: str = "validation_error") -> Any:
    errors = [{"description": each, "key": tpe, "extras": {}} for each in words]
    return {"tpe": tpe, "errors": errors, "extras": {}}


def test_what_comes_twice_is_told_once_and_no_done_is_needed() -> None:
    chunks = (twice(chunk(role="assistant", content="Hel")), twice(chunk(content="lo")), twice(chunk("stop")))
    stream = Service(streamed(*chunks, {"choices": [], "usage": USAGE}, done=False))
    whole = Service(answered(body(content="Hello")), stream=False)
    for found in (stream.ask(), whole.ask()):
        assert found.message["content"] == [{"text": "Hello"}]
        assert found.usage == {"inputTokens": 3, "outputTokens": 5, "totalTokens": 8}
        assert found.stop_reason == "end_turn"
    assert stream.sent[0]["stream_options"] == {"include_usage": True}
    assert stream.endpoint.log.requests[0].path == "/v1/chat"


def test_seven_calls_at_a_time() -> None:
    begun = [twice(chunk(tool_calls=[entry(None, "add", index=n, id=f"c{n}")])) for n in range(7)]
    given = [twice(chunk(tool_calls=[entry(f'{{"n": {n}}}', index=n)])) for n in range(7)]
    found = Service(streamed(*begun, *given, twice(chunk("tool_calls")), done=False)).ask()
    assert uses(found) == [(f"c{n}", "add", {"n": n}) for n in range(7)]
    assert found.stop_reason == "tool_use"
    assert found.usage is None


@pytest.mark.parametrize(
    ("terminal", "raised"),
    [(Terminal.COMPLETE, IncompleteStreamError), (Terminal.RESET, writerai.APIConnectionError)],
)
def test_a_stream_that_ends_early_is_no_reply(terminal: Terminal, raised: type[Exception]) -> None:
    service = Service(streamed(twice(chunk(content="x")), done=False, terminal=terminal))
    with pytest.raises(raised):
        service.ask()
    assert service.unreleased == 0


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("status", "error", "raised"),
    [
        (400, refusal("prompt is too long"), ContextWindowOverflowException),
        (400, refusal("no such field", "the words"), writerai.BadRequestError),
        (401, refusal("the words", tpe="unauthorized"), writerai.AuthenticationError),
        (429, refusal("the words", tpe="rate_limit"), ModelThrottledException),
        (500, "the words", writerai.InternalServerError),
    ],
)
def test_errors_at_the_call_are_asked_for_once(status: int, error: Any, raised: type[Exception], stream: bool) -> None:
    service = Service(answered(error, status), stream=stream)
    with pytest.raises(raised, match=r"the words|too long") as caught:
        service.ask()
    assert isinstance(caught.value.__cause__ or caught.value, writerai.APIStatusError)
    assert len(service.sent) == 1


@pytest.mark.parametrize(
    ("error", "raised"),
    [(refusal("prompt is too long"), ContextWindowOverflowException), (refusal("the words"), ModelResponseError)],
)
def test_errors_in_the_stream(error: Any, raised: type[Exception]) -> None:
    with pytest.raises(raised, match=r"^(the words|prompt is too long)"):
        Service(streamed(twice(chunk(content="x")), error)).ask()


def test_images_are_sent_and_documents_are_not() -> None:
    service = Service(streamed(twice(chunk("stop", content="x"))))
    document = {"document": {"name": "d", "format": "txt", "source": {"bytes": b"d"}}}
    image = {"image": {"format": "png", "source": {"bytes": PNG}}}

    async def ask() -> None:
        result = {"toolResult": {"toolUseId": "t", "status": "success", "content": [{"text": "ok"}, document, image]}}
        said: Any = [{"role": "user", "content": [result, document, image]}]
        async for _ in service.model.stream(said):
            pass

    with pytest.warns(UnsupportedContentWarning, match="document") as warned:
        asyncio.run(ask())
    assert len(warned) == 2
    part = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"}}
    tool, user = service.sent[0]["messages"]
    assert tool == {"role": "tool", "tool_call_id": "t", "content": "ok"}
    assert [each for each in user["content"] if each["type"] != "text"] == [part, part]


def test_structured_output_is_held_to_the_schema() -> None:
    service = Service(streamed(twice(chunk(content='{"total"')), twice(chunk("stop", content=": 3}"))))

    async def output() -> Any:
        return [event async for event in service.model.structured_output(Sum, HELLO)][-1]

    assert asyncio.run(output()) == {"output": Sum(total=3)}
    form = service.sent[0]["response_format"]
    assert form["type"] == "json_schema"
    assert form["json_schema"]["schema"]["required"] == ["total"]
