"""From the contract's inputs to LangChain's messages and tools, in its standard content blocks."""

import base64
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from harness.bridges.langchain.replies import SIGNATURES


def messages_of(messages: Any, system_prompt: str | None, system_content: Any) -> list[Any]:
    """The conversation as LangChain's messages; results of tools are messages of their own."""
    from langchain_core import messages as lc

    system = "\n".join(block["text"] for block in system_content or () if "text" in block) or system_prompt
    made: list[Any] = [lc.SystemMessage(system)] if system else []
    for message in messages:
        blocks = message["content"]
        if message["role"] == "assistant":
            made.append(lc.AIMessage(**assistant_of(blocks)))
            continue
        made += [lc.ToolMessage(**result_of(block["toolResult"])) for block in blocks if "toolResult" in block]
        if said := [block for block in blocks if "toolResult" not in block]:
            made.append(lc.HumanMessage(parts_of(said)))
    return made


def assistant_of(blocks: Any) -> dict[str, Any]:
    """The arguments of an ``AIMessage``: text is one string where there is no other content.

    Calls take objects alone, so that an input which is none goes as an empty one.
    """
    calls = [block["toolUse"] for block in blocks if "toolUse" in block]
    content: Any = parts_of(block for block in blocks if "toolUse" not in block)
    if all(part["type"] == "text" for part in content):
        content = "".join(part["text"] for part in content)
    signatures = {call["toolUseId"]: call["reasoningSignature"] for call in calls if "reasoningSignature" in call}
    return {
        "content": content,
        "tool_calls": [_call(call) for call in calls],
        "additional_kwargs": {SIGNATURES: signatures} if signatures else {},
    }


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    args = call["input"] if isinstance(call["input"], dict) else {}
    return {"name": call["name"], "args": args, "id": call["toolUseId"]}


def result_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a ``ToolMessage``: one text as a string, and no content as an empty one.

    Media are left out with a warning: which packages take them from tools is not documented.
    """
    texts = [text for item in result["content"] for text in _told(item)]
    content = [_text(text) for text in texts] if len(texts) > 1 else "".join(texts)
    return {"content": content, "tool_call_id": result["toolUseId"], "status": result.get("status", "success")}


def _told(item: Mapping[str, Any]) -> Iterator[str]:
    if "json" in item:
        yield json.dumps(item["json"], ensure_ascii=False)
    elif "text" in item:
        yield item["text"]
    else:
        _left_out(*item)


def parts_of(blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """LangChain's standard content blocks; blank text is left out, and what is not translated with a warning."""
    return [part for block in blocks for kind, value in block.items() for part in _parts(kind, value)]


def _parts(kind: str, value: Any) -> Iterator[dict[str, Any]]:
    part = _PARTS[kind](value) if kind in _PARTS else None
    if part is None:
        _left_out(kind)
    elif part.get("text", "-").strip():
        yield part


def _left_out(*kinds: str) -> None:
    warnings.warn(f"content of kind {', '.join(kinds)} is not bridged to LangChain and left out", stacklevel=3)


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _image(image: Any) -> dict[str, Any] | None:
    if "bytes" not in image["source"]:
        return None
    data = base64.b64encode(image["source"]["bytes"]).decode()
    return {"type": "image", "base64": data, "mime_type": f"image/{image['format']}"}


_PARTS: Final[Mapping[str, Any]] = {
    "text": _text,
    "image": _image,
    "citationsContent": lambda cited: _text("".join(piece["text"] for piece in cited.get("content", ()))),
}


def tool_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A tool in OpenAI's form, which every ``bind_tools`` takes."""
    function = {"name": spec["name"], "description": spec["description"], "parameters": spec["inputSchema"]["json"]}
    return {"type": "function", "function": function}


def choice_of(choice: Any) -> dict[str, Any]:
    """The argument of ``bind_tools``: ``auto``, ``any``, or the tool's name."""
    for kind, value in (choice or {}).items():
        return {"tool_choice": value["name"] if kind == "tool" else kind}
    return {}
