"""Replies as bytes: one JSON body, or a stream of server-sent events."""

from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from typing import Final

from harness.dialects.anthropic_messages.blocks import Streamed, quote, stream_block, whole_block
from harness.dialects.anthropic_messages.server_blocks import server_blocks
from harness.dialects.anthropic_messages.stops import wire_stop
from harness.dialects.anthropic_messages.styles import Choices
from harness.dialects.anthropic_messages.vintages import VINTAGES, Vintage
from harness.dialects.base import WireReply
from harness.dialects.reply import Reply, Usage

MODEL: Final = "claude-sonnet-4-5-20250929"
STOP_SEQUENCE: Final = "END"

_HEADERS: Final = (("request-id", "req_011CSHoEeqs5C35K2UUqR7Fy"), ("anthropic-organization-id", "example"))
STREAM_HEADERS: Final = (
    ("content-type", "text/event-stream; charset=utf-8"),
    ("cache-control", "no-cache"),
    *_HEADERS,
)
WHOLE_HEADERS: Final = (("content-type", "application/json"), *_HEADERS)

#: an event's name and its data
Event = tuple[str, str]


# --- shared parts ---------------------------------------------------------------------------------------------


def _usage_of(reply: Reply) -> Usage:
    usage = reply.usage
    if usage is None or usage.total is not None or reply.latency_ms is not None or reply.guardrail is not None:
        raise ValueError("this vendor always sends usage, and neither a total, nor latency, nor guardrails")
    return usage


_ABSENT_COUNTER: Final = {"zeros": "0", "absent": "", "nulls": "null"}


def _counters(fresh: int, read: int | None, write: int | None, choices: Choices) -> str:
    """The counters of the prompt: a cache counter that is None appears as the style has it."""
    absent = _ABSENT_COUNTER[choices.cache]
    created = absent if write is None else str(write)
    cached = absent if read is None else str(read)
    return (
        f'"input_tokens":{fresh}'
        + (f',"cache_creation_input_tokens":{created}' if created else "")
        + (f',"cache_read_input_tokens":{cached}' if cached else "")
    )


def _message(content: str, stop: str | None, usage: str, vintage: Vintage) -> str:
    """A message object without its closing brace."""
    return (
        f'{{"model":"{MODEL}","id":"msg_013Zva2CMHLNnXjNJJKqJ2EF","type":"message","role":"assistant","content":[{content}],'
        f'"stop_reason":{quote(stop)},"stop_sequence":{_sequence(stop)}{vintage.details(stop)}{vintage.message},'
        f'"usage":{{{usage}{vintage.usage}}}'
    )


def _sequence(stop: str | None) -> str:
    return f'"{STOP_SEQUENCE}"' if stop == "stop_sequence" else "null"


# --- whole ----------------------------------------------------------------------------------------------------


def encode_whole(reply: Reply, choices: Choices) -> WireReply:
    """The reply as one JSON body."""
    vintage = VINTAGES[choices.fields]
    usage = _usage_of(reply)
    before, after = server_blocks(choices)
    blocks = [whole_block(block, choices) for block in reply.blocks]
    content = ",".join([*(each.whole for each in before), *blocks[:1], *(each.whole for each in after), *blocks[1:]])
    counters = _counters(usage.input, usage.cache_read, usage.cache_write, choices)
    counted = f'{counters},"output_tokens":{usage.output}{vintage.delta_usage}'
    body = _message(content, wire_stop(reply), counted, vintage) + vintage.reply + "}"
    return WireReply(200, WHOLE_HEADERS, (body.encode(),))


# --- streamed -------------------------------------------------------------------------------------------------


def encode_stream(reply: Reply, choices: Choices) -> WireReply:
    """The reply as server-sent events; the last one is ``message_stop``."""
    return WireReply(200, STREAM_HEADERS, tuple(frames(_events(reply, choices), choices)))


def _events(reply: Reply, choices: Choices) -> list[Event]:
    before, after = server_blocks(choices)
    blocks = [stream_block(block, choices) for block in reply.blocks]
    ordered = [*(each.streamed for each in before), *blocks[:1], *(each.streamed for each in after), *blocks[1:]]
    return [
        _start(reply, choices),
        *_UNKNOWN_EVENTS[choices.unknown],
        *_block_events(ordered, choices),
        *_end(reply, choices),
        ("message_stop", '{"type":"message_stop"}'),
    ]


_UNKNOWN_EVENTS: Final[dict[str, tuple[Event, ...]]] = {
    "none": (),
    "event": (("unheard_of", '{"type":"unheard_of","index":0,"message":"hello"}'),),
    "delta": (),
    "block": (),
}
_UNKNOWN_DELTA: Final = '{"type":"unheard_of_delta","unheard_of":"hello"}'


def _start(reply: Reply, choices: Choices) -> Event:
    usage = _usage_of(reply)
    started = min(usage.output, 1)
    counters = _START_COUNTERS[choices.usage](usage, choices)
    message = _message("", None, f'{counters},"output_tokens":{started}', VINTAGES[choices.fields])
    return "message_start", f'{{"type":"message_start","message":{message}}}}}'


