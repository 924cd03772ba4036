"""Google's Gemini, in the Developer API and in Vertex AI, through the ``google-genai`` SDK."""

from collections.abc import Mapping
from typing import Any

from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import TOOL_CHOICES, with_client_args


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.gemini.client import http_options
    from providers.gemini.model import GeminiModel

    own = {"model_id": "gemini-conformance", **settings}
    options = http_options(endpoint.base_url, endpoint.async_client_for("google-genai"))
    return GeminiModel(**with_client_args(own, api_key="test-key", http_options=options))


PROVIDER = Provider(
    name="gemini",
    dialect="gemini_generate",
    build=_build,
    capabilities=Capabilities(
        streaming_key="stream",
        idle_key="idle_timeout",
        stop_words=True,
        tools=True,
        tool_choice=TOOL_CHOICES,
        structured="native",
        reasoning=True,
        reasoning_replay=True,
        signatures=True,
        media=frozenset({"image", "document", "video"}),
        tool_result_media=frozenset({"image", "document"}),
        native_count_tokens=True,
    ),
    requires=("google-genai",),
    extra="gemini",
    whole_config={"stream": False},
    settings=(
        (
            {"params": {"temperature": 0.0, "seed": 5}},
            {"generationConfig.temperature": 0.0, "generationConfig.seed": 5},
        ),
        ({"params": None}, {}),
    ),
    live=Live(
        "https://generativelanguage.googleapis.com",
        "gemini-2.5-flash",
        ("GOOGLE_GEMINI_BASE_URL",),
        keys=(("GOOGLE_API_KEY",), ("GEMINI_API_KEY",)),
        header="x-goog-api-key",
        scheme="",
        limit=("params", "max_output_tokens"),
    ),
)
