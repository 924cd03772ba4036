"""Ollama's own chat API, through the ``ollama`` SDK."""

from collections.abc import Mapping
from typing import Any

from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.ollama.model import OllamaModel

    # The SDK makes its HTTP client itself, and hands it what it is given beyond its own arguments.
    client_args = {"transport": endpoint.httpx_client()._transport, **settings.get("ollama_client_args", {})}
    own = {"host": endpoint.base_url, "model_id": "conformance"}
    return OllamaModel(**{**own, **settings, "ollama_client_args": client_args})


PROVIDER = Provider(
    name="ollama",
    dialect="ollama_chat",
    build=_build,
    capabilities=Capabilities(
        streaming_key="stream",
        idle_key="idle_timeout",
        stop_words=True,
        tools=True,
        structured="native",
        reasoning=True,
        reasoning_replay=True,
        media=frozenset({"image"}),
        tool_result_media=frozenset({"image"}),
    ),
    requires=("ollama",),
    extra="ollama",
    stream_config={"stream": True},
    whole_config={"stream": False},
    settings=(
        ({"options": {"temperature": 0.0, "seed": 5}}, {"options.temperature": 0.0, "options.seed": 5}),
        ({"keep_alive": 0}, {"keep_alive": 0}),
        ({"params": None, "options": None}, {}),
    ),
    live=Live("http://127.0.0.1:11434", "qwen3:0.6b", ("OLLAMA_HOST",), limit=("options", "num_predict")),
)
