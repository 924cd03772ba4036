"""Models behind Amazon SageMaker endpoints that speak Chat Completions, by boto3."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Provider
from providers._shared.records import OPENAI_CHAT

#: given to the SDK so that it looks for no others
_CREDENTIALS = {"aws_access_key_id": "none", "aws_secret_access_key": "none"}


def _build(endpoint: Endpoint, config: Mapping[str, Any]) -> Any:
    """A model that talks to ``endpoint``, with credentials that are none."""
    from providers.sagemaker.model import SageMakerModel

    own = {"endpoint_name": "conformance", **config}
    model = SageMakerModel(boto_session=_session(), endpoint_url=endpoint.base_url, **own)
    if endpoint.in_process:
        endpoint.attach_botocore(model.client)
    return model


@cache
def _session() -> Any:
    """One session for all models: it reads the service's model from disk, which takes most of a client's making."""
    import boto3

    return boto3.Session(**_CREDENTIALS, region_name="us-east-1")


PROVIDER = Provider(
    name="sagemaker",
    dialect="sagemaker_chat",
    build=_build,
    capabilities=replace(
        OPENAI_CHAT, tool_choice=frozenset(), media=frozenset({"image"}), tool_result_media=frozenset({"image"})
    ),
    requires=("boto3",),
    extra="sagemaker",
    stream_config={"stream": True},
    whole_config={"stream": False},
)
