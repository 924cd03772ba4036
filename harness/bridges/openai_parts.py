"""What LangChain and LiteLLM share: parts of content and tools in OpenAI's form, from the contract's blocks."""

import base64
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

#: from an image's format and its bytes in base64 to a part
Imaged = Callable[[str, str], dict[str, Any]]


@dataclass(frozen=True)
class Translation:
    """Of a framework's content: what is not translated is left out with a warning that names the framework."""

    framework: str
    imaged: Imaged

    def parts_of(self, blocks: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Parts of content, without blank text."""
        return [part for block in blocks for kind, value in block.items() for part in self._parts(kind, value)]

    def _parts(self, kind: str, value: Any) -> Iterator[dict[str, Any]]:
        part = self._part(kind, value)
        if part is None:
            self._left_out(kind)
        elif part.get("text", "-").strip():
            yield part

    def _part(self, kind: str, value: Any) -> dict[str, Any] | None:
        if kind == "text":
            return text_part(value)
        if kind == "citationsContent":
            return text_part("".join(piece["text"] for piece in value.get("content", ())))
        if kind == "image" and "bytes" in value["source"]:
            return self.imaged(value["format"], base64.b64encode(value["source"]["bytes"]).decode())
        return None

    def result_texts(self, result: Mapping[str, Any]) -> list[str]:
        """The texts of a tool's result, JSON as its text; which packages take media from tools is not documented."""
        return [text for item in result["content"] for text in self._told(item)]

    def _told(self, item: Mapping[str, Any]) -> Iterator[str]:
        if "json" in item:
            yield json.dumps(item["json"], ensure_ascii=False)
        elif "text" in item:
            yield item["text"]
        else:
            self._left_out(*item)

    def _left_out(self, *kinds: str) -> None:
        told = f"content of kind {', '.join(kinds)} is not bridged to {self.framework} and left out"
        warnings.warn(told, stacklevel=3)


def text_part(text: str) -> dict[str, Any]:
    """A part that is text."""
    return {"type": "text", "text": text}


def tool_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A tool."""
    function = {"name": spec["name"], "description": spec["description"], "parameters": spec["inputSchema"]["json"]}
    return {"type": "function", "function": function}


def system_of(prompt: str | None, content: Any) -> str | None:
    """The system prompt as one text."""
    return "\n".join(block["text"] for block in content or () if "text" in block) or prompt
