"""Say a reply as a stream: deltas, the chunks that carry them, and the events that carry those.

Each step is a table over one axis: the words become deltas, the deltas get their role, blanks and nulls, the
finish joins them or gets a chunk of its own, and each chunk is written with its usage, padding and vendor's fields.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from harness.dialects.base import WireReply
from harness.dialects.openai_chat.calls import call_deltas
from harness.dialects.openai_chat.manner import Manner, added
from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.openai_chat.usage import usage_object
from harness.dialects.openai_chat.vendors import AZURE_PRELUDE
from harness.dialects.reply import Block, Reasoning, Refusal, Reply, Text, ToolUse, Usage
from harness.wire.sse import BOM, Newline, SseEvent, encode_comment, encode_sse

Delta = dict[str, Any]


class _Missing:
    """Stands for a key that is not there."""


MISSING = _Missing()

_NEWLINES: Mapping[str, Newline] = {"lf": "\n", "crlf": "\r\n"}
_ROLE = {"role": "assistant"}


@dataclass(slots=True)
class Chunk:
    """One chunk to be: its choice's delta and finish, or no choice at all when ``choices`` is False."""

    delta: Delta | _Missing | None
    finish: str | None = None
    choices: bool = True
    usage: Usage | None = None
    share: tuple[int, int] = (1, 1)


def encode_stream(reply: Reply, manner: Manner, finish: str) -> WireReply:
    """Events of a stream, and how many of them the end takes."""
    deltas = _with_role(_nulled(_with_blanks(_deltas(reply, manner), manner), manner), manner)
    chunks = _FINISH[manner.options["finish"]](deltas, finish)
    chunks[1:1] = _HOLLOW[manner.options["hollow_chunk"]]
    _place_usage(chunks, reply.usage, manner)
    return _framed(list(_written(chunks, manner)), _first_finish(chunks), manner)


def _first_finish(chunks: list[Chunk]) -> int:
    return next(at for at, chunk in enumerate(chunks) if chunk.finish is not None)


# --- deltas -------------------------------------------------------------------------------------------------------


def _deltas(reply: Reply, manner: Manner) -> list[Delta]:
    how = manner.options["text_pieces"]
    deltas: list[Delta] = []
    for block in reply.blocks:
        if not isinstance(block, ToolUse):
            say = _SAY[type(block)]
            deltas += [say(piece, manner) for piece in pieces(block.text, how)]  # type: ignore[union-attr]
    return deltas + call_deltas(reply.tools, manner.settled)


_SAY: Mapping[type[Block], Callable[[str, Manner], Delta]] = {
    Reasoning: lambda text, manner: manner.reasoning(text),
    Text: lambda text, manner: manner.content(text),
    Refusal: lambda text, manner: {"refusal": text},
}


def _with_blanks(deltas: list[Delta], manner: Manner) -> list[Delta]:
    if manner.options["blanks"] == "none":
        return deltas
    return [either for delta in deltas for either in (delta, {"content": ""})][:-1]


def _nulled(deltas: list[Delta], manner: Manner) -> list[Delta]:
    nulls = _NULLS[manner.options["nulls"]]
    return [nulls | delta for delta in deltas] if nulls else deltas


_NULLS: Mapping[str, Delta] = {
    "none": {},
    "null_fields": {"content": None, "reasoning_content": None, "refusal": None, "tool_calls": None},
    "empty_fields": {"content": "", "refusal": "", "tool_calls": None},
    "empty_tool_calls": {"tool_calls": []},
}


def _with_role(deltas: list[Delta], manner: Manner) -> list[Delta]:
    told = _ROLES[manner.options["role"]](deltas, {**_ROLE, **manner.vendor.role_delta})
    says_something = manner.options["role"] not in _OWN_ROLE_CHUNK
    return [{"content": ""}, *told] if says_something and manner.options["bom"] == "present" else told


def _role_with_first(deltas: list[Delta], role: Delta) -> list[Delta]:
    return [role | deltas[0], *deltas[1:]] if deltas else [role]


