"""From the contract's arguments to the server's requests."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic import BaseModel

from harness.contract.config import warn_tool_choice
from providers._shared.content import json_text
from providers._shared.openai_chat.media import IMAGES_ONLY
from providers._shared.openai_chat.request import chat_body
from providers._shared.openai_chat.structured import response_format
from providers._shared.request import Request

#: tool choices that the server knows: it takes no name of a tool
_CHOICES: Final = frozenset({"auto", "any"})

#: fields that hold the answer to a form; the server refuses more than one
_FORMS: Final = frozenset({"grammar", "json_schema", "response_format"})


def chat_request(request: Request) -> dict[str, Any]:
    """The body of a request. ``params`` are fields beside those of Chat Completions, such as ``grammar``."""
    return chat_body(replace(request, tool_choice=warn_tool_choice(request.tool_choice, _CHOICES)), IMAGES_ONLY)


def structured_request(request: Request, output_model: type[BaseModel]) -> dict[str, Any]:
    """The body of a request whose answer is JSON of the model's schema, and of no other form."""
    body = {key: value for key, value in chat_request(request).items() if key not in _FORMS}
    return {**body, "response_format": response_format(output_model)}


def counted_text(request: Request) -> str:
    """The words of a request, whose tokens the server counts: roles, contents and calls, and the tools."""
    body = chat_body(request, IMAGES_ONLY)
    return "\n".join([*map(_words, body["messages"]), *map(json_text, body.get("tools", ()))])


def _words(message: Mapping[str, Any]) -> str:
    content, calls = message.get("content") or "", message.get("tool_calls")
    said = content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)
    return "\n".join(filter(None, (message["role"], said, json_text(calls) if calls else "")))
