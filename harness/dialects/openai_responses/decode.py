"""Read a reply back, in whatever style it is told, without knowing which.

A stream says everything up to three times: in deltas, in what is done, and in the final response. Servers leave out one
or the other, so each is read, and where two of them speak of the same words they must agree.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from harness.dialects.base import DecodeError
from harness.dialects.openai_chat.stops import meaning
from harness.dialects.openai_responses.gather import Gathered, blocks_of
from harness.dialects.openai_responses.stops import COMPLETED, STOPS
from harness.dialects.reply import Block, Reply, Usage
from harness.wire.sse import SseDecoder, SseEvent

Json = Mapping[str, Any]


def decode_whole(body: bytes) -> Reply:
    """Read one JSON body."""
    response = _object(body.decode(errors="replace"))
    if not isinstance(response.get("output"), list):
        raise DecodeError(f"no response object: {body[:200]!r}")
    return _reply(response, output_blocks(response))


def decode_stream(body: bytes) -> Reply:
    """Read a stream's events; it is whole when ``response.completed`` or ``response.incomplete`` came."""
    decoder = SseDecoder()
    gathered = Gathered()
    for event in (*decoder.feed(body), *decoder.finish()):
        told = _event(event)
        kind = told.get("type")
        if kind in _ENDS:
            response = told["response"]
            return _reply(response, _agreed(gathered.blocks(), output_blocks(response)))
        gathered.take(told)
    raise DecodeError("the stream ended without response.completed or response.incomplete")


_ENDS = frozenset({"response.completed", "response.incomplete"})


def _event(event: SseEvent) -> Json:
    if event.data == "[DONE]":
        return {}
    told = _object(event.data)
    if told.get("type") in ("error", "response.failed") or told.get("error"):
        raise DecodeError(f"an error in place of a reply: {event.data[:200]}")
    return told


def output_blocks(response: Json) -> tuple[Block, ...]:
    """The blocks of a response's ``output``."""
    return tuple(block for item in response.get("output") or () for block in blocks_of(item))


def _agreed(told: tuple[Block, ...], final: tuple[Block, ...]) -> tuple[Block, ...]:
    """What the events and the final response say together: the fuller of both, and no word of one against the other."""
    fuller, other = (told, final) if len(told) > len(final) else (final, told)
    rest = iter(_words(fuller))
    if any(words not in rest for words in _words(other)):
        raise DecodeError(f"the events say {told!r}, and the final response {final!r}")
    return fuller


def _words(blocks: Iterable[Block]) -> list[Any]:
    """What two ways of telling a block have in common: all but sources and signatures."""
    return [_SAID[type(block).__name__](block) for block in blocks]


_SAID: Mapping[str, Callable[[Any], Any]] = {
    "Text": lambda block: ("text", block.text),
    "Refusal": lambda block: ("refusal", block.text),
    "Reasoning": lambda block: ("reasoning", block.text),
    "ToolUse": lambda block: block,
}


# --- the end ----------------------------------------------------------------------------------------------------------


def _reply(response: Json, blocks: tuple[Block, ...]) -> Reply:
    if response.get("error"):
        raise DecodeError(f"an error in place of a reply: {response['error']}")
    try:
        stop, wire_stop = meaning(STOPS, _end(response), blocks)
    except ValueError as cause:
        raise DecodeError(str(cause)) from cause
    return Reply(blocks, stop, wire_stop, _usage(response.get("usage")))


def _end(response: Json) -> str:
    status = response.get("status")
    if status == "incomplete":
        return str((response.get("incomplete_details") or {}).get("reason"))
    if status != COMPLETED:
        raise DecodeError(f"the response is {status!r}, not completed")
    return COMPLETED


def _usage(told: Json | None) -> Usage | None:
    if not told:
        return None
    cache = told.get("input_tokens_details") or {}
    return Usage(
        told["input_tokens"],
        told["output_tokens"],
        told.get("total_tokens"),
        cache.get("cached_tokens"),
        cache.get("cache_write_tokens"),
    )


def _object(text: str) -> Json:
    try:
        parsed = json.loads(text)
    except ValueError as cause:
        raise DecodeError(f"not JSON: {text[:200]!r}") from cause
    if not isinstance(parsed, dict):
        raise DecodeError(f"not a JSON object: {text[:200]!r}")
    return parsed
