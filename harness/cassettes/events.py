"""Recorded bodies as the events that they consist of, whatever they are framed in."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from harness.cassettes.model import Interaction
from harness.recordings.payload import looks_like_eventstream, looks_like_json, looks_like_ndjson, looks_like_sse
from harness.wire.errors import WireError
from harness.wire.eventstream import EventStreamDecoder, EventStreamMessage
from harness.wire.ndjson import NdjsonDecoder
from harness.wire.sse import SseDecoder, SseEvent


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One event: the name that its framing gives it, its value (the text where that is no JSON), and its last chunk."""

    name: str | None
    value: Any
    chunk: int

    @property
    def kind(self) -> str:
        """What the event is called, in its framing or by its own ``type``."""
        told = self.value.get("type") if isinstance(self.value, dict) else None
        return self.name or (told if isinstance(told, str) else "") or "data"


def events_of(one: Interaction) -> list[RecordedEvent]:
    """The events of a response, up to where it is broken; a whole reply is one event."""
    framing = next((make for fits, make in _FRAMINGS if fits(one.body)), None)
    if framing is None:
        return [RecordedEvent(None, _value(one.body), len(one.chunks) - 1)] if one.body else []
    return list(_streamed(one, *framing()))


_Read = Callable[[Any], tuple[str | None, bytes]]
_Reader = tuple[Any, _Read]


def _streamed(
    one: Interaction, decoder: Any, read: Callable[[Any], tuple[str | None, bytes]]
) -> Iterator[RecordedEvent]:
    last = len(one.chunks) - 1
    fed = ((index, lambda chunk=chunk: decoder.feed(chunk)) for index, chunk in enumerate(one.chunks))
    try:
        for index, take in chain(fed, [(last, decoder.finish)]):
            for found in take():
                name, data = read(found)
                yield RecordedEvent(name, _value(data), index)
    except WireError:
        return


def _value(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return data.decode("utf-8", "replace")


def _message(message: EventStreamMessage) -> tuple[str | None, bytes]:
    """Its type; what an unmodelled error says is in its headers."""
    headers = message.headers
    name = headers.get(":event-type") or headers.get(":exception-type") or headers.get(":error-code")
    return str(name) if name else None, message.payload or str(headers.get(":error-message", "")).encode()


def _event(event: SseEvent) -> tuple[str | None, bytes]:
    return event.event, event.data.encode()


def _line(line: bytes) -> tuple[str | None, bytes]:
    return None, line


def _several_lines(body: bytes) -> bool:
    return looks_like_ndjson(body) and not looks_like_json(body)


#: by what a body is known, and what reads it
_FRAMINGS: Final[tuple[tuple[Callable[[bytes], bool], Callable[[], _Reader]], ...]] = (
    (looks_like_eventstream, lambda: (EventStreamDecoder(), _message)),
    (looks_like_sse, lambda: (SseDecoder(), _event)),
    (_several_lines, lambda: (NdjsonDecoder(), _line)),
)
