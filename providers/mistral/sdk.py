"""What is used of the SDK, which moved into a package of its own after 1.x."""

from importlib import import_module
from importlib.metadata import version
from typing import Any, Final

_ROOT: Final = "mistralai" if version("mistralai").startswith("1.") else "mistralai.client"

Mistral: Final[Any] = import_module(_ROOT).Mistral
#: decodes a response as server-sent events, and closes it in the end
stream_events_async: Final[Any] = import_module(f"{_ROOT}.utils.eventstreaming").stream_events_async


async def close_client(client: Any) -> None:
    """Close the HTTP client that the SDK has made; one that it was given stays open."""
    await client.__aexit__(None, None, None)
