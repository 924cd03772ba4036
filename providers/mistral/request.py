"""Conversations into the arguments of a request. Nothing that was passed in is changed."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from harness.contract.content import Message, Messages, SystemContentBlock, ToolUse
from providers._shared.content import input_object, is_blank, json_text, warn_left_out
from providers._shared.media import base64_text, bytes_of, document_type
from providers._shared.openai_chat.media import ASSISTANT_PARTS, USER_PARTS, Makers, Part, content_of, parts, text_parts
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.request import result_media, result_words, tool_fields
from providers._shared.request import Request
from providers.mistral.names import CALL_IDS

WireMessage = dict[str, Any]

#: fields that mean nothing without tools
_NEED_TOOLS: Final = frozenset({"parallel_tool_calls", "tool_choice"})
#: the adapter chooses the method by the setting
_NOT_PARAMS: Final = frozenset({"stream"})


def chat_arguments(request: Request) -> dict[str, Any]:
    """Arguments of ``chat.stream_async`` and ``chat.complete_async``.

    ``params`` are further ones; they do not decide on what the adapter decides.
    """
    params = request.config.get("params") or {}
    arguments = {
        **_timeout(request),
        **{key: value for key, value in params.items() if key not in _NOT_PARAMS},
        "model": request.model_id,
        "messages": chat_messages(request.messages, request.system),
        **tool_fields(request.tool_specs, request.tool_choice),
    }
    return arguments if arguments.get("tools") else _without(arguments, _NEED_TOOLS)


def _timeout(request: Request) -> dict[str, int]:
    idle = request.config.get("idle_timeout")
    return {} if idle is None else {"timeout_ms": int(idle * 1000)}


def _without(arguments: Mapping[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {key: value for key, value in arguments.items() if key not in names}


def chat_messages(messages: Messages, system: Sequence[SystemContentBlock] = ()) -> list[WireMessage]:
    """The ``messages`` of a request; blank ones are left out.

    Tool messages hold text only: media of results, and what a user says beside them, come in a user message. The
    service refuses one right behind a result, so the assistant takes note in between. It goes on with a reply that
    stands last, if that is marked.
    """
    wire = _system(system)
    for message in messages:
        for each in _assistant(message) if message["role"] == "assistant" else _user(message):
            if each["role"] == "user" and wire and wire[-1]["role"] == "tool":
                wire.append({"role": "assistant", "content": "OK"})
            wire.append(each)
    if wire and wire[-1]["role"] == "assistant" and "tool_calls" not in wire[-1]:
        wire[-1] = {**wire[-1], "prefix": True}
    return wire


def _system(blocks: Sequence[SystemContentBlock]) -> list[WireMessage]:
    texts = [part["text"] for part in parts(blocks, ASSISTANT_PARTS)]
    return [{"role": "system", "content": "\n\n".join(texts)}] if texts else []


def _assistant(message: Message) -> list[WireMessage]:
    calls = [_call(block["toolUse"]) for block in message["content"] if "toolUse" in block]
    content = parts((block for block in message["content"] if "toolUse" not in block), _REPLY_PARTS)
    if not calls and all(part["type"] == "thinking" for part in content):
        return []
    return [
        {"role": "assistant", "content": content_of(content) or ""} | ({"tool_calls": calls} if calls else {}),
    ]


def _call(use: ToolUse) -> WireMessage:
    function = {"name": NAMES.wire(use["name"]), "arguments": json_text(input_object(use.get("input")))}
    return {"id": CALL_IDS.wire(use["toolUseId"]), "type": "function", "function": function}


def _user(message: Message) -> list[WireMessage]:
    results = [block["toolResult"] for block in message["content"] if "toolResult" in block]
    said = [block for block in message["content"] if "toolResult" not in block]
    content = [*result_media(results, _USER_PARTS, CALL_IDS), *parts(said, _USER_PARTS)]
    wire = [
        {"role": "tool", "tool_call_id": CALL_IDS.wire(result["toolUseId"]), "content": result_words(result)}
        for result in results
    ]
    return [*wire, {"role": "user", "content": content_of(content)}] if content else wire


def _document(document: Mapping[str, Any]) -> list[Part]:
    """A document as a data URL, after the words that go with it."""
    data = bytes_of(document)
    if data is None:
        warn_left_out("a document that is not given as bytes")
        return []
    url = f"data:{document_type(document)};base64,{base64_text(data)}"
    name = f"{document.get('name') or 'document'}.{document.get('format', 'txt')}"
    file = {"type": "document_url", "document_url": url, "document_name": name}
    return [*text_parts(document.get("context") or ""), file]


def _thinking(reasoning: Mapping[str, Any]) -> list[Part]:
    """Reasoning as the service itself tells it; it needs no proof that its model wrote it."""
    text = (reasoning.get("reasoningText") or {}).get("text")
    if is_blank(text):
        warn_left_out("reasoning without text")
        return []
    return [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]


_USER_PARTS: Final[Makers] = {**USER_PARTS, "document": _document}
_REPLY_PARTS: Final[Makers] = {**ASSISTANT_PARTS, "reasoningContent": _thinking}
