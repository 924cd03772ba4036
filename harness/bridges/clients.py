"""Clients of SDKs that several frameworks take, pointed at the endpoint, without retries."""

from typing import Any

from harness.endpoint.base import Endpoint


def bedrock_client(endpoint: Endpoint) -> Any:
    """A client of Bedrock's runtime."""
    import boto3
    from botocore.config import Config

    keys = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "none")
    config = Config(retries={"total_max_attempts": 1}, read_timeout=120)
    session = boto3.Session(**keys, region_name="us-east-1")
    client = session.client("bedrock-runtime", endpoint_url=endpoint.base_url, config=config)
    endpoint.attach_botocore(client)
    return client


def genai_client(endpoint: Endpoint) -> Any:
    """A client of google-genai; without options, the SDK tries again after seconds, and waits for ever."""
    from google import genai
    from google.genai import types

    client = endpoint.async_client_for("google-genai")
    own = "httpx_async_client" in types.HttpOptions.model_fields
    reached = {"httpx_async_client": client} if own else {"async_client_args": {"transport": client._transport}}
    options: dict[str, Any] = {"base_url": endpoint.base_url, **reached}
    options |= {"retry_options": types.HttpRetryOptions(attempts=1), "timeout": 120_000}  # milliseconds
    return genai.Client(api_key="none", http_options=types.HttpOptions(**options))