def _block_events(blocks: list[Streamed], choices: Choices) -> list[Event]:
    more = VINTAGES[choices.fields].event
    told: list[Event] = []
    stops: list[Event] = []
    for index, block in enumerate(blocks):
        told += _growth(index, block, choices, more)
        stops.append(("content_block_stop", f'{{"type":"content_block_stop","index":{index}{more}}}'))
        if choices.block_stop == "each":
            told.append(stops.pop())
    return told + stops


def _growth(index: int, block: Streamed, choices: Choices, more: str) -> Iterator[Event]:
    """The start of a block and its deltas."""
    at = f'"index":{index}'
    name = "content_block_start"
    yield name, f'{{"type":"{name}",{at},"content_block":{block.start}{more}}}'
    name = "content_block_delta"
    for delta in [*block.deltas, _UNKNOWN_DELTA] if choices.unknown == "delta" else block.deltas:
        yield name, f'{{"type":"{name}",{at},"delta":{delta}{more}}}'


def _end(reply: Reply, choices: Choices) -> list[Event]:
    stop = wire_stop(reply)
    usage = _usage_of(reply)
    told = _delta(stop, choices)
    return [
        _message_delta(body, usage, output, choices)
        for body, output in {
            "one": ((told, usage.output),),
            "growing": ((_delta(None, choices), usage.output // 2), (told, usage.output)),
            "stop_first": ((told, usage.output // 2), ("", usage.output)),
        }[choices.message_delta]
    ]


def _delta(stop: str | None, choices: Choices) -> str:
    details = VINTAGES[choices.fields].details(stop)
    return f'"stop_reason":{quote(stop)},"stop_sequence":{_sequence(stop)}{details}'


def _message_delta(delta: str, usage: Usage, output: int, choices: Choices) -> Event:
    vintage = VINTAGES[choices.fields]
    counters = _END_COUNTERS[choices.usage](usage, choices)
    counted = f'{counters}"output_tokens":{output}{vintage.delta_usage}'
    return (
        "message_delta",
        f'{{"type":"message_delta","delta":{{{delta}}},"usage":{{{counted}}}{vintage.reply}}}',
    )


# --- usage, told twice ----------------------------------------------------------------------------------------


def _full(usage: Usage, choices: Choices) -> str:
    return _counters(usage.input, usage.cache_read, usage.cache_write, choices)


def _lower(usage: Usage, choices: Choices) -> str:
    """What the first request of a loop on the server cost; the counters of the end take in the later ones."""
    read, write = (None if count is None else count // 2 for count in (usage.cache_read, usage.cache_write))
    return _counters(usage.input // 2, read, write, choices)


_NULL_COUNTERS: Final = '"input_tokens":null,"cache_creation_input_tokens":null,"cache_read_input_tokens":null,'

_START_COUNTERS: Final[dict[str, Callable[[Usage, Choices], str]]] = {
    "cumulative": _full,
    "output_only": _full,
    "nulls": _full,
    "revised": _lower,
}
_END_COUNTERS: Final[dict[str, Callable[[Usage, Choices], str]]] = {
    "cumulative": lambda usage, choices: _full(usage, choices) + ",",
    "output_only": lambda usage, choices: "",
    "nulls": lambda usage, choices: _NULL_COUNTERS,
    "revised": lambda usage, choices: _full(usage, choices) + ",",
}


# --- framing --------------------------------------------------------------------------------------------------

_FRAME: Final = {
    "lf": "event: %s\ndata: %s\n\n",
    "crlf": "event: %s\r\ndata: %s\r\n\r\n",
    "no_space": "event:%s\ndata:%s\n\n",
}
_COMMENT: Final = {"lf": ": keep-alive\n\n", "crlf": ": keep-alive\r\n\r\n", "no_space": ":\n\n"}
_PING: Final[Event] = ("ping", '{"type": "ping"}')
#: recorded pads are 0 to 15 spaces long, and of no visible rule
_PADS: Final = tuple(" " * (7 * step % 16) for step in range(1, 17))


def frames(events: Iterable[Event], choices: Choices) -> Iterator[bytes]:
    """Each event as its bytes, with pings, padding and comments as the style has them."""
    form = _FRAME[choices.framing]
    comment = _COMMENT[choices.framing] if choices.comments == "keep_alive" else ""
    pads = cycle(_PADS if choices.padding == "spaces" else ("",))
    for name, data in _PINGS[choices.ping](list(events)):
        padded = data if name == "ping" else f"{data[:-1]}{next(pads)}}}"
        yield (comment + form % (name, padded)).encode()


def _ping_at(place: int) -> Callable[[list[Event]], list[Event]]:
    return lambda events: [*events[:place], _PING, *events[place:]]


def _ping_between(events: list[Event]) -> list[Event]:
    """A ping inside every block and another behind it."""
    pinged = []
    for event in events:
        pinged.append(event)
        if event[0] in ("content_block_start", "content_block_stop"):
            pinged.append(_PING)
    return pinged


def _ping_everywhere(events: list[Event]) -> list[Event]:
    return [each for event in events[:-1] for each in (event, _PING)] + events[-1:]


_PINGS: Final[dict[str, Callable[[list[Event]], list[Event]]]] = {
    "none": lambda events: events,
    "second": _ping_at(1),
    "third": _ping_at(2),
    "between": _ping_between,
    "everywhere": _ping_everywhere,
}
