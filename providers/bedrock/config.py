"""The settings of the Bedrock adapter, and its default model."""

import re
import warnings
from typing import Any, Final, Literal

from harness.contract.config import CacheConfig, CacheToolsConfig
from harness.contract.model import BaseModelConfig


class UnknownRegionWarning(UserWarning):
    """A region for which no default model is known."""


class BedrockConfig(BaseModelConfig, total=False):
    """Settings. What is absent or None is not sent, and the service's own default holds."""

    #: id or ARN of a model or of an inference profile
    model_id: str
    #: ConverseStream or Converse; True by default
    streaming: bool
    max_tokens: int | None
    temperature: float | None
    top_p: float | None
    stop_sequences: list[str] | None
    #: parameters of the model's own, such as Claude's ``thinking``
    additional_request_fields: dict[str, Any] | None
    #: JSON pointers to fields of the model's own reply
    additional_response_field_paths: list[str] | None
    #: members of the request as it is sent; they win over everything else
    additional_args: dict[str, Any] | None
    #: a cache point on the last user message
    cache_config: CacheConfig | None
    #: a cache point after the tools, or its type
    cache_tools: CacheToolsConfig | str | None
    #: type of a cache point after the system prompt
    cache_prompt: str | None
    guardrail_id: str | None
    guardrail_version: str | None
    guardrail_trace: Literal["enabled", "disabled", "enabled_full"]
    guardrail_stream_processing_mode: Literal["sync", "async"] | None
    #: whether an intervention replaces the user's input; True by default
    guardrail_redact_input: bool
    guardrail_redact_input_message: str
    #: whether an intervention replaces the reply; False by default
    guardrail_redact_output: bool
    guardrail_redact_output_message: str
    #: have the last text of the user assessed, and nothing else
    guardrail_latest_message: bool
    #: ``auto`` sends the status of tool results to the models that are known to take it
    include_tool_result_status: Literal["auto"] | bool
    #: have the service hold the model to the tools' schemas
    strict_tools: bool
    #: count tokens by the service, where it counts for the model
    use_native_token_count: bool
    performance_latency: Literal["standard", "optimized"] | None
    service_tier: Literal["priority", "default", "flex", "reserved"] | None


DEFAULT_MODEL: Final = "anthropic.claude-sonnet-4-20250514-v1:0"

#: geographies of cross-region inference, by the beginning of a region's name
_GEOGRAPHIES: Final = {"us-gov-": "us-gov", "us-": "us", "eu-": "eu", "ap-": "apac"}

#: geographies that ids of inference profiles begin with
_PROFILE_PREFIX: Final = re.compile(r"^(?:global|us-gov|us|eu|apac|jp|au|ca)\.(?=[a-z0-9]+\.)")


def default_model_id(region: str) -> str:
    """The inference profile of the default model for a region; the global one, with a warning, where none is known."""
    geography = next((name for prefix, name in _GEOGRAPHIES.items() if region.startswith(prefix)), None)
    if geography is None:
        warnings.warn(
            f"no default model is known for the region {region!r}; global.{DEFAULT_MODEL} is used. "
            "Set model_id to a model or inference profile of this region.",
            UnknownRegionWarning,
            stacklevel=4,
        )
    return f"{geography or 'global'}.{DEFAULT_MODEL}"


def foundation_model_id(model_id: str) -> str:
    """The model behind an inference profile's id: CountTokens takes no profiles."""
    return _PROFILE_PREFIX.sub("", model_id)


def is_claude(model_id: str) -> bool:
    """Whether the model is one of Anthropic's, as far as its id tells."""
    return "anthropic" in model_id or "claude" in model_id


def is_deepseek(model_id: str) -> bool:
    """Whether the model is one of DeepSeek's, as far as its id tells."""
    return "deepseek" in model_id
