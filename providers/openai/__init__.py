"""OpenAI's Chat Completions, and every service that speaks it, through the ``openai`` SDK."""

from collections.abc import Mapping
from typing import Any

from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Provider


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.openai.model import OpenAIModel

    config = {"model_id": "gpt-4o", **settings}
    client_args = {
        "api_key": "test-key",
        "base_url": f"{endpoint.base_url}/v1",
        "http_client": endpoint.async_client_for("openai"),
        **config.pop("client_args", {}),
    }
    return OpenAIModel(client_args=client_args, **config)


PROVIDER = Provider(
    name="openai",
    dialect="openai_chat",
    build=_build,
    capabilities=Capabilities(
        streaming_key="stream",
        tools=True,
        tool_choice=frozenset({"auto", "any", "tool"}),
        structured="native",
        reasoning=True,
        media=frozenset({"image", "document"}),
        tool_result_media=frozenset({"image", "document"}),
    ),
    requires=("openai",),
    extra="openai",
    stream_config={"stream": True},
    whole_config={"stream": False},
)
