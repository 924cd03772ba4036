"""The SDK's client and its HTTP options."""

from collections.abc import Mapping
from typing import Any, Final

from google import genai
from google.genai import types

#: how long the service may be silent, in milliseconds: what the SDKs of other vendors have. This one's is without end.
_TIMEOUT: Final = 600_000

#: for httpx and for aiohttp, which would send the API key on to another host; the SDK drops what its own does not know
_NO_REDIRECTS: Final = {"follow_redirects": False, "allow_redirects": False}


def http_options(base_url: str, async_client: Any) -> types.HttpOptions:
    """Options that send every request through an ``httpx`` or ``httpx2`` client, whichever else is installed.

    Versions before 1.43 take the client's transport instead of the client.
    """
    if "httpx_async_client" in types.HttpOptions.model_fields:
        return types.HttpOptions.model_validate({"base_url": base_url, "httpx_async_client": async_client})
    return types.HttpOptions(base_url=base_url, async_client_args={"transport": async_client._transport})


def make_client(client_args: Mapping[str, Any]) -> genai.Client:
    """A client that tries once, does not wait for ever, and follows no redirects.

    The ``http_options`` among its arguments may say otherwise.
    """
    given = client_args.get("http_options") or {}
    options = types.HttpOptions.model_validate(given) if isinstance(given, Mapping) else given.model_copy()
    if options.retry_options is None:
        # Without any, the SDK would wait for some seconds and connect once more where aiohttp cannot.
        options.retry_options = types.HttpRetryOptions(attempts=1)
    if options.timeout is None:
        options.timeout = _TIMEOUT
    options.async_client_args = {**_NO_REDIRECTS, **(options.async_client_args or {})}
    return genai.Client(**{**client_args, "http_options": options})
