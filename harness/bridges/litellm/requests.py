"""From the contract's inputs to messages and tools in the form of Chat Completions, which LiteLLM takes for all."""

import base64
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final


def messages_of(messages: Any, system_prompt: str | None, system_content: Any) -> list[dict[str, Any]]:
    """The conversation; results of tools are messages of their own."""
    system = "\n".join(block["text"] for block in system_content or () if "text" in block) or system_prompt
    made: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for message in messages:
        blocks = message["content"]
        if message["role"] == "assistant":
            made.append(assistant_of(blocks))
            continue
        made += [result_of(block["toolResult"]) for block in blocks if "toolResult" in block]
        if said := parts_of(block for block in blocks if "toolResult" not in block):
            made.append({"role": "user", "content": said})
    return made


def assistant_of(blocks: Any) -> dict[str, Any]:
    """A turn of the model; an input that is no object goes as an empty one."""
    parts = parts_of(block for block in blocks if "toolUse" not in block)
    text = "".join(part["text"] for part in parts if part["type"] == "text")
    calls = [call_of(block["toolUse"]) for block in blocks if "toolUse" in block]
    return {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}


def call_of(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call of the history."""
    arguments = json.dumps(call["input"] if isinstance(call["input"], dict) else {}, ensure_ascii=False)
    return {"id": call["toolUseId"], "type": "function", "function": {"name": call["name"], "arguments": arguments}}


def result_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """A tool's result as one text; media are left out with a warning."""
    texts = [text for item in result["content"] for text in _told(item)]
    return {"role": "tool", "tool_call_id": result["toolUseId"], "content": "\n".join(texts)}


def _told(item: Mapping[str, Any]) -> Iterator[str]:
    if "json" in item:
        yield json.dumps(item["json"], ensure_ascii=False)
    elif "text" in item:
        yield item["text"]
    else:
        _left_out(*item)


def parts_of(blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Parts of content; blank text is left out, and what is not translated with a warning."""
    return [part for block in blocks for kind, value in block.items() for part in _parts(kind, value)]


def _parts(kind: str, value: Any) -> Iterator[dict[str, Any]]:
    part = _PARTS[kind](value) if kind in _PARTS else None
    if part is None:
        _left_out(kind)
    elif part.get("text", "-").strip():
        yield part


def _left_out(*kinds: str) -> None:
    warnings.warn(f"content of kind {', '.join(kinds)} is not bridged to LiteLLM and left out", stacklevel=3)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _image(image: Any) -> dict[str, Any] | None:
    if "bytes" not in image["source"]:
        return None
    data = base64.b64encode(image["source"]["bytes"]).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/{image['format']};base64,{data}"}}


_PARTS: Final[Mapping[str, Any]] = {
    "text": _text,
    "image": _image,
    "citationsContent": lambda cited: _text("".join(piece["text"] for piece in cited.get("content", ()))),
}


def tool_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A tool."""
    function = {"name": spec["name"], "description": spec["description"], "parameters": spec["inputSchema"]["json"]}
    return {"type": "function", "function": function}


def choice_of(choice: Any) -> dict[str, Any]:
    """The argument ``tool_choice``."""
    for kind, value in (choice or {}).items():
        named = {"type": "function", "function": {"name": value.get("name")}}
        return {"tool_choice": {"auto": "auto", "any": "required"}.get(kind, named)}
    return {}
