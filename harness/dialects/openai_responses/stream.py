"""Say a reply as a stream: the events of each item, and the frames that carry them.

An item is added, told in parts and done; what a style leaves out of that is a table of event names. Sequence numbers,
padding and the vendor's fields are put on at the end, when every event has its place.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.dialects.base import WireReply
from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.openai_responses.encode import ending, status_of, told_end, usage_text
from harness.dialects.openai_responses.items import (
    Item,
    added_item,
    annotations,
    done_item,
    items_of,
    logprobs,
    part,
    text_part,
    wire_id,
)
from harness.dialects.openai_responses.manner import Manner, added
from harness.dialects.openai_responses.stops import COMPLETED
from harness.dialects.reply import Block, Refusal, Reply, Text
from harness.wire.sse import BOM, encode_comment

Event = dict[str, Any]


def encode_stream(reply: Reply, manner: Manner, wire: str) -> WireReply:
    """Events of a stream, and how many of them the end takes."""
    wire = told_end(reply, wire, manner)
    items = items_of(reply, manner)
    told = [list(_item_events(item, manner, status_of(item, items, wire))) for item in items]
    events = [*_opening(manner), *_extra(manner), *_in_turn(items, told, manner), *_extra(manner)]
    frames = [frame(event, number, manner) for number, event in enumerate(events)]
    frames.append(_last(items, reply, manner, wire, len(frames)))
    return _framed(frames, manner)


# --- the events of an item --------------------------------------------------------------------------------------------


def _item_events(item: Item, manner: Manner, status: str) -> Iterator[Event]:
    version = _versions(manner)
    events = [
        {"type": "response.output_item.added", "item": added_item(item, manner, next(version))},
        *_TELL[item.kind](item, manner),
        {"type": "response.output_item.done", "item": done_item(item, manner, status, next(version))},
    ]
    silent = _SILENT[manner.options["skeleton"]] if item.kind == "message" else frozenset()
    indexed = manner.options["indexes"] == "present"
    for event in events:
        if event["type"] in silent:
            continue
        if "item" not in event:
            event["item_id"] = wire_id(item, next(version))
        if indexed:
            event["output_index"] = item.place
        else:
            event.pop("content_index", None)
            event.pop("summary_index", None)
        yield event


def _versions(manner: Manner) -> Iterator[int]:
    """The versions of an item's id, event by event."""
    step = 1 if manner.options["item_ids"] == "other_in_every_event" else 0
    version = 0
    while True:
        yield version
        version += step


def _message(item: Item, manner: Manner) -> Iterator[Event]:
    for at, block in enumerate(item.blocks):
        for event in _PARTS[type(block)](block, manner):
            event["content_index"] = at
            yield event


def _text(block: Text, manner: Manner) -> Iterator[Event]:
    yield {"type": "response.content_part.added", "part": text_part("", [], manner)}
    for piece in _pieces(block.text, manner):
        yield {"type": "response.output_text.delta", "delta": piece, **logprobs(piece, manner)}
    sources = annotations(block, manner)
    for at, source in enumerate(sources):
        yield {"type": "response.output_text.annotation.added", "annotation": source, "annotation_index": at}
    yield {"type": "response.output_text.done", "text": block.text, **logprobs(block.text, manner)}
    yield {"type": "response.content_part.done", "part": text_part(block.text, sources, manner)}


def _refusal(block: Refusal, manner: Manner) -> Iterator[Event]:
    yield {"type": "response.content_part.added", "part": {"type": "refusal", "refusal": ""}}
    for piece in _pieces(block.text, manner):
        yield {"type": "response.refusal.delta", "delta": piece}
    yield {"type": "response.refusal.done", "refusal": block.text}
    yield {"type": "response.content_part.done", "part": part(block, manner)}


_PARTS: Mapping[type[Block], Callable[[Any, Manner], Iterator[Event]]] = {Text: _text, Refusal: _refusal}


def _pieces(text: str, manner: Manner) -> list[str]:
    how = manner.options["text_pieces"]
    return [] if how == "none" else pieces(text, how)


#: names of the events around a reasoning text, and the name of its index
_REASONING = {
    "summary": ("reasoning_summary_part", "reasoning_summary_text", "summary_text", "summary_index"),
    "content_parts": ("content_part", "reasoning_text", "reasoning_text", "content_index"),
    "reasoning_parts": ("reasoning_part", "reasoning_text", "reasoning_text", "content_index"),
}


def _reasoning(item: Item, manner: Manner) -> Iterator[Event]:
    text = item.block.text
    if not text:
        return
    around, words, kind, index = _REASONING[manner.options["reasoning_as"]]
    yield {"type": f"response.{around}.added", index: 0, "part": {"type": kind, "text": ""}}
    for piece in _pieces(text, manner):
        yield {"type": f"response.{words}.delta", index: 0, "delta": piece}
    yield {"type": f"response.{words}.done", index: 0, "text": text}
    yield {"type": f"response.{around}.done", index: 0, "part": {"type": kind, "text": text}}


def _call(item: Item, manner: Manner) -> Iterator[Event]:
    call = item.block
    for piece in _ARGUMENTS[manner.options["arguments"]](call.arguments):
        yield {"type": "response.function_call_arguments.delta", "delta": piece}
    yield {"type": "response.function_call_arguments.done", "arguments": call.arguments}


