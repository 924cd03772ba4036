"""Adapters that were not written here: those of the Strands framework, unmodified, as the suite meets them.

They want an environment of their own, with the harness in it::

    pip install -e . 'strands-agents[anthropic,openai]' boto3

Then, from the root of this repository::

    pytest --provider=tests.foreign.strands_records:BEDROCK
    pytest --provider=tests.foreign.strands_records:ANTHROPIC
    pytest --provider=tests.foreign.strands_records:OPENAI

The records use public arguments only, switch off the SDKs' own retries, and declare what Strands says it can do.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Provider

#: Strands has no name for refused tools
_EXCEPTIONS: Final = {
    name: f"strands.types.exceptions:{name}" for name in ("ModelThrottledException", "ContextWindowOverflowException")
}


@cache
def _session() -> Any:
    import boto3

    return boto3.Session(aws_access_key_id="none", aws_secret_access_key="none", region_name="us-east-1")


def _bedrock(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from botocore.config import Config
    from strands.models.bedrock import BedrockModel

    config = {"model_id": "us.anthropic.claude-sonnet-4-20250514-v1:0", **settings}
    once = Config(retries={"total_max_attempts": 1}, read_timeout=120)
    model = BedrockModel(boto_session=_session(), boto_client_config=once, endpoint_url=endpoint.base_url, **config)
    endpoint.attach_botocore(model.client)
    return model


def _anthropic(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from strands.models.anthropic import AnthropicModel

    client_args = {
        "api_key": "none",
        "base_url": endpoint.base_url,
        "max_retries": 0,
        "http_client": endpoint.async_client_for("anthropic"),
    }
    return AnthropicModel(client_args=client_args, **{"model_id": "claude-sonnet-4-0", "max_tokens": 1024, **settings})


def _openai(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from strands.models.openai import OpenAIModel

    client_args = {"api_key": "none", "base_url": f"{endpoint.base_url}/v1", "max_retries": 0}
    return OpenAIModel(client_args=client_args, **{"model_id": "gpt-4o", **settings})


BEDROCK = Provider(
    name="strands-bedrock",
    dialect="bedrock_converse",
    build=_bedrock,
    capabilities=Capabilities(
        streaming_key="streaming",
        tools=True,
        tool_choice=frozenset({"auto", "any", "tool"}),
        structured="forced_tool",
        reasoning=True,
        reasoning_replay=True,
        signatures=True,
        redacted=True,
        citations=True,
        media=frozenset({"image", "document", "video", "location"}),
        tool_result_media=frozenset({"image", "document", "video", "location"}),
        caching=True,
        guardrails=True,
    ),
    requires=("strands-agents", "boto3"),
    whole_config={"streaming": False},
    exceptions=_EXCEPTIONS,
)

ANTHROPIC = Provider(
    name="strands-anthropic",
    dialect="anthropic_messages",
    build=_anthropic,
    capabilities=Capabilities(
        tools=True,
        tool_choice=frozenset({"auto", "any", "tool"}),
        structured="forced_tool",
        reasoning=True,
        reasoning_replay=True,
        signatures=True,
        citations=True,
        media=frozenset({"image", "document"}),
        tool_result_media=frozenset({"image", "document"}),
        caching=True,
    ),
    requires=("strands-agents", "anthropic"),
    exceptions=_EXCEPTIONS,
)

#: over a real connection: Strands makes and closes a client of its own for each call
OPENAI = Provider(
    name="strands-openai",
    dialect="openai_chat",
    build=_openai,
    capabilities=Capabilities(
        streaming_key="stream",
        tools=True,
        tool_choice=frozenset({"auto", "any", "tool"}),
        structured="native",
        reasoning=True,
        media=frozenset({"image", "document"}),
        tool_result_media=frozenset({"image"}),
    ),
    requires=("strands-agents", "openai"),
    whole_config={"stream": False},
    exceptions=_EXCEPTIONS,
    loopback=True,
)
