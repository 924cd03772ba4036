"""Witness: the recordings. What the dialect says was said by a server, and what servers said it says or names."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from harness.dialects.base import DecodeError
from harness.dialects.openai_responses import DIALECT
from harness.dialects.reply import Reply, Text, Usage
from harness.wire.sse import SseDecoder
from tests.dialects.openai_responses.recorded import answered, is_stream
from tests.dialects.openai_responses.samples import SAMPLES, single_styles
from tests.recordings.corpus import CorpusExchange
from tests.shared import needs_shared

pytestmark = needs_shared

_REFUSALS = "a refusal, which nobody recorded: the SDK's types are its witness"
_ALIVE = "OpenAI's sign of life, which it does not document: openai-node#1964"

#: Paths that no recording has, by their beginning, and why the dialect says them all the same.
NOT_RECORDED = {
    "event response.refusal.": _REFUSALS,
    "refusal.": _REFUSALS,
    "item message.content[].refusal": _REFUSALS,
    "content_part.added.part.refusal": _REFUSALS,
    "content_part.done.part.refusal": _REFUSALS,
    "event keepalive": _ALIVE,
    "keepalive.": _ALIVE,
    "event response.queued": "background responses: the SDK's types are the witness",
    "queued.": "background responses: the SDK's types are the witness",
    "event response.reasoning_part.": "Bedrock mantle sends the events, but without an event line",
    "error.code": "the flat form of the API reference; the recorded one is nested",
    "error.message": "the flat form of the API reference; the recorded one is nested",
    "error.param": "the flat form of the API reference; the recorded one is nested",
    "content_part.added.part.logprobs[].": "LM Studio's tokens, in a part that has no text yet",
    "response.usage.input_tokens_details": "null, where a server counts none: litellm#15376",
    "response.usage.output_tokens_details": "null, where a server counts none: litellm#15376",
}

_ECHO = "what the request said, said again"
_OWN_TOOLS = "a tool that the caller or the vendor runs; the contract knows function calls alone"
_COUNTERS = "counters of the vendor's own; the contract has no place for them"

#: Recorded fields that no style says, by their beginning, and why.
IGNORED = {
    "item apply_patch_call.": _OWN_TOOLS,
    "item local_shell_call.": _OWN_TOOLS,
    "item mcp_approval_request.": _OWN_TOOLS,
    "item tool_search_call.": _OWN_TOOLS,
    "item code_interpreter_call.": _OWN_TOOLS,
    "item web_search_call.": _OWN_TOOLS,
    "item file_search_call.results[].": _OWN_TOOLS,
    "item mcp_list_tools.tools[].input_schema.": _OWN_TOOLS,
    "item message.content[].annotations[].container_id": "a file of the code interpreter; read as any cited file",
    "response.access_programs": "what the account may use",
    "response.instructions[]": _ECHO,
    "response.prompt.": _ECHO,
    "response.reasoning.": _ECHO,
    "response.text.format.": _ECHO,
    "response.tools[]": _ECHO,
    "response.usage.server_side_tool_usage_details.": _COUNTERS,
}

#: A file with the streams of four turns one after the other; the first is read.
SEVERAL = "azure-openai-responses/vercel+ai__azure_azure-reasoning-encrypted-content.1.chunks.txt#0"
#: Recorded answers that are errors under HTTP 200.
ERRORS_INSIDE_200 = {"openai-responses/vercel+ai__openai_responses_openai-error.1.chunks.txt#0"}


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


def place(told: dict[str, Any]) -> str:
    """What paths of an event begin with: its type; items and responses are the same in all events."""
    return str(told["type"]).removeprefix("response.")


def said(body: bytes, *, stream: bool) -> Iterator[str]:
    """Paths and event names of an answer. An item's begin with its type, a response's with ``response``."""
    if not stream:
        yield from response_paths(json.loads(body))
        return
    decoder = SseDecoder()
    for event in (*decoder.feed(body), *decoder.finish()):
        if event.data == "[DONE]":
            continue
        told = json.loads(event.data)
        if event.event:
            yield f"event {event.event}"
        yield from response_paths(told.pop("response", {}))
        yield from item_paths(told.pop("item", None))
        yield from paths(told, place(told))


def response_paths(response: dict[str, Any]) -> Iterator[str]:
    """Paths of a response object."""
    for item in response.get("output", ()):
        yield from item_paths(item)
    yield from paths({**response, "output": []} if response else {}, "response")


def item_paths(item: dict[str, Any] | None) -> Iterator[str]:
    """Paths of an output item."""
    if item is not None:
        yield from paths(item, f"item {item['type']}")


@cache
def recorded_paths() -> frozenset[str]:
    return frozenset(
        path for found in answered() for path in said(found.exchange.response.body, stream=is_stream(found))
    )


@cache
def emitted_paths() -> frozenset[str]:
    found: set[str] = set()
    for reply in (*SAMPLES, Reply((Text("x"),), usage=Usage(3, 4))):
        for style in single_styles():
            for stream in (True, False):
                found.update(said(DIALECT.encode(reply, style, stream=stream).body, stream=stream))
    for error in DIALECT.errors:
        for form in next(axis for axis in DIALECT.axes if axis.name == "error").names:
            told = DIALECT.encode_stream_error(error, SAMPLES[0], {"error": form}, keep=2)
            found.update(said(told.body, stream=True) if told else ())
    return frozenset(found)


def covered(path: str, beginnings: dict[str, str]) -> bool:
    return any(path.startswith(beginning) for beginning in beginnings)


def test_every_path_that_is_said_was_recorded() -> None:
    unheard = {path for path in emitted_paths() - recorded_paths() if "x_future" not in path}
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
        if found.name in ERRORS_INSIDE_200 | {SEVERAL}:
            continue
        reply = DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        assert len(reply.tools) == found.entry.tool_calls, found.name
        assert wire_end(found, reply.stop, reply.wire_stop), found.name
        checked += 1
    assert checked > 100


def wire_end(found: CorpusExchange, stop: str, wire_stop: str | None) -> bool:
    usual = {"end_turn": "completed", "tool_use": "completed", "max_tokens": "incomplete:max_output_tokens"}
    return set(found.entry.finish) - {"in_progress"} == {wire_stop or usual[stop]}
