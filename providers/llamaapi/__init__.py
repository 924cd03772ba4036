"""Meta's Llama API, through the ``llama-api-client``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import OPENAI_CHAT_IMAGES, PARAMS_WITHOUT_SEED, over_http

_MODEL: Final = "Llama-4-Maverick-17B-128E-Instruct-FP8"


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.llamaapi.model import LlamaAPIModel

    return over_http(LlamaAPIModel, endpoint, "llama-api-client", settings, path="/v1", model_id=_MODEL)


PROVIDER = Provider(
    name="llamaapi",
    dialect="llama_api",
    build=_build,
    capabilities=replace(OPENAI_CHAT_IMAGES, reasoning=False, stop_words=False),
    requires=("llama-api-client",),
    extra="llamaapi",
    stream_config={"stream": True},
    whole_config={"stream": False},
    settings=PARAMS_WITHOUT_SEED,
    live=Live(
        "https://api.llama.com",
        _MODEL,
        ("LLAMA_API_CLIENT_BASE_URL",),
        "/v1",
        (("LLAMA_API_KEY",),),
        limit=("params", "max_completion_tokens"),
    ),
)
