"""Faults in what the adapter yields, beyond those of the miniatures."""

import json
from collections.abc import Callable
from typing import Any, Final

from pydantic import BaseModel

from tests.miniatures.edits import (
    BEGIN,
    CALL,
    CITATION,
    END,
    METADATA,
    REASON,
    REDACTED,
    SIGNATURE,
    STOP,
    TEXT,
    THOUGHT,
    TOOL,
    WORDS,
    Edit,
    Event,
    blocks,
    double,
    drop,
    each_in,
    early,
    every,
    first,
    has,
    in_calls,
    last,
    lose,
    put,
    swap,
)
from tests.mutation.mutant import Mutant, said, structures

USAGE: Final = "metadata.usage"
INPUT: Final = "contentBlockDelta.delta.toolUse.input"
ID: Final = "contentBlockStart.start.toolUse.toolUseId"
NAME: Final = "contentBlockStart.start.toolUse.name"


class Other(BaseModel):
    """What nobody asked for."""


def _in_blocks(wanted: Callable[[list[Event]], bool], change: Callable[[list[list[Event]]], list[list[Event]]]) -> Edit:
    """Change which blocks of a kind there are, and in which order; what is around them stays where it is."""

    def edit(events: list[Event]) -> list[Event]:
        found = [block for block in blocks(events) if wanted(block)]
        if not found:
            return events
        ours = {id(event) for block in found for event in block}
        told = [event for block in change(found) for event in block]
        place = next(at for at, event in enumerate(events) if id(event) in ours)
        before = [event for event in events[:place] if id(event) not in ours]
        return [*before, *told, *(event for event in events[place:] if id(event) not in ours)]

    return edit


def _calls(block: list[Event]) -> bool:
    return CALL(block[0])


def _any(block: list[Event]) -> bool:
    return True


def _exchange(path: str) -> Edit:
    """The values at a path, turned round among the events that have one."""

    def edit(events: list[Event]) -> list[Event]:
        holders = [event for event in events if has(path)(event)]
        values = [_at(event, path) for event in holders]
        turned = iter([*values[1:], *values[:1]])
        return each_in(path, lambda _: next(turned))(events)

    return edit


def _at(event: Event, path: str) -> Any:
    value: Any = event
    for step in path.split("."):
        value = value[step]
    return value


def _as_text(path: str) -> Edit:
    """What stands at a path, said as plain text."""
    return every(has(path), lambda event: [{"contentBlockDelta": {"delta": {"text": _at(event, path)}}}])


def _as_thought(event: Event) -> list[Event]:
    return [{"contentBlockDelta": {"delta": {"reasoningContent": {"text": _at(event, WORDS)}}}}]


def _call_as_text(events: list[Event]) -> list[Event]:
    """Calls told as text blocks of their JSON."""
    told = every(CALL, lambda event: [{"contentBlockStart": {"start": {}}}])(events)
    path = "contentBlockDelta.delta.toolUse"
    return every(TOOL, lambda event: [{"contentBlockDelta": {"delta": {"text": _at(event, path)["input"]}}}])(told)


def _reasoned(old: str, new: str) -> Mutant:
    change = each_in(REASON, lambda reason: new if reason == old else reason)
    return said(f"{old} is {new}", change, "stops", peers=(old, new) == ("tool_use", "end_turn"))


def _counted(name: str, change: Callable[[int], Any]) -> Edit:
    return each_in(f"{USAGE}.{name}", change)


def _exchanged_counts(usage: dict[str, Any]) -> dict[str, Any]:
    return {**usage, "inputTokens": usage["outputTokens"], "outputTokens": usage["inputTokens"]}


def _parsed(text: str) -> str:
    return text if text.strip() in ("", "{}") else json.dumps(text)


def _renamed(text: str) -> str:
    """Another name for the first key of an input."""
    return text.replace('"city"', '"City"')


