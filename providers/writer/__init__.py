"""Writer's chat completions, through the ``writer-sdk``."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Provider
from providers._shared.records import OPENAI_CHAT, with_client_args


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.writer.model import WriterModel

    own = {"model_id": "palmyra-x5", **settings}
    http_client = endpoint.async_client_for("writer-sdk")
    return WriterModel(**with_client_args(own, base_url=endpoint.base_url, http_client=http_client, api_key="test-key"))


PROVIDER = Provider(
    name="writer",
    dialect="writer_chat",
    build=_build,
    capabilities=replace(
        OPENAI_CHAT, reasoning=False, media=frozenset({"image"}), tool_result_media=frozenset({"image"})
    ),
    requires=("writer-sdk",),
    extra="writer",
    stream_config={"stream": True},
    whole_config={"stream": False},
)
