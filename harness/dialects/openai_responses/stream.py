"""Say a reply as a stream: the events of each item, and the frames that carry them.

An item is added, told in parts and done; what a style leaves out of that is a table of event names. Sequence numbers,
padding and the vendor's fields are put on at the end, when every event has its place. Events are made as text, since
a reply is told in some thousand ways and most of an event never changes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count, repeat, takewhile

from harness.dialects.base import WireReply
from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.openai_responses.encode import ending, status_of, told_end, usage_text
from harness.dialects.openai_responses.items import Item, added_item, done_item, items_of, sealed_anew, wire_id
from harness.dialects.openai_responses.manner import Manner, added
from harness.dialects.openai_responses.parts import Event, part_events, reasoning_events
from harness.dialects.openai_responses.stops import COMPLETED
from harness.dialects.reply import Reply
from harness.wire.sse import BOM, encode_comment


def encode_stream(reply: Reply, manner: Manner, wire: str) -> WireReply:
    """Events of a stream, and how many of them the end takes."""
    wire = told_end(reply, wire, manner)
    items = items_of(reply, manner)
    told = [_item_events(item, manner, status_of(item, items, wire)) for item in items]
    events = [*_opening(manner), *_extra(manner), *_in_turn(items, told, manner), *_extra(manner)]
    frames = [frame(kind, members, number, manner) for number, (kind, members) in enumerate(events)]
    frames.append(_last(items, reply, manner, wire, len(frames)))
    return _framed(frames, manner)


# --- the events of an item --------------------------------------------------------------------------------------------


def _item_events(item: Item, manner: Manner, status: str) -> list[Event]:
    versions = count() if manner.options["item_ids"] == "other_in_every_event" else repeat(0)
    place = f',"output_index":{item.place}' if manner.indexed else ""
    opened = manner.dumps(added_item(item, manner, next(versions)))
    events = [
        ("response.output_item.added", f',"item":{opened}{place}'),
        *_named(_TELL[item.kind](item, manner), item, place, versions),
        ("response.output_item.done", f',"item":{_done_text(item, manner, status, next(versions))}{place}'),
    ]
    silent = _SILENT[manner.options["skeleton"]] if item.kind == "message" else None
    return [event for event in events if event[0] not in silent] if silent else events


def _named(events: Iterable[Event], item: Item, place: str, versions: Iterator[int]) -> Iterator[Event]:
    for kind, members in events:
        yield kind, f'{members},"item_id":"{wire_id(item, next(versions))}"{place}'


def _done_text(item: Item, manner: Manner, status: str, version: int) -> str:
    return manner.dumps(done_item(item, manner, status, version))


def _message(item: Item, manner: Manner) -> Iterator[Event]:
    for at, block in enumerate(item.blocks):
        yield from part_events(block, at, manner)


def _reasoning(item: Item, manner: Manner) -> Iterator[Event]:
    return reasoning_events(item.block.text, manner)


def _call(item: Item, manner: Manner) -> Iterator[Event]:
    arguments = item.block.arguments
    for piece in _ARGUMENTS[manner.options["arguments"]](arguments):
        yield "response.function_call_arguments.delta", f',"delta":{manner.dumps(piece)}'
    yield "response.function_call_arguments.done", f',"arguments":{manner.dumps(arguments)}'


_ARGUMENTS: Mapping[str, Callable[[str], list[str]]] = {
    "few": lambda text: pieces(text, "few"),
    "whole": lambda text: pieces(text, "whole"),
    "characters": lambda text: pieces(text, "characters"),
    "empty_then_few": lambda text: ["", *pieces(text, "few")],
    "none": lambda text: [],
}


def _noise(item: Item, manner: Manner) -> Iterator[Event]:
    assert item.noise is not None
    return ((kind, added(fields, manner.dumps)) for kind, fields in item.noise.steps)


_TELL: Mapping[str, Callable[[Item, Manner], Iterator[Event]]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _call,
    "noise": _noise,
}

_ITEM_EVENTS = frozenset({"response.output_item.added", "response.output_item.done"})
_PART_EVENTS = frozenset({"response.content_part.added", "response.content_part.done"})
#: events that a style leaves out of a message
_SILENT: Mapping[str, frozenset[str] | None] = {
    "full": None,
    "no_text_done": frozenset({"response.output_text.done"}),
    "deltas_only": _ITEM_EVENTS | _PART_EVENTS,
    "done_only": _ITEM_EVENTS | _PART_EVENTS | {"response.output_text.annotation.added"},
}


# --- the order of events ----------------------------------------------------------------------------------------------


def _opening(manner: Manner) -> Iterator[Event]:
    for name, status in _OPENINGS[manner.options["opening"]]:
        yield f"response.{name}", f',"response":{manner.response(status)}'


_OPENINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "created_and_in_progress": (("created", "in_progress"), ("in_progress", "in_progress")),
    "created": (("created", "in_progress"),),
    "queued": (("created", "queued"), ("queued", "queued"), ("in_progress", "in_progress")),
    "none": (),
}


def _extra(manner: Manner) -> tuple[Event, ...]:
    return _EXTRA[manner.options["extra_events"]]


_EXTRA: Mapping[str, tuple[Event, ...]] = {
    "none": (),
    "keepalive": (("keepalive", ""),),
    "unheard_of": (("response.x_future.progress", ',"progress":{"done":1,"note":null}'),),
}


def _in_turn(items: list[Item], told: list[list[Event]], manner: Manner) -> Iterator[Event]:
    """The items' events one item after the other, or the end of reasoning after the item that follows it."""
    late = manner.options["overlap"] == "reasoning_done_late"
    held: list[Event] = []
    for item, events in zip(items, told, strict=True):
        if late and item.kind == "reasoning" and item is not items[-1] and not held:
            split = len(events) - sum(1 for _ in takewhile(_is_done, reversed(events)))
            yield from events[:split]
            held = events[split:]
        else:
            yield from events
            yield from held
            held = []


