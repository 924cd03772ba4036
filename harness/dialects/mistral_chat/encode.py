"""Say a reply, whole or as a stream."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.dialects.base import Headers, WireReply
from harness.dialects.mistral_chat.manner import CREATED, ID, MODEL, Manner
from harness.dialects.mistral_chat.parts import (
    NO_TEXT,
    call_deltas,
    text_content,
    text_part,
    thinking_part,
    usage_object,
    whole_call,
)
from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse, Usage

Json = dict[str, Any]

_JSON: Final[Headers] = (("content-type", "application/json"),)
STREAM_TYPE: Final[Headers] = (("content-type", "text/event-stream; charset=utf-8"),)
_ROLE: Final = {"role": "assistant"}
_RANKS: Final[Mapping[type[Block], int]] = {Reasoning: 0, Text: 1, ToolUse: 2}


def check_shape(reply: Reply) -> None:
    """Raise ValueError for a reply that Mistral cannot say."""
    rank = -1
    for block in reply.blocks:
        next_rank = _RANKS.get(type(block), -1)
        if next_rank < rank or (next_rank == rank and not isinstance(block, ToolUse)):
            raise ValueError(f"Mistral has no place for a {type(block).__name__} block here")
        rank = next_rank
        _check_block(block)
    if reply.guardrail or reply.latency_ms is not None:
        raise ValueError("Mistral tells neither guardrails nor the service's latency")


def _check_block(block: Any) -> None:
    if not isinstance(block, ToolUse) and not block.text:
        raise ValueError("an empty block would leave no trace on the wire")
    if getattr(block, "citations", ()) or getattr(block, "signature", None) is not None:
        raise ValueError("Mistral carries neither citations nor signatures here")


# --- whole --------------------------------------------------------------------------------------------------------


def encode_whole(reply: Reply, manner: Manner, finish: str) -> WireReply:
    """One JSON body."""
    body: Json = {"id": ID, "created": CREATED, "model": MODEL}
    if reply.usage and manner.options["usage"] != "absent":
        body["usage"] = usage_object(reply.usage, manner.options) | manner.vendor.usage
    body["object"] = "chat.completion"
    body["choices"] = [{"index": 0, "finish_reason": finish, "message": _message(reply, manner)}]
    return WireReply(200, _JSON, (manner.dumps(body | manner.vendor.top).encode(),))


def _message(reply: Reply, manner: Manner) -> Json:
    options = manner.options
    calls = [whole_call(at, call, options) for at, call in enumerate(reply.tools)]
    message: Json = {**_ROLE, "tool_calls": calls or None, **_content(reply, manner), **manner.vendor.delta}
    if not calls and options["no_calls"] == "missing":
        del message["tool_calls"]
    return message


def _content(reply: Reply, manner: Manner) -> Json:
    options, said = manner.options, [block for block in reply.blocks if not isinstance(block, ToolUse)]
    if not said:
        return NO_TEXT[options["no_text"]]
    if len(said) == 1 and isinstance(said[0], Text):
        return text_content(said[0].text, options)
    return {"content": [_whole_part(block, manner) for block in said]}


def _whole_part(block: Any, manner: Manner) -> Json:
    if isinstance(block, Text):
        return text_part(block.text)
    closed = {"closed": True} if manner.options["closed"] == "present" else {}
    return thinking_part(block.text, manner.options) | closed


# --- streamed -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Chunk:
    """One chunk to be."""

    delta: Json
    finish: str | None = None
    usage: Usage | None = None


def encode_stream(reply: Reply, manner: Manner, finish: str) -> WireReply:
    """Events of a stream; those from the finish on end it."""
    chunks = [_Chunk(delta) for delta in _with_role(_with_blanks(_deltas(reply, manner), manner), manner)]
    if not _finishes_last(chunks, manner):
        chunks.append(_Chunk({"content": ""}))
    chunks[-1].finish = finish
    ending = len(chunks) - 1
    if reply.usage:
        _USAGE[manner.options["usage"]](chunks, reply.usage)
    frames = [manner.framed(text) for text in _written(chunks, manner)]
    if manner.options["comments"] == "between":
        frames, ending = [either for frame in frames for either in (frame, manner.comment)], 2 * ending
    return WireReply(200, STREAM_TYPE, (*frames, manner.framed("[DONE]")), len(frames) + 1 - ending)


def _finishes_last(chunks: list[_Chunk], manner: Manner) -> bool:
    """Whether the last delta itself carries the finish."""
    option = manner.options["finish"]
    return bool(chunks) and (option == "with_last" or (option == "with_calls" and "tool_calls" in chunks[-1].delta))


def _deltas(reply: Reply, manner: Manner) -> list[Json]:
    options = manner.options
    told: list[Json] = []
    for block in reply.blocks:
        if isinstance(block, Reasoning):
            texts = pieces(block.text, options["text_pieces"])
            told += [{"content": [thinking_part(text, options)]} for text in texts]
        elif isinstance(block, Text):
            _say(told, pieces(block.text, options["text_pieces"]), options)
    return told + call_deltas(reply.tools, options)


def _say(told: list[Json], texts: list[str], options: Mapping[str, str]) -> None:
    """Add the pieces of a text; the first may share a chunk with the last of the thinking."""
    if told and options["thinking_ends"] == "with_text":
        told[-1] = {"content": [*told[-1]["content"], text_part(texts.pop(0))]}
    told += [text_content(text, options) for text in texts]


def _with_blanks(deltas: list[Json], manner: Manner) -> list[Json]:
    if manner.options["blanks"] == "none":
        return deltas
    return [either for delta in deltas for either in ({"content": ""}, delta)]


def _with_role(deltas: list[Json], manner: Manner) -> list[Json]:
    role = {**_ROLE, **manner.vendor.delta}
    if deltas and manner.options["role"] == "with_first":
        return [role | deltas[0], *deltas[1:]]
    return [role | {"content": ""}, *deltas]


def _in_finish_chunk(chunks: list[_Chunk], usage: Usage) -> None:
    chunks[-1].usage = usage


def _in_chunk_after(chunks: list[_Chunk], usage: Usage) -> None:
    chunks.append(_Chunk({"content": ""}, usage=usage))


def _nowhere(chunks: list[_Chunk], usage: Usage) -> None:
    """Say nothing of it."""


_USAGE: Final[Mapping[str, Callable[[list[_Chunk], Usage], None]]] = {
    "finish_chunk": _in_finish_chunk,
    "chunk_after": _in_chunk_after,
    "absent": _nowhere,
}


def _written(chunks: list[_Chunk], manner: Manner) -> Iterator[str]:
    for at, chunk in enumerate(chunks):
        yield chunk_text(manner, chunk.delta, chunk.finish, _usage(chunk, manner) + _padding(at, manner))


def chunk_text(manner: Manner, delta: Json, finish: str | None, rest: str = "") -> str:
    """The JSON of a chunk; ``rest`` are fields of its own, each with its leading comma."""
    reason = f'"{finish}"' if finish is not None else "null"
    return f'{manner.head}{manner.dumps(delta)},"finish_reason":{reason}{manner.choice}}}]{rest}{manner.top}}}'


def _usage(chunk: _Chunk, manner: Manner) -> str:
    if chunk.usage is None:
        return ""
    return f',"usage":{manner.dumps(usage_object(chunk.usage, manner.options) | manner.vendor.usage)}'


def _padding(at: int, manner: Manner) -> str:
    if manner.options["padding"] == "none":
        return ""
    return f',"p":"{"abcdefghijklmnopqrstuvwxyz0123456789"[: 1 + 7 * at % 36]}"'
