"""Say a reply: the message of a whole one, and the way to one encoder or the other."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from harness.dialects.base import WireReply
from harness.dialects.openai_chat.calls import message_calls
from harness.dialects.openai_chat.manner import CREATED, ID, MODEL, Manner
from harness.dialects.openai_chat.usage import usage_object
from harness.dialects.reply import Block, Reasoning, Refusal, Reply, Text, ToolUse

Json = dict[str, Any]

_JSON_HEADERS = (("content-type", "application/json"),)
#: OpenRouter's sign of life before a whole reply; JSON allows white space there.
_BLANK_LINES = "\n         \n\n         \n"
_RANKS: Mapping[type[Block], int] = {Reasoning: 0, Text: 1, Refusal: 2, ToolUse: 3}


def check_shape(reply: Reply, allowed: frozenset[type[Block]]) -> None:
    """Raise ValueError for a reply that Chat Completions, with these kinds of blocks, cannot say."""
    rank = -1
    for block in reply.blocks:
        next_rank = _RANKS[type(block)] if type(block) in allowed else -2
        if next_rank < rank or (next_rank == rank and not isinstance(block, ToolUse)):
            raise ValueError(f"Chat Completions has no place for a {type(block).__name__} block here")
        rank = next_rank
        if not isinstance(block, ToolUse):
            _check_words(block)
    if reply.guardrail or reply.latency_ms is not None:
        raise ValueError("Chat Completions tells neither guardrails nor the service's latency")


def _check_words(block: Any) -> None:
    if not block.text:
        raise ValueError("an empty block would leave no trace on the wire")
    if getattr(block, "citations", ()) or getattr(block, "signature", None) is not None:
        raise ValueError("Chat Completions carries neither citations nor signatures")


def encode_whole(reply: Reply, manner: Manner, finish: str) -> WireReply:
    """One JSON body."""
    options, vendor = manner.options, manner.vendor
    body: Json = {"id": ID, "object": "chat.completion", "created": CREATED, "model": MODEL}
    choice: Json = {"index": 0, **vendor.whole_choice, "finish_reason": finish}
    if reply.blocks or finish != "content_filter" or options["no_text"] != "no_message":
        choice["message"] = _message(reply, manner)
    body["choices"] = [choice]
    if reply.usage and options["usage"] != "absent":
        body["usage"] = usage_object(reply.usage, options["usage_details"]) | dict(vendor.usage)
    body |= {**vendor.top, **vendor.whole}
    return WireReply(200, _JSON_HEADERS, (_LAYOUTS[options["layout"]](body, manner).encode(),))


def _message(reply: Reply, manner: Manner) -> Json:
    message: Json = {"role": "assistant", **manner.vendor.message}
    message |= _NO_TEXT[manner.options["no_text"]]
    for block in reply.blocks:
        if not isinstance(block, ToolUse):
            message |= _WORDS[type(block)](block.text, manner)  # type: ignore[union-attr]
    calls = message_calls(reply.tools, manner.options)
    return message | ({"tool_calls": calls} if calls else _NO_CALLS[manner.options["no_calls"]])


_NO_TEXT: Mapping[str, Json] = {
    "null": {"content": None},
    "no_message": {"content": None},
    "empty": {"content": ""},
    "missing": {},
}
_NO_CALLS: Mapping[str, Json] = {"missing": {}, "null": {"tool_calls": None}, "empty_list": {"tool_calls": []}}
_WORDS: Mapping[type[Block], Callable[[str, Manner], Json]] = {
    Reasoning: lambda text, manner: manner.reasoning(text),
    Text: lambda text, manner: manner.content(text),
    Refusal: lambda text, manner: {"refusal": text},
}


def _indented(body: Json, manner: Manner) -> str:
    return json.dumps(body, indent=2, ensure_ascii=manner.options["escapes"] == "ascii") + "\n"


_LAYOUTS: Mapping[str, Callable[[Json, Manner], str]] = {
    "compact": lambda body, manner: manner.dumps(body),
    "indented": _indented,
    "blank_lines_first": lambda body, manner: _BLANK_LINES + manner.dumps(body),
}
