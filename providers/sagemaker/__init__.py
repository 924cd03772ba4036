"""Models behind Amazon SageMaker endpoints that speak Chat Completions, by boto3."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Provider
from providers._shared.records import OPENAI_CHAT_IMAGES, boto_session


def _build(endpoint: Endpoint, config: Mapping[str, Any]) -> Any:
    """A model that talks to ``endpoint``, with credentials that are none."""
    from providers.sagemaker.model import SageMakerModel

    own = {"endpoint_name": "conformance", **config}
    model = SageMakerModel(boto_session=boto_session(), endpoint_url=endpoint.base_url, **own)
    if endpoint.in_process:
        endpoint.attach_botocore(model.client)
    return model


PROVIDER = Provider(
    name="sagemaker",
    dialect="sagemaker_chat",
    build=_build,
    capabilities=replace(OPENAI_CHAT_IMAGES, tool_choice=frozenset()),
    requires=("boto3",),
    extra="sagemaker",
    stream_config={"stream": True},
    whole_config={"stream": False},
)
