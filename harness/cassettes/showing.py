"""A cassette for people: a time line of each exchange, in which binary event streams can be read."""

import json
from collections.abc import Iterator
from typing import Any, Final

from harness.cassettes.events import events_of
from harness.cassettes.model import Cassette, Interaction, Provenance

_WIDTH: Final = 160


def show(cassette: Cassette) -> Iterator[str]:
    """The lines."""
    yield _origin(cassette.provenance)
    for number, one in enumerate(cassette.interactions, 1):
        yield ""
        yield from exchange_lines(number, one)


def _origin(told: Provenance) -> str:
    sdk = ", ".join(f"{name} {version}" for name, version in told.sdk.items())
    facts = (told.model, sdk, f"recorded {told.recorded}" if told.recorded else "", told.source)
    return f"{told.provider}: {told.scenario} ({told.origin}); " + "; ".join(fact for fact in facts if fact)


def exchange_lines(number: int, one: Interaction) -> Iterator[str]:
    """The time line of one exchange, event by event."""
    yield f"#{number} {one.method} {one.uri}"
    yield f"  asked     {_short(one.request_body)}"
    yield f"  answered  {one.status}, {len(one.body)} bytes in {len(one.chunks)} chunks, {one.end}"
    yield from (f"            {name}: {value}" for name, value in one.headers)
    for event in events_of(one):
        told = event.value if isinstance(event.value, str) else json.dumps(event.value, ensure_ascii=False)
        yield f"  {_time(one, event.chunk):>8}  {event.kind}  {_short(told)}"


def _time(one: Interaction, chunk: int) -> str:
    """When a chunk came; its number where that is not known."""
    return f"{one.times[chunk]:.3f} s" if chunk < len(one.times) else f"[{chunk}]"


def _short(value: Any) -> str:
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}… ({len(text)} characters)"
