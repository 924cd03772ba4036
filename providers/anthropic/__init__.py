"""Anthropic's Messages API, through the ``anthropic`` SDK (httpx2 since 2.x, httpx before)."""

from collections.abc import Mapping
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Provider
from providers._shared.records import CLAUDE, with_client_args


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.anthropic.model import AnthropicModel

    base_url, http_client = endpoint.base_url, endpoint.async_client_for("anthropic")
    own = {"model_id": "claude-conformance", "max_tokens": 1024, **settings}
    return AnthropicModel(**with_client_args(own, base_url=base_url, http_client=http_client, api_key="test-key"))


PROVIDER = Provider(
    name="anthropic",
    dialect="anthropic_messages",
    build=_build,
    capabilities=CLAUDE,
    requires=("anthropic",),
    extra="anthropic",
    whole_config={"stream": False},
)
