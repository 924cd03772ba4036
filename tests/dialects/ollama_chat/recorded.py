"""The recordings of the protocol."""

from functools import cache

from harness.dialects.base import WireRequest
from tests.recordings.corpus import CorpusExchange, exchanges


@cache
def recorded() -> tuple[CorpusExchange, ...]:
    """Every exchange, read once a process."""
    return tuple(exchanges(["ollama-chat"]))


def answered() -> list[CorpusExchange]:
    """Those that were answered 2xx."""
    return [found for found in recorded() if found.exchange.response.status < 300]


def is_stream(found: CorpusExchange) -> bool:
    """Whether the answer is a stream of objects."""
    return found.entry.kind == "ndjson"


def request_of(found: CorpusExchange) -> WireRequest:
    """The request as the server saw it."""
    kept = found.exchange.request
    assert kept.body
    return WireRequest("POST", "/api/chat", kept.headers, kept.body)
