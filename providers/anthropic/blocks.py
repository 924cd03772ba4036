"""From content blocks of the contract to content blocks of the Messages API.

Each writer gives one wire block, or None where nothing is to be sent; what the API cannot take is left out with an
:class:`UnsupportedContentWarning`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from providers._shared.content import (
    cited_text,
    converted,
    guarded_text,
    input_object,
    is_blank,
    json_text,
    warn_left_out,
)
from providers._shared.media import base64_text, bytes_of, image_type
from providers.anthropic.names import CALL_IDS, NAMES

WireBlock = dict[str, Any]


def wire_block(block: Mapping[str, Any]) -> WireBlock | None:
    """One block of a message, or None when there is nothing to send."""
    return converted(_BLOCKS, block)


def text_block(text: str) -> WireBlock | None:
    """A text block; None for blank text, which the API refuses."""
    return None if is_blank(text) else {"type": "text", "text": text}


_Writer = Callable[[Any], WireBlock | None]


def _image(image: Any) -> WireBlock | None:
    data = bytes_of(image)
    if data is None:
        warn_left_out("image content without bytes")
        return None
    source = {"type": "base64", "media_type": image_type(image, data), "data": base64_text(data)}
    return {"type": "image", "source": source}


def _document(document: Any) -> WireBlock | None:
    data, source = bytes_of(document), _DOCUMENT_SOURCES.get(document.get("format", "pdf"))
    if data is None or source is None:
        warn_left_out("document content without bytes" if data is None else f"{document['format']} documents")
        return None
    return {"type": "document", "source": source(data), **_document_fields(document)}


def _document_fields(document: Mapping[str, Any]) -> WireBlock:
    fields = {"title": document.get("name"), "context": document.get("context"), "citations": document.get("citations")}
    return {name: value for name, value in fields.items() if value}


def _pdf(data: bytes) -> WireBlock:
    return {"type": "base64", "media_type": "application/pdf", "data": base64_text(data)}


def _plain(data: bytes) -> WireBlock:
    return {"type": "text", "media_type": "text/plain", "data": data.decode("utf-8", errors="replace")}


_DOCUMENT_SOURCES: Final[Mapping[str, Callable[[bytes], WireBlock]]] = {
    "pdf": _pdf,
    "txt": _plain,
    "md": _plain,
    "csv": _plain,
    "html": _plain,
}


def _tool_use(use: Any) -> WireBlock:
    return {
        "type": "tool_use",
        "id": CALL_IDS.wire(use["toolUseId"]),
        "name": NAMES.wire(use["name"]),
        "input": input_object(use.get("input")),
    }


def _tool_result(result: Any) -> WireBlock:
    failed = result.get("status") == "error"
    content = [*_result_content(result.get("content") or (), failed)]
    block: WireBlock = {"type": "tool_result", "tool_use_id": CALL_IDS.wire(result["toolUseId"])}
    if content:
        block["content"] = content
    if failed:
        block["is_error"] = True
    return block


def _result_content(items: Iterable[Mapping[str, Any]], failed: bool) -> Iterator[WireBlock]:
    for item in items:
        block = converted(_RESULT_ITEMS, item)
        if block is None:
            continue
        if failed and block["type"] != "text":  # refused: "all content must be type text if is_error is true"
            warn_left_out(f"{block['type']} content in the result of a failed call")
            continue
        yield block


def _reasoning(reasoning: Any) -> WireBlock | None:
    if "redactedContent" in reasoning:
        return {"type": "redacted_thinking", "data": base64_text(reasoning["redactedContent"])}
    spoken = reasoning.get("reasoningText", {})
    if not spoken.get("signature"):
        warn_left_out("reasoning without a signature")
        return None
    return {"type": "thinking", "thinking": spoken.get("text", ""), "signature": spoken["signature"]}


def _citations(content: Any) -> WireBlock | None:
    """The text alone: a location names a document by its place in a request that may have changed since."""
    return text_block(cited_text(content))


def _guarded(content: Any) -> WireBlock | None:
    return text_block(guarded_text(content))


def _json(value: Any) -> WireBlock:
    return {"type": "text", "text": json_text(value)}


_RESULT_ITEMS: Final[Mapping[str, _Writer]] = {
    "text": text_block,
    "json": _json,
    "image": _image,
    "document": _document,
}

_BLOCKS: Final[Mapping[str, _Writer]] = {
    "text": text_block,
    "image": _image,
    "document": _document,
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "reasoningContent": _reasoning,
    "citationsContent": _citations,
    "guardContent": _guarded,
}
