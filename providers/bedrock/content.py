"""Content blocks as the Converse API takes them.

Each table row formats one member of the service's tagged union ``ContentBlock`` and sends only members that the
service's model has: it refuses unknown ones. A formatter gives the whole block, or None when there is nothing to send.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from providers._shared.content import cited_text, converted, input_object, is_blank, json_text, warn_left_out
from providers._shared.media import bytes_of
from providers.bedrock.names import CALL_IDS, NAMES, DocumentNames

Block = dict[str, Any]

#: stands for a tool result without content, which the service refuses
EMPTY_RESULT: Final = "(empty result)"


@dataclass(frozen=True, slots=True)
class Form:
    """What formatting depends on: the names of the request's documents, and what its model takes."""

    documents: DocumentNames = field(default_factory=DocumentNames)
    #: send the status of tool results
    status: bool = True
    #: send reasoning of the history
    reasoning: bool = True
    #: send reasoning of the history that has no signature
    unsigned_reasoning: bool = True


def pick(value: Mapping[str, Any], *members: str) -> dict[str, Any]:
    """The given members, where they are there and not None."""
    return {member: value[member] for member in members if value.get(member) is not None}


def format_block(block: Mapping[str, Any], form: Form) -> Block | None:
    """One block of a message, or None when it must not be sent; content that is lost that way warns."""
    return converted(_BLOCKS, block, form)


def _text(text: str, form: Form) -> Block | None:
    return None if is_blank(text) else {"text": text}


# --- media


def media_source(media: Mapping[str, Any], kind: str) -> Block | None:
    """Bytes, or where they lie on S3; None, with a warning, for other places."""
    if data := bytes_of(media):
        return {"bytes": data}
    location = (media.get("source") or {}).get("location") or {}
    if location.get("type") == "s3" and location.get("uri"):
        return {"s3Location": pick(location, "uri", "bucketOwner")}
    warn_left_out(f"a {kind} without bytes or a location on S3")
    return None


def _media(kind: str) -> "_Formatter":
    def media(body: Mapping[str, Any], form: Form) -> Block | None:
        source = media_source(body, kind)
        return source and {kind: {**pick(body, "format"), "source": source}}

    return media


def _document(body: Mapping[str, Any], form: Form) -> Block | None:
    source = media_source(body, "document")
    if source is None:
        return None
    document = {**pick(body, "format", "context"), "name": form.documents.sent(body.get("name")), "source": source}
    if citations := body.get("citations"):
        document["citations"] = pick(citations, "enabled")
    return {"document": document}


# --- tools


def _tool_use(body: Mapping[str, Any], form: Form) -> Block:
    name, use_id = NAMES.wire(body["name"]), CALL_IDS.wire(body["toolUseId"])
    return {"toolUse": {"toolUseId": use_id, "name": name, "input": input_object(body.get("input"))}}


def _tool_result(body: Mapping[str, Any], form: Form) -> Block:
    items = (converted(_RESULT_ITEMS, item, form) for item in body.get("content") or ())
    content = [item for item in items if item is not None] or [{"text": EMPTY_RESULT}]
    status = pick(body, "status") if form.status else {}
    return {"toolResult": {"toolUseId": CALL_IDS.wire(body["toolUseId"]), "content": content, **status}}


def _json(value: Any, form: Form) -> Block:
    # The service takes objects only, although its model speaks of any document.
    return {"json": value} if isinstance(value, dict) else {"text": json_text(value)}


# --- reasoning and citations


def _reasoning(body: Mapping[str, Any], form: Form) -> Block | None:
    if not form.reasoning:
        return None
    if redacted := body.get("redactedContent"):
        return {"reasoningContent": {"redactedContent": redacted}}
    return _readable_reasoning(body.get("reasoningText") or {}, form)


def _readable_reasoning(body: Mapping[str, Any], form: Form) -> Block | None:
    text, signature = body.get("text") or "", body.get("signature")
    if signature:
        return {"reasoningContent": {"reasoningText": {"text": text, "signature": signature}}}
    if is_blank(text) or not form.unsigned_reasoning:
        return None
    return {"reasoningContent": {"reasoningText": {"text": text}}}


def _citations(body: Mapping[str, Any], form: Form) -> Block | None:
    citations = [_citation(citation) for citation in body.get("citations") or ()]
    citations = [citation for citation in citations if citation]
    if not citations:
        return _text(cited_text(body), form)
    return {"citationsContent": {"content": _texts(body.get("content")), "citations": citations}}


def _citation(body: Mapping[str, Any]) -> Block:
    citation = pick(body, "title")
    if source := _texts(body.get("sourceContent")):
        citation["sourceContent"] = source
    location = body.get("location") or {}
    for tag, members in _LOCATIONS.items():
        if tag in location:
            citation["location"] = {tag: pick(location[tag], *members)}
    return citation


def _texts(items: Iterable[Mapping[str, Any]] | None) -> list[dict[str, str]]:
    return [{"text": item["text"]} for item in items or () if item.get("text")]


_LOCATIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "web": ("url", "domain"),
    "documentChar": ("documentIndex", "start", "end"),
    "documentPage": ("documentIndex", "start", "end"),
    "documentChunk": ("documentIndex", "start", "end"),
    "searchResultLocation": ("searchResultIndex", "start", "end"),
}


# --- marks


def _guard_content(body: Mapping[str, Any], form: Form) -> Block | None:
    text = body.get("text") or {}
    return None if is_blank(text.get("text")) else {"guardContent": {"text": pick(text, "text", "qualifiers")}}


def _cache_point(body: Mapping[str, Any], form: Form) -> Block:
    return cache_point(body.get("type") or "default", body.get("ttl"))


def cache_point(kind: str = "default", ttl: str | None = None) -> Block:
    """The mark before which everything may be cached."""
    return {"cachePoint": {"type": kind, **({"ttl": ttl} if ttl else {})}}


def format_system(block: Mapping[str, Any], form: Form) -> Block | None:
    """One block of the system prompt, or None when there is nothing to send."""
    return converted(_SYSTEM, block, form)


_Formatter = Callable[[Any, Form], Block | None]

_SYSTEM: Final[Mapping[str, _Formatter]] = {"text": _text, "guardContent": _guard_content, "cachePoint": _cache_point}

_RESULT_ITEMS: Final[Mapping[str, _Formatter]] = {
    "text": _text,
    "json": _json,
    "image": _media("image"),
    "document": _document,
    "video": _media("video"),
}

_BLOCKS: Final[Mapping[str, _Formatter]] = {
    "text": _text,
    "image": _media("image"),
    "document": _document,
    "video": _media("video"),
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "reasoningContent": _reasoning,
    "citationsContent": _citations,
    "guardContent": _guard_content,
    "cachePoint": _cache_point,
}
