"""Witness: the ollama package's own types, validated strictly and without fields that they do not have."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from ollama import AsyncClient, ChatResponse, ResponseError
from pydantic import BaseModel, ValidationError

from harness.dialects.base import Style, WireReply
from harness.dialects.ollama_chat import DIALECT
from harness.dialects.reply import Reply, Text
from tests.dialects.ollama_chat.samples import CALLS, PLAIN, SAMPLES, THOUGHT, single_styles

#: Fields that the package (0.6) does not know though the server sends them, by the option that brings them.
UNKNOWN_FIELDS = {
    ("vendor", "cloud"): {"remote_model", "remote_host"},
    ("vendor", "logprobs"): {"bytes"},
    ("vendor", "unheard_of"): {"x_future"},
}
#: Fields of calls that the package passes over in every style that has them.
PASSED_OVER = {"id", "index"}


def missing(value: Any, sent: Any) -> Iterator[str]:
    """Names of what was sent and the parsed model does not hold."""
    if isinstance(value, BaseModel):
        for name, inner in sent.items():
            if name in type(value).model_fields:
                yield from missing(getattr(value, name), inner)
            else:
                yield name
    elif isinstance(value, list | tuple):
        for item, inner in zip(value, sent, strict=True):
            yield from missing(item, inner)


def sent(reply: Reply, style: Style, *, stream: bool) -> list[Any]:
    """The JSON documents of a reply."""
    return [json.loads(frame) for frame in DIALECT.encode(reply, style, stream=stream).frames]


@pytest.mark.parametrize("stream", [True, False])
def test_types_accept_every_option_and_miss_only_the_listed_fields(stream: bool) -> None:
    for style in single_styles():
        known = UNKNOWN_FIELDS.get(next(iter(style.items()), ("", "")), set())
        for reply in SAMPLES:
            for document in sent(reply, style, stream=stream):
                parsed = ChatResponse.model_validate_json(json.dumps(document), strict=True)
                assert set(missing(parsed, document)) - PASSED_OVER == known


def test_types_object_to_calls_without_arguments() -> None:
    document = sent(CALLS, {"calls": "in_one_object"}, stream=False)[0]
    del document["message"]["tool_calls"][0]["function"]["arguments"]
    with pytest.raises(ValidationError):
        ChatResponse.model_validate_json(json.dumps(document), strict=True)


async def delivered(told: list[WireReply]) -> list[list[dict[str, Any]]]:
    """What the package's client hands over of streams."""
    replies = iter(told)

    def answer(_: httpx.Request) -> httpx.Response:
        reply = next(replies)
        return httpx.Response(reply.status, headers=list(reply.headers), content=reply.body)

    client = AsyncClient(host="http://host.invalid", transport=httpx.MockTransport(answer))
    handed_over = []
    for _ in told:
        parts = await client.chat("m", [], stream=True)
        handed_over.append([part.model_dump(exclude_none=True) async for part in parts])
    return handed_over


def test_client_hands_over_every_object_of_every_style() -> None:
    styles = list(single_styles())
    handed_over = asyncio.run(delivered([DIALECT.encode(THOUGHT, style, stream=True) for style in styles]))
    for style, parts in zip(styles, handed_over, strict=True):
        told = [document["message"]["content"] for document in sent(THOUGHT, style, stream=True)]
        assert [part["message"]["content"] for part in parts] == told, style
        assert parts[-1]["done"] is True


def test_client_raises_an_error_of_the_stream() -> None:
    error = next(error for error in DIALECT.errors if error.in_stream)
    told = DIALECT.encode_stream_error(error, PLAIN, {}, keep=1)
    assert told is not None
    with pytest.raises(ResponseError, match="model runner crashed"):
        asyncio.run(delivered([told]))


def test_client_takes_a_next_line_character_for_the_end_of_a_line() -> None:
    """Go sends U+0085 as itself: a reply that holds one breaks the client's own reading, not the protocol's."""
    with pytest.raises(json.JSONDecodeError):
        asyncio.run(delivered([DIALECT.encode(Reply((Text("a\x85b"),)), {"text_pieces": "whole"}, stream=True)]))
