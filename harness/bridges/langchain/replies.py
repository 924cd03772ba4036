"""From LangChain's chunks and messages to pieces of a reply."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from harness.bridges.base import CutReplyError
from harness.bridges.events import Piece

#: the words of vendors for the end of a reply
_STOPS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("stop", "end_turn", "completed", "load", "unload"), "end_turn"),
    **dict.fromkeys(("length", "max_tokens", "model_length", "max_output_tokens", "incomplete"), "max_tokens"),
    **dict.fromkeys(("tool_calls", "tool_use", "function_call"), "tool_use"),
    **dict.fromkeys(("content_filter", "content_filtered", "safety", "refusal", "recitation"), "content_filtered"),
    "stop_sequence": "stop_sequence",
    "guardrail_intervened": "guardrail_intervened",
}
#: where a model keeps the word, among its metadata
_TOLD_IN: Final = ("finish_reason", "stop_reason", "stopReason", "done_reason", "status")


def pieces_of(chunk: Any) -> Iterator[Piece]:
    """What is new in a chunk, calls without their input."""
    yield from _content(chunk.content)
    yield from (Piece("call") for _ in chunk.tool_call_chunks)


def blocks_of(message: Any) -> Iterator[Piece]:
    """The blocks of a whole message: content in its order, and the calls where the content names them, or last."""
    signatures = message.additional_kwargs.get(SIGNATURES, {})
    calls = {call["id"]: _call(call, signatures) for call in message.tool_calls}
    broken = [_broken(call) for call in message.invalid_tool_calls]
    for part in message.content if isinstance(message.content, list) else ():
        if isinstance(part, dict) and (call := calls.pop(part.get("call_id") or part.get("id"), None)):
            yield call
        else:
            yield from _content([part])
    if isinstance(message.content, str):
        yield from _content(message.content)
    if refusal := message.additional_kwargs.get("refusal"):
        yield Piece("text", refusal, "refusal")
    yield from (*calls.values(), *broken)


#: where ``additional_kwargs`` keep Gemini's signatures of calls, by the calls' ids
SIGNATURES: Final = "__gemini_function_call_thought_signatures__"


def _call(call: Any, signatures: Mapping[str, str]) -> Piece:
    signature = signatures.get(call["id"])
    return Piece("call", json.dumps(call["args"]), name=call["name"], id=call["id"] or "", signature=signature)


def _broken(call: Any) -> Piece:
    return Piece("call", call["args"] or "", name=call["name"] or "", id=call["id"] or "")


def _content(content: Any) -> Iterator[Piece]:
    if isinstance(content, str):
        yield Piece("text", content)
        return
    for part in content:
        if isinstance(part, str):
            yield Piece("text", part)
        elif part.get("type") in _READ:
            yield _READ[part["type"]](part)


_READ: Final[Mapping[str, Any]] = {
    "text": lambda part: Piece("text", part.get("text") or "", part.get("index")),
    "refusal": lambda part: Piece("text", part.get("refusal") or "", part.get("index")),
}


def stop_of(message: Any) -> str | None:
    """The contract's stop reason for the vendor's word; an unknown word itself; None where none is told.

    Ollama may leave the word out and say ``done`` alone. Raises CutReplyError for the word that says of a failure.
    """
    told = message.response_metadata
    word = next((str(told[name]) for name in _TOLD_IN if told.get(name)), "stop" if told.get("done") else None)
    if word == _FAILED:
        raise CutReplyError(f"LangChain hands on of the reply: {word}")
    return None if word is None else _STOPS.get(word.lower(), word)


_FAILED: Final = "error"


def usage_of(message: Any) -> dict[str, int] | None:
    """The counts, as LangChain adds them up."""
    told = message.usage_metadata
    if not told:
        return None
    counts = {"inputTokens": "input_tokens", "outputTokens": "output_tokens", "totalTokens": "total_tokens"}
    details = told.get("input_token_details") or {}
    cached = {"cacheReadInputTokens": "cache_read", "cacheWriteInputTokens": "cache_creation"}
    found = {name: details[there] for name, there in cached.items() if details.get(there) is not None}
    return {**{name: told[there] for name, there in counts.items()}, **found}
