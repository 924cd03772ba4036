"""Witness: llama-api-client's own types, validated strictly, its client and its parameters; no recording exists."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any, Literal, Required, get_args, get_origin, get_type_hints

import httpx
import pytest
from llama_api_client import APIError, AsyncLlamaAPIClient
from llama_api_client.types import (
    CompletionMessage,
    CompletionMessageParam,
    CreateChatCompletionResponse,
    CreateChatCompletionResponseStreamChunk,
    SystemMessageParam,
    ToolResponseMessageParam,
    UserMessageParam,
)
from llama_api_client.types.chat import completion_create_params
from pydantic import BaseModel

from harness.dialects.base import VendorError, WireReply
from harness.dialects.llama_api import DIALECT
from harness.dialects.llama_api.check import CHOICES, REQUIRED, TYPES
from harness.dialects.llama_api.messages import ITEMS
from tests.dialects.llama_api.samples import CALLS, PLAIN, SAMPLES
from tests.dialects.relatives import documents, single_styles

STREAMED = [error for error in DIALECT.errors if error.in_stream]


def unknown_fields(value: Any) -> Iterator[str]:
    """Fields that a parsed model has no place for."""
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        yield from unknown_fields([getattr(value, name) for name in type(value).model_fields])
    elif isinstance(value, list):
        for item in value:
            yield from unknown_fields(item)


@pytest.mark.parametrize("stream", [True, False])
def test_sdk_types_take_every_style_and_know_every_field(stream: bool) -> None:
    model: type[BaseModel] = CreateChatCompletionResponseStreamChunk if stream else CreateChatCompletionResponse
    unknown = {
        field
        for reply in SAMPLES
        for style in single_styles(DIALECT)
        for body in documents(DIALECT.encode(reply, style, stream=stream).body, stream=stream)
        for field in unknown_fields(model.model_validate_json(body, strict=True))
    }
    assert unknown == {"x_future"}


def literals(hint: Any) -> set[Any]:
    """The values of every ``Literal`` inside a type."""
    inner = get_args(hint)
    return set(inner) if get_origin(hint) is Literal else set().union(*map(literals, inner))


def test_stop_values_are_those_of_the_sdk() -> None:
    documented = literals(CompletionMessage.model_fields["stop_reason"].annotation)
    assert {row.wire for row in DIALECT.stops if row.known} == documented


def test_the_rules_for_requests_are_those_of_the_sdk() -> None:
    params = completion_create_params.CompletionCreateParamsBase
    hints = get_type_hints(params)
    assert set(TYPES) | {"tool_choice"} == set(hints) | {"stream"}
    assert set(REQUIRED) == {
        name for name, hint in get_type_hints(params, include_extras=True).items() if get_origin(hint) is Required
    }
    assert literals(hints["tool_choice"]) - {"function"} == CHOICES
    roles = (UserMessageParam, SystemMessageParam, ToolResponseMessageParam, CompletionMessageParam)
    assert set().union(*(literals(get_type_hints(role)["role"]) for role in roles)) == set(ITEMS)


async def client_of(told: WireReply) -> list[Any]:
    """What the SDK's client hands over of a stream."""
    answer = httpx.MockTransport(lambda _: httpx.Response(told.status, headers=list(told.headers), content=told.body))
    async with httpx.AsyncClient(transport=answer) as http:
        client = AsyncLlamaAPIClient(api_key="k", base_url="http://host.invalid/v1", http_client=http, max_retries=0)
        stream = await client.chat.completions.create(model="m", messages=[], stream=True)
        return [json.loads(chunk.model_dump_json(exclude_unset=True, warnings=False)) async for chunk in stream]


@pytest.mark.parametrize("style", list(single_styles(DIALECT)), ids=str)
def test_sdk_client_hands_over_every_event(style: dict[str, str]) -> None:
    told = DIALECT.encode(CALLS, style, stream=True)
    sent = [json.loads(body) for body in documents(told.body, stream=True)]
    assert asyncio.run(client_of(told)) == sent


@pytest.mark.parametrize("form", ["bare_line", "event"])
@pytest.mark.parametrize("error", STREAMED, ids=lambda error: error.id)
def test_sdk_client_raises_an_error_that_comes_in_the_stream(error: VendorError, form: str) -> None:
    told = DIALECT.encode_stream_error(error, PLAIN, {"error": form}, keep=2)
    assert told is not None
    with pytest.raises(APIError) as raised:
        asyncio.run(client_of(told))
    assert raised.value.body == json.loads(error.body)


def test_no_done_ends_a_stream_since_the_sdk_could_not_read_it() -> None:
    told = DIALECT.encode(PLAIN, {}, stream=True)
    with pytest.raises(json.JSONDecodeError):
        asyncio.run(client_of(WireReply(200, told.headers, (*told.frames, b"data: [DONE]\n\n"))))
