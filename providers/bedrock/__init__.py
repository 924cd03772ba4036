"""Amazon Bedrock, by the Converse API of boto3."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from harness.contract.capabilities import MediaKind
from harness.endpoint.base import Endpoint
from harness.provider import Live, Provider
from providers._shared.records import AWS_KEYS, CLAUDE, over_boto

_MEDIA: Final[frozenset[MediaKind]] = frozenset({"image", "document", "video", "location"})


def _build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from providers.bedrock.model import BedrockModel

    return over_boto(BedrockModel, endpoint, settings)


PROVIDER = Provider(
    name="bedrock",
    dialect="bedrock_converse",
    build=_build,
    capabilities=replace(CLAUDE, streaming_key="streaming", media=_MEDIA, tool_result_media=_MEDIA, guardrails=True),
    requires=("boto3",),
    extra="bedrock",
    whole_config={"streaming": False},
    config_for={
        **{kind: {"model_id": "us.amazon.nova-pro-v1:0"} for kind in ("video", "location")},
        "strict": {"strict_tools": True},
        "signed-reasoning": {"model_id": "us.anthropic.claude-sonnet-4-5-20250929-v1:0"},
        "no-reasoning": {"model_id": "us.deepseek.r1-v1:0"},
        "thinking": {"additional_request_fields": {"thinking": {"type": "enabled", "budget_tokens": 1024}}},
    },
    settings=(
        ({"temperature": 0.0, "max_tokens": 7}, {"inferenceConfig.temperature": 0.0, "inferenceConfig.maxTokens": 7}),
        ({"additional_request_fields": {"top_k": 5}}, {"additionalModelRequestFields.top_k": 5}),
        ({"additional_request_fields": None}, {}),
        (
            {"top_p": 0.5, "stop_sequences": ["END"]},
            {"inferenceConfig.topP": 0.5, "inferenceConfig.stopSequences": ["END"]},
        ),
        (
            {"additional_response_field_paths": ["/stop_sequence"]},
            {"additionalModelResponseFieldPaths": ["/stop_sequence"]},
        ),
        ({"additional_args": {"requestMetadata": {"team": "a"}}}, {"requestMetadata.team": "a"}),
        ({"cache_tools": "default"}, {"toolConfig.tools.1.cachePoint": {"type": "default"}}),
        ({"performance_latency": "optimized"}, {"performanceConfig.latency": "optimized"}),
        ({"service_tier": "flex"}, {"serviceTier.type": "flex"}),
        (
            {"guardrail_id": "g1", "guardrail_version": "1", "guardrail_trace": "disabled"},
            {
                "guardrailConfig.guardrailIdentifier": "g1",
                "guardrailConfig.guardrailVersion": "1",
                "guardrailConfig.trace": "disabled",
            },
        ),
    ),
    live=Live(
        "https://bedrock-runtime.{region}.amazonaws.com",
        "us.anthropic.claude-haiku-4-5-20251001-v1:0",
        ("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", "AWS_ENDPOINT_URL"),
        keys=(("AWS_BEARER_TOKEN_BEDROCK",), *AWS_KEYS),
        signs="bedrock",
        limit=("max_tokens",),
    ),
)
