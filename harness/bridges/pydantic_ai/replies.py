"""From pydantic-ai's events and responses to pieces of a reply."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.bridges.base import CutReplyError
from harness.bridges.events import Piece

_STOPS: Final[Mapping[str, str]] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "content_filtered",
    "tool_call": "tool_use",
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


def whole_of(stream: Any) -> Any:
    """The response of a stream that has ended.

    Raises CutReplyError where its ``state`` says that it is not whole, or the vendor's word that it failed.
    """
    response = stream.get()
    for told in (response.state, (response.provider_details or {}).get("finish_reason")):
        if told in _CUT:
            raise CutReplyError(f"pydantic-ai says of the reply: {told}")
    return response


_CUT: Final = frozenset({"incomplete", "interrupted", "error"})


def blocks_of(response: Any) -> Iterator[Piece]:
    """The blocks of a whole response, in its order; events tell parts apart by their place in it."""
    for place, part in enumerate(response.parts):
        if part.part_kind == "text":
            yield Piece("text", part.content, place)
        elif part.part_kind == "tool-call":
            args = part.args if isinstance(part.args, str) else json.dumps(part.args or {})
            signature = (part.provider_details or {}).get(SIGNATURE)
            yield Piece("call", args, name=part.tool_name, id=part.tool_call_id, signature=signature)


#: what the details of a part call Gemini's signature
SIGNATURE: Final = "thought_signature"


def stop_of(response: Any) -> str | None:
    """The contract's stop reason, or the vendor's word where pydantic-ai has none for it; None where no end is told."""
    told: str | None = response.finish_reason
    if told is None:
        return (response.provider_details or {}).get("finish_reason")
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
