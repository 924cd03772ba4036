"""Conversations into the arguments of a request: those of Chat Completions, but for what the service has not."""

from typing import Any

from pydantic import BaseModel

from providers._shared.openai_chat.media import IMAGES_ONLY
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.request import WireMessage, chat_body
from providers._shared.request import Request


def chat_arguments(request: Request) -> dict[str, Any]:
    """Arguments of ``chat.completions.create``; ``params`` do not decide on what the adapter decides."""
    body = chat_body(request, IMAGES_ONLY)
    body.pop("stream_options", None)  # streams always tell the usage
    return {**body, "messages": [_message(each) for each in body["messages"]]}


def response_fields(output_model: type[BaseModel] | None) -> dict[str, Any]:
    """What a request has beside the others' fields when its answer is to be an instance of ``output_model``."""
    if output_model is None:
        return {}
    form = {"name": NAMES.wire(output_model.__name__), "schema": output_model.model_json_schema()}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def _message(message: WireMessage) -> WireMessage:
    """The message as the service takes it: it has one text in assistant turns, and calls of one kind."""
    if message["role"] != "assistant":
        return message
    content, calls = message.get("content"), message.get("tool_calls")
    text = "\n\n".join(part["text"] for part in content) if isinstance(content, list) else content
    return (
        {"role": "assistant"}
        | ({"content": text} if text else {})
        | ({"tool_calls": [{"id": call["id"], "function": call["function"]} for call in calls]} if calls else {})
    )
