"""How LiteLLM is called: with its public arguments, pointed at the endpoint, without retries."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from harness.bridges.litellm.model import Completion
from harness.endpoint.base import Endpoint


def _library() -> Any:
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else prices are fetched when it is imported
    import litellm

    return litellm


def bridged(
    make: Callable[[Endpoint], Mapping[str, Any]],
) -> Callable[[Endpoint, Mapping[str, Any]], Completion]:
    """A model behind the bridge: what it holds of LiteLLM are the arguments of its calls."""

    def build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Completion:
        library = _library()
        common = {"api_key": "none", "num_retries": 0, "max_retries": 0}
        return Completion(library, {**common, **make(endpoint), **settings})

    return build


def openai(endpoint: Endpoint) -> Mapping[str, Any]:
    """Chat Completions, through OpenAI's SDK."""
    from openai import AsyncOpenAI

    base_url = f"{endpoint.base_url}/v1"
    http_client = endpoint.async_client_for("openai")
    client = AsyncOpenAI(base_url=base_url, http_client=http_client, api_key="none", max_retries=0)
    return {"model": "openai/gpt-4o", "api_base": base_url, "client": client}