_ROLES: Mapping[str, Callable[[list[Delta], Delta], list[Delta]]] = {
    "own_chunk_empty_content": lambda deltas, role: [{"content": "", **role}, *deltas],
    "own_chunk": lambda deltas, role: [role, *deltas],
    "own_chunk_null_content": lambda deltas, role: [{"content": None, **role}, *deltas],
    "with_first": _role_with_first,
    "every": lambda deltas, role: [{**_ROLE, **delta} for delta in deltas] or [role],
    "absent": lambda deltas, role: deltas,
}
_OWN_ROLE_CHUNK = frozenset({"own_chunk_empty_content", "own_chunk", "own_chunk_null_content"})


# --- chunks -------------------------------------------------------------------------------------------------------


def _plain(deltas: list[Delta]) -> list[Chunk]:
    return [Chunk(delta) for delta in deltas]


def _finish_with_last(deltas: list[Delta], finish: str) -> list[Chunk]:
    chunks = _plain(deltas) or [Chunk({})]
    chunks[-1].finish = finish
    return chunks


_FINISH: Mapping[str, Callable[[list[Delta], str], list[Chunk]]] = {
    "own_chunk": lambda deltas, finish: [*_plain(deltas), Chunk({}, finish)],
    "empty_content": lambda deltas, finish: [*_plain(deltas), Chunk({"content": ""}, finish)],
    "with_last": _finish_with_last,
    "twice": lambda deltas, finish: [*_plain(deltas), *(Chunk({"content": "", **_ROLE}, finish) for _ in "12")],
    "empty_deltas_after": lambda deltas, finish: [*_plain(deltas), Chunk({}, finish), Chunk({}), Chunk({})],
    "no_delta": lambda deltas, finish: [*_plain(deltas), Chunk(MISSING, finish)],
}

_HOLLOW: Mapping[str, tuple[Chunk, ...]] = {
    "none": (),
    "no_delta": (Chunk(MISSING),),
    "null_delta": (Chunk(None),),
    "empty_delta": (Chunk({}),),
}


def _place_usage(chunks: list[Chunk], usage: Usage | None, manner: Manner) -> None:
    if usage:
        _USAGE[manner.options["usage"]](chunks, usage)


def _in_last_chunk(chunks: list[Chunk], usage: Usage) -> None:
    chunks.append(Chunk(MISSING, choices=False, usage=usage))


def _in_finish_chunk(chunks: list[Chunk], usage: Usage) -> None:
    next(chunk for chunk in reversed(chunks) if chunk.finish is not None).usage = usage


def _in_both(chunks: list[Chunk], usage: Usage) -> None:
    _in_finish_chunk(chunks, usage)
    _in_last_chunk(chunks, usage)


def _in_finish_chunk_then_none(chunks: list[Chunk], usage: Usage) -> None:
    _in_finish_chunk(chunks, usage)
    chunks.append(Chunk(MISSING, choices=False))


def _in_every_chunk(chunks: list[Chunk], usage: Usage) -> None:
    chunks[:] = [
        Chunk(chunk.delta, chunk.finish, usage=usage, share=(at, len(chunks))) for at, chunk in enumerate(chunks, 1)
    ]


def _in_last_chunk_with_choice(chunks: list[Chunk], usage: Usage) -> None:
    chunks.append(Chunk({}, usage=usage))


def _nowhere(chunks: list[Chunk], usage: Usage) -> None:
    """Say nothing of it."""


_USAGE: Mapping[str, Callable[[list[Chunk], Usage], None]] = {
    "last_chunk": _in_last_chunk,
    "finish_chunk": _in_finish_chunk,
    "finish_and_last": _in_both,
    "finish_then_none": _in_finish_chunk_then_none,
    "every_chunk": _in_every_chunk,
    "last_chunk_with_choice": _in_last_chunk_with_choice,
    "absent": _nowhere,
}


# --- text ---------------------------------------------------------------------------------------------------------


def _written(chunks: list[Chunk], manner: Manner) -> Iterator[str]:
    vendor, last, so_far = manner.vendor, len(chunks) - 1, ""
    for at, chunk in enumerate(chunks):
        so_far += _words(chunk) if vendor.echo else ""
        head = manner.head if at < last else manner.last_head
        edges = {**(vendor.first if at == 0 else {}), **(vendor.last if at == last else {})}
        choices = f"[{_choice(chunk, manner, so_far)}]" if chunk.choices else "[]"
        rest = added(edges, manner.dumps) if edges else ""
        yield f"{head}{choices}{manner.top}{rest}{_usage(chunk, manner)}{_padding(at, manner)}}}"


