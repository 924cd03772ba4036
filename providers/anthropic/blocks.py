"""From content blocks of the contract to content blocks of the Messages API.

Each writer gives one wire block, or None where nothing is to be sent; what the API cannot take is left out with an
:class:`UnsupportedContentWarning`.
"""

import base64
import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from harness.contract.config import UnsupportedContentWarning
from providers.anthropic.names import ToolNames, wire_id

WireBlock = dict[str, Any]

#: how images of each type begin; the API refuses a declared type that differs from the bytes
_MAGIC: Final[tuple[tuple[str, bytes, int], ...]] = (
    ("image/png", b"\x89PNG", 0),
    ("image/jpeg", b"\xff\xd8\xff", 0),
    ("image/gif", b"GIF8", 0),
    ("image/webp", b"WEBP", 8),
)


def wire_block(block: Mapping[str, Any], names: ToolNames) -> WireBlock | None:
    """One block of a message, or None when there is nothing to send."""
    return _write(_BLOCKS, block, names)


def text_block(text: str) -> WireBlock | None:
    """A text block; None for blank text, which the API refuses."""
    return {"type": "text", "text": text} if text.strip() else None


def unsupported(what: str) -> None:
    """Warn that ``what`` is left out."""
    warnings.warn(f"the Messages API cannot take {what}: it is left out", UnsupportedContentWarning, stacklevel=3)


_Writer = Callable[[Any, ToolNames], WireBlock | None]


def _write(table: Mapping[str, _Writer], block: Mapping[str, Any], names: ToolNames) -> WireBlock | None:
    for key, body in block.items():
        if key in table:
            return table[key](body, names)
    unsupported(f"{'/'.join(block)} content")
    return None


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes_of(media: Mapping[str, Any], kind: str) -> bytes | None:
    data: bytes | None = media.get("source", {}).get("bytes")
    if data is None:
        unsupported(f"{kind} content without bytes")
    return data


def _image(image: Any, _: ToolNames) -> WireBlock | None:
    data = _bytes_of(image, "image")
    if data is None:
        return None
    found = (kind for kind, magic, offset in _MAGIC if data.startswith(magic, offset))
    source = {"type": "base64", "media_type": next(found, f"image/{image['format']}"), "data": _base64(data)}
    return {"type": "image", "source": source}


def _document(document: Any, _: ToolNames) -> WireBlock | None:
    data = _bytes_of(document, "document")
    if data is None:
        return None
    source = _DOCUMENT_SOURCES.get(document.get("format", "pdf"))
    if source is None:
        unsupported(f"{document['format']} documents")
        return None
    return {"type": "document", "source": source(data), **_document_fields(document)}


def _document_fields(document: Mapping[str, Any]) -> WireBlock:
    fields = {"title": document.get("name"), "context": document.get("context"), "citations": document.get("citations")}
    return {name: value for name, value in fields.items() if value}


def _pdf(data: bytes) -> WireBlock:
    return {"type": "base64", "media_type": "application/pdf", "data": _base64(data)}


def _plain(data: bytes) -> WireBlock:
    return {"type": "text", "media_type": "text/plain", "data": data.decode("utf-8", errors="replace")}


_DOCUMENT_SOURCES: Final[Mapping[str, Callable[[bytes], WireBlock]]] = {
    "pdf": _pdf,
    "txt": _plain,
    "md": _plain,
    "csv": _plain,
    "html": _plain,
}


def _tool_use(use: Any, names: ToolNames) -> WireBlock:
    return {
        "type": "tool_use",
        "id": wire_id(use["toolUseId"]),
        "name": names.wire(use["name"]),
        "input": _object(use.get("input")),
    }


def _object(value: Any) -> dict[str, Any]:
    """A call's input as an object: a history may hold its text, broken text, or nothing."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}


def _tool_result(result: Any, names: ToolNames) -> WireBlock:
    failed = result.get("status") == "error"
    content = [*_result_content(result.get("content") or (), names, failed)]
    block: WireBlock = {"type": "tool_result", "tool_use_id": wire_id(result["toolUseId"])}
    if content:
        block["content"] = content
    if failed:
        block["is_error"] = True
    return block


def _result_content(items: Iterable[Mapping[str, Any]], names: ToolNames, failed: bool) -> Iterator[WireBlock]:
    for item in items:
        block = _write(_RESULT_ITEMS, item, names)
        if block is None:
            continue
        if failed and block["type"] != "text":  # refused: "all content must be type text if is_error is true"
            unsupported(f"{block['type']} content in the result of a failed call")
            continue
        yield block


def _reasoning(reasoning: Any, _: ToolNames) -> WireBlock | None:
    if "redactedContent" in reasoning:
        return {"type": "redacted_thinking", "data": _base64(reasoning["redactedContent"])}
    spoken = reasoning.get("reasoningText", {})
    if not spoken.get("signature"):
        unsupported("reasoning without a signature")
        return None
    return {"type": "thinking", "thinking": spoken.get("text", ""), "signature": spoken["signature"]}


def _citations(content: Any, _: ToolNames) -> WireBlock | None:
    """The text alone: a location names a document by its place in a request that may have changed since."""
    return text_block("".join(item.get("text", "") for item in content.get("content", ())))


def _guarded(content: Any, _: ToolNames) -> WireBlock | None:
    return text_block(content.get("text", {}).get("text", ""))


def _text(text: Any, _: ToolNames) -> WireBlock | None:
    return text_block(text)


def _json(value: Any, _: ToolNames) -> WireBlock:
    return {"type": "text", "text": json.dumps(value, ensure_ascii=False)}


_RESULT_ITEMS: Final[Mapping[str, _Writer]] = {"text": _text, "json": _json, "image": _image, "document": _document}

_BLOCKS: Final[Mapping[str, _Writer]] = {
    "text": _text,
    "image": _image,
    "document": _document,
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "reasoningContent": _reasoning,
    "citationsContent": _citations,
    "guardContent": _guarded,
}
