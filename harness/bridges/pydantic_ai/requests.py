"""From the contract's inputs to pydantic-ai's messages and tools."""

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from harness.bridges.pydantic_ai.replies import SIGNATURE


def messages_of(messages: Any, system_prompt: str | None, system_content: Any) -> list[Any]:
    """The conversation as pydantic-ai's requests and responses."""
    from pydantic_ai import messages as pai

    system = [block["text"] for block in system_content or () if "text" in block] or [system_prompt or ""]
    opening: list[Any] = [pai.SystemPromptPart(text) for text in system if text]
    names = {call["toolUseId"]: call["name"] for call in _calls(messages)}
    made: list[Any] = []
    for message in messages:
        if message["role"] == "assistant":
            made.append(pai.ModelResponse([part for block in message["content"] for part in _own(block, pai)]))
        else:
            made.append(pai.ModelRequest([*opening, *_asked(message["content"], names, pai)]))
            opening = []
    return [pai.ModelRequest(opening), *made] if opening else made


def _calls(messages: Any) -> Iterator[Any]:
    for message in messages:
        yield from (block["toolUse"] for block in message["content"] if "toolUse" in block)


def _own(block: Mapping[str, Any], pai: Any) -> Iterator[Any]:
    if "toolUse" in block:
        yield pai.ToolCallPart(**call_of(block["toolUse"]))
    else:
        yield from (pai.TextPart(part) for part in _said(block, pai) if isinstance(part, str))


def _asked(blocks: Any, names: Mapping[str, str], pai: Any) -> Iterator[Any]:
    for block in blocks:
        if "toolResult" in block:
            result = block["toolResult"]
            outcome = _OUTCOMES[result.get("status", "success")]
            name = names.get(result["toolUseId"], "unknown")
            yield pai.ToolReturnPart(name, result_of(result, pai), result["toolUseId"], outcome=outcome)
    if said := [part for block in blocks if "toolResult" not in block for part in _said(block, pai)]:
        yield pai.UserPromptPart(said)


def call_of(call: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a ``ToolCallPart``. An input that is no object is none: broken ones have a form of their own."""
    made = {"tool_name": call["name"], "tool_call_id": call["toolUseId"], "args": call["input"]}
    if not isinstance(call["input"], dict):
        made["args"] = {}
    if "reasoningSignature" in call:
        made |= {"provider_name": "google", "provider_details": {SIGNATURE: call["reasoningSignature"]}}
    return made


_OUTCOMES: Final = {"success": "success", "error": "failed"}


def result_of(result: Mapping[str, Any], pai: Any) -> Any:
    """A tool's result: its one value, an empty text, or a list of texts and media, in which pydantic-ai has no JSON."""
    items = result["content"]
    if len(items) == 1 and "json" in items[0]:
        return items[0]["json"]
    values = [value for item in items for value in _values(item, pai)]
    if all(isinstance(value, str) for value in values):
        return "\n".join(values)
    return values


def _values(item: Mapping[str, Any], pai: Any) -> Iterable[Any]:
    return [json.dumps(item["json"], ensure_ascii=False)] if "json" in item else _said(item, pai)


def _said(block: Mapping[str, Any], pai: Any) -> Iterator[Any]:
    """Text, cited text and images; blank text is left out, and what is not translated with a warning."""
    image = block.get("image", {})
    if "text" in block:
        yield from [block["text"]] if block["text"].strip() else []
    elif "citationsContent" in block:
        yield "".join(piece["text"] for piece in block["citationsContent"].get("content", ()))
    elif "bytes" in image.get("source", {}):
        yield pai.BinaryContent(image["source"]["bytes"], media_type=f"image/{image['format']}")
    else:
        warnings.warn(f"content of kind {', '.join(block)} is not bridged to pydantic-ai and left out", stacklevel=2)


def tool_of(spec: Mapping[str, Any]) -> Any:
    """A tool's definition."""
    from pydantic_ai.tools import ToolDefinition

    schema = json.loads(json.dumps(spec["inputSchema"]["json"]))
    return ToolDefinition(name=spec["name"], parameters_json_schema=schema, description=spec["description"])


def choice_of(choice: Any) -> dict[str, Any]:
    """The setting ``tool_choice``."""
    for kind, value in (choice or {}).items():
        return {"tool_choice": {"auto": "auto", "any": "required"}.get(kind) or [value["name"]]}
    return {}