def _words(chunk: Chunk) -> str:
    content = chunk.delta.get("content") if isinstance(chunk.delta, dict) else None
    return content if isinstance(content, str) else ""


def _choice(chunk: Chunk, manner: Manner, so_far: str) -> str:
    told = {**manner.vendor.delta, **chunk.delta} if isinstance(chunk.delta, dict) else chunk.delta
    delta = "" if isinstance(told, _Missing) else f',"delta":{manner.dumps(told)}'
    echoed = ""
    if manner.vendor.echo:
        said = told if isinstance(told, dict) else {}
        echoed = added(manner.vendor.echo(said, so_far, chunk.finish), manner.dumps)
    finish = f'"{chunk.finish}"' if chunk.finish is not None else "null"
    return f'{{"index":0{delta}{manner.choice}{echoed},"finish_reason":{finish}}}'


def _usage(chunk: Chunk, manner: Manner) -> str:
    if chunk.usage is None:
        return ',"usage":null' if manner.options["usage_elsewhere"] == "null" else ""
    body = usage_object(chunk.usage, manner.options["usage_details"], chunk.share) | dict(manner.vendor.usage)
    fields: Delta = {"usage": body}
    if manner.vendor.usage_again and chunk.finish is not None:
        name, more = manner.vendor.usage_again
        fields[name] = {**more, "usage": body}
    return added(fields, manner.dumps)


def _padding(at: int, manner: Manner) -> str:
    if manner.options["padding"] == "none":
        return ""
    return f',"obfuscation":"{"gHk7QxR2vLw9ZpYb"[: 3 + 7 * at % 13]}"'


# --- frames -------------------------------------------------------------------------------------------------------


def _framed(texts: list[str], first_finish: int, manner: Manner) -> WireReply:
    options = manner.options
    events = [frame_data(text, manner) for text in texts]
    before = _BEFORE[options["comments"]]
    frames = [encode_comment(comment, _NEWLINES[options["newline"]]) for comment in before]
    if options["comments"] == "bare_colon":
        frames.append(b":" + 2 * _NEWLINES[options["newline"]].encode())
    if options["prelude"] == "empty_choices":
        frames.append(frame_data(manner.dumps(AZURE_PRELUDE), manner))
    ahead = len(frames)
    between = options["comments"] == "between"
    frames += _commented(events, manner) if between else events
    frames += _done(manner)
    if options["bom"] == "present":
        frames[0] = BOM + frames[0]
    finish_at = ahead + first_finish * (2 if between else 1)
    return WireReply(200, manner.headers, tuple(frames), len(frames) - finish_at)


def frame_data(text: str, manner: Manner, event: str | None = None) -> bytes:
    """One event of the stream."""
    if event is None:
        before, after = _data_frame(manner.options["newline"], manner.options["space"])
        return before + text.encode() + after
    return _sse(text, event, manner.options["newline"], manner.options["space"])


# JSON on one line needs no care, so what stands around it is framed once: a stream has many chunks.
@cache
def _data_frame(newline: str, space: str) -> tuple[bytes, bytes]:
    before, _, after = _sse("{}", None, newline, space).partition(b"{}")
    return before, after


def _sse(text: str, event: str | None, newline: str, space: str) -> bytes:
    return encode_sse(SseEvent(text, event), newline=_NEWLINES[newline], space=space == "after_colon")


_BEFORE: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "before": ("OPENROUTER PROCESSING", "OPENROUTER PROCESSING"),
    "between": (),
    "bare_colon": (),
}


def _commented(events: list[bytes], manner: Manner) -> list[bytes]:
    comment = encode_comment("keep-alive", _NEWLINES[manner.options["newline"]])
    return [frame for event in events for frame in (event, comment)]


def _done(manner: Manner) -> list[bytes]:
    if manner.options["done"] == "absent":
        return []
    event = frame_data("[DONE]", manner)
    newline = _NEWLINES[manner.options["newline"]].encode()
    return [event.removesuffix(newline) if manner.options["done"] == "no_blank_line" else event]
