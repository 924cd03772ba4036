"""Which adapter speaks which of the corpus's protocols."""

from typing import Final

from providers.anthropic import PROVIDER as ANTHROPIC
from providers.bedrock import PROVIDER as BEDROCK
from providers.gemini import PROVIDER as GEMINI
from providers.llamacpp import PROVIDER as LLAMACPP
from providers.mistral import PROVIDER as MISTRAL
from providers.ollama import PROVIDER as OLLAMA
from providers.openai import PROVIDER as OPENAI
from providers.openai_responses import PROVIDER as OPENAI_RESPONSES
from providers.writer import PROVIDER as WRITER

_RECORDS: Final = (ANTHROPIC, BEDROCK, GEMINI, LLAMACPP, MISTRAL, OLLAMA, OPENAI, OPENAI_RESPONSES, WRITER)
ADAPTERS: Final = {adapter.name: adapter for adapter in _RECORDS}

#: the corpus's protocols, by the adapter that their recordings are replayed through
PROTOCOLS: Final = {
    "bedrock": ("bedrock-converse", "bedrock-converse-stream"),
    "anthropic": ("anthropic-messages", "pydantic-gateway-messages", "vertex-anthropic"),
    "gemini": ("gemini", "vertex-gemini"),
    "llamacpp": ("llama-cpp-chat",),
    "mistral": ("mistral-chat",),
    "ollama": ("ollama-chat",),
    "writer": ("writer-chat",),
    "openai": (
        "alibaba-chat",
        "avian-chat",
        "azure-openai-chat",
        "bedrock-mantle-chat",
        "cerebras-chat",
        "crusoe-chat",
        "deepseek-chat",
        "gemini-openai-compat",
        "gpustack-chat",
        "groq-chat",
        "huggingface-chat",
        "litellm-proxy-chat",
        "llama-cpp-chat",
        "ollama-openai-compat",
        "openai-chat",
        "openrouter-chat",
        "perplexity-chat",
        "pydantic-gateway-chat",
        "snowflake-chat",
        "together-chat",
        "vercel-ai-gateway-chat",
        "vllm-chat",
        "xai-chat",
        "zai-chat",
    ),
    "openai_responses": (
        "azure-openai-responses",
        "bedrock-mantle-responses",
        "deepseek-responses",
        "lmstudio-responses",
        "openai-responses",
        "openrouter-responses",
        "xai-responses",
    ),
}

#: a protocol of several adapters is the last one's
PROVIDER_OF: Final = {protocol: provider for provider, protocols in PROTOCOLS.items() for protocol in protocols}
