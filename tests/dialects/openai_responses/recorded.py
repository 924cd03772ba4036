"""The recordings of the protocol."""

from functools import cache

from harness.dialects.base import WireRequest
from tests.recordings.corpus import CorpusExchange, exchanges

PROTOCOLS = (
    "openai-responses",
    "azure-openai-responses",
    "xai-responses",
    "deepseek-responses",
    "lmstudio-responses",
    "openrouter-responses",
    "bedrock-mantle-responses",
)

#: A body of Chat Completions that its source keeps among those of the Responses API.
_CHAT = "azure-openai-responses/vercel+ai__azure_azure-deepseek-reasoning.1.json"


@cache
def recorded() -> tuple[CorpusExchange, ...]:
    """Every exchange, read once a process."""
    return tuple(found for found in exchanges(PROTOCOLS) if found.row.path != _CHAT)


def answered() -> list[CorpusExchange]:
    """Those that were answered 2xx."""
    return [found for found in recorded() if found.exchange.response.status < 300]


def is_stream(found: CorpusExchange) -> bool:
    """Whether the answer is a stream of events."""
    return found.entry.kind != "json"


def request_of(found: CorpusExchange) -> WireRequest | None:
    """The request as the server saw it; None where it was not kept."""
    kept = found.exchange.request
    if not kept.body:
        return None
    return WireRequest(kept.method or "POST", "/v1/responses", kept.headers, kept.body)
