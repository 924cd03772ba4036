"""The recordings of both services."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from harness.dialects.base import WireRequest
from harness.wire.sse import SseDecoder
from tests.recordings.corpus import CorpusExchange, exchanges

PROTOCOLS = ("gemini", "vertex-gemini")

#: members whose insides are the model's own
OPAQUE = frozenset({"args"})


@cache
def recorded() -> tuple[CorpusExchange, ...]:
    """Every exchange with the model, read once a process; two files hold one with an OAuth server too."""
    return tuple(found for found in exchanges(PROTOCOLS) if "oauth2" not in (found.exchange.request.url or ""))


def answered() -> list[CorpusExchange]:
    """Those that were answered 2xx."""
    return [found for found in recorded() if found.exchange.response.status < 300]


def is_stream(found: CorpusExchange) -> bool:
    return found.entry.kind != "json"


def request_of(found: CorpusExchange) -> WireRequest | None:
    """The request as the server saw it; None where it was not kept."""
    kept = found.exchange.request
    if not kept.body or not kept.url:
        return None
    path = "/" + kept.url.split("://", 1)[-1].partition("/")[2]
    return WireRequest(kept.method or "POST", path, kept.headers, kept.body)


def documents(body: bytes) -> list[Any]:
    """The JSON documents of a reply: of its events, of its array, or itself."""
    if body.lstrip()[:1] in (b"{", b"["):
        parsed = json.loads(body)
        return parsed if isinstance(parsed, list) else [parsed]
    decoder = SseDecoder()
    return [json.loads(event.data) for event in (*decoder.feed(body), *decoder.finish())]


def paths(value: Any, prefix: str = "") -> Iterator[str]:
    """Paths of all values without members, and whether an enum is a number."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from [f"{prefix}.{key}"] if key in OPAQUE else paths(inner, f"{prefix}.{key}")
        if not value:
            yield f"{prefix}{{}}"
    elif isinstance(value, list):
        for item in value:
            yield from paths(item, f"{prefix}[]")
        if not value:
            yield f"{prefix}[]"
    else:
        yield f"{prefix} as a number" if prefix.endswith(ENUMS) and isinstance(value, int) else prefix


ENUMS = (".finishReason", ".category", ".probability", ".modality", ".trafficType")
