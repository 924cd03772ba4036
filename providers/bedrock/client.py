"""The SDK's client, with a signature or an API key."""

from collections.abc import Callable
from typing import Any

from botocore import UNSIGNED
from botocore.config import Config

from providers._shared import boto


def make_client(
    session: Any,
    config: Config | None,
    region: str | None,
    endpoint_url: str | None,
    api_key: str | None,
    idle: Callable[[], float | None],
) -> Any:
    """A ``bedrock-runtime`` client; ``idle`` as :func:`boto.make_client` has it."""
    unsigned = {"signature_version": UNSIGNED} if api_key else {}
    client = boto.make_client("bedrock-runtime", session, config, region, endpoint_url, idle, **unsigned)
    if api_key:
        _authorize(client, api_key)
    return client


def _authorize(client: Any, api_key: str) -> None:
    """Send an API key of the service instead of a signature."""

    def add_header(params: dict[str, Any], **_: Any) -> None:
        params["headers"]["Authorization"] = f"Bearer {api_key}"

    client.meta.events.register("before-call.bedrock-runtime", add_header)
