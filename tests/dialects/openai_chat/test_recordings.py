"""Witness: the recordings. What the dialect says was said by a server, and what servers said it says or names."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from harness.dialects.base import DecodeError
from harness.dialects.openai_chat import DIALECT
from harness.dialects.reply import Reply, Text, Usage
from harness.wire.sse import SseDecoder
from tests.dialects.openai_chat.recorded import answered, is_stream
from tests.dialects.openai_chat.samples import SAMPLES, single_styles
from tests.recordings.corpus import CorpusExchange
from tests.shared import needs_shared

pytestmark = needs_shared

_NO_SUCH_FIELD = "a field that does not exist yet"

#: Paths that no recording has, by their beginning, and why the dialect says them all the same. ``chunk`` is a streamed
#: one, ``whole`` a body.
NOT_RECORDED = {
    "chunk.x_future": _NO_SUCH_FIELD,
    "chunk.choices[].x_future": _NO_SUCH_FIELD,
    "chunk.choices[].delta.x_future": _NO_SUCH_FIELD,
    "chunk.usage.x_future": _NO_SUCH_FIELD,
    "whole.x_future": _NO_SUCH_FIELD,
    "whole.choices[].x_future": _NO_SUCH_FIELD,
    "whole.choices[].message.x_future": _NO_SUCH_FIELD,
    "whole.usage.x_future": _NO_SUCH_FIELD,
    "chunk.choices[].delta": "null in place of a delta: pydantic-ai#797",
    "chunk.choices[].delta.content[].": "Mistral's form of content (API reference)",
    "whole.choices[].message.content[].": "Mistral's form of content (API reference)",
    "whole.choices[].message.tool_calls[].function.arguments.": "an object: text-generation-inference#2461",
    "chunk.usage.completion_tokens_details": "null, as OpenRouter has it in whole replies",
    "chunk.usage.prompt_tokens_details": "null, as OpenRouter has it in whole replies",
    "chunk.x_groq.usage.prompt_tokens_details.": "Groq repeats whatever its usage holds",
    "chunk.error.metadata.": "OpenRouter's errors have it at HTTP level; in a stream they have the same form",
    "chunk.error.param": "OpenAI's error object has it always, in a stream too",
}

_FILTERS = "Azure: judgements of its content filter"
_COUNTERS = "counters and times of the vendor's own; the contract has no place for them"
_ROUTING = "where a gateway sent the request, and what became of it"
_SAMPLING = "what the sampler saw and did"
_BUILT_IN = "tools and searches that the vendor ran itself"
_SEALED = "reasoning in a form that only its vendor reads"

#: Recorded fields that no style says, by their beginning, and why.
IGNORED = {
    "chunk.choices[].content_filter": _FILTERS,
    "whole.choices[].content_filter": _FILTERS,
    "whole.prompt_filter_results[].content_filter": _FILTERS,
    "chunk.choices[].delta.channel": "Groq: which channel of the model a piece came from",
    "chunk.choices[].delta.executed_tools": _BUILT_IN,
    "whole.choices[].message.executed_tools": _BUILT_IN,
    "whole.search_results": _BUILT_IN,
    "whole.choices[].message.annotations[]": "sources of a web search; the dialect's replies have no citations",
    "chunk.choices[].delta.provider_metadata": _ROUTING,
    "whole.choices[].message.provider_metadata": _ROUTING,
    "chunk.generationId": _ROUTING,
    "whole.generationId": _ROUTING,
    "whole.request_id": _ROUTING,
    "whole.user_id": _ROUTING,
    "whole.metadata.": _ROUTING,
    "whole.metrics": _ROUTING,
    "chunk.choices[].delta.reasoning_details[].": _SEALED,
    "whole.choices[].message.reasoning_details[].": _SEALED,
    "whole.choices[].message.extra_content.": _SEALED,
    "whole.choices[].message.thought_signature": _SEALED,
    "chunk.choices[].delta.token_id": _SAMPLING,
    "chunk.choices[].logprobs.": _SAMPLING,
    "whole.choices[].logprobs.": _SAMPLING,
    "whole.choices[].routed_experts": _SAMPLING,
    "chunk.prompt_t": _SAMPLING,
    "whole.prompt_t": _SAMPLING,
    "chunk.x_groq.seed": _SAMPLING,
    "whole.x_groq.seed": _SAMPLING,
    "chunk.latency_checkpoint": _COUNTERS,
    "chunk.usage.": _COUNTERS,
    "whole.usage.": _COUNTERS,
    "chunk.x_groq.usage": _COUNTERS,
    "whole.usage_breakdown.": _COUNTERS,
    "whole.choices[].message.audio.": "spoken answers; the contract has no audio",
    "whole.choices[].message.function_call.": "Snowflake: the deprecated field, with empty strings",
    "whole.choices[].message.tool_calls[].custom.": "Snowflake: a call of the other kind, with empty strings",
    "whole.error.": "an error under HTTP 200",
}

#: Recorded answers that are errors under HTTP 200.
ERRORS_INSIDE_200 = {
    "groq-chat/pydantic+pydantic-ai__test_groq_test_tool_use_failed_error_streaming.yaml#0",
    "groq-chat/pydantic+pydantic-ai__test_groq_test_tool_use_failed_error_streaming_with_text.yaml#0",
    "groq-chat/social-growth-studio+req_llm__groq_meta_llama_llama_4_scout_17b_16e_instruct_object_streaming.json#0",
    "openrouter-chat/pydantic+pydantic-ai__test_openrouter_test_openrouter_stream_error.yaml#0",
    "openrouter-chat/social-growth-studio+req_llm__openrouter_mistralai_devstral_small_2505_tool_round_trip_2.json#0",
}


def paths(value: Any, path: str) -> Iterator[str]:
    """The paths of every value; lists collapse."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths(inner, f"{path}.{name}")
    elif isinstance(value, list):
        yield path
        for inner in value:
            yield from paths(inner, f"{path}[]")
    else:
        yield path


