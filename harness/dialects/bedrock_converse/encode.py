"""Replies as Bedrock's bytes: one JSON body, or a stream of events.

JSON is put together from text, since replies are told thousands of times and most of each is fixed.
"""

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from json.encoder import encode_basestring as quoted
from typing import Any, Final

from harness.dialects.base import Headers, Style, WireReply
from harness.dialects.bedrock_converse.guardrail import trace_json
from harness.dialects.bedrock_converse.stops import wire_stop
from harness.dialects.bedrock_converse.styles import choose
from harness.dialects.reply import (
    Block,
    Citation,
    Reasoning,
    RedactedReasoning,
    Reply,
    Text,
    ToolUse,
    Usage,
    json_text,
)
from harness.wire.eventstream import encode_event

REQUEST_ID: Final = ("x-amzn-requestid", "4d2a1c56-7b0e-4f3a-9c1d-2f6b8e5a7d10")
STREAM_HEADERS: Final[Headers] = (("content-type", "application/vnd.amazon.eventstream"), REQUEST_ID)
JSON_HEADERS: Final[Headers] = (("content-type", "application/json"), REQUEST_ID)

_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_PADDINGS: Final = tuple(f',"p":"{_ALPHABET[: 1 + 37 * at % 61]}"' for at in range(61))

_DOCUMENTED_FIELDS: Final = '"performanceConfig":{"latency":"standard"},"serviceTier":{"type":"default"}'
_ROUTED: Final = "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0"
_PROMPT_ROUTER: Final = f'{{"promptRouter":{{"invokedModelId":"{_ROUTED}"'
_UNMODELLED: Final = ',"unmodelledMember":{"value":[null]}'

#: an event's type and its JSON members without braces
Event = tuple[str, str]
Choice = Mapping[str, str]


def encode_stream(reply: Reply, style: Style) -> WireReply:
    """A streamed reply; the frames from messageStop on are its end."""
    choice = choose(style)
    start: list[Event] = [("messageStart", '"role":"assistant"')]
    end = [("messageStop", _stop_members(reply, choice)), *_metadata(reply, choice)]
    events = [*start, *_unknown(choice), *_blocks(reply, choice), *_unknown(choice), *end]
    return WireReply(200, STREAM_HEADERS, tuple(_frames(events, choice)), terminal_frames=len(end))


def encode_whole(reply: Reply, style: Style) -> WireReply:
    """A reply in one JSON body."""
    choice = choose(style)
    blocks = ['{"text":""}'] if choice["empty_block"] == "leading" else []
    blocks += [_WHOLE[type(block)](block, choice) for block in reply.blocks if says_something(block)]
    body = (
        f'{{"output":{{"message":{{"content":[{",".join(blocks)}],"role":"assistant"}}}},'
        f"{_stop_members(reply, choice)}{''.join(f',{member}' for member in _closing_members(reply, choice))}"
        f"{_UNMODELLED if choice['extras'] == 'unmodelled' else ''}}}"
    )
    return WireReply(200, JSON_HEADERS, (body.encode(),))


def says_something(block: Block) -> bool:
    """Whether a block is more than an empty text or empty unsigned reasoning, which mean nothing.

    Raises ValueError for a block that Bedrock does not have.
    """
    if type(block) not in _WHOLE:
        raise ValueError(f"Bedrock has no block for {type(block).__name__}")
    if isinstance(block, Text):
        return bool(block.text or block.citations)
    return not isinstance(block, Reasoning) or bool(block.text or block.signature)


# --- frames -------------------------------------------------------------------------------------------------


def _frames(events: Iterable[Event], choice: Choice) -> Iterator[bytes]:
    unmodelled = _UNMODELLED if choice["extras"] == "unmodelled" else ""
    padded = choice["padding"] == "present"
    for at, (name, members) in enumerate(events):
        padding = _PADDINGS[at % len(_PADDINGS)] if padded else ""
        yield encode_event(name, f"{{{members}{unmodelled}{padding}}}".encode())


