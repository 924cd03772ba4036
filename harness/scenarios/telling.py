"""A faultless telling of a reply: the events that an adapter would do well to yield for it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.contract.capabilities import Capabilities
from harness.dialects.reply import Block, Reasoning, RedactedReasoning, Refusal, Reply, Text, ToolUse

Delta = Mapping[str, Any]


class _Open:
    """Stands for what is the adapter's to choose."""

    def __repr__(self) -> str:
        return "…"


OPEN: Final = _Open()


def faultless(reply: Reply, abilities: Capabilities) -> Iterator[dict[str, Any]]:
    """Stream events of a reply, each fragment whole; what an adapter's abilities leave out is not told.

    ``OPEN`` stands for an id that the wire does not give, since the adapter makes it up, and for the counts of tokens,
    which have two conventions.
    """
    yield {"messageStart": {"role": "assistant"}}
    for block in reply.blocks:
        begin, deltas = _TELL[type(block)](block, abilities)
        if deltas:
            yield {"contentBlockStart": {"start": begin}}
            yield from ({"contentBlockDelta": {"delta": delta}} for delta in deltas)
            yield {"contentBlockStop": {}}
    yield {"messageStop": {"stopReason": reply.stop}}
    if reply.usage is not None:
        yield {"metadata": {"usage": OPEN}}


def _text(block: Text, _: Capabilities) -> tuple[Delta, list[Delta]]:
    return {}, [{"text": block.text}, *({"citation": {"title": each.title}} for each in block.citations)]


def _refusal(block: Refusal, _: Capabilities) -> tuple[Delta, list[Delta]]:
    return {}, [{"text": block.text}]


def _call(block: ToolUse, _: Capabilities) -> tuple[Delta, list[Delta]]:
    return {"toolUse": {"name": block.name, "toolUseId": block.id or OPEN}}, [{"toolUse": {"input": block.arguments}}]


def _reasoning(block: Reasoning, abilities: Capabilities) -> tuple[Delta, list[Delta]]:
    told: list[Delta] = [{"reasoningContent": {"text": block.text}}] if abilities.reasoning else []
    signed = abilities.signatures and block.signature
    return {}, [*told, {"reasoningContent": {"signature": block.signature}}] if signed else told


def _redacted(block: RedactedReasoning, abilities: Capabilities) -> tuple[Delta, list[Delta]]:
    return {}, [{"reasoningContent": {"redactedContent": block.data}}] if abilities.redacted else []


_TELL: Final[Mapping[type[Block], Callable[[Any, Capabilities], tuple[Delta, list[Delta]]]]] = {
    Text: _text,
    Refusal: _refusal,
    ToolUse: _call,
    Reasoning: _reasoning,
    RedactedReasoning: _redacted,
}
