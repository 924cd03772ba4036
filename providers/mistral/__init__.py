"""Mistral's chat completions, through the ``mistralai`` SDK (httpx2 since 3.x, httpx before)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import OPENAI_CHAT, PARAMS_WITHOUT_SEED, with_client_args


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.mistral.model import MistralModel

    own = {"model_id": "mistral-conformance", **settings}
    async_client = endpoint.async_client_for("mistralai")
    return MistralModel(
        **with_client_args(own, server_url=endpoint.base_url, async_client=async_client, api_key="test-key")
    )


PROVIDER = Provider(
    name="mistral",
    dialect="mistral_chat",
    build=_build,
    capabilities=replace(OPENAI_CHAT, reasoning_replay=True),
    requires=("mistralai",),
    extra="mistral",
    stream_config={"stream": True},
    whole_config={"stream": False},
    settings=PARAMS_WITHOUT_SEED,
    live=Live("https://api.mistral.ai", "mistral-small-latest", ("MISTRAL_BASE_URL",), "/v1", (("MISTRAL_API_KEY",),)),
)