def _unknown(choice: Choice) -> list[Event]:
    return [("unmodelledEvent", '"value":[null]')] if choice["unknown_events"] == "between" else []


# --- blocks, streamed -----------------------------------------------------------------------------------------


def _blocks(reply: Reply, choice: Choice) -> Iterator[Event]:
    index = 0
    if choice["empty_block"] == "leading":
        yield from _block(index, ['"text":""'])
        index += 1
    for block in filter(says_something, reply.blocks):
        start = _tool_start(block, choice) if isinstance(block, ToolUse) else ""
        yield from _block(index, _DELTAS[type(block)](block, choice), start)
        index += 1


# Only calls have a contentBlockStart: its ``start`` is a union of the blocks that need one, and botocore fails on {}.
def _block(index: int, deltas: Iterable[str], start: str = "") -> Iterator[Event]:
    place = f'"contentBlockIndex":{index}'
    if start:
        yield "contentBlockStart", f'{place},"start":{{{start}}}'
    for delta in deltas:
        yield "contentBlockDelta", f'{place},"delta":{{{delta}}}'
    yield "contentBlockStop", place


def _tool_start(block: ToolUse, choice: Choice) -> str:
    return f'"toolUse":{{{_identity(block, choice)}}}'


def _identity(block: ToolUse, choice: Choice) -> str:
    kind = ',"type":"tool_use"' if choice["tool_type"] == "present" else ""
    return f'"name":{quoted(block.name)},"toolUseId":{quoted(block.id)}{kind}'


def _text_deltas(block: Text, choice: Choice) -> Iterator[str]:
    texts = [f'"text":{quoted(piece)}' for piece in _FRAGMENTS[choice["text_fragments"]](block.text)]
    citations = [f'"citation":{_citation(citation)}' for citation in block.citations]
    yield from citations + texts if choice["citation_place"] == "before_text" else texts + citations


def _tool_deltas(block: ToolUse, choice: Choice) -> Iterator[str]:
    pieces = (
        _EMPTY_ARGUMENTS[choice["empty_arguments"]]
        if block.arguments.strip() in ("", "{}")
        else _FRAGMENTS[choice["argument_fragments"]](block.arguments)
    )
    for piece in pieces:
        yield f'"toolUse":{{"input":{quoted(piece)}}}'


def _reasoning_deltas(block: Reasoning, choice: Choice) -> Iterator[str]:
    for piece in _FRAGMENTS[choice["text_fragments"]](block.text):
        yield f'"reasoningContent":{{"text":{quoted(piece)}}}'
    if block.signature:
        yield f'"reasoningContent":{{"signature":{quoted(block.signature)}}}'


def _redacted_deltas(block: RedactedReasoning, _choice: Choice) -> Iterator[str]:
    yield f'"reasoningContent":{{"redactedContent":"{b64encode(block.data).decode()}"}}'


_DELTAS: Final[Mapping[type[Block], Callable[[Any, Choice], Iterable[str]]]] = {
    Text: _text_deltas,
    ToolUse: _tool_deltas,
    Reasoning: _reasoning_deltas,
    RedactedReasoning: _redacted_deltas,
}


