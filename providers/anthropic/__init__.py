"""Anthropic's Messages API, through the ``anthropic`` SDK (httpx2 since 2.x, httpx before)."""

from collections.abc import Mapping
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import CLAUDE, PARAMS_WITHOUT_SEED, over_http


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.anthropic.model import AnthropicModel

    return over_http(AnthropicModel, endpoint, "anthropic", settings, model_id="claude-conformance", max_tokens=1024)


PROVIDER = Provider(
    name="anthropic",
    dialect="anthropic_messages",
    build=_build,
    capabilities=CLAUDE,
    requires=("anthropic",),
    extra="anthropic",
    whole_config={"stream": False},
    config_for={
        "strict": {"strict_tools": True},
        "thinking": {"max_tokens": 4096, "params": {"thinking": {"type": "enabled", "budget_tokens": 1024}}},
    },
    settings=(
        *PARAMS_WITHOUT_SEED,
        ({"cache_tools": "default"}, {"tools.0.cache_control": {"type": "ephemeral"}}),
    ),
    live=Live(
        "https://api.anthropic.com",
        "claude-haiku-4-5",
        ("ANTHROPIC_BASE_URL",),
        keys=(("ANTHROPIC_API_KEY",),),
        header="x-api-key",
        scheme="",
        limit=("max_tokens",),
    ),
)
