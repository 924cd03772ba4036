"""How each model class is made: by its public arguments, with its SDK pointed at the endpoint.

Where the SDK takes a transport of ours, exchanges stay in the process.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any, Final
from unittest.mock import patch
from weakref import finalize

from harness.bridges.strands.early import blocking
from harness.endpoint.base import Endpoint

#: names no vendor, so that no model's own limits are at stake
_PROFILE: Final = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abcdefghijkl"
_REGION: Final = "us-east-1"


def model_class(path: str) -> Any:
    """A class of ``strands.models`` by ``module:Name``."""
    module, _, name = path.partition(":")
    return getattr(import_module(f"strands.models.{module}"), name)


@cache
def _session() -> Any:
    import boto3

    return boto3.Session(**dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "none"), region_name=_REGION)


def _once() -> Any:
    from botocore.config import Config

    return Config(retries={"total_max_attempts": 1}, read_timeout=120)


def bedrock(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    """``BedrockModel``; versions that take no ``endpoint_url`` find the endpoint in the environment."""
    kind = model_class("bedrock:BedrockModel")
    place = {"endpoint_url": endpoint.base_url} if "endpoint_url" in signature(kind).parameters else {}
    config = {"model_id": _PROFILE, "include_tool_result_status": True, **settings}
    with patch.dict(os.environ, AWS_ENDPOINT_URL_BEDROCK_RUNTIME=endpoint.base_url):
        model = kind(boto_session=_session(), boto_client_config=_once(), **place, **config)
    endpoint.attach_botocore(model.client)
    return model


def sagemaker(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    """``SageMakerAIModel``: its settings are two mappings, of which one is sent."""
    kind = model_class("sagemaker:SageMakerAIModel")
    payload = {"max_tokens": 1024, **settings}
    place = {"endpoint_name": "conformance", "region_name": _REGION}
    with patch.dict(os.environ, AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME=endpoint.base_url):  # it has no argument for it
        model = kind(endpoint_config=place, payload_config=payload, boto_session=_session(), boto_client_config=_once())
    endpoint.attach_botocore(model.client)
    return model


class PerCall(dict[str, Any]):
    """Arguments for a client, with an HTTP client of its own each time they are unpacked.

    Some models make an SDK client for each call and close it, and the HTTP client with it.
    """

    def __init__(self, key: str, make: Callable[[], Any], **fixed: Any) -> None:
        super().__init__({**fixed, key: None})
        self._key = key
        self._make = make

    def __iter__(self) -> Iterator[str]:  # without it, ``**`` copies the values and asks for none of them
        return super().__iter__()

    def __getitem__(self, key: str) -> Any:
        return self._make() if key == self._key else super().__getitem__(key)


def over_stainless(
    path: str, distribution: str, base: str = "", **own: Any
) -> Callable[[Endpoint, Mapping[str, Any]], Any]:
    """How to make a model whose ``client_args`` are those of an SDK that Stainless generated."""

    def build(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
        client_args: dict[str, Any] = {"api_key": "none", "base_url": endpoint.base_url + base, "max_retries": 0}
        if endpoint.in_process:
            client_args = PerCall("http_client", lambda: endpoint.async_client_for(distribution), **client_args)
        return model_class(path)(client_args=client_args, **{**own, **settings})

    return build


def gemini(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    """``GeminiModel``, whose client is one of google-genai."""
    from google import genai
    from google.genai import types

    options: dict[str, Any] = {"base_url": endpoint.base_url}
    if endpoint.in_process:
        client = endpoint.async_client_for("google-genai")
        if "httpx_async_client" in types.HttpOptions.model_fields:
            options["httpx_async_client"] = client
        else:
            options["async_client_args"] = {"transport": client._transport}
    if "retry_options" in types.HttpOptions.model_fields:
        options["retry_options"] = types.HttpRetryOptions(attempts=1)  # without any, the SDK tries again after seconds
    kind = model_class("gemini:GeminiModel")
    client_args: dict[str, Any] = {"api_key": "none", "http_options": types.HttpOptions(**options)}
    if endpoint.in_process and "client" in signature(kind).parameters:  # one for all calls: making one takes 50 ms
        return kind(client=genai.Client(**client_args), **{"model_id": "gemini-conformance", **settings})
    return kind(client_args=client_args, **{"model_id": "gemini-conformance", **settings})


def litellm(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    """``LiteLLMModel``, whose ``client_args`` go into every call."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else prices are fetched when litellm is imported
    from openai import AsyncOpenAI

    base_url = f"{endpoint.base_url}/v1"
    client_args: dict[str, Any] = {"api_key": "none", "max_retries": 0, "num_retries": 0, "api_base": base_url}
    if blocking():  # the arguments of a client that is made once, by the names of OpenAI's SDK
        client_args = {"api_key": "none", "max_retries": 0, "base_url": base_url}
    if endpoint.in_process:
        http_client = endpoint.async_client_for("openai")
        own = AsyncOpenAI(base_url=base_url, http_client=http_client, api_key="none", max_retries=0)
        client_args["client"] = own
    return model_class("litellm:LiteLLMModel")(client_args=client_args, **{"model_id": "openai/gpt-4o", **settings})


def ollama(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    """``OllamaModel``, whose SDK hands its HTTP client what it does not know itself."""
    kind = model_class("ollama:OllamaModel")
    arguments = {"transport": endpoint.httpx_client()._transport} if endpoint.in_process else {}
    return kind(endpoint.base_url, ollama_client_args=arguments, **{"model_id": "conformance", **settings})


def mistral(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    """``MistralModel``, whose SDK makes a client for each call and closes it."""

    def borrowed() -> Any:
        client = endpoint.async_client_for("mistralai")
        # The SDK does not close a client that it was given, as it does its own.
        finalize(client, client._transport.abandon)
        return client

    client_args: dict[str, Any] = {"server_url": endpoint.base_url}
    if endpoint.in_process:
        client_args = PerCall("async_client", borrowed, **client_args)
    kind = model_class("mistral:MistralModel")
    return kind(api_key="none", client_args=client_args, **{"model_id": "mistral-conformance", **settings})


def llamacpp(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    """``LlamaCppModel``, which makes its HTTP client itself."""
    kind = model_class("llamacpp:LlamaCppModel")
    return kind(base_url=endpoint.base_url, **{"model_id": "conformance", **settings})


def llamaapi(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    """``LlamaAPIModel``, over a blocking client."""
    client_args = {"api_key": "none", "base_url": f"{endpoint.base_url}/v1", "max_retries": 0}
    model_id = "Llama-4-Maverick-17B-128E-Instruct-FP8"
    return model_class("llamaapi:LlamaAPIModel")(client_args=client_args, **{"model_id": model_id, **settings})