def _thirds(text: str) -> list[str]:
    size = max(1, -(-len(text) // 3))
    return [text[at : at + size] for at in range(0, len(text), size)]


def _with_empty(text: str) -> list[str]:
    return [piece for third in _thirds(text) for piece in ("", third)] + [""]


_FRAGMENTS: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "few": _thirds,
    "whole": lambda text: [text] if text else [],
    "characters": list,
    "with_empty": _with_empty,
    "empty_first": lambda text: ["", *_thirds(text)],
}

_EMPTY_ARGUMENTS: Final = {"object": ["{}"], "blank": [""], "absent": []}


# --- blocks, whole --------------------------------------------------------------------------------------------


def _whole_text(block: Text, _choice: Choice) -> str:
    text = f'{{"text":{quoted(block.text)}}}'
    if not block.citations:
        return text
    content = f',"content":[{text}]' if block.text else ""
    return f'{{"citationsContent":{{"citations":[{",".join(map(_citation, block.citations))}]{content}}}}}'


def _whole_tool(block: ToolUse, choice: Choice) -> str:
    if not block.complete:
        raise ValueError(f"a whole reply cannot hold the arguments {block.arguments[:80]!r}")
    return (
        f'{{"toolUse":{{"input":{block.arguments if block.arguments.strip() else "{}"},{_identity(block, choice)}}}}}'
    )


def _whole_reasoning(block: Reasoning, _choice: Choice) -> str:
    signature = f'"signature":{quoted(block.signature)},' if block.signature else ""
    return f'{{"reasoningContent":{{"reasoningText":{{{signature}"text":{quoted(block.text)}}}}}}}'


def _whole_redacted(block: RedactedReasoning, _choice: Choice) -> str:
    return f'{{"reasoningContent":{{"redactedContent":"{b64encode(block.data).decode()}"}}}}'


_WHOLE: Final[Mapping[type[Block], Callable[[Any, Choice], str]]] = {
    Text: _whole_text,
    ToolUse: _whole_tool,
    Reasoning: _whole_reasoning,
    RedactedReasoning: _whole_redacted,
}


def _citation(citation: Citation) -> str:
    members = {
        "location": citation.location,
        "sourceContent": None if citation.source is None else [{"text": citation.source}],
        "title": citation.title,
    }
    return json_text({name: value for name, value in members.items() if value is not None})


# --- the end ----------------------------------------------------------------------------------------------------


def _stop_members(reply: Reply, choice: Choice) -> str:
    extra = ',"additionalModelResponseFields":{"stop_sequence":null}' if choice["extras"] == "documented" else ""
    return f'"stopReason":"{wire_stop(reply)}"{extra}'


def _metadata(reply: Reply, choice: Choice) -> list[Event]:
    members = ",".join(_closing_members(reply, choice))
    return [("metadata", members)] if members else []


def _closing_members(reply: Reply, choice: Choice) -> Iterator[str]:
    if reply.latency_ms is not None:
        yield f'"metrics":{{"latencyMs":{reply.latency_ms}}}'
    if reply.usage:
        yield f'"usage":{{{",".join(_usage_members(reply.usage, choice["usage"]))}}}'
    if trace := _trace(reply, choice):
        yield f'"trace":{trace}'
    if choice["extras"] == "documented":
        yield _DOCUMENTED_FIELDS


def total_tokens(usage: Usage) -> int:
    """The vendor's total, which counts cached tokens too."""
    if usage.total is not None:
        return usage.total
    return usage.input + usage.output + (usage.cache_read or 0) + (usage.cache_write or 0)


def _usage_members(usage: Usage, how: str) -> Iterator[str]:
    yield f'"inputTokens":{usage.input},"outputTokens":{usage.output},"totalTokens":{total_tokens(usage)}'
    for name, count in (("cacheRead", usage.cache_read), ("cacheWrite", usage.cache_write)):
        if count is not None or how == "cache_zeros":
            yield f'"{name}InputTokens":{count or 0}'
        if count is not None and how == "legacy_counts":
            yield f'"{name}InputTokenCount":{count}'
    if how == "server_tools":
        yield '"serverToolUsage":{}'


def _trace(reply: Reply, choice: Choice) -> str:
    router = choice["extras"] == "documented"
    if reply.guardrail is None or choice["guardrail_trace"] == "disabled":
        return f"{_PROMPT_ROUTER}}}}}" if router else ""
    intervened = wire_stop(reply) == "guardrail_intervened"
    trace = trace_json(reply.guardrail, choice["guardrail_policy"], choice["guardrail_findings"], intervened=intervened)
    return f"{_PROMPT_ROUTER}}},{trace[1:]}" if router else trace
