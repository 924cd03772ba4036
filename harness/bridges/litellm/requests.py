"""From the contract's inputs to messages and tools in the form of Chat Completions, which LiteLLM takes for all."""

import json
from collections.abc import Mapping
from typing import Any, Final

from harness.bridges.openai_parts import Translation, system_of


def _image(kind: str, data: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:image/{kind};base64,{data}"}}


CONTENT: Final = Translation("LiteLLM", _image)


def messages_of(messages: Any, system_prompt: str | None, system_content: Any) -> list[dict[str, Any]]:
    """The conversation; results of tools are messages of their own."""
    system = system_of(system_prompt, system_content)
    made: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for message in messages:
        blocks = message["content"]
        if message["role"] == "assistant":
            made.append(assistant_of(blocks))
            continue
        made += [result_of(block["toolResult"]) for block in blocks if "toolResult" in block]
        if said := CONTENT.parts_of(block for block in blocks if "toolResult" not in block):
            made.append({"role": "user", "content": said})
    return made


def assistant_of(blocks: Any) -> dict[str, Any]:
    """A turn of the model; an input that is no object goes as an empty one."""
    parts = CONTENT.parts_of(block for block in blocks if "toolUse" not in block)
    text = "".join(part["text"] for part in parts if part["type"] == "text")
    calls = [call_of(block["toolUse"]) for block in blocks if "toolUse" in block]
    return {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}


def call_of(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call of the history."""
    arguments = json.dumps(call["input"] if isinstance(call["input"], dict) else {}, ensure_ascii=False)
    return {"id": call["toolUseId"], "type": "function", "function": {"name": call["name"], "arguments": arguments}}


def result_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """A tool's result as one text; media are left out with a warning."""
    told = "\n".join(CONTENT.result_texts(result))
    return {"role": "tool", "tool_call_id": result["toolUseId"], "content": told}


def choice_of(choice: Any) -> dict[str, Any]:
    """The argument ``tool_choice``."""
    for kind, value in (choice or {}).items():
        named = {"type": "function", "function": {"name": value.get("name")}}
        return {"tool_choice": {"auto": "auto", "any": "required"}.get(kind, named)}
    return {}
