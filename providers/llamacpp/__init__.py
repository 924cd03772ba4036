"""llama.cpp's own server, by plain HTTP."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import OPENAI_CHAT_IMAGES, PARAMS


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.llamacpp.model import LlamaCppModel

    own = {"base_url": endpoint.base_url, "client": endpoint.httpx_client()}
    return LlamaCppModel(**{**own, **settings})


PROVIDER = Provider(
    name="llamacpp",
    dialect="llamacpp_chat",
    build=_build,
    capabilities=replace(
        OPENAI_CHAT_IMAGES,
        tool_choice=frozenset({"auto", "any"}),
        native_count_tokens=True,
    ),
    requires=("httpx",),
    extra="llamacpp",
    stream_config={"stream": True},
    whole_config={"stream": False},
    settings=PARAMS,
    live=Live("http://127.0.0.1:8080", "default", ("LLAMACPP_BASE_URL",), "/v1"),
)
