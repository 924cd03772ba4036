"""The recordings of the protocol."""

from functools import cache

from harness.dialects.base import WireRequest
from tests.recordings.corpus import CorpusExchange, exchanges


@cache
def recorded() -> tuple[CorpusExchange, ...]:
    """Every exchange, read once a process."""
    return tuple(exchanges(["mistral-chat"]))


def answered() -> list[CorpusExchange]:
    """Those that were answered 2xx."""
    return [found for found in recorded() if found.exchange.response.status < 300]


def is_stream(found: CorpusExchange) -> bool:
    """Whether the answer is a stream of events."""
    return found.entry.kind != "json"


def request_of(found: CorpusExchange) -> WireRequest | None:
    """The request as the server saw it; None where it was not kept."""
    kept = found.exchange.request
    return WireRequest("POST", "/v1/chat/completions", kept.headers, kept.body) if kept.body else None
