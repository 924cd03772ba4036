"""Say a reply: one body, or the events of a stream."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from harness.dialects.base import Headers, WireReply
from harness.dialects.llama_api.metrics import metrics
from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.reply import Block, Reply, Text, ToolUse
from harness.wire.sse import SseEvent, encode_comment, encode_sse

Json = dict[str, Any]
Options = Mapping[str, str]

STREAM_HEADERS: Final[Headers] = (("content-type", "text/event-stream"),)
_JSON: Final[Headers] = (("content-type", "application/json"),)
_ID: Final = "AnQ2XJwKaxRcTxEGCDAQCUr"
_UNKNOWN: Final[Json] = {"x_future": {"kind": "unheard_of", "values": [1, None, "…"]}}
_EMPTY: Final[Json] = {"type": "text", "text": ""}

_ENCODERS: Final = {
    "raw": json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode,
    "ascii": json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode,
}
_RANKS: Final[Mapping[type[Block], int]] = {Text: 0, ToolUse: 1}


def check_shape(reply: Reply) -> None:
    """Raise ValueError for a reply that the Llama API cannot say: it has one text, and calls after it."""
    ranks = [_RANKS.get(type(block), -1) for block in reply.blocks]
    if -1 in ranks or ranks != sorted(ranks) or ranks.count(0) > 1:
        raise ValueError("the Llama API says one text at most, then calls, and no other blocks")
    if any(isinstance(block, Text) and (not block.text or block.citations) for block in reply.blocks):
        raise ValueError("the Llama API carries no citations, and an empty text would leave no trace")
    if reply.guardrail or reply.latency_ms is not None:
        raise ValueError("the Llama API tells neither guardrails nor the service's latency")


def encode_whole(reply: Reply, options: Options, stop_reason: str) -> WireReply:
    """One JSON body."""
    message: Json = {"role": "assistant", "stop_reason": stop_reason, **_added(options)}
    message |= _content(reply, options) | _calls(reply, options)
    body: Json = {**_id(options), "completion_message": message, **_added(options)}
    if reply.usage and options["metrics"] == "present":
        body["metrics"] = metrics(reply.usage, options)
    return WireReply(200, _JSON, (_ENCODERS[options["escapes"]](body).encode(),))


def _content(reply: Reply, options: Options) -> Json:
    for block in reply.blocks:
        if isinstance(block, Text):
            return {"content": block.text if options["content"] == "string" else {"type": "text", "text": block.text}}
    return _NO_TEXT[options["no_text"]]


def _calls(reply: Reply, options: Options) -> Json:
    calls = [{"id": call.id, "function": {"name": call.name, "arguments": call.arguments}} for call in reply.tools]
    return {"tool_calls": calls} if calls else _NO_CALLS[options["no_calls"]]


_NO_TEXT: Final[Mapping[str, Json]] = {"empty_item": {"content": _EMPTY}, "null": {"content": None}, "missing": {}}
_NO_CALLS: Final[Mapping[str, Json]] = {"empty_list": {"tool_calls": []}, "null": {"tool_calls": None}, "missing": {}}


def _id(options: Options) -> Json:
    return {"id": _ID} if options["id"] == "present" else {}


def _added(options: Options) -> Json:
    return _UNKNOWN if options["unknown_fields"] == "some" else {}


# --- stream -------------------------------------------------------------------------------------------------------


def encode_stream(reply: Reply, options: Options, stop_reason: str) -> WireReply:
    """The events: start, progress, complete, metrics."""
    events = _events(_deltas(reply, options), options, stop_reason)
    finish = len(events) - 1
    if reply.usage and options["metrics"] == "present":
        _place_metrics(events, metrics(reply.usage, options), options)
    say, around = _ENCODERS[options["escapes"]], {**_id(options), **_added(options)}
    nulls = {"stop_reason": None, "metrics": None} if options["nulls"] == "null_fields" else {}
    texts = [say({**around, "event": {**nulls, **event, **_added(options)}}) for event in events]
    frames = [_framed(text, options["space"]) for text in texts]
    if options["comments"] == "between":
        frames = [part for frame in frames for part in (frame, encode_comment("keep-alive"))]
        finish *= 2
    return WireReply(200, STREAM_HEADERS, tuple(frames), len(frames) - finish)


def _place_metrics(events: list[Json], rows: list[Json], options: Options) -> None:
    if options["metrics_event"] == "own":
        events.append({"event_type": "metrics", "delta": _EMPTY, "metrics": rows})
    else:
        events[-1]["metrics"] = rows


def _events(deltas: list[Json], options: Options, stop_reason: str) -> list[Json]:
    start = deltas.pop(0) if deltas and options["start"] == "first_piece" else _EMPTY
    last = deltas.pop() if deltas and options["complete"] == "last_piece" else _EMPTY
    return [
        {"event_type": "start", "delta": start},
        *({"event_type": "progress", "delta": delta} for delta in deltas),
        {"event_type": "complete", "delta": last, "stop_reason": stop_reason},
    ]


def _deltas(reply: Reply, options: Options) -> list[Json]:
    deltas: list[Json] = []
    for block in reply.blocks:
        if isinstance(block, Text):
            deltas += [{"type": "text", "text": piece} for piece in pieces(block.text, options["text_pieces"])]
        elif isinstance(block, ToolUse):
            deltas += _fragments(block, options)
    if options["blanks"] == "between":
        return [either for delta in deltas for either in (delta, _EMPTY)][:-1]
    return deltas


def _fragments(call: ToolUse, options: Options) -> list[Json]:
    first, *later = _ARGUMENTS[options["arguments"]](call.arguments, options["argument_pieces"])
    around, named = _LATER[options["later_fragments"]](call.id)
    function = {"name": call.name, **({} if first is None else {"arguments": first})}
    fragments: list[Json] = [{"type": "tool_call", "id": call.id, "function": function}]
    return fragments + [{"type": "tool_call", **around, "function": {**named, "arguments": text}} for text in later]


_ARGUMENTS: Final[Mapping[str, Callable[[str, str], list[str | None]]]] = {
    "name_then_pieces": lambda text, how: [None, *pieces(text, how)],
    "pieces": lambda text, how: [*pieces(text, how)] or [""],
    "whole": lambda text, how: [text],
}
_LATER: Final[Mapping[str, Callable[[str], tuple[Json, Json]]]] = {
    "absent": lambda call_id: ({}, {}),
    "null": lambda call_id: ({"id": None}, {"name": None}),
    "id_repeated": lambda call_id: ({"id": call_id}, {}),
}


def error_frames(error: bytes, options: Options) -> tuple[bytes, ...]:
    """How a stream that has begun tells of an error: as a line that is no event, or as an event named for it."""
    if options["error"] == "bare_line":
        return (error + b"\n\n",)
    return (encode_sse(SseEvent(error.decode(), "error"), space=options["space"] == "after_colon"),)


def _framed(text: str, space: str) -> bytes:
    before, after = _around(space)
    return before + text.encode() + after


# JSON on one line needs no care, so what stands around it is framed once: a stream has many events.
@lru_cache(maxsize=2)
def _around(space: str) -> tuple[bytes, bytes]:
    before, _, after = encode_sse(SseEvent("{}"), space=space == "after_colon").partition(b"{}")
    return before, after
