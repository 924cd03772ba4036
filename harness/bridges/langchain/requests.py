"""From the contract's inputs to LangChain's messages and tools, in its standard content blocks."""

from collections.abc import Mapping
from typing import Any, Final

from harness.bridges.langchain.replies import SIGNATURES
from harness.bridges.openai_parts import Translation, system_of, text_part


def _image(kind: str, data: str) -> dict[str, Any]:
    return {"type": "image", "base64": data, "mime_type": f"image/{kind}"}


CONTENT: Final = Translation("LangChain", _image)


def messages_of(messages: Any, system_prompt: str | None, system_content: Any) -> list[Any]:
    """The conversation as LangChain's messages; results of tools are messages of their own."""
    from langchain_core import messages as lc

    system = system_of(system_prompt, system_content)
    made: list[Any] = [lc.SystemMessage(system)] if system else []
    for message in messages:
        blocks = message["content"]
        if message["role"] == "assistant":
            made.append(lc.AIMessage(**assistant_of(blocks)))
            continue
        made += [lc.ToolMessage(**result_of(block["toolResult"])) for block in blocks if "toolResult" in block]
        if said := [block for block in blocks if "toolResult" not in block]:
            made.append(lc.HumanMessage(CONTENT.parts_of(said)))
    return made


def assistant_of(blocks: Any) -> dict[str, Any]:
    """The arguments of an ``AIMessage``: text is one string where there is no other content.

    Calls take objects alone, so that an input which is none goes as an empty one.
    """
    calls = [block["toolUse"] for block in blocks if "toolUse" in block]
    content: Any = CONTENT.parts_of(block for block in blocks if "toolUse" not in block)
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
    texts = CONTENT.result_texts(result)
    content = [text_part(text) for text in texts] if len(texts) > 1 else "".join(texts)
    return {"content": content, "tool_call_id": result["toolUseId"], "status": result.get("status", "success")}


def choice_of(choice: Any) -> dict[str, Any]:
    """The argument of ``bind_tools``: ``auto``, ``any``, or the tool's name."""
    for kind, value in (choice or {}).items():
        return {"tool_choice": value["name"] if kind == "tool" else kind}
    return {}
