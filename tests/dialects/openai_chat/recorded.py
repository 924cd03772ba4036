"""The recordings of the family."""

from functools import cache

from harness.dialects.base import WireRequest
from tests.recordings.corpus import CorpusExchange, exchanges

PROTOCOLS = (
    "openai-chat",
    "azure-openai-chat",
    "groq-chat",
    "openrouter-chat",
    "deepseek-chat",
    "xai-chat",
    "together-chat",
    "vllm-chat",
    "llama-cpp-chat",
    "alibaba-chat",
    "avian-chat",
    "bedrock-mantle-chat",
    "cerebras-chat",
    "crusoe-chat",
    "gemini-openai-compat",
    "gpustack-chat",
    "huggingface-chat",
    "litellm-proxy-chat",
    "ollama-openai-compat",
    "perplexity-chat",
    "pydantic-gateway-chat",
    "snowflake-chat",
    "vercel-ai-gateway-chat",
    "zai-chat",
)


@cache
def recorded() -> tuple[CorpusExchange, ...]:
    """Every exchange, read once a process."""
    return tuple(exchanges(PROTOCOLS))


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
    url = kept.url or "/v1/chat/completions"
    path = "/" + url.split("://", 1)[-1].partition("/")[2] if "://" in url else url
    return WireRequest(kept.method or "POST", path, kept.headers, kept.body)
