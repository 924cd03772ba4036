"""Witness: the openai SDK's own types, validated strictly and without fields that they do not have."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from pydantic import BaseModel, ValidationError

from harness.dialects.base import Style
from harness.dialects.openai_chat import DIALECT
from harness.dialects.reply import Reply
from tests.dialects.openai_chat.samples import CALLS, CUT, FILTERED, PLAIN, REFUSED, THOUGHT, single_styles

OPENAIS_OWN = (PLAIN, CALLS, REFUSED, CUT, FILTERED)

#: Options that OpenAI's types do not know, and who speaks so. All others must pass.
STREAMED_EXCEPTIONS = {
    ("prelude", "empty_choices"): "Azure: its first chunk has an empty object and prompt_filter_results",
    ("hollow_chunk", "no_delta"): "Azure: a choice of its asynchronous filter has no delta",
    ("hollow_chunk", "null_delta"): "Azure, older API versions",
    ("finish", "no_delta"): "hayhooks",
    ("vendor", "azure"): "Azure: content_filter_results",
    ("vendor", "groq"): "Groq: x_groq and times in usage",
    ("vendor", "openrouter"): "OpenRouter: provider, cost, native_finish_reason",
    ("vendor", "vllm"): "vLLM: stop_reason and token_ids",
    ("vendor", "llama_cpp"): "llama.cpp: timings",
    ("vendor", "cerebras"): "Cerebras: time_info",
    ("vendor", "litellm"): "LiteLLM: stream_options",
    ("vendor", "together"): "Together: text and seed",
    ("vendor", "perplexity"): "Perplexity: citations, message, another object in the last chunk",
    ("vendor", "unheard_of"): "fields that do not exist yet",
    ("nulls", "null_fields"): "DeepSeek: reasoning_content",
    ("content", "parts"): "Mistral",
    ("tool_index", "missing"): "Gemini's compatible endpoint",
    ("tool_index", "null"): "term-llm#314",
}
WHOLE_EXCEPTIONS = {
    ("vendor", "azure"): "Azure: content_filter_results and prompt_filter_results",
    ("vendor", "groq"): "Groq: x_groq, usage_breakdown and times in usage",
    ("vendor", "openrouter"): "OpenRouter: provider, cost, native_finish_reason",
    ("vendor", "vllm"): "vLLM: stop_reason, token_ids, prompt_logprobs, kv_transfer_params",
    ("vendor", "llama_cpp"): "llama.cpp: timings",
    ("vendor", "cerebras"): "Cerebras: time_info",
    ("vendor", "together"): "Together: prompt and seed",
    ("vendor", "perplexity"): "Perplexity: citations and delta",
    ("vendor", "unheard_of"): "fields that do not exist yet",
    ("content", "parts"): "Mistral",
    ("tool_id", "missing"): "compatible servers without ids",
    ("no_arguments", "null"): "pydantic-ai#1654",
    ("no_arguments", "missing"): "pydantic-ai#1654",
    ("no_text", "no_message"): "Azure: a filtered choice has no message",
    ("call_index", "present"): "DeepSeek, Azure, Together",
    ("arguments_form", "object"): "older text-generation-inference",
}


def bodies(reply: Reply, style: Style, *, stream: bool) -> list[bytes]:
    """The JSON documents of a reply."""
    body = DIALECT.encode(reply, style, stream=stream).body.removeprefix(b"\xef\xbb\xbf")
    if not stream:
        return [body]
    lines = [line.removeprefix(b"data:").strip() for line in body.split(b"\n") if line.startswith(b"data:")]
    return [line for line in lines if line != b"[DONE]"]


def unknown_fields(value: Any) -> Iterator[str]:
    """Fields that a parsed model has no place for."""
    if isinstance(value, BaseModel):
        yield from value.model_extra or ()
        yield from unknown_fields([getattr(value, name) for name in type(value).model_fields])
    elif isinstance(value, list):
        for item in value:
            yield from unknown_fields(item)


def objections(reply: Reply, style: Style, *, stream: bool) -> list[str]:
    """What the SDK's types object to."""
    model: type[BaseModel] = ChatCompletionChunk if stream else ChatCompletion
    found: list[str] = []
    for body in bodies(reply, style, stream=stream):
        try:
            found += unknown_fields(model.model_validate_json(body, strict=True))
        except ValidationError as error:
            found += [str(problem["loc"]) for problem in error.errors()]
    return found


@pytest.mark.parametrize(("stream", "exceptions"), [(True, STREAMED_EXCEPTIONS), (False, WHOLE_EXCEPTIONS)])
def test_sdk_types_accept_every_option_but_the_listed_ones(
    stream: bool, exceptions: dict[tuple[str, str], str]
) -> None:
    refused = {
        choice
        for style in single_styles()
        for choice in (tuple(style.items()) or (("", ""),))
        if any(objections(reply, style, stream=stream) for reply in OPENAIS_OWN)
    }
    assert refused == set(exceptions)


@pytest.mark.parametrize("stream", [True, False])
def test_reasoning_is_the_only_thing_unknown_in_a_reply_that_has_some(stream: bool) -> None:
    for field in DIALECT.axes[[axis.name for axis in DIALECT.axes].index("reasoning_field")].names:
        found = set(objections(THOUGHT, {"reasoning_field": field}, stream=stream))
        assert found
        assert found <= {"reasoning_content", "reasoning", "reasoning_details"}


def test_sdk_stop_values_are_the_common_ones_and_the_deprecated_one() -> None:
    schema = json.dumps(ChatCompletionChunk.model_json_schema())
    known = {row.wire for row in DIALECT.stops if f'"{row.wire}"' in schema}
    assert known == {row.wire for row in DIALECT.stops if row.common} | {"function_call"}


async def delivered(styles: list[dict[str, str]]) -> list[list[Any]]:
    """What the SDK's client hands over of a stream, style by style."""
    bodies_by_style = iter([DIALECT.encode(THOUGHT, style, stream=True) for style in styles])

    def answer(_: httpx2.Request) -> httpx2.Response:
        told = next(bodies_by_style)
        return httpx2.Response(told.status, headers=list(told.headers), content=told.body)

    transport = httpx2.MockTransport(answer)
    async with httpx2.AsyncClient(transport=transport) as http:
        client = AsyncOpenAI(api_key="k", base_url="http://host.invalid/v1", http_client=http, max_retries=0)
        handed_over = []
        for _ in styles:
            stream = await client.chat.completions.create(model="m", messages=[], stream=True)
            handed_over.append([chunk.model_dump(exclude_unset=True, warnings=False) async for chunk in stream])
    return handed_over


def test_sdk_client_hands_over_every_chunk_of_every_style() -> None:
    styles = list(single_styles())
    for style, handed_over in zip(styles, asyncio.run(delivered(styles)), strict=True):
        sent = [json.loads(body) for body in bodies(THOUGHT, style, stream=True)]
        if style.get("bom") == "present":
            assert sent[0]["choices"][0]["delta"] == {"content": "", "role": "assistant", "refusal": None}
            del sent[0]  # the SDK drops it: why the dialect puts nothing of worth there
        assert handed_over == sent, style
