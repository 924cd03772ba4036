"""Writer's chat completions, through the ``writer-sdk``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import OPENAI_CHAT_IMAGES, PARAMS_WITHOUT_SEED, over_http


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.writer.model import WriterModel

    return over_http(WriterModel, endpoint, "writer-sdk", settings, model_id="palmyra-x5")


PROVIDER = Provider(
    name="writer",
    dialect="writer_chat",
    build=_build,
    capabilities=replace(OPENAI_CHAT_IMAGES, reasoning=False),
    requires=("writer-sdk",),
    extra="writer",
    stream_config={"stream": True},
    whole_config={"stream": False},
    settings=PARAMS_WITHOUT_SEED,
    live=Live("https://api.writer.com", "palmyra-x5", ("WRITER_BASE_URL",), "/v1", (("WRITER_API_KEY",),)),
)
