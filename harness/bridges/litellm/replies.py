"""From LiteLLM's chunks and whole replies to pieces of a reply."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from harness.bridges.events import Piece

_STOPS: Final[Mapping[str, str]] = {
    "stop": "end_turn",
    "length": "max_tokens",
    "content_filter": "content_filtered",
    **dict.fromkeys(("tool_calls", "function_call"), "tool_use"),
}


def pieces_of(chunk: Any) -> Iterator[Piece]:
    """What is new in a chunk, calls without their input."""
    for choice in chunk.choices:
        yield Piece("text", choice.delta.content or "")
        yield Piece("text", getattr(choice.delta, "refusal", None) or "")
        yield from (Piece("call") for _ in choice.delta.tool_calls or ())


def blocks_of(reply: Any) -> Iterator[Piece]:
    """The blocks of a whole reply: its text, then its calls."""
    message = reply.choices[0].message
    yield Piece("text", (message.content or "") + (getattr(message, "refusal", None) or ""))
    for call in message.tool_calls or ():
        yield Piece("call", call.function.arguments or "", name=call.function.name or "", id=call.id or "")


def stop_of(chunks: Iterable[Any]) -> str | None:
    """The contract's stop reason for the last finish reason that a chunk tells; None where none does.

    Whole replies always have one: ``stream_chunk_builder`` makes it up.
    """
    told = [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason]
    return _STOPS.get(told[-1], told[-1]) if told else None


def usage_of(reply: Any) -> dict[str, int] | None:
    """The counts of a whole reply."""
    told = getattr(reply, "usage", None)
    if told is None:
        return None
    counts = {"inputTokens": "prompt_tokens", "outputTokens": "completion_tokens", "totalTokens": "total_tokens"}
    details = getattr(told, "prompt_tokens_details", None)
    kinds = {"cacheReadInputTokens": "cached_tokens", "cacheWriteInputTokens": "cache_creation_tokens"}
    found = {name: count for name, there in kinds.items() if (count := getattr(details, there, None)) is not None}
    return {**{name: getattr(told, there) for name, there in counts.items()}, **found}
