"""Any service behind ``litellm``, which speaks Chat Completions to its callers whatever the service speaks."""

from collections.abc import Mapping
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import OPENAI_CHAT, PARAMS, with_client_args


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from openai import AsyncOpenAI

    from providers.litellm.model import LiteLLMModel

    base_url, http_client = f"{endpoint.base_url}/v1", endpoint.async_client_for("openai")
    client = AsyncOpenAI(base_url=base_url, http_client=http_client, api_key="test-key", max_retries=0)
    own = {"model_id": "openai/gpt-4o", **settings}
    return LiteLLMModel(**with_client_args(own, client=client, api_key="test-key"))


PROVIDER = Provider(
    name="litellm",
    dialect="openai_chat",
    build=_build,
    capabilities=OPENAI_CHAT,
    requires=("litellm",),
    extra="litellm",
    stream_config={"stream": True},
    whole_config={"stream": False},
    config_for={"forced_tool": {"model_id": "openai/gpt-3.5-turbo"}},
    settings=PARAMS,
    live=Live("https://api.openai.com", "openai/gpt-4.1-mini", ("OPENAI_BASE_URL",), "/v1", (("OPENAI_API_KEY",),)),
)
