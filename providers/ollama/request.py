"""Conversations into the fields of a chat request. Nothing that was passed in is changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel

from harness.contract.config import warn_tool_choice
from harness.contract.content import Message, Messages, SystemContentBlock, ToolResult, ToolSpec, ToolUse
from providers._shared.content import (
    cited_text,
    converted,
    guarded_text,
    input_object,
    is_blank,
    warn_left_out,
)
from providers._shared.media import base64_text, bytes_of
from providers._shared.openai_chat.request import result_words
from providers._shared.request import Request

WireMessage = dict[str, Any]


def chat_request(request: Request, output_model: type[BaseModel] | None = None) -> dict[str, Any]:
    """The body of a request; with ``output_model`` the answer is to be JSON of its schema.

    ``params`` are further fields; they do not decide on what the adapter decides.
    """
    config = request.config
    params = config.get("params") or {}
    options = {**(params.get("options") or {}), **(config.get("options") or {})}
    warn_tool_choice(request.tool_choice)
    return {
        **params,
        **_given("options", options),
        **_given("keep_alive", config.get("keep_alive")),
        **_given("format", output_model and output_model.model_json_schema()),
        **_given("tools", [_tool(spec) for spec in request.tool_specs]),
        "model": request.model_id,
        "messages": chat_messages(request.messages, request.system),
        "stream": bool(config.get("stream", True)),
    }


def chat_messages(messages: Messages, system: Sequence[SystemContentBlock] = ()) -> list[WireMessage]:
    """The ``messages`` of a request; blank ones are left out. Results of tools come before what a user says."""
    names = {
        block["toolUse"]["toolUseId"]: block["toolUse"]["name"]
        for message in messages
        for block in message["content"]
        if "toolUse" in block
    }
    wire = _draft(system, _SYSTEM).message("system")
    for message in messages:
        wire += _assistant(message) if message["role"] == "assistant" else _user(message, names)
    return wire


@dataclass(slots=True)
class _Draft:
    """A message under construction. The protocol has one text and one list of images a message."""

    texts: list[str] = field(default_factory=list)
    images: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[WireMessage] = field(default_factory=list)

    def message(self, role: str) -> list[WireMessage]:
        """The message, or none when it says nothing."""
        if not (self.texts or self.images or self.calls):
            return []
        return [
            {
                "role": role,
                **_given("content", "\n\n".join(self.texts)),
                **_given("thinking", "".join(self.thinking)),
                **_given("images", self.images),
                **_given("tool_calls", self.calls),
            }
        ]


Row = Callable[[Any, _Draft], None]


def _text(text: str, draft: _Draft) -> None:
    if not is_blank(text):
        draft.texts.append(text)


def _image(image: Mapping[str, Any], draft: _Draft) -> None:
    data = bytes_of(image)
    if data is None:
        warn_left_out("an image that is not given as bytes")
    else:
        draft.images.append(base64_text(data))


def _reasoning(reasoning: Mapping[str, Any], draft: _Draft) -> None:
    text = (reasoning.get("reasoningText") or {}).get("text")
    if text:
        draft.thinking.append(text)
    else:
        warn_left_out("redacted reasoning")


def _call(use: ToolUse, draft: _Draft) -> None:
    function = {"name": use["name"], "arguments": input_object(use.get("input"))}
    draft.calls.append({"id": use["toolUseId"], "type": "function", "function": function})


def _nothing(_: Any, __: _Draft) -> None:
    """The server caches by itself."""


_SYSTEM: Final[Mapping[str, Row]] = {
    "text": _text,
    "guardContent": lambda block, draft: _text(guarded_text(block), draft),
    "cachePoint": _nothing,
}
_ASSISTANT: Final[Mapping[str, Row]] = {
    **_SYSTEM,
    "citationsContent": lambda block, draft: _text(cited_text(block), draft),
    "reasoningContent": _reasoning,
    "toolUse": _call,
}
_USER: Final[Mapping[str, Row]] = {
    **_SYSTEM,
    "citationsContent": _ASSISTANT["citationsContent"],
    "image": _image,
}


def _draft(blocks: Iterable[Any], rows: Mapping[str, Row]) -> _Draft:
    draft = _Draft()
    for block in blocks:
        converted(rows, block, draft)
    return draft


def _assistant(message: Message) -> list[WireMessage]:
    return _draft(message["content"], _ASSISTANT).message("assistant")


def _user(message: Message, names: Mapping[str, str]) -> list[WireMessage]:
    results = [_result(block["toolResult"], names) for block in message["content"] if "toolResult" in block]
    said = (block for block in message["content"] if "toolResult" not in block)
    return [*results, *_draft(said, _USER).message("user")]


def _result(result: ToolResult, names: Mapping[str, str]) -> WireMessage:
    """A tool's message, with the call's id for servers that read it and the tool's name for those that do not."""
    call_id = result["toolUseId"]
    media = [item for item in result["content"] if "text" not in item and "json" not in item]
    return {
        "role": "tool",
        "content": result_words(result),
        "tool_call_id": call_id,
        **_given("tool_name", names.get(call_id)),
        **_given("images", _draft(media, _USER).images),
    }


def _tool(spec: ToolSpec) -> WireMessage:
    function = {
        "name": spec["name"],
        "description": spec["description"],
        "parameters": spec["inputSchema"]["json"],
    }
    return {"type": "function", "function": function}


def _given(name: str, value: Any) -> dict[str, Any]:
    """The field, unless there is nothing to say; 0 says something."""
    return {} if value is None or value in ("", [], {}) else {name: value}
