"""Amazon Bedrock, by the Converse API of boto3."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from harness.contract.capabilities import MediaKind
from harness.endpoint.base import Endpoint
from harness.provider import Provider
from providers._shared.records import CLAUDE

_MEDIA: Final[frozenset[MediaKind]] = frozenset({"image", "document", "video", "location"})

#: given to the SDK so that it looks for no others
_CREDENTIALS = {"aws_access_key_id": "none", "aws_secret_access_key": "none"}


def _build(endpoint: Endpoint, config: Mapping[str, Any]) -> Any:
    """A model that talks to ``endpoint``, with credentials that are none."""
    from providers.bedrock.model import BedrockModel

    model = BedrockModel(boto_session=_session(), endpoint_url=endpoint.base_url, **config)
    if endpoint.in_process:
        endpoint.attach_botocore(model.client)
    return model


@cache
def _session() -> Any:
    """One session for all models: it reads the service's model from disk, which takes most of a client's making."""
    import boto3

    return boto3.Session(**_CREDENTIALS, region_name="us-east-1")


PROVIDER = Provider(
    name="bedrock",
    dialect="bedrock_converse",
    build=_build,
    capabilities=replace(CLAUDE, streaming_key="streaming", media=_MEDIA, tool_result_media=_MEDIA, guardrails=True),
    requires=("boto3",),
    extra="bedrock",
    whole_config={"streaming": False},
    config_for={kind: {"model_id": "us.amazon.nova-pro-v1:0"} for kind in ("video", "location")},
)
