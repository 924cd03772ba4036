"""OpenAI's Chat Completions, and every service that speaks it, through the ``openai`` SDK."""

from collections.abc import Mapping
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import OPENAI_CHAT, PARAMS, over_http


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.openai.model import OpenAIModel

    return over_http(OpenAIModel, endpoint, "openai", settings, path="/v1", model_id="gpt-4o")


PROVIDER = Provider(
    name="openai",
    dialect="openai_chat",
    build=_build,
    capabilities=OPENAI_CHAT,
    requires=("openai",),
    extra="openai",
    stream_config={"stream": True},
    whole_config={"stream": False},
    settings=PARAMS,
    live=Live("https://api.openai.com", "gpt-4.1-mini", ("OPENAI_BASE_URL",), "/v1", (("OPENAI_API_KEY",),)),
)
