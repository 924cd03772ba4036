"""Say a reply, whole or as NDJSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from harness.dialects.base import WireReply
from harness.dialects.ollama_chat.manner import STREAM_TYPE, Manner
from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage

Json = dict[str, Any]

_RANKS: Final[Mapping[type[Block], int]] = {Reasoning: 0, Text: 1, ToolUse: 2}
_FIELDS: Final[Mapping[type[Block], str]] = {Reasoning: "thinking", Text: "content"}
_NANOSECONDS: Final = 1_000_000


def check_shape(reply: Reply) -> None:
    """Raise ValueError for a reply that Ollama cannot say."""
    rank = -1
    for block in reply.blocks:
        next_rank = _RANKS.get(type(block), -1)
        if next_rank < rank or (next_rank == rank and not isinstance(block, ToolUse)):
            raise ValueError(f"Ollama has no place for a {type(block).__name__} block here")
        rank = next_rank
        _check_block(block)
    if reply.guardrail is not None:
        raise ValueError("Ollama tells nothing of guardrails")


def _check_block(block: Any) -> None:
    if isinstance(block, ToolUse):
        if not block.complete:
            raise ValueError("Ollama sends no call whose arguments were cut")
    elif not block.text:
        raise ValueError("an empty block would leave no trace on the wire")
    if getattr(block, "citations", ()) or getattr(block, "signature", None) is not None:
        raise ValueError("Ollama carries neither citations nor signatures")


def encode_whole(reply: Reply, manner: Manner, reason: str) -> WireReply:
    """One JSON object."""
    message: Json = {"content": ""}
    for block in reply.blocks:
        if not isinstance(block, ToolUse):
            message[_FIELDS[type(block)]] = block.text  # type: ignore[union-attr]
    if reply.tools:
        message["tool_calls"] = _calls(reply.tools, manner)
    body = _object(message, manner) + _ending(reply, manner, reason)
    return WireReply(200, manner.whole_type, (body.encode(),))


def encode_stream(reply: Reply, manner: Manner, reason: str) -> WireReply:
    """One object a line; the last is done."""
    messages = _with_blanks(_messages(reply, manner), manner)
    last = messages.pop() if messages and manner.options["finish"] == "with_last" else {"content": ""}
    lines = [_object(message, manner) + manner.middle for message in messages]
    lines.append(_object(last, manner) + _ending(reply, manner, reason) + manner.newline)
    return WireReply(200, STREAM_TYPE, tuple(line.encode() for line in lines))


def _object(message: Json, manner: Manner) -> str:
    return manner.head + manner.dumps(message)[1:-1]


# --- messages -----------------------------------------------------------------------------------------------------


def _messages(reply: Reply, manner: Manner) -> list[Json]:
    how = manner.options["text_pieces"]
    told: list[Json] = []
    for block in reply.blocks:
        if not isinstance(block, ToolUse):
            _append(told, [_piece(type(block), piece) for piece in pieces(block.text, how)], manner)  # type: ignore[union-attr]
    return told + _ARRANGEMENTS[manner.options["calls"]](_calls(reply.tools, manner))


def _piece(kind: type[Block], text: str) -> Json:
    return {"content": "", _FIELDS[kind]: text}


def _append(told: list[Json], new: list[Json], manner: Manner) -> None:
    """Add the pieces of a block; the first piece of text may share an object with the last of the thinking."""
    if told and manner.options["thinking_ends"] == "with_text":
        told[-1] |= new.pop(0)
    told += new


def _with_blanks(messages: list[Json], manner: Manner) -> list[Json]:
    if manner.options["blanks"] == "none":
        return messages
    return [either for message in messages for either in (message, {"content": ""})][:-1]


# --- calls --------------------------------------------------------------------------------------------------------


def _calls(calls: Sequence[ToolUse], manner: Manner) -> list[Json]:
    index, with_id = _INDEX[manner.options["tool_index"]], manner.options["tool_id"] == "present"
    return [
        ({"id": call.id} if with_id else {}) | {"function": {**index(at), "name": call.name, "arguments": call.input}}
        for at, call in enumerate(calls)
    ]


_INDEX: Final[Mapping[str, Callable[[int], Json]]] = {
    "present": lambda at: {"index": at},
    "same": lambda at: {"index": 0},
    "zero_left_out": lambda at: {"index": at} if at else {},
    "absent": lambda at: {},
}
_ARRANGEMENTS: Final[Mapping[str, Callable[[list[Json]], list[Json]]]] = {
    "one_by_one": lambda calls: [{"content": "", "tool_calls": [call]} for call in calls],
    "in_one_object": lambda calls: [{"content": "", "tool_calls": calls}] if calls else [],
}


# --- the end ------------------------------------------------------------------------------------------------------


def _ending(reply: Reply, manner: Manner, reason: str) -> str:
    """What follows the message in the last object."""
    said = {"done_reason": reason} if manner.options["done_reason"] == "present" else {}
    done = {"done": True} | said if manner.options["key_order"] == "done_first" else said | {"done": True}
    counts = _metrics(reply, manner.options)
    return f"}},{manner.dumps(done | counts)[1:-1]}{manner.extra}}}"


def _metrics(reply: Reply, options: Mapping[str, str]) -> Json:
    """Counts and durations, of which Go leaves out those that are zero."""
    usage = _COUNTS[options["usage"]](reply.usage) if reply.usage else {}
    total = reply.latency_ms * _NANOSECONDS if reply.latency_ms else 0
    durations = _DURATIONS[options["durations"]](total)
    both = {name: durations.get(name, usage.get(name, 0)) for name in _ORDER}
    return {name: value for name, value in both.items() if value}


_ORDER: Final = (
    "total_duration",
    "load_duration",
    "prompt_eval_count",
    "prompt_eval_duration",
    "eval_count",
    "eval_duration",
)
_COUNTS: Final[Mapping[str, Callable[[Usage], Json]]] = {
    "both": lambda usage: {"prompt_eval_count": usage.input, "eval_count": usage.output},
    "no_prompt_count": lambda usage: {"eval_count": usage.output},
    "absent": lambda usage: {},
}
_DURATIONS: Final[Mapping[str, Callable[[int], Json]]] = {
    "all": lambda total: {
        "total_duration": total,
        "load_duration": total // 4,
        "prompt_eval_duration": total // 8,
        "eval_duration": total // 2,
    },
    "total": lambda total: {"total_duration": total},
    "absent": lambda total: {},
}
