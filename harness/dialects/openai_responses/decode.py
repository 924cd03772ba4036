"""Read a reply back, in whatever style it is told, without knowing which.

A stream says everything up to three times: in deltas, in what is done, and in the final response. Servers leave out one
or the other, so each is read, and where two of them speak of the same words they must agree.

An item of reasoning is one block, however many parts it has: they are paragraphs, with a blank line between them. Its
signature is that of ``response.output_item.done``. OpenAI and Azure encrypt it anew for the final response; the SDK's
``ResponseReasoningItem`` names the former, which also is all that a caller who streams can have had in time. The final
response's counts where no event told one.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from harness.dialects.base import DecodeError
from harness.dialects.openai_chat.stops import meaning
from harness.dialects.openai_responses.gather import Gathered, blocks_of
from harness.dialects.openai_responses.stops import COMPLETED, STOPS
from harness.dialects.reply import Block, Reasoning, Reply, Usage
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
    rest = iter(range(len(fuller)))
    agreed = list(fuller)
    for block in other:
        place = next((at for at in rest if _words(fuller[at]) == _words(block)), None)
        if place is None:
            raise DecodeError(f"the events say {told!r}, and the final response {final!r}")
        pair = (fuller[place], block) if fuller is told else (block, fuller[place])
        agreed[place] = _signed(fuller[place], *pair)
    return tuple(agreed)


def _signed(block: Block, told: Block, final: Block) -> Block:
    """The block with the signature of the events, or else that of the final response."""
    if isinstance(block, Reasoning) and isinstance(told, Reasoning) and isinstance(final, Reasoning):
        return Reasoning(block.text, told.signature or final.signature)
    return block


def _words(block: Block) -> Any:
    """What two ways of telling a block have in common: all but sources and signatures."""
    return _SAID[type(block).__name__](block)


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
