"""Models behind Amazon SageMaker endpoints that speak Chat Completions, by boto3."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import AWS_KEYS, OPENAI_CHAT_IMAGES, PARAMS, over_boto


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.sagemaker.model import SageMakerModel

    return over_boto(SageMakerModel, endpoint, settings, endpoint_name="conformance")


PROVIDER = Provider(
    name="sagemaker",
    dialect="sagemaker_chat",
    build=_build,
    capabilities=replace(OPENAI_CHAT_IMAGES, tool_choice=frozenset()),
    requires=("boto3",),
    extra="sagemaker",
    stream_config={"stream": True},
    whole_config={"stream": False},
    settings=PARAMS,
    live=Live(
        "https://runtime.sagemaker.{region}.amazonaws.com",
        "conformance",
        ("AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME", "AWS_ENDPOINT_URL"),
        keys=AWS_KEYS,
        signs="sagemaker",
        model_setting="endpoint_name",
    ),
)
