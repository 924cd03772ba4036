"""Read a request: as in Chat Completions, but that an assistant's content may be one item without a list."""

from collections.abc import Mapping
from typing import Any

from harness.dialects.base import DecodeError, RequestView, WireRequest
from harness.dialects.openai_chat.requests import body_object, read_body


def read_request(request: WireRequest) -> RequestView:
    """The view of a request. Raises DecodeError when it is not one of this protocol."""
    path = request.path.partition("?")[0]
    if request.method != "POST" or not path.endswith("/chat/completions"):
        raise DecodeError(f"not the path of the Llama API's chat completions: {request.method} {path}")
    body = body_object(request.body)
    messages = body.get("messages")
    if isinstance(messages, list):
        body = {**body, "messages": [_listed(message) for message in messages]}
    return read_body(body)


def _listed(message: Any) -> Any:
    """The message with a single item of content in a list."""
    if isinstance(message, Mapping) and isinstance(message.get("content"), dict):
        return {**message, "content": [message["content"]]}
    return message
