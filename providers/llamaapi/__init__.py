"""Meta's Llama API, through the ``llama-api-client``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Provider
from providers._shared.records import OPENAI_CHAT, with_client_args


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.llamaapi.model import LlamaAPIModel

    base_url, http_client = f"{endpoint.base_url}/v1", endpoint.async_client_for("llama-api-client")
    own = {"model_id": "Llama-4-Maverick-17B-128E-Instruct-FP8", **settings}
    return LlamaAPIModel(**with_client_args(own, base_url=base_url, http_client=http_client, api_key="test-key"))


PROVIDER = Provider(
    name="llamaapi",
    dialect="llama_api",
    build=_build,
    capabilities=replace(
        OPENAI_CHAT, reasoning=False, media=frozenset({"image"}), tool_result_media=frozenset({"image"})
    ),
    requires=("llama-api-client",),
    extra="llamaapi",
    stream_config={"stream": True},
    whole_config={"stream": False},
)
