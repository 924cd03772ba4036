"""Miniatures of the rules about replies: order, content, calls, stop reasons, usage, reasoning, citations."""

import re
from dataclasses import replace
from typing import Any, Final

from harness.provider import Provider
from tests.miniatures.adapters import Guessing, Quiet, Unlike, buffered, refusing
from tests.miniatures.edits import (
    BEGIN,
    CALL,
    CITATION,
    END,
    METADATA,
    REASON,
    REDACTED,
    SIGNATURE,
    START,
    STOP,
    TEXT,
    THOUGHT,
    TOOL,
    WORDS,
    Event,
    blocks,
    double,
    drop,
    each_in,
    early,
    edited,
    every,
    first,
    has,
    in_calls,
    last,
    lose,
    put,
    swap,
    then,
)
from tests.miniatures.miniature import Miniature

_SIGNED: Final = ("bedrock", "anthropic")


def _unbegun(events: list[Event]) -> list[Event]:
    """Calls whose first delta says what their start should have said."""
    for block in blocks(events):
        deltas = [event["contentBlockDelta"]["delta"]["toolUse"] for event in block if TOOL(event)]
        if CALL(block[0]) and deltas:
            deltas[0].update(block[0]["contentBlockStart"]["start"]["toolUse"])
            events = [event for event in events if event is not block[0]]
    return events


def _unidentified(events: list[Event]) -> list[Event]:
    """Calls whose first delta names them."""
    for block in blocks(events):
        deltas = [event["contentBlockDelta"]["delta"]["toolUse"] for event in block if TOOL(event)]
        if CALL(block[0]) and deltas:
            deltas[0]["toolUseId"] = block[0]["contentBlockStart"]["start"]["toolUse"].pop("toolUseId")
    return events


def _once_more(events: list[Event]) -> list[Event]:
    """The last call again, as a call of its own."""
    calls = [block for block in blocks(events) if CALL(block[0])]
    again = [put(f"{next(iter(event))}.contentBlockIndex", lambda _: 99)(event)[0] for event in calls[-1]]
    again[0]["contentBlockStart"]["start"]["toolUse"]["toolUseId"] += "x"
    return first(STOP, lambda event: [*again, event])(events)


def _moved(events: list[Event]) -> list[Event]:
    """The first block after all others."""
    block = blocks(events)[0]
    rest = [event for event in events if not any(event is moved for moved in block)]
    return first(STOP, lambda event: [*block, event])(rest)


def _overlapping(events: list[Event]) -> list[Event]:
    """The second block begins before the first one ends."""
    begins = [event for event in events if BEGIN(event)][1:2]
    return early(lambda event: event in begins, END)(events)


def _same_ids(events: list[Event]) -> list[Event]:
    """All calls whose id was made up have one id; those of the service have 24 letters behind the underscore."""
    return every(CALL, put(_ID, lambda call_id: call_id if len(call_id) == 29 else "call_0"))(events)