_TEXTS: Final = (
    said("no text at all", every(TEXT, drop), "text", peers=True),
    said("the last piece of text is lost", last(TEXT, drop), "text", peers=True),
    said("text is trimmed at the end of each piece", each_in(WORDS, str.rstrip), "styles"),
    said("text is trimmed at the start of each piece", each_in(WORDS, str.lstrip), "styles"),
    said("text in upper case", each_in(WORDS, str.upper), "text"),
    said("text is ASCII", each_in(WORDS, lambda text: text.encode("ascii", "replace").decode()), "text"),
    said("text is Latin-1", each_in(WORDS, lambda text: text.encode("latin-1", "ignore").decode("latin-1")), "text"),
    said("text is decoded twice", each_in(WORDS, lambda text: text.encode().decode("latin-1")), "text"),
    said("the last character is lost", last(TEXT, put(WORDS, lambda text: text[:-1])), "text"),
    said("the first character is lost", first(TEXT, put(WORDS, lambda text: text[1:])), "text"),
    said("a blank is put after the text", last(TEXT, put(WORDS, lambda text: f"{text} ")), "text"),
    said("line ends are blanks", each_in(WORDS, lambda text: text.replace("\n", " ")), "loop-text"),
    said("pieces of text in the opposite order", lambda events: _turned(TEXT, events), "long"),
    said("every piece of text twice", every(TEXT, double), "text", peers=True),
    said("text is reasoning", every(TEXT, _as_thought), "text"),
    said("text is bytes", each_in(WORDS, str.encode), "text"),
    said("text is None", last(TEXT, put(WORDS, lambda _: None)), "text"),
)


def _turned(match: Callable[[Event], bool], events: list[Event]) -> list[Event]:
    turned = iter([event for event in events if match(event)][::-1])
    return [next(turned) if match(event) else event for event in events]


_CALLS: Final = (
    said("calls are lost", _in_blocks(_calls, lambda found: []), "tool", peers=True),
    said("the first call is lost", _in_blocks(_calls, lambda found: found[1:]), "tools-parallel"),
    said("all calls but the first are lost", _in_blocks(_calls, lambda found: found[:1]), "tools-parallel", peers=True),
    said("calls in the opposite order", _in_blocks(_calls, lambda found: found[::-1]), "tools-parallel"),
    said("calls are text", _call_as_text, "tool"),
    said("inputs are empty", in_calls(lambda text: ""), "tool", peers=True),
    said("inputs are {}", in_calls(lambda text: "{}"), "tool"),
    said("inputs are written as JSON twice", in_calls(_parsed), "tool"),
    said("inputs are lists", in_calls(lambda text: f"[{text or '{}'}]"), "tool"),
    said("a key of the input has another name", in_calls(_renamed), "tool"),
    said("inputs lose their non-ASCII characters", in_calls(lambda t: t.encode("ascii", "ignore").decode()), "rich"),
    said("empty inputs are null", in_calls(lambda text: "null" if text.strip() in ("", "{}") else text), "rich"),
    said("the first piece of the input is lost", first(TOOL, drop), "tool"),
    said("the first piece of the input comes twice", first(TOOL, double), "tool"),
    said("the last piece of the input is lost", last(TOOL, drop), "tool"),
    said("two pieces of the input change places", swap(TOOL), "styles"),
    said("the input is a dictionary", each_in(INPUT, lambda _: {}), "tool"),
    said("ids change places", _exchange(ID), "tools-parallel"),
    said("names change places", _exchange(NAME), "tools-parallel"),
    said("ids are empty", each_in(ID, lambda _: ""), "tool", peers=True),
    said("all calls have one id", each_in(ID, lambda _: "call"), "tools-parallel"),
    said("names are empty", each_in(NAME, lambda _: ""), "tool", peers=True),
    said("names are in upper case", each_in(NAME, str.upper), "tool"),
    said("the start of a call has no name", every(CALL, lose(NAME)), "tool"),
    said("the start of a call is lost", first(CALL, drop), "tool", peers=True),
)

_BLOCKS: Final = (
    said("no contentBlockStop", every(END, drop), "text", peers=True),
    said("the first contentBlockStop is lost", first(END, drop), "tool"),
    said("contentBlockStop before the last piece", early(END, TEXT), "text"),
    said("blocks in the opposite order", _in_blocks(_any, lambda found: found[::-1]), "rich"),
    said("the last block is lost", _in_blocks(_any, lambda found: found[:-1]), "rich"),
    said("the first block comes twice", _in_blocks(_any, lambda found: [found[0], *found]), "rich"),
    said("calls come first", _in_blocks(_any, lambda found: sorted(found, key=lambda b: not _calls(b))), "rich"),
    said("no messageStart", every(has("messageStart"), drop), "text", peers=True),
    said("messageStop comes first", early(STOP, has("messageStart")), "text"),
    said("messageStop before the last block ends", early(STOP, END), "text"),
    said("metadata comes first", early(METADATA, has("messageStart")), "text"),
    said("an event with two keys", first(STOP, lambda event: [{**event, "metadata": {}}]), "text"),
    said("an event that is empty", first(STOP, lambda event: [{}, event]), "text"),
    said("an event that is text", lambda events: ["Hello", *events], "text"),  # type: ignore[list-item]
    said("nothing at all", lambda events: [], "text"),
    said("the start of a block has no body", first(BEGIN, lambda event: [{"contentBlockStart": None}]), "text"),
)