def said(body: bytes, *, stream: bool) -> Iterator[str]:
    """Paths and event names of an answer."""
    if not stream:
        yield from paths(json.loads(body), "whole")
        return
    decoder = SseDecoder()
    for event in (*decoder.feed(body), *decoder.finish()):
        if event.event:
            yield f"event {event.event}"
        if event.data != "[DONE]":
            yield from paths(json.loads(event.data), "chunk")


@cache
def recorded_paths() -> frozenset[str]:
    return frozenset(
        path for found in answered() for path in said(found.exchange.response.body, stream=is_stream(found))
    )


@cache
def emitted_paths() -> frozenset[str]:
    found: set[str] = set()
    for reply in (*SAMPLES, Reply((Text("x"),), usage=Usage(3, 4)), Reply((Text("x"),), usage=Usage(3, 4, 7, 1, 1))):
        for style in (*single_styles(), {"vendor": "groq", "usage": "finish_and_last"}):
            for stream in (True, False):
                found.update(said(DIALECT.encode(reply, style, stream=stream).body, stream=stream))
    for error in DIALECT.errors:
        for form in ("chunk", "event", "chunk_with_choice"):
            told = DIALECT.encode_stream_error(error, SAMPLES[0], {"error": form}, keep=2)
            found.update(said(told.body, stream=True) if told else ())
    return frozenset(found)


def covered(path: str, beginnings: dict[str, str]) -> bool:
    return any(path.startswith(beginning) for beginning in beginnings)


def test_every_path_that_is_said_was_recorded() -> None:
    unheard = emitted_paths() - recorded_paths()
    assert sorted(path for path in unheard if not covered(path, NOT_RECORDED)) == []
    assert [beginning for beginning in NOT_RECORDED if not any(path.startswith(beginning) for path in unheard)] == []


def test_every_recorded_path_is_said_or_ignored_with_a_reason() -> None:
    unsaid = recorded_paths() - emitted_paths()
    assert sorted(path for path in unsaid if not covered(path, IGNORED)) == []
    assert [beginning for beginning in IGNORED if not any(path.startswith(beginning) for path in unsaid)] == []


def test_every_answer_is_read() -> None:
    refused = set()
    for found in answered():
        try:
            DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        except DecodeError:
            refused.add(found.name)
    assert refused == ERRORS_INSIDE_200


def test_answers_are_read_as_the_manifest_counts_them() -> None:
    """The manifest was counted by another program: number of calls, and how the reply ended."""
    checked = 0
    for found in answered():
        if found.name in ERRORS_INSIDE_200 or len(found.entry.finish) != 1:
            continue
        reply = DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        assert len(reply.tools) == found.entry.tool_calls, found.name
        assert wire_end(found, reply.stop, reply.wire_stop), found.name
        checked += 1
    assert checked > 300


def wire_end(found: CorpusExchange, stop: str, wire_stop: str | None) -> bool:
    usual = {"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length", "content_filtered": "content_filter"}
    return found.entry.finish[0] == (wire_stop or usual[stop])