def _is_done(event: Event) -> bool:
    return event[0].endswith(".done")


# --- frames -----------------------------------------------------------------------------------------------------------


def frame(kind: str, members: str, number: int, manner: Manner) -> bytes:
    """The frame of an event: ``members`` are its fields as text, with their leading comma."""
    numbered = f',"sequence_number":{number}' if manner.numbered else ""
    text = f'{{"type":"{kind}"{members}{numbered}{manner.event}{_padding(kind, number, manner)}}}'
    own_id = f"id: {number}\n" if manner.options["id_line"] == "present" else ""
    name = f"event: {kind}\n" if manner.options["event_line"] == "present" else ""
    return f"{own_id}{name}data: {text}\n\n".encode()


def _padding(kind: str, number: int, manner: Manner) -> str:
    if manner.options["padding"] == "none" or not kind.endswith(".delta"):
        return ""
    return f',"obfuscation":"{"gHk7QxR2vLw9ZpYb"[: 3 + 7 * number % 13]}"'


def _last(items: list[Item], reply: Reply, manner: Manner, wire: str, number: int) -> bytes:
    version = 0 if manner.options["item_ids"] == "stable" else 0xFFFF
    kept = _FINAL[manner.options["final_output"]](items)
    seal = _SEALS[manner.options["encrypted"]]
    output = ",".join([_done_text(seal(item), manner, status_of(item, items, wire), version) for item in kept])
    response = manner.response(output=f"[{output}]", usage=usage_text(reply, manner), **ending(wire))
    kind = "response.completed" if wire == COMPLETED else "response.incomplete"
    return frame(kind, f',"response":{response}', number, manner)


_FINAL: Mapping[str, Callable[[list[Item]], list[Item]]] = {
    "full": lambda items: items,
    "empty": lambda items: [],
    "without_calls": lambda items: [item for item in items if item.kind != "function_call"],
}


_SEALS: Mapping[str, Callable[[Item], Item]] = {"once": lambda item: item, "anew_at_the_end": sealed_anew}


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