_ENDS: Final = (
    _reasoned("tool_use", "end_turn"),
    _reasoned("end_turn", "tool_use"),
    _reasoned("end_turn", "stop_sequence"),
    _reasoned("max_tokens", "end_turn"),
    _reasoned("max_tokens", "tool_use"),
    _reasoned("stop_sequence", "end_turn"),
    _reasoned("content_filtered", "end_turn"),
    _reasoned("guardrail_intervened", "end_turn"),
    said("the stop reason is None", each_in(REASON, lambda _: None), "text"),
    said("no stop reason", every(STOP, lose(REASON)), "text"),
)

_COUNTS: Final = (
    said("counts are zero", each_in(USAGE, lambda usage: dict.fromkeys(usage, 0)), "text", peers=True),
    said("input and output change places", each_in(USAGE, _exchanged_counts), "text", peers=True),
    said("one token of output more", _counted("outputTokens", lambda count: count + 1), "text"),
    said("one token of input less", _counted("inputTokens", lambda count: count - 1), "text"),
    said("counts are text", each_in(USAGE, lambda usage: {key: str(value) for key, value in usage.items()}), "text"),
    said("counts are floats", each_in(USAGE, lambda usage: {key: value + 0.5 for key, value in usage.items()}), "text"),
    said("the total is lost", every(METADATA, lose(f"{USAGE}.totalTokens")), "text"),
    said(
        "the total is the output", each_in(USAGE, lambda usage: {**usage, "totalTokens": usage["outputTokens"]}), "text"
    ),
    said("tokens read from the cache are doubled", _counted("cacheReadInputTokens", lambda count: 2 * count), "rich"),
    said("tokens written to the cache are lost", every(METADATA, lose(f"{USAGE}.cacheWriteInputTokens")), "rich"),
    said("tokens written to the cache are doubled", _counted("cacheWriteInputTokens", lambda count: 2 * count), "rich"),
    said("metadata without usage", every(METADATA, lose(USAGE)), "text"),
    said("latency is None", each_in("metadata.metrics.latencyMs", lambda _: None), "text"),
    said("latency is negative", each_in("metadata.metrics.latencyMs", lambda _: -1), "text"),
    said("usage and metrics are beside metadata", every(METADATA, lambda event: [event["metadata"]]), "text"),
)

_EXTRAS: Final = (
    said("reasoning is lost", every(has(THOUGHT), drop), "reasoning"),
    said("the first piece of reasoning is lost", first(has(THOUGHT), drop), "reasoning"),
    said("every piece of reasoning twice", every(has(THOUGHT), double), "reasoning"),
    said("reasoning is text", _as_text(THOUGHT), "reasoning"),
    said("signatures are lost", every(has(SIGNATURE), drop), "reasoning"),
    said("signatures come twice", every(has(SIGNATURE), double), "reasoning"),
    said("redacted reasoning is lost", every(has(REDACTED), drop), "reasoning-redacted"),
    said("redacted reasoning is cut", each_in(REDACTED, lambda data: data[:-1]), "reasoning-redacted"),
    said("citations are lost", every(has(CITATION), drop), "citations"),
    said("citations come twice", every(has(CITATION), double), "citations"),
    said("citations lose their place", every(has(CITATION), lose(f"{CITATION}.location")), "citations"),
    said("citations lose their source", every(has(CITATION), lose(f"{CITATION}.sourceContent")), "citations"),
)

_STRUCTURED: Final = (
    structures("no result", every(has("output"), drop)),
    structures("the result is a dictionary", each_in("output", lambda output: output.model_dump())),
    structures("the result is JSON", each_in("output", lambda output: output.model_dump_json())),
    structures("the result is None", each_in("output", lambda _: None)),
    structures("the result comes first", lambda items: items[-1:] + items[:-1]),
    structures("the result is of another model", each_in("output", lambda _: Other())),
)

SAID: Final[tuple[Mutant, ...]] = (*_TEXTS, *_CALLS, *_BLOCKS, *_ENDS, *_COUNTS, *_EXTRAS, *_STRUCTURED)
