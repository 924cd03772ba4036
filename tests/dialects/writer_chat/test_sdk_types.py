"""Witness: writer-sdk's own types, validated strictly, and its client."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_type_hints

import httpx
import pytest
from pydantic import BaseModel, ValidationError
from writerai import AsyncWriter
from writerai.types import ChatCompletion, ChatCompletionChunk, chat_chat_params
from writerai.types.chat_completion_choice import ChatCompletionChoice

from harness.dialects.reply import Reply
from harness.dialects.writer_chat import DIALECT
from harness.dialects.writer_chat.check import FORMATS, PARTS, ROLES
from tests.dialects.relatives import documents, single_styles
from tests.dialects.writer_chat.samples import CALLS, SAMPLES

_OWN = "fields that the recordings have and the types do not"

#: What the types object to, and why it is said all the same: the service says it so.
OBJECTIONS = {
    "content": "a message without text has null content, as recorded",
    "arguments": "the first fragment of a call has null arguments, as recorded",
    "tool_calls": "a fragment is no whole call, in message as in delta",
    "image_data": _OWN,
    "web_search_data": _OWN,
    "trace_details": _OWN,
    "x_future": "fields that do not exist yet",
}


def objections(value: Any) -> Iterator[str]:
    """Fields that a parsed model has no place for."""
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        yield from objections([getattr(value, name) for name in type(value).model_fields])
    elif isinstance(value, list):
        for item in value:
            yield from objections(item)


def found(reply: Reply, style: dict[str, str], *, stream: bool) -> Iterator[str]:
    """The fields to which the types object."""
    model: type[BaseModel] = ChatCompletionChunk if stream else ChatCompletion
    for body in documents(DIALECT.encode(reply, style, stream=stream).body, stream=stream):
        try:
            yield from objections(model.model_validate_json(body, strict=True))
        except ValidationError as error:
            yield from (next(part for part in problem["loc"][::-1] if part in OBJECTIONS) for problem in error.errors())


def test_sdk_types_object_to_nothing_but_what_was_recorded() -> None:
    objected = {
        field
        for reply in SAMPLES
        for style in single_styles(DIALECT)
        for stream in (True, False)
        for field in found(reply, style, stream=stream)
    }
    assert objected == set(OBJECTIONS)


def test_stop_values_are_those_of_the_sdk() -> None:
    documented = get_args(ChatCompletionChoice.model_fields["finish_reason"].annotation)
    assert {row.wire for row in DIALECT.stops if row.known} == set(documented)


def literals(hint: Any) -> set[Any]:
    """The values of a ``Literal`` somewhere inside a type."""
    inner = get_args(hint)
    return set(inner) if getattr(hint, "__origin__", None) is Literal else set().union(*map(literals, inner))


def test_the_rules_for_requests_are_those_of_the_sdk() -> None:
    message = get_type_hints(chat_chat_params.Message)
    wanted = get_type_hints(chat_chat_params.ResponseFormat)
    parts = [
        chat_chat_params.MessageContentMixedContentTextFragment,
        chat_chat_params.MessageContentMixedContentImageFragment,
    ]
    assert literals(message["role"]) == ROLES
    assert literals(wanted["type"]) == FORMATS
    assert set().union(*(literals(get_type_hints(part)["type"]) for part in parts)) == PARTS


async def delivered(style: dict[str, str]) -> list[Any]:
    """What the SDK's client hands over of a stream."""
    told = DIALECT.encode(CALLS, style, stream=True)
    answer = httpx.MockTransport(lambda _: httpx.Response(told.status, headers=list(told.headers), content=told.body))
    async with httpx.AsyncClient(transport=answer) as http:
        client = AsyncWriter(api_key="k", base_url="http://host.invalid", http_client=http, max_retries=0)
        stream = await client.chat.chat(model="m", messages=[], stream=True)
        return [json.loads(chunk.model_dump_json(exclude_unset=True, warnings=False)) async for chunk in stream]


@pytest.mark.parametrize("style", list(single_styles(DIALECT)), ids=str)
def test_sdk_client_hands_over_every_chunk(style: dict[str, str]) -> None:
    sent = [json.loads(body) for body in documents(DIALECT.encode(CALLS, style, stream=True).body, stream=True)]
    assert asyncio.run(delivered(style)) == sent
