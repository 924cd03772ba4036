"""JSON paths of payloads, for comparing what is sent with what was recorded.

Lists lose their indices; content blocks and deltas are named by their type, since each type has members of its own.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from harness.wire.sse import SseDecoder

#: members whose insides are the model's or the client's own
OPAQUE = frozenset({"input"})


def paths(value: Any, prefix: str) -> Iterator[str]:
    """Paths of all values without members."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from [f"{prefix}.{key}"] if key in OPAQUE else paths(inner, f"{prefix}.{key}")
    elif isinstance(value, list):
        yield f"{prefix}[]"
        for item in value:
            kind = item.get("type", "") if isinstance(item, Mapping) else ""
            yield from paths(item, f"{prefix}[{kind}]")
    else:
        yield prefix


def whole_paths(body: bytes) -> set[str]:
    """Paths of a whole body."""
    return set(paths(json.loads(body), "message"))


def stream_paths(body: bytes) -> set[str]:
    """Paths of a stream: each starts with the event's name."""
    decoder = SseDecoder()
    found: set[str] = set()
    for event in decoder.feed(body) + decoder.finish():
        found.update(_event_paths(str(event.event), json.loads(event.data)))
    return found


def _event_paths(name: str, event: Mapping[str, Any]) -> Iterator[str]:
    for key, value in event.items():
        kind = f"<{value['type']}>" if key in ("content_block", "delta") and "type" in value else ""
        yield from paths(value, f"{name}.{key}{kind}")
