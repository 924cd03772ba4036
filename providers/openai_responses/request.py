"""Conversations into the arguments of ``responses.create``. Nothing that was passed in is changed."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from pydantic import BaseModel

from harness.contract.content import (
    ContentBlock,
    Message,
    Messages,
    SystemContentBlock,
    ToolChoice,
    ToolResult,
    ToolSpec,
    ToolUse,
)
from providers._shared.content import input_object, is_blank, json_text, warn_left_out
from providers._shared.openai_chat.media import ASSISTANT_PARTS, USER_PARTS, Part, parts
from providers._shared.openai_chat.names import NAMES
from providers._shared.openai_chat.request import result_words
from providers._shared.openai_chat.structured import response_format
from providers._shared.request import Request
from providers.openai_responses.names import CALL_IDS

WireItem = dict[str, Any]

#: the form of reasoning that a later request may hold where the service keeps nothing
_SEALED: Final = "reasoning.encrypted_content"
#: OpenAI's models that do not reason; they answer 400, "Encrypted content is not supported with this model"
_UNREASONING: Final = re.compile(r"(?:^|[/.:])(?:gpt-(?:35|[34](?!\d))|chatgpt-|gpt-5[\d.]*-chat)")

#: fields that services refuse without tools
_NEED_TOOLS: Final = frozenset({"parallel_tool_calls", "tool_choice"})


def response_body(request: Request, output_model: type[BaseModel] | None = None) -> dict[str, Any]:
    """The whole body of a request; with ``output_model`` the answer is to be JSON of its schema.

    The settings hold ``model_id``, ``stream`` (True unless given), ``stateful`` and ``params``. ``params`` are further
    fields. They do not decide on what the adapter decides; their ``tools`` and ``include`` are added to.
    """
    config, params = request.config, request.config.get("params") or {}
    body = {
        "store": False,
        **params,
        "model": config["model_id"],
        **_conversation(request),
        **_instructions(request.system),
        **_tool_fields(request.tool_specs, request.tool_choice, params.get("tools") or ()),
        **_include(request.model_id, params),
        **_text(params, output_model),
        "stream": bool(config.get("stream", True)),
    }
    return body if body.get("tools") else {key: value for key, value in body.items() if key not in _NEED_TOOLS}


def _conversation(request: Request) -> dict[str, Any]:
    """The input, and how it goes on from what the service keeps."""
    if not request.config.get("stateful"):
        return {"input": input_items(request.messages)}
    kept = (request.state or {}).get("response_id")
    if not kept:
        return {"input": input_items(request.messages), "store": True}
    return {"input": input_items(_new(request.messages)), "store": True, "previous_response_id": kept}


def _new(messages: Messages) -> Messages:
    """The messages behind the last of the model's, which the service has, with all before it."""
    ends = [place for place, message in enumerate(messages, 1) if message["role"] == "assistant"]
    return messages[ends[-1] :] if ends else messages


def _instructions(system: Sequence[SystemContentBlock]) -> dict[str, Any]:
    texts = [part["text"] for part in parts(system, ASSISTANT_PARTS)]
    return {"instructions": "\n\n".join(texts)} if texts else {}


