"""OpenAI's Chat Completions, and every service that speaks it, through the ``openai`` SDK."""

from collections.abc import Mapping
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Provider
from providers._shared.records import OPENAI_CHAT, with_client_args


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.openai.model import OpenAIModel

    base_url, http_client = f"{endpoint.base_url}/v1", endpoint.async_client_for("openai")
    own = {"model_id": "gpt-4o", **settings}
    return OpenAIModel(**with_client_args(own, base_url=base_url, http_client=http_client, api_key="test-key"))


PROVIDER = Provider(
    name="openai",
    dialect="openai_chat",
    build=_build,
    capabilities=OPENAI_CHAT,
    requires=("openai",),
    extra="openai",
    stream_config={"stream": True},
    whole_config={"stream": False},
)
