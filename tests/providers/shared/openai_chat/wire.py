"""Chunks of Chat Completions, written by hand, and readings of them."""

from collections.abc import Iterable
from typing import Any

from harness.contract.assembler import Assembler, assemble
from harness.contract.events import StreamEvent
from providers._shared.openai_chat.reply import ChatReader

Chunk = dict[str, Any]

USAGE = {"prompt_tokens": 3, "completion_tokens": 5, "total_tokens": 8}


def chunk(finish: str | None = None, **delta: Any) -> Chunk:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def entry(arguments: Any = None, name: str | None = None, **fields: Any) -> dict[str, Any]:
    return {**fields, "function": {"name": name, "arguments": arguments}}


def calls(*entries: dict[str, Any], finish: str | None = None) -> Chunk:
    return chunk(finish, tool_calls=list(entries))


def body(finish: str | None = "stop", usage: Any = USAGE, **message: Any) -> Chunk:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish}
    return {"object": "chat.completion", "choices": [choice], "usage": usage}


def events(chunks: Iterable[Any], *, done: bool = True, reader: ChatReader | None = None) -> list[StreamEvent]:
    reader = reader or ChatReader()
    return [*(event for piece in chunks for event in reader.feed(piece)), *reader.finish(done=done)]


def read(*chunks: Any, done: bool = True) -> Assembler:
    return in_order(events(chunks, done=done))


def in_order(found: Iterable[StreamEvent]) -> Assembler:
    assembler = assemble(found)
    assert assembler.violations == []
    return assembler


def uses(assembler: Assembler) -> list[tuple[str, str, Any]]:
    found = [block["toolUse"] for block in assembler.message["content"] if "toolUse" in block]
    return [(use["toolUseId"], use["name"], use["input"]) for use in found]