def _include(model_id: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """Reasoning in the form that can be sent back; not where ``include`` is None, for services that know no such."""
    wanted = params.get("include", ())
    if wanted is None or _SEALED in wanted or _UNREASONING.search(model_id):
        return {}
    return {"include": [*wanted, _SEALED]}


def _text(params: Mapping[str, Any], output_model: type[BaseModel] | None) -> dict[str, Any]:
    if output_model is None:
        return {}
    chat = response_format(output_model)
    return {"text": {**(params.get("text") or {}), "format": {"type": chat["type"], **chat["json_schema"]}}}


def _tool_fields(
    tool_specs: Sequence[ToolSpec], tool_choice: ToolChoice | None, built_in: Sequence[Any]
) -> dict[str, Any]:
    """``tools``, those of the service before the caller's, and ``tool_choice``."""
    tools = [*built_in, *map(_tool, tool_specs)]
    choice = {"tool_choice": _choice(tool_choice)} if tool_choice and tool_specs else {}
    return {"tools": tools, **choice} if tools else {}


def _tool(spec: ToolSpec) -> WireItem:
    """A tool. Unless strict is off in words, the API makes schemas strict, and optional properties required."""
    return {
        "type": "function",
        "name": NAMES.wire(spec["name"]),
        "description": spec["description"],
        "parameters": spec["inputSchema"]["json"],
        "strict": False,
    }


def _choice(tool_choice: ToolChoice) -> Any:
    if "tool" in tool_choice:
        return {"type": "function", "name": NAMES.wire(tool_choice["tool"]["name"])}
    return "required" if "any" in tool_choice else "auto"


def input_items(messages: Messages) -> list[WireItem]:
    """The ``input`` of a request; blank messages are left out."""
    return [item for message in messages for item in _items(message)]


def _items(message: Message) -> Iterable[WireItem]:
    """A message as items, in the order of its blocks; results come first, as they belong to what was said before."""
    blocks: list[Any] = sorted(message["content"], key=lambda block: "toolResult" not in block)
    for kind, run in groupby(blocks, lambda block: next((key for key in _ITEMS if key in block), None)):
        if kind is None:
            yield from _saying(message["role"], run)
        else:
            yield from (item for block in run if (item := _ITEMS[kind](block[kind])) is not None)


def _saying(role: str, blocks: Iterable[ContentBlock]) -> list[WireItem]:
    content = _SAID[role](blocks)
    return [{"type": "message", "role": role, "content": content}] if content else []


def _output_parts(blocks: Iterable[ContentBlock]) -> list[Part]:
    said = parts(blocks, ASSISTANT_PARTS)
    return [{"type": "output_text", "text": part["text"], "annotations": []} for part in said]


def _input_parts(blocks: Iterable[Any]) -> list[Part]:
    return [_FORMS[part["type"]](part) for part in parts(blocks, USER_PARTS)]


def _call(use: ToolUse) -> WireItem:
    return {
        "type": "function_call",
        "call_id": CALL_IDS.wire(use["toolUseId"]),
        "name": NAMES.wire(use["name"]),
        "arguments": json_text(input_object(use.get("input"))),
    }


def _result(result: ToolResult) -> WireItem:
    """A result as a string; as a list of parts where it holds media."""
    media = _input_parts(item for item in result["content"] if "json" not in item and "text" not in item)
    words = result_words(result, "") if media else result_words(result)
    output = [*([] if is_blank(words) else [{"type": "input_text", "text": words}]), *media] if media else words
    return {"type": "function_call_output", "call_id": CALL_IDS.wire(result["toolUseId"]), "output": output}


def _reasoning(block: Mapping[str, Any]) -> WireItem | None:
    """Reasoning that the service can read again: it takes no other than its own, and by its id only what it stores."""
    told = block.get("reasoningText") or {}
    text, sealed = told.get("text") or "", told.get("signature")
    if not sealed:
        warn_left_out("reasoning without the signature that this service gives")
        return None
    summary = [] if is_blank(text) else [{"type": "summary_text", "text": text}]
    return {"type": "reasoning", "summary": summary, "encrypted_content": sealed}


_ITEMS: Final[Mapping[str, Callable[[Any], WireItem | None]]] = {
    "toolUse": _call,
    "toolResult": _result,
    "reasoningContent": _reasoning,
}

_SAID: Final[Mapping[str, Callable[[Iterable[ContentBlock]], list[Part]]]] = {
    "assistant": _output_parts,
    "user": _input_parts,
}

#: parts of Chat Completions in the form of this API
_FORMS: Final[Mapping[str, Callable[[Part], Part]]] = {
    "text": lambda part: {"type": "input_text", "text": part["text"]},
    "image_url": lambda part: {"type": "input_image", "image_url": part["image_url"]["url"]},
    "file": lambda part: {"type": "input_file", **part["file"]},
}
