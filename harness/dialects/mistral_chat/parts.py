"""What a message is made of, in both forms of reply: content in its shapes, calls, and the counters of usage."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.openai_chat.usage import total
from harness.dialects.reply import ToolUse, Usage

Json = dict[str, Any]
Options = Mapping[str, str]

#: what a message says of its content when there is none
NO_TEXT: Final[Mapping[str, Json]] = {"empty": {"content": ""}, "null": {"content": None}, "missing": {}}


def text_part(text: str) -> Json:
    """Text as a part."""
    return {"type": "text", "text": text}


def thinking_part(text: str, options: Options) -> Json:
    """Thinking as a part, in one text or in several."""
    texts = pieces(text, "few") if options["thinking_texts"] == "several" else [text]
    return {"type": "thinking", "thinking": [text_part(piece) for piece in texts]}


def text_content(text: str, options: Options) -> Json:
    """The ``content`` that says a text."""
    return {"content": [text_part(text)] if options["content"] == "parts" else text}


# --- calls --------------------------------------------------------------------------------------------------------


def whole_call(position: int, call: ToolUse, options: Options) -> Json:
    """A call in one piece."""
    arguments = call.input if options["arguments_form"] == "object" and call.complete else call.arguments
    return _call(position, call.id, call.name, arguments, options)


def call_fragments(position: int, call: ToolUse, options: Options) -> list[Json]:
    """A call in several pieces: the first has its id and name, the others only its index."""
    cut = pieces(call.arguments, "few") or [""]
    first = _call(position, call.id, call.name, cut[0], options) | {"index": position}
    later: Json = {"id": "null"} if options["arguments"] == "pieces_null_id" else {}
    return [first, *(later | {"function": {"name": "", "arguments": piece}, "index": position} for piece in cut[1:])]


def _call(position: int, call_id: str, name: str, arguments: Any, options: Options) -> Json:
    told: Json = {"id": call_id}
    told |= {"type": "function"} if options["tool_type"] == "present" else {}
    told |= {"function": {"name": name, "arguments": arguments}}
    return told | ({"index": position} if options["tool_index"] == "present" else {})


def call_deltas(calls: Sequence[ToolUse], options: Options) -> list[Json]:
    """The deltas that tell of the calls of a stream."""
    if not calls:
        return []
    told = _TELL[options["arguments"]](calls, options)
    if options["calls"] == "in_one_chunk" and options["arguments"] == "whole":
        told = [[call for delta in told for call in delta]]
    return [{**NO_TEXT[options["no_text"]], "tool_calls": delta} for delta in told]


def _whole(calls: Sequence[ToolUse], options: Options) -> list[list[Json]]:
    return [[whole_call(at, call, options)] for at, call in enumerate(calls)]


def _in_pieces(calls: Sequence[ToolUse], options: Options) -> list[list[Json]]:
    return [[fragment] for at, call in enumerate(calls) for fragment in call_fragments(at, call, options)]


_TELL: Final[Mapping[str, Callable[[Sequence[ToolUse], Options], list[list[Json]]]]] = {
    "whole": _whole,
    "pieces": _in_pieces,
    "pieces_null_id": _in_pieces,
}

# --- usage --------------------------------------------------------------------------------------------------------


def usage_object(usage: Usage, options: Options) -> Json:
    """The ``usage`` object."""
    counts = {"prompt_tokens": usage.input, "total_tokens": total(usage), "completion_tokens": usage.output}
    return counts | _DETAILS[options["usage_details"]](usage.cache_read or 0)


def told_usage(usage: Usage, options: Options) -> Usage:
    """What a reader knows of ``usage``: a total always, and of cached tokens what the style tells."""
    cached = None if options["usage_details"] == "plain" else usage.cache_read or 0
    return Usage(usage.input, usage.output, total(usage), cached)


_DETAILS: Final[Mapping[str, Callable[[int], Json]]] = {
    "details": lambda cached: {"prompt_tokens_details": {"cached_tokens": cached}},
    "plain": lambda cached: {},
    "num_cached": lambda cached: {"num_cached_tokens": cached},
}
