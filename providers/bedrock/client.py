"""The SDK's client: region, credentials, retries."""

import os
from typing import Any, Final

import boto3
from botocore import UNSIGNED
from botocore.config import Config

#: where a request goes when neither the caller, nor the session, nor the environment names a region
DEFAULT_REGION: Final = "us-west-2"

#: silence between two chunks after which a reply is given up, in seconds; models may think for long
_READ_TIMEOUT: Final = 120


def make_client(
    session: Any, config: Config | None, region: str | None, endpoint_url: str | None, api_key: str | None
) -> Any:
    """A ``bedrock-runtime`` client. The agent loop retries, so the SDK does not unless ``config`` says so."""
    session = session or boto3.Session()
    settings = Config(retries={"total_max_attempts": 1}, read_timeout=_READ_TIMEOUT)
    if api_key:
        settings = settings.merge(Config(signature_version=UNSIGNED))
    client = session.client(
        "bedrock-runtime",
        config=settings.merge(config) if config else settings,
        region_name=region or session.region_name or os.environ.get("AWS_REGION") or DEFAULT_REGION,
        endpoint_url=endpoint_url,
    )
    if api_key:
        _authorize(client, api_key)
    return client


def _authorize(client: Any, api_key: str) -> None:
    """Send an API key of the service instead of a signature."""

    def add_header(params: dict[str, Any], **_: Any) -> None:
        params["headers"]["Authorization"] = f"Bearer {api_key}"

    client.meta.events.register("before-call.bedrock-runtime", add_header)