def _on_the_wire(name: str) -> str:
    """The name as services take it."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", name)[:64]


def _no_ids(events: list[Event]) -> list[Event]:
    return every(CALL, put(_ID, lambda call_id: call_id if len(call_id) == 29 else ""))(events)


def _exchanged_signatures(events: list[Event]) -> list[Event]:
    """Each call with the signature of the call before it."""
    starts = [event["contentBlockStart"]["start"]["toolUse"] for event in events if CALL(event)]
    told = [start.pop("reasoningSignature", None) for start in starts]
    for start, signature in zip(starts, [*told[-1:], *told[:-1]], strict=True):
        if signature is not None:
            start["reasoningSignature"] = signature
    return events


_ID: Final = "contentBlockStart.start.toolUse.toolUseId"
_NAME: Final = "contentBlockStart.start.toolUse.name"


def _invented(events: list[Event]) -> list[Event]:
    """Usage where the service told none."""
    usage = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    told = [event for event in events if METADATA(event)]
    if told:
        return every(METADATA, put("metadata.usage", lambda met: met or usage))(events)
    return [*events, {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}}}]


def _counted_apart(usage: dict[str, Any]) -> dict[str, Any]:
    """Cached tokens beside the input, where the service counts them inside."""
    cached = usage.get("cacheReadInputTokens", 0) + usage.get("cacheWriteInputTokens", 0)
    return {**usage, "inputTokens": usage["inputTokens"] - cached}


def _doubled(usage: dict[str, Any]) -> dict[str, Any]:
    return {key: 2 * count for key, count in usage.items()}


def _undeclared(provider: Provider) -> Provider:
    return replace(provider, capabilities=replace(provider.capabilities, reasoning=False))


def _usage(name: str, change: Any) -> Any:
    return edited(each_in(f"metadata.usage.{name}", change))


ORDER: Final = (
    Miniature("STREAM-EVENT-SHAPE", "an event of no kind", "text", edited(first(START, then({"ping": {}})))),
    Miniature("STREAM-START-FIRST", "a block before messageStart", "text", edited(early(BEGIN, START))),
    Miniature("STREAM-START-ONCE", "messageStart twice", "text", edited(first(START, double))),
    Miniature("STREAM-START-ROLE", "the role user", "text", edited(each_in("messageStart.role", lambda _: "user"))),
    Miniature("STREAM-BLOCK-OVERLAP", "a block begins inside another", "tools-parallel", edited(_overlapping)),
    Miniature("STREAM-BLOCK-UNOPENED", "contentBlockStop twice", "text", edited(first(END, double))),
    Miniature("STREAM-BLOCK-UNCLOSED", "no contentBlockStop", "text", edited(last(END, drop))),
    Miniature(
        "STREAM-BLOCK-INDEX",
        "the end has another index",
        "text",
        edited(each_in("contentBlockStop.contentBlockIndex", lambda index: index + 7)),
    ),
    Miniature(
        "STREAM-DELTA-KIND",
        "an empty text in a call",
        "tools-parallel",
        edited(last(CALL, then({"contentBlockDelta": {"delta": {"text": ""}}}))),
    ),
    Miniature("STREAM-TOOL-BEGIN", "a call without a start", "tool", edited(_unbegun)),
    Miniature("STREAM-TOOL-IDENTITY", "a start without an id", "tool", edited(_unidentified)),
    Miniature("STREAM-TOOL-ID-UNIQUE", "one id for all calls", "styles", edited(_same_ids), on=("openai",)),
    Miniature(
        "STREAM-AFTER-STOP",
        "a delta after messageStop",
        "text",
        edited(first(STOP, then({"contentBlockStop": {"contentBlockIndex": 0}}))),
    ),
    Miniature("STREAM-STOP-ONCE", "messageStop twice", "text", edited(first(STOP, double))),
    Miniature("STREAM-STOP-MISSING", "no messageStop", "text", edited(every(STOP, drop))),
    Miniature("STREAM-METADATA-ORDER", "metadata before messageStop", "text", edited(early(METADATA, STOP))),
    Miniature("STREAM-METADATA-ONCE", "metadata twice", "text", edited(first(METADATA, double))),
    Miniature(
        "STREAM-AFTER-METADATA",
        "a block's end after metadata",
        "text",
        edited(first(METADATA, then({"contentBlockStop": {"contentBlockIndex": 0}}))),
    ),
)

CONTENT: Final = (
    Miniature("CONTENT-DELIVERED", "a reply is refused", "text", refusing),
    Miniature("CONTENT-TEXT", "a dropped text delta", "long", edited(first(TEXT, drop))),
    Miniature("CONTENT-TEXT", "two deltas swapped", "long", edited(swap(TEXT))),
    Miniature("CONTENT-TEXT", "a duplicated delta", "text", edited(first(TEXT, double))),
    Miniature("CONTENT-BLOCKS", "the first block comes last", "rich", edited(_moved)),
    Miniature(
        "CONTENT-EMPTY",
        "an empty block",
        "text",
        edited(
            first(
                STOP,
                lambda event: [{"contentBlockStart": {"start": {}}}, {"contentBlockStop": {}}, event],
            )
        ),
    ),
    Miniature(
        "CONTENT-INCREMENTAL",
        "the reply is handed on when it is whole",
        "incremental",
        buffered,
        limits={"harness.listener.SETTLE_LIMIT": 0.3},
    ),
    Miniature(
        "CONTENT-REFUSAL",
        "the words of a refusal are cut",
        "refusal",
        edited(last(TEXT, put(WORDS, lambda text: text[:-1]))),
        on=("openai",),
    ),
    Miniature("CAPABILITY-UNDECLARED", "reasoning is not declared", "undeclared", provider=_undeclared),
)

CALLS: Final = (
    Miniature("TOOL-COUNT", "a call comes twice", "tools-parallel", edited(_once_more)),
    Miniature("TOOL-ID", "a tool id changed", "tool", edited(each_in(_ID, lambda call_id: f"{call_id}x"))),
    Miniature("TOOL-NAME", "another name", "tool", edited(each_in(_NAME, lambda name: f"{name}_"))),
    Miniature("TOOL-NAME", "the name on the wire", "tool-names", edited(each_in(_NAME, _on_the_wire))),
    Miniature("TOOL-INPUT", "another value", "tool", edited(in_calls(lambda text: text.replace("Paris", "Rome")))),
    Miniature("TOOL-INPUT-JSON", "tool arguments cut", "tool", edited(in_calls(lambda text: text[:-2]))),
    Miniature(
        "TOOL-ID-MADE",
        "no id is made up",
        "styles",
        edited(_no_ids),
        on=("openai",),
        also=frozenset({"STREAM-TOOL-IDENTITY"}),
        because="a call that gets no id begins without one",
    ),
    Miniature(
        "TOOL-TRUNCATED",
        "a cut call is completed",
        "tool-cut-second",
        edited(in_calls(lambda text: text if text.endswith("}") else f'{text}"}}')),
    ),
)

ENDS: Final = (
    Miniature("STOP-MAPPED", "stop reason wrong", "text", edited(each_in(REASON, lambda _: "max_tokens"))),
    Miniature("STOP-KNOWN", "the vendor's own word", "text", edited(each_in(REASON, lambda _: "FINISHED"))),
    Miniature("STOP-TOOLS", "tool_use for a word it does not know", "stops", Guessing, on=("anthropic",)),
    Miniature("STOP-UNKNOWN", "a word it does not know is end_turn", "stops", Quiet, on=("anthropic", "openai")),
    Miniature("USAGE-REPORTED", "no metadata", "text", edited(every(METADATA, drop))),
    Miniature("USAGE-INPUT", "input counted twice", "text", _usage("inputTokens", lambda count: 2 * count)),
    Miniature(
        "USAGE-INPUT",
        "usage doubled",
        "text",
        edited(each_in("metadata.usage", _doubled)),
        also=frozenset({"USAGE-OUTPUT", "USAGE-TOTAL"}),
        because="it is in every count",
    ),
    Miniature("USAGE-OUTPUT", "output counted twice", "text", _usage("outputTokens", lambda count: 2 * count)),
    Miniature("USAGE-TOTAL", "a total of its own", "text", _usage("totalTokens", lambda count: count + 1)),
    Miniature(
        "USAGE-CACHE",
        "cached tokens left out",
        "rich",
        edited(every(METADATA, lose("metadata.usage.cacheReadInputTokens"))),
    ),
    Miniature("USAGE-FORM", "no number", "text", _usage("totalTokens", lambda _: None)),
    Miniature("USAGE-INVENTED", "made-up counts", "styles", edited(_invented), on=("openai",)),
    Miniature("USAGE-LATENCY", "no latency", "text", edited(every(METADATA, lose("metadata.metrics")))),
    Miniature(
        "PARITY-MESSAGE",
        "whole replies count otherwise",
        "parity",
        Unlike.by(each_in("metadata.usage", _counted_apart)),
        on=("openai",),
    ),
)

EXTRAS: Final = (
    Miniature("REASON-TEXT", "other thoughts", "reasoning", edited(each_in(THOUGHT, str.upper))),
    Miniature(
        "REASON-SIGNATURE", "another signature", "reasoning", edited(each_in(SIGNATURE, lambda _: "x")), on=_SIGNED
    ),
    Miniature(
        "REASON-CALL-SIGNATURE",
        "calls lose their signatures",
        "tool-signatures",
        edited(every(CALL, lose("contentBlockStart.start.toolUse.reasoningSignature"))),
        on=("gemini",),
    ),
    Miniature(
        "REASON-CALL-SIGNATURE",
        "the next call's signature",
        "tool-signatures",
        edited(_exchanged_signatures),
        on=("gemini",),
    ),
    Miniature(
        "REASON-REDACTED",
        "other bytes",
        "reasoning-redacted",
        edited(each_in(REDACTED, lambda data: data[::-1])),
        on=_SIGNED,
    ),
    Miniature("CITE-KEPT", "a citation is lost", "citations", edited(first(has(CITATION), drop)), on=_SIGNED),
    Miniature(
        "CITE-FIELDS", "no title", "citations", edited(every(has(CITATION), lose(f"{CITATION}.title"))), on=_SIGNED
    ),
    Miniature(
        "REDACT-INPUT",
        "input stays",
        "guardrail",
        edited(every(has("redactContent.redactUserContentMessage"), drop)),
        on=("bedrock",),
    ),
    Miniature(
        "REDACT-OUTPUT",
        "output stays",
        "guardrail",
        edited(every(has("redactContent.redactAssistantContentMessage"), drop)),
        on=("bedrock",),
    ),
)

REPLIES: Final = (*ORDER, *CONTENT, *CALLS, *ENDS, *EXTRAS)
