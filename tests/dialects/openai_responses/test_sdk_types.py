"""Witness: the openai SDK's own types, validated strictly and without fields that they do not have."""

import asyncio
import json
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import httpx2
import pytest
from openai import AsyncOpenAI
from openai.types.responses import Response, ResponseStreamEvent
from openai.types.responses.response import IncompleteDetails
from pydantic import BaseModel, TypeAdapter, ValidationError

from harness.dialects.base import Style
from harness.dialects.openai_responses import DIALECT
from harness.dialects.reply import Reply
from harness.wire.sse import SseDecoder
from tests.dialects.openai_responses.samples import SAMPLES, THOUGHT, single_styles

#: Options that OpenAI's types do not know, and who speaks so. All others must pass.
BOTH_EXCEPTIONS = {
    (
        "vendor",
        "openai",
    ): "billing, which OpenAI sends and its types lack; the usual option, so listed as the empty style",
    ("vendor", "azure"): "Azure: content_filters",
    ("vendor", "xai"): "xAI: what it counts and costs, in usage",
    ("vendor", "deepseek"): "DeepSeek: content_filters",
    ("vendor", "lm_studio"): "LM Studio: store and penalties, as OpenAI",
    ("vendor", "openrouter"): "OpenRouter: output_text, costs",
    ("vendor", "unheard_of"): "fields that do not exist yet",
    ("usage_details", "cached_only"): "OpenAI itself, before cache_write_tokens",
    ("usage_details", "as_counted"): "servers that count no details",
    ("usage_details", "null"): "servers that count no details",
    ("annotation", "unheard_of"): "a kind that does not exist yet",
    ("noise", "x_search"): "xAI: a search that it runs itself",
    ("noise", "unheard_of"): "a kind that does not exist yet",
}
STREAMED_EXCEPTIONS = BOTH_EXCEPTIONS | {
    ("sequence_number", "absent"): "llama.cpp",
    ("indexes", "absent"): "lemonade, llama.cpp",
    ("padding", "obfuscation"): "OpenAI and Azure: obfuscation of deltas",
    ("extra_events", "keepalive"): "OpenAI: an event that it does not document",
    ("extra_events", "unheard_of"): "an event that does not exist yet",
    ("reasoning_as", "reasoning_parts"): "Bedrock mantle: response.reasoning_part events",
    ("logprobs", "filled"): "LM Studio: a token of a delta has bytes, as one of a part",
}
WHOLE_EXCEPTIONS = BOTH_EXCEPTIONS | {("call_item_id", "item_id"): "Bedrock mantle: item_id and output_index"}


@cache
def event_types() -> dict[str, TypeAdapter[Any]]:
    """The SDK's event models, by the type that each is for: a union as wide as theirs explains no failure."""
    models = get_args(get_args(ResponseStreamEvent)[0])
    return {get_args(model.model_fields["type"].annotation)[0]: TypeAdapter(model) for model in models}


def unknown_fields(value: Any) -> Iterator[str]:
    """Fields that a parsed model has no place for."""
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        yield from unknown_fields([getattr(value, name) for name in type(value).model_fields])
    elif isinstance(value, list):
        for item in value:
            yield from unknown_fields(item)


def event_objections(body: bytes) -> Iterator[str]:
    """What the SDK's types object to in a stream."""
    decoder = SseDecoder()
    for event in (*decoder.feed(body), *decoder.finish()):
        if event.data == "[DONE]":
            continue
        model = event_types().get(json.loads(event.data)["type"])
        if model is None:
            yield "type"
            continue
        try:
            yield from unknown_fields(model.validate_json(event.data, strict=True))
        except ValidationError as error:
            yield from (str(problem["loc"]) for problem in error.errors())


def whole_objections(body: bytes) -> Iterator[str]:
    """What the SDK's type objects to in a body."""
    try:
        yield from unknown_fields(Response.model_validate_json(body, strict=True))
    except ValidationError as error:
        yield from (str(problem["loc"]) for problem in error.errors())


def objections(reply: Reply, style: Style, *, stream: bool) -> set[str]:
    """What the SDK's types object to in a reply that is told without the fields which OpenAI's own types lack."""
    body = DIALECT.encode(reply, {"vendor": "none", **style}, stream=stream).body
    return set((event_objections if stream else whole_objections)(body))


@pytest.mark.parametrize(("stream", "exceptions"), [(True, STREAMED_EXCEPTIONS), (False, WHOLE_EXCEPTIONS)])
def test_sdk_types_accept_every_option_but_the_listed_ones(
    stream: bool, exceptions: dict[tuple[str, str], str]
) -> None:
    styles = [*single_styles(), {"vendor": "openai"}]
    refused = {
        choice
        for style in styles
        for choice in (tuple(style.items()) or (("", ""),))
        if any(objections(reply, style, stream=stream) for reply in SAMPLES)
    }
    assert refused == set(exceptions)


def test_openais_own_fields_that_its_types_lack_are_few() -> None:
    lacking = {"billing", "store", "frequency_penalty", "presence_penalty"}
    assert objections(THOUGHT, {"vendor": "openai"}, stream=False) == lacking


def test_sdk_reasons_are_those_of_the_stop_table() -> None:
    known = set(get_args(get_args(IncompleteDetails.model_fields["reason"].annotation)[0]))
    assert known - {"steered"} == {row.wire for row in DIALECT.stops if row.known} - {"completed"}


def answering(styles: list[dict[str, str]]) -> httpx2.MockTransport:
    """A transport that answers with one style after the other."""
    told = iter([DIALECT.encode(THOUGHT, style, stream=True) for style in styles])

    def answer(_: httpx2.Request) -> httpx2.Response:
        reply = next(told)
        return httpx2.Response(reply.status, headers=list(reply.headers), content=reply.body)

    return httpx2.MockTransport(answer)


async def delivered(styles: list[dict[str, str]]) -> list[list[Any]]:
    """The types that the SDK's client hands over of a stream, style by style."""
    async with httpx2.AsyncClient(transport=answering(styles)) as http:
        client = AsyncOpenAI(api_key="k", base_url="http://host.invalid/v1", http_client=http, max_retries=0)
        handed_over = []
        for _ in styles:
            stream = await client.responses.create(model="m", input="Hi", stream=True)
            handed_over.append([event.model_dump(exclude_unset=True, warnings=False) async for event in stream])
    return handed_over


def test_sdk_client_hands_over_every_event_of_every_style() -> None:
    styles = list(single_styles())
    for style, handed_over in zip(styles, asyncio.run(delivered(styles)), strict=True):
        decoder = SseDecoder()
        met = decoder.feed(DIALECT.encode(THOUGHT, style, stream=True).body)
        sent = [json.loads(event.data) for event in met if event.data != "[DONE]"]
        assert handed_over == sent, style
