"""Anthropic's Messages API, through the ``anthropic`` SDK (httpx2 since 2.x, httpx before)."""

from collections.abc import Mapping
from typing import Any

from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Provider


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.anthropic.model import AnthropicModel

    own = {"model_id": "claude-conformance", "max_tokens": 1024, **settings}
    client_args = {
        "base_url": endpoint.base_url,
        "api_key": "test-key",
        "http_client": endpoint.async_client_for("anthropic"),
        **own.pop("client_args", {}),
    }
    return AnthropicModel(client_args=client_args, **own)


PROVIDER = Provider(
    name="anthropic",
    dialect="anthropic_messages",
    build=_build,
    capabilities=Capabilities(
        streaming_key="stream",
        tools=True,
        tool_choice=frozenset({"auto", "any", "tool"}),
        structured="forced_tool",
        reasoning=True,
        reasoning_replay=True,
        signatures=True,
        redacted=True,
        citations=True,
        media=frozenset({"image", "document"}),
        tool_result_media=frozenset({"image", "document"}),
        caching=True,
        native_count_tokens=True,
    ),
    requires=("anthropic",),
    extra="anthropic",
    whole_config={"stream": False},
)