_ARGUMENTS: Mapping[str, Callable[[str], list[str]]] = {
    "few": lambda text: pieces(text, "few"),
    "whole": lambda text: pieces(text, "whole"),
    "characters": lambda text: pieces(text, "characters"),
    "empty_then_few": lambda text: ["", *pieces(text, "few")],
    "none": lambda text: [],
}


def _noise(item: Item, manner: Manner) -> Iterator[Event]:
    assert item.noise is not None
    return ({"type": kind, **fields} for kind, fields in item.noise.steps)


_TELL: Mapping[str, Callable[[Item, Manner], Iterator[Event]]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _call,
    "noise": _noise,
}

_ITEM_EVENTS = frozenset({"response.output_item.added", "response.output_item.done"})
_PART_EVENTS = frozenset({"response.content_part.added", "response.content_part.done"})
_ANNOTATION = "response.output_text.annotation.added"
#: events that a style leaves out of a message
_SILENT: Mapping[str, frozenset[str]] = {
    "full": frozenset(),
    "no_text_done": frozenset({"response.output_text.done"}),
    "deltas_only": _ITEM_EVENTS | _PART_EVENTS,
    "done_only": _ITEM_EVENTS | _PART_EVENTS | {_ANNOTATION},
}


# --- the order of events ----------------------------------------------------------------------------------------------


def _opening(manner: Manner) -> list[Event]:
    return [{"type": f"response.{name}", "response": status} for name, status in _OPENINGS[manner.options["opening"]]]


_OPENINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "created_and_in_progress": (("created", "in_progress"), ("in_progress", "in_progress")),
    "created": (("created", "in_progress"),),
    "queued": (("created", "queued"), ("queued", "queued"), ("in_progress", "in_progress")),
    "none": (),
}


def _extra(manner: Manner) -> tuple[Event, ...]:
    return tuple(dict(event) for event in _EXTRA[manner.options["extra_events"]])


_EXTRA: Mapping[str, tuple[Event, ...]] = {
    "none": (),
    "keepalive": ({"type": "keepalive"},),
    "unheard_of": ({"type": "response.x_future.progress", "progress": {"done": 1, "note": None}},),
}


def _in_turn(items: list[Item], told: list[list[Event]], manner: Manner) -> Iterator[Event]:
    """The items' events one item after the other, or the end of reasoning after the item that follows it."""
    late = manner.options["overlap"] == "reasoning_done_late"
    held: list[Event] = []
    for item, events in zip(items, told, strict=True):
        if late and item.kind == "reasoning" and item is not items[-1] and not held:
            split = next(at for at, event in enumerate(events) if event["type"].endswith(".done"))
            held, events = events[split:], events[:split]
            yield from events
        else:
            yield from events
            yield from held
            held = []


# --- frames -----------------------------------------------------------------------------------------------------------


def frame(event: Event, number: int, manner: Manner) -> bytes:
    """The frame of an event; its ``response``, if it has one, is the status of a response that has only begun."""
    kind = event["type"]
    if "response" in event:
        text = response_event(kind, manner.response(event["response"]), number, manner)
    else:
        text = manner.dumps(event | _numbered(number, manner) | _padding(kind, number, manner))
    return frame_text(kind, text, number, manner)


def frame_text(kind: str, text: str, number: int, manner: Manner) -> bytes:
    """The frame of an event that is JSON text already."""
    own_id = f"id: {number}\n" if manner.options["id_line"] == "present" else ""
    name = f"event: {kind}\n" if manner.options["event_line"] == "present" else ""
    return f"{own_id}{name}data: {text}\n\n".encode()


def _numbered(number: int, manner: Manner) -> Event:
    numbered = {"sequence_number": number} if manner.options["sequence_number"] == "present" else {}
    return {**numbered, **manner.vendor.event}


def _padding(kind: str, number: int, manner: Manner) -> Event:
    if manner.options["padding"] == "none" or not kind.endswith(".delta"):
        return {}
    return {"obfuscation": "gHk7QxR2vLw9ZpYb"[: 3 + 7 * number % 13]}


def _last(items: list[Item], reply: Reply, manner: Manner, wire: str, number: int) -> bytes:
    version = 0 if manner.options["item_ids"] == "stable" else 999
    kept = _FINAL[manner.options["final_output"]](items)
    output = [done_item(item, manner, status_of(item, items, wire), version) for item in kept]
    response = manner.response(output=manner.dumps(output), usage=usage_text(reply, manner), **ending(wire))
    kind = "response.completed" if wire == COMPLETED else "response.incomplete"
    return frame_text(kind, response_event(kind, response, number, manner), number, manner)


def response_event(kind: str, response: str, number: int, manner: Manner) -> str:
    """The text of an event that carries a response object, which is text."""
    return f'{{"type":"{kind}"{added(_numbered(number, manner), manner.dumps)},"response":{response}}}'


_FINAL: Mapping[str, Callable[[list[Item]], list[Item]]] = {
    "full": lambda items: items,
    "empty": lambda items: [],
    "without_calls": lambda items: [item for item in items if item.kind != "function_call"],
}


def _framed(frames: list[bytes], manner: Manner) -> WireReply:
    options, end = manner.options, 1
    if options["done"] == "present":
        frames.append(b"data: [DONE]\n\n")
        end = 2
    if options["comments"] == "before":
        frames[:0] = [encode_comment("OPENROUTER PROCESSING")] * 2
    if options["bom"] == "present":
        frames[0] = BOM + frames[0]
    return WireReply(200, manner.headers, tuple(frames), end)
