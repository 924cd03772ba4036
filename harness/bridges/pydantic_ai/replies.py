"""From pydantic-ai's events and responses to pieces of a reply."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.bridges.events import Piece

_STOPS: Final[Mapping[str, str]] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "content_filtered",
    "tool_call": "tool_use",
    "error": "error",
}


def pieces_of(event: Any) -> Iterator[Piece]:
    """What is new in an event, calls without their input."""
    kind = event.event_kind
    if kind == "part_start" and event.part.part_kind == "tool-call":
        yield Piece("call")
    elif kind == "part_start" and event.part.part_kind == "text":
        yield Piece("text", event.part.content, event.index)
    elif kind == "part_delta" and event.delta.part_delta_kind == "text":
        yield Piece("text", event.delta.content_delta, event.index)


def blocks_of(response: Any) -> Iterator[Piece]:
    """The blocks of a whole response, in its order."""
    for part in response.parts:
        if part.part_kind == "text":
            yield Piece("text", part.content)
        elif part.part_kind == "tool-call":
            args = part.args if isinstance(part.args, str) else json.dumps(part.args or {})
            yield Piece("call", args, name=part.tool_name, id=part.tool_call_id)


def stop_of(response: Any) -> str | None:
    """The contract's stop reason; None where pydantic-ai knows no end, or says that the reply is not whole."""
    told: str | None = response.finish_reason
    if told is None or response.state == "incomplete":
        return None
    return _STOPS.get(told, told)


def usage_of(response: Any) -> dict[str, int] | None:
    """The counts; None where they are all zero, which stands for none told. There is no total: it is their sum."""
    told = response.usage
    if not (told.input_tokens or told.output_tokens):
        return None
    return {
        "inputTokens": told.input_tokens,
        "outputTokens": told.output_tokens,
        "totalTokens": told.input_tokens + told.output_tokens,
        "cacheReadInputTokens": told.cache_read_tokens,
        "cacheWriteInputTokens": told.cache_write_tokens,
    }
