"""OpenAI's Responses API, and every service that speaks it, through the ``openai`` SDK."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import OPENAI_CHAT, PARAMS_WITHOUT_SEED, over_http


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.openai_responses.model import OpenAIResponsesModel

    return over_http(OpenAIResponsesModel, endpoint, "openai", settings, path="/v1", model_id="gpt-5-mini")


PROVIDER = Provider(
    name="openai_responses",
    dialect="openai_responses",
    build=_build,
    capabilities=replace(OPENAI_CHAT, stop_words=False, reasoning_replay=True, signatures=True, citations=True),
    requires=("openai",),
    extra="openai",
    stream_config={"stream": True},
    whole_config={"stream": False},
    settings=PARAMS_WITHOUT_SEED,
    live=Live(
        "https://api.openai.com",
        "gpt-5-mini",
        ("OPENAI_BASE_URL",),
        "/v1",
        (("OPENAI_API_KEY",),),
        limit=("params", "max_output_tokens"),
    ),
)
