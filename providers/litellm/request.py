"""Requests as ``litellm.acompletion`` takes them."""

from copy import deepcopy
from typing import Any

from providers._shared.openai_chat.request import chat_body
from providers._shared.request import Request


def completion_arguments(request: Request) -> dict[str, Any]:
    """The request's own arguments, which share nothing with what the caller passed: litellm edits them in place."""
    return deepcopy(chat_body(request))
