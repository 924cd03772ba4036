"""Replies as bytes: one JSON body, or a stream of such bodies."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import Headers, WireReply
from harness.dialects.gemini_generate.enums import with_numbers
from harness.dialects.gemini_generate.parts import Step, streamed_parts, whole_parts
from harness.dialects.gemini_generate.services import (
    BLOCK_MESSAGE,
    FAILURE_MESSAGE,
    SAFETY_RATING,
    SERVER_TOOLS,
    SERVICES,
)
from harness.dialects.gemini_generate.stops import BLOCK_REASONS, wire_stop
from harness.dialects.gemini_generate.styles import Choices
from harness.dialects.gemini_generate.usage import counters, interim, told_usage
from harness.dialects.reply import Reply, Usage

Json = dict[str, Any]

_WHOLE_HEADERS: Final[Headers] = (("content-type", "application/json; charset=UTF-8"),)
_STREAM_HEADERS: Final[Mapping[str, Headers]] = {
    "sse": (("content-type", "text/event-stream"),),
    "array": _WHOLE_HEADERS,
}

_compact: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_spaced: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ": ")).encode


def encode_whole(reply: Reply, choices: Choices) -> WireReply:
    """The reply as one JSON body."""
    parts = (*SERVER_TOOLS[choices.server_tool].parts, *whole_parts(reply, choices))
    body = _last(reply, parts, choices, _usage_of(reply))
    return WireReply(200, _WHOLE_HEADERS, (_WHOLE_LAYOUTS[choices.layout](_numbered(body, choices)).encode(),))


def encode_stream(reply: Reply, choices: Choices) -> WireReply:
    """The reply as a stream; its last frame holds the finishReason, where no metadata alone come behind it."""
    chunks = [_numbered(chunk, choices) for chunk in _chunks(reply, choices)]
    frames = tuple(_FRAMINGS[choices.framing](chunks, choices))
    return WireReply(200, _STREAM_HEADERS[choices.framing], frames, 2 if choices.hollow_chunk == "behind" else 1)


def error_frame(error: bytes, choices: Choices) -> bytes:
    """The frame that breaks a stream off."""
    return _ERRORS[choices.error](json.loads(error), choices)


def _usage_of(reply: Reply) -> Usage | None:
    if reply.guardrail is not None or reply.latency_ms is not None:
        raise ValueError("Gemini tells neither guardrails nor the service's latency")
    return told_usage(reply.usage)


# --- chunks -----------------------------------------------------------------------------------------------------------


def _chunks(reply: Reply, choices: Choices) -> list[Json]:
    usage = _usage_of(reply)
    steps = [(part,) for part in SERVER_TOOLS[choices.server_tool].parts] + streamed_parts(reply, choices)
    packed = _PACKINGS[choices.packing](steps)
    final = _FINALS[choices.finish](packed)
    told = [
        _chunk(_content(parts), choices, _interim(usage, choices, place, len(packed) + 1))
        for place, parts in enumerate(packed, start=1)
    ]
    if choices.hollow_chunk == "second" and told:
        told.insert(1, _chunk(_hollow(choices), choices, _interim(usage, choices, 1, len(packed) + 1)))
    last = _last(reply, final, choices, usage)
    behind = [{name: last[name] for name in last.keys() - _OF_ONE_CHUNK}] * (choices.hollow_chunk == "behind")
    return [*told, last, *behind]


#: members that a chunk of metadata alone is without
_OF_ONE_CHUNK: Final = frozenset({"candidates", "promptFeedback"})


def _interim(usage: Usage | None, choices: Choices, done: int, of: int) -> Json | None:
    return interim(usage, choices, done, of) if usage else None


def _separate(steps: list[Step]) -> list[Step]:
    return list(steps)


def _calls_together(steps: list[Step]) -> list[Step]:
    """Adjacent calls in one chunk."""
    packed: list[Step] = []
    for step in steps:
        if packed and "functionCall" in step[0] and "functionCall" in packed[-1][-1]:
            packed[-1] += step
        else:
            packed.append(step)
    return packed


def _everything(steps: list[Step]) -> list[Step]:
    return [tuple(part for step in steps for part in step)] if steps else []


_PACKINGS: Final[Mapping[str, Callable[[list[Step]], list[Step]]]] = {
    "single": _separate,
    "calls_together": _calls_together,
    "everything": _everything,
}
#: the parts of the last chunk, which ``with_content`` takes from the list of all
_FINALS: Final[Mapping[str, Callable[[list[Step]], Step]]] = {
    "with_content": lambda packed: packed.pop() if packed else (),
    "empty_text": lambda packed: ({"text": ""},),
    "no_parts": lambda packed: (),
}


def _chunk(candidate: Json, choices: Choices, counts: Json | None) -> Json:
    service = SERVICES[choices.service]
    body: Json = {"candidates": [_extended(candidate, choices)]}
    if counts is not None and (counts or service.usage):
        body["usageMetadata"] = counts | service.usage
    return body | service.chunk


def _extended(candidate: Json, choices: Choices) -> Json:
    service = SERVICES[choices.service]
    parts = candidate.get("content", {}).get("parts")
    if service.part and parts:
        content = {**candidate["content"], "parts": [{**part, **service.part} for part in parts]}
        candidate = {**candidate, "content": content}
    return candidate | service.candidate


def _content(parts: Step) -> Json:
    return {"content": {"parts": list(parts), "role": "model"}}


def _hollow(choices: Choices) -> Json:
    return _HOLLOW[choices.no_parts]


_HOLLOW: Final[Mapping[str, Json]] = {
    "role_only": {"content": {"role": "model"}},
    "empty_object": {"content": {}},
    "no_content": {},
    "empty_list": {"content": {"parts": [], "role": "model"}},
}


# --- the end ----------------------------------------------------------------------------------------------------------


def _last(reply: Reply, parts: Step, choices: Choices, usage: Usage | None) -> Json:
    """The chunk, or whole body, that ends the reply."""
    stop = wire_stop(reply)
    counts = counters(usage, choices) if usage else None
    if choices.blocked == "prompt" and stop in BLOCK_REASONS and not reply.blocks:
        return _blocked(stop, choices, counts)
    candidate = {
        **(_content(parts) if parts else _hollow(choices)),
        "finishReason": stop,
        **_ending(reply, stop, choices),
    }
    return _chunk(candidate, choices, counts)


def _ending(reply: Reply, stop: str, choices: Choices) -> Json:
    service = SERVICES[choices.service]
    message = service.calls_message if reply.tools else None
    if stop not in ("STOP", "MAX_TOKENS"):
        message = FAILURE_MESSAGE
    told: Json = service.ending | SERVER_TOOLS[choices.server_tool].ending
    if stop == "SAFETY" and choices.service == "rated":
        told = told | {"safetyRatings": [SAFETY_RATING, *told["safetyRatings"][1:]]}
    return told | ({"finishMessage": message} if message else {})


def _blocked(reason: str, choices: Choices, counts: Json | None) -> Json:
    """A prompt that was blocked: there is no candidate."""
    service = SERVICES[choices.service]
    body: Json = {"promptFeedback": {"blockReason": reason}}
    if choices.service == "vertex":
        body["promptFeedback"]["blockReasonMessage"] = BLOCK_MESSAGE
    if counts is not None and (counts or service.usage):
        body["usageMetadata"] = counts | service.usage
    return body | service.chunk


# --- bytes ------------------------------------------------------------------------------------------------------------


def _numbered(body: Json, choices: Choices) -> Json:
    numbered: Json = with_numbers(body) if choices.enums == "numbers" else body
    return numbered


def _indented(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


_WHOLE_LAYOUTS: Final[Mapping[str, Callable[[Json], str]]] = {"compact": _compact, "google": _indented}
_CHUNK_LAYOUTS: Final[Mapping[str, Callable[[Json], str]]] = {"compact": _compact, "google": _spaced}
_NEWLINES: Final = {"crlf": "\r\n", "lf": "\n"}


def _event(body: Json, choices: Choices) -> bytes:
    end = _NEWLINES[choices.newline]
    return f"data: {_CHUNK_LAYOUTS[choices.layout](body)}{end}{end}".encode()


def _sse(chunks: list[Json], choices: Choices) -> Iterator[bytes]:
    return (_event(chunk, choices) for chunk in chunks)


def _array(chunks: list[Json], choices: Choices) -> Iterator[bytes]:
    """One JSON array, an element a frame; the last one closes it."""
    for place, chunk in enumerate(chunks):
        yield f"{',' if place else '['}{_indented(chunk)}{']' if place == len(chunks) - 1 else ''}".encode()


_FRAMINGS: Final[Mapping[str, Callable[[list[Json], Choices], Iterator[bytes]]]] = {"sse": _sse, "array": _array}


def _bare(body: Json, choices: Choices) -> bytes:
    return _indented(body).encode()


_ERRORS: Final[Mapping[str, Callable[[Json, Choices], bytes]]] = {"event": _event, "bare_json": _bare}
