"""Adapters that were not written here: those of the Strands framework, unmodified, as the suite meets them.

They want an environment of their own, with the harness in it::

    pip install -e . 'strands-agents[anthropic,openai]' boto3

Then, from the root of this repository::

    pytest --provider=tests.foreign.strands_records:BEDROCK
    pytest --provider=tests.foreign.strands_records:ANTHROPIC
    pytest --provider=tests.foreign.strands_records:OPENAI
    pytest --provider=tests.foreign.strands_records:OPENAI_PER_CALL

The records use public arguments only, switch off the SDKs' own retries, and declare what Strands says it can do.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

from harness.contract.capabilities import Capabilities
from harness.endpoint.base import Endpoint
from harness.provider import Provider

#: names no vendor, so that no model's own limits are at stake
_PROFILE: Final = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcdefghijkl"

#: Strands has no name for refused tools
_EXCEPTIONS: Final = {
    name: f"strands.types.exceptions:{name}" for name in ("ModelThrottledException", "ContextWindowOverflowException")
}

#: what the framework sees to outside of its adapters
_EXPECTED: Final = {
    "STOP-TOOLS": "Strands' loop goes by the calls themselves: event_loop.streaming.handle_message_stop",
    "REQUEST-TOOL-NAME": "Strands refuses such tools when they are registered, and renames such calls in its loop",
}


@cache
def _session() -> Any:
    import boto3

    return boto3.Session(aws_access_key_id="none", aws_secret_access_key="none", region_name="us-east-1")


def _bedrock(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from botocore.config import Config
    from strands.models.bedrock import BedrockModel

    config = {"model_id": _PROFILE, "include_tool_result_status": True, **settings}
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


def _openai_arguments(endpoint: Endpoint) -> dict[str, Any]:
    return {"api_key": "none", "base_url": f"{endpoint.base_url}/v1", "max_retries": 0}


def _openai(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from openai import AsyncOpenAI
    from strands.models.openai import OpenAIModel

    client = AsyncOpenAI(**_openai_arguments(endpoint), http_client=endpoint.async_client_for("openai"))
    return OpenAIModel(client=client, **{"model_id": "gpt-4o", **settings})


def _openai_per_call(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    from strands.models.openai import OpenAIModel

    return OpenAIModel(client_args=_openai_arguments(endpoint), **{"model_id": "gpt-4o", **settings})


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
    expected=_EXPECTED,
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
    expected={
        "REQUEST-TOOL-NAME": _EXPECTED["REQUEST-TOOL-NAME"],
        "STREAM-BLOCK-OVERLAP": "only llama.cpp's server leaves blocks open, and Strands claims Anthropic's own",
    },
)

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
    expected=_EXPECTED,
)

#: by default Strands makes a client for each call, and closes it, so that only a real connection will do
OPENAI_PER_CALL = replace(OPENAI, name="strands-openai-per-call", build=_openai_per_call, loopback=True)
