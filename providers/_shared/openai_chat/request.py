"""Conversations into the fields of a request. Nothing that was passed in is changed."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from harness.contract.content import Message, Messages, SystemContentBlock, ToolChoice, ToolResult, ToolSpec, ToolUse
from providers._shared.content import input_object, json_text, warn_left_out
from providers._shared.openai_chat.media import (
    ASSISTANT_PARTS,
    USER_PARTS,
    Makers,
    Part,
    content_of,
    parts,
    text_parts,
)
from providers._shared.openai_chat.names import CALL_IDS, NAMES
from providers._shared.request import Request
from providers._shared.wire_names import Alphabet

WireMessage = dict[str, Any]

#: what a tool message says when its result has no words of its own
_NO_WORDS: Final = "(no output)"
_ERROR: Final = "Error: "

#: fields that services refuse without tools
_NEED_TOOLS: Final = frozenset({"parallel_tool_calls", "tool_choice"})


def chat_body(request: Request, makers: Makers = USER_PARTS) -> dict[str, Any]:
    """The whole body of a request; ``makers`` are what the service takes in user messages.

    The settings hold ``model_id``, ``stream`` (True unless given), ``params`` and ``reasoning_field``. ``params`` are
    further fields; they do not decide on what the adapter decides. Usage is asked for in streams unless their
    ``stream_options`` say otherwise, or are None for services that know no such field.
    """
    config = request.config
    params = config.get("params") or {}
    streams = bool(config.get("stream", True))
    body = {
        **{key: value for key, value in params.items() if key != "stream_options"},
        "model": config["model_id"],
        "messages": chat_messages(request.messages, request.system, config.get("reasoning_field"), makers),
        **tool_fields(request.tool_specs, request.tool_choice),
        "stream": streams,
        **(_stream_options(params) if streams else {}),
    }
    return body if body.get("tools") else {key: value for key, value in body.items() if key not in _NEED_TOOLS}


def _stream_options(params: Mapping[str, Any]) -> dict[str, Any]:
    options = params.get("stream_options", {})
    return {} if options is None else {"stream_options": {"include_usage": True, **options}}


def chat_messages(
    messages: Messages,
    system: Sequence[SystemContentBlock] = (),
    reasoning_field: str | None = None,
    makers: Makers = USER_PARTS,
) -> list[WireMessage]:
    """The ``messages`` of a request; blank ones are left out.

    Tool results directly follow the calls; what a user says beside them, and the media in them, come in a user message
    after the last one, since tool messages hold text only. Reasoning of the history goes out under
    ``reasoning_field``, which DeepSeek and others ask for, or is left out.
    """
    wire = _system(system)
    for message in messages:
        wire += _assistant(message, reasoning_field) if message["role"] == "assistant" else _user(message, makers)
    return wire


def tool_fields(tool_specs: Sequence[ToolSpec], tool_choice: ToolChoice | None) -> dict[str, Any]:
    """``tools`` and ``tool_choice``; nothing without tools, as services refuse a choice from none."""
    if not tool_specs:
        return {}
    choice = {"tool_choice": _choice(tool_choice)} if tool_choice else {}
    return {"tools": [_tool(spec) for spec in tool_specs], **choice}


def _system(blocks: Sequence[SystemContentBlock]) -> list[WireMessage]:
    """One system message: many chat templates refuse a second one."""
    texts = [part["text"] for part in parts(blocks, ASSISTANT_PARTS)]
    return [{"role": "system", "content": "\n\n".join(texts)}] if texts else []


def _assistant(message: Message, reasoning_field: str | None) -> list[WireMessage]:
    blocks = [block for block in message["content"] if "toolUse" not in block and "reasoningContent" not in block]
    content = parts(blocks, ASSISTANT_PARTS)
    calls = [_call(block["toolUse"]) for block in message["content"] if "toolUse" in block]
    reasoning = _reasoning(message, reasoning_field)
    if not content and not calls:
        return []
    return [
        {"role": "assistant"}
        | ({"content": content_of(content)} if content else {})
        | reasoning
        | ({"tool_calls": calls} if calls else {})
    ]


def _reasoning(message: Message, field: str | None) -> WireMessage:
    blocks = [block["reasoningContent"] for block in message["content"] if "reasoningContent" in block]
    text = "".join(block.get("reasoningText", {}).get("text", "") for block in blocks)
    if blocks and field is None:
        warn_left_out("reasoning of the history (unless reasoning_field names its field)")
    return {field: text} if field and text else {}


def _call(use: ToolUse) -> WireMessage:
    function = {"name": NAMES.wire(use["name"]), "arguments": json_text(input_object(use.get("input")))}
    return {"id": CALL_IDS.wire(use["toolUseId"]), "type": "function", "function": function}


def _user(message: Message, makers: Makers) -> list[WireMessage]:
    results = [block["toolResult"] for block in message["content"] if "toolResult" in block]
    said = [block for block in message["content"] if "toolResult" not in block]
    content = [*result_media(results, makers), *parts(said, makers)]
    wire = [
        {"role": "tool", "tool_call_id": CALL_IDS.wire(result["toolUseId"]), "content": result_words(result)}
        for result in results
    ]
    return [*wire, {"role": "user", "content": content_of(content)}] if content else wire


def result_words(result: ToolResult, nothing: str = _NO_WORDS) -> str:
    """A result as one string, ``nothing`` where it says nothing; a failed one says so, as it has no status here."""
    texts = [text for item in result["content"] if (text := _text(item)) is not None]
    words = "\n".join(texts) if any(map(str.strip, texts)) else nothing
    failed = result.get("status") == "error" and not words.lower().startswith("error")
    return f"{_ERROR}{words}" if failed else words


def _text(item: Mapping[str, Any]) -> str | None:
    return json_text(item["json"]) if "json" in item else item.get("text")


def result_media(results: Iterable[ToolResult], makers: Makers = USER_PARTS, ids: Alphabet = CALL_IDS) -> list[Part]:
    """Media of tool results, each behind the id of its call."""
    media: list[Part] = []
    for result in results:
        items = [item for item in result["content"] if "json" not in item and "text" not in item]
        if found := parts(items, makers):
            media += [*text_parts(f"Output of tool call {ids.wire(result['toolUseId'])}:"), *found]
    return media


def _tool(spec: ToolSpec) -> WireMessage:
    function = {
        "name": NAMES.wire(spec["name"]),
        "description": spec["description"],
        "parameters": spec["inputSchema"]["json"],
    }
    return {"type": "function", "function": function}


def _choice(tool_choice: ToolChoice) -> Any:
    if "tool" in tool_choice:
        return {"type": "function", "function": {"name": NAMES.wire(tool_choice["tool"]["name"])}}
    return "required" if "any" in tool_choice else "auto"
