"""OpenAI's Responses API, and every service that speaks it, through the ``openai`` SDK."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Provider
from providers._shared.records import OPENAI_CHAT, with_client_args


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.openai_responses.model import OpenAIResponsesModel

    base_url, http_client = f"{endpoint.base_url}/v1", endpoint.async_client_for("openai")
    own = {"model_id": "gpt-5-mini", **settings}
    return OpenAIResponsesModel(**with_client_args(own, base_url=base_url, http_client=http_client, api_key="test-key"))


PROVIDER = Provider(
    name="openai_responses",
    dialect="openai_responses",
    build=_build,
    capabilities=replace(OPENAI_CHAT, reasoning_replay=True, signatures=True, citations=True),
    requires=("openai",),
    extra="openai",
    stream_config={"stream": True},
    whole_config={"stream": False},
)
