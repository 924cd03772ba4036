"""Witness: the mistralai package's own types, validated strictly and without fields that they do not have."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from mistralai.client import Mistral
from mistralai.client.errors import SDKError
from mistralai.client.models import ChatCompletionResponse, CompletionChunk, UserMessage
from pydantic import BaseModel, ValidationError

from harness.dialects.base import Style, WireReply
from harness.dialects.mistral_chat import DIALECT
from harness.dialects.reply import Reply
from harness.wire.sse import SseDecoder
from tests.dialects.mistral_chat.samples import PLAIN, SAMPLES, THOUGHT, single_styles

#: Names that the package (3.7) has no place for, by the option that brings them; ``usage`` takes any name.
UNKNOWN = {("padding", "p"): {"p"}, ("vendor", "unheard_of"): {"x_future"}}


def documents(reply: Reply, style: Style, *, stream: bool) -> list[Any]:
    """The JSON documents of a reply."""
    body = DIALECT.encode(reply, style, stream=stream).body
    texts = [event.data for event in SseDecoder().feed(body)] if stream else [body]
    return [json.loads(text) for text in texts if text != "[DONE]"]


def missing(value: Any, sent: Any) -> Iterator[str]:
    """Names of what was sent and the parsed model does not hold."""
    if isinstance(value, BaseModel):
        known = set(type(value).model_fields) | set(value.model_extra or ())
        for name, inner in sent.items():
            if name in known:
                yield from missing(getattr(value, name), inner)
            else:
                yield name
    elif isinstance(value, list):
        for item, inner in zip(value, sent, strict=True):
            yield from missing(item, inner)


@pytest.mark.parametrize("stream", [True, False])
def test_types_accept_every_option_and_miss_only_the_listed_fields(stream: bool) -> None:
    model: type[BaseModel] = CompletionChunk if stream else ChatCompletionResponse
    found: dict[tuple[str, str], set[str]] = {}
    for style in single_styles():
        for reply in SAMPLES if stream else with_usage(style):
            for document in documents(reply, style, stream=stream):
                parsed = model.model_validate_json(json.dumps(document), strict=True)
                for name in missing(parsed, document):
                    found.setdefault(next(iter(style.items())), set()).add(name)
    assert found == {choice: names for choice, names in UNKNOWN.items() if stream or choice[0] != "padding"}


def with_usage(style: Style) -> list[Reply]:
    """The package requires usage of whole replies, so those without are not for its types to judge."""
    return [reply for reply in SAMPLES if reply.usage is not None and style.get("usage") != "absent"]


def test_types_object_to_a_whole_reply_without_usage() -> None:
    (document,) = documents(PLAIN, {"usage": "absent"}, stream=False)
    with pytest.raises(ValidationError, match="usage"):
        ChatCompletionResponse.model_validate_json(json.dumps(document), strict=True)


def test_stop_values_are_those_of_the_package() -> None:
    schemas = json.dumps([ChatCompletionResponse.model_json_schema(), CompletionChunk.model_json_schema()])
    known = {row.wire for row in DIALECT.stops if f'"{row.wire}"' in schemas}
    assert known == {row.wire for row in DIALECT.stops if row.known}


async def delivered(told: list[WireReply]) -> list[list[dict[str, Any]]]:
    """What the package's client hands over of streams."""
    replies = iter(told)

    def answer(_: httpx2.Request) -> httpx2.Response:
        reply = next(replies)
        return httpx2.Response(reply.status, headers=list(reply.headers), content=reply.body)

    async with httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as http:
        client = Mistral(api_key="k", server_url="http://host.invalid", async_client=http)
        handed_over = []
        for _ in told:
            stream = await client.chat.stream_async(model="m", messages=[UserMessage(content="Hi")])
            handed_over.append([event.data.model_dump(exclude_unset=True) async for event in stream])
    return handed_over


def test_client_hands_over_every_delta_of_every_style() -> None:
    styles = [style for style in single_styles() if "vendor" not in style and "padding" not in style]
    handed_over = asyncio.run(delivered([DIALECT.encode(THOUGHT, style, stream=True) for style in styles]))
    for style, parts in zip(styles, handed_over, strict=True):
        told = [document["choices"][0]["delta"] for document in documents(THOUGHT, style, stream=True)]
        assert [part["choices"][0]["delta"] for part in parts] == told, style


def test_client_raises_errors_at_the_call() -> None:
    limited = next(error for error in DIALECT.errors if error.id == "rate_limit")
    with pytest.raises(SDKError, match="Rate limit exceeded"):
        asyncio.run(delivered([DIALECT.encode_error(limited)]))
