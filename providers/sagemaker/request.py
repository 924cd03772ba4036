"""From the contract's arguments to an invocation of an endpoint."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from harness.contract.config import warn_tool_choice
from providers._shared.openai_chat.media import IMAGES_ONLY
from providers._shared.openai_chat.request import WireMessage, chat_body
from providers._shared.request import Request

#: the SDK's argument for a setting
_ARGUMENTS: Final = {
    "endpoint_name": "EndpointName",
    "inference_component_name": "InferenceComponentName",
    "target_model": "TargetModel",
    "target_variant": "TargetVariant",
}


def payload(request: Request) -> dict[str, Any]:
    """The body of a request. A choice of tools is ignored with a warning: not all containers take one."""
    config = request.config
    warn_tool_choice(request.tool_choice)
    own = {**config, "model_id": config.get("model_id")}
    body = chat_body(replace(request, config=own, tool_choice=None), IMAGES_ONLY)
    if config.get("tool_results_as_user_messages"):
        body["messages"] = [_told(message) for message in body["messages"]]
    return body if body["model"] else {key: value for key, value in body.items() if key != "model"}


def invocation(config: Mapping[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """The keyword arguments of ``invoke_endpoint`` and ``invoke_endpoint_with_response_stream``."""
    named = {name: config[key] for key, name in _ARGUMENTS.items() if config.get(key)}
    text = json.dumps(body, ensure_ascii=False)
    return {**named, "ContentType": "application/json", **(config.get("endpoint_args") or {}), "Body": text.encode()}


def _told(message: WireMessage) -> WireMessage:
    if message["role"] != "tool":
        return message
    return {"role": "user", "content": f"Output of tool call {message['tool_call_id']}:\n{message['content']}"}
