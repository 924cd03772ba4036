"""From content blocks of the contract to parts of a Gemini turn, in the SDK's field names.

Each writer gives the parts of one block; what the service cannot take is left out with an
:class:`UnsupportedContentWarning`.
"""

import base64
import binascii
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from providers._shared.content import cited_text, converted, guarded_text, input_object, is_blank, warn_left_out
from providers._shared.media import bytes_of, document_type, image_type
from providers.gemini.names import NAMES

Part = dict[str, Any]

#: https://ai.google.dev/gemini-api/docs/image-understanding and document-processing
_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/webp"})
_DOCUMENTS: Final = frozenset({"application/pdf", "text/plain", "text/html", "text/csv", "text/markdown"})

#: https://ai.google.dev/gemini-api/docs/video-understanding, by the contract's format
_VIDEOS: Final[Mapping[str, str]] = {
    "flv": "video/x-flv",
    "mov": "video/quicktime",
    "mpeg": "video/mpeg",
    "mpg": "video/mpg",
    "mp4": "video/mp4",
    "three_gp": "video/3gpp",
    "webm": "video/webm",
    "wmv": "video/wmv",
}

#: places that the service fetches from: Cloud Storage, its own Files API, the web
_FETCHED: Final = ("gs://", "https://")


@dataclass(frozen=True, slots=True)
class Form:
    """What depends on the conversation and the model.

    ``called`` has the names of functions by the ids of their calls. ``nested`` says whether media of a result stand
    inside the function response, which models before Gemini 3 refuse, or behind it.
    """

    called: Mapping[str, str]
    nested: bool


def parts_of(block: Mapping[str, Any], form: Form) -> list[Part]:
    """The parts of one block of a message; none when there is nothing to send."""
    return converted(_BLOCKS, block, form) or []


def text_parts(text: str | None) -> list[Part]:
    """A part of text, unless the text is blank."""
    return [] if text is None or is_blank(text) else [{"text": text}]


def signature_bytes(signature: str | None) -> bytes | None:
    """The signature as the SDK takes it; None for one of another vendor that is no base64."""
    try:
        return base64.b64decode(signature or "", validate=True) or None
    except (binascii.Error, ValueError):
        return None


# --- media


def _image(image: Any, _: Any = None) -> list[Part]:
    data = bytes_of(image)
    return _media(image, image_type(image, data or b""), "image", _IMAGES)


def _document(document: Any, _: Any = None) -> list[Part]:
    return _media(document, document_type(document), "document", _DOCUMENTS)


def _video(video: Any, _: Any = None) -> list[Part]:
    return _media(video, _VIDEOS.get(video.get("format", "mp4"), "unknown"), "video", frozenset(_VIDEOS.values()))


def _media(media: Mapping[str, Any], kind: str, what: str, known: frozenset[str]) -> list[Part]:
    if kind not in known:
        warn_left_out(f"{what} content of the format {media.get('format')}")
        return []
    data, uri = bytes_of(media), _uri(media)
    if data is not None:
        return [{"inline_data": {"data": data, "mime_type": kind}}]
    if uri.startswith(_FETCHED):
        return [{"file_data": {"file_uri": uri, "mime_type": kind}}]
    warn_left_out(f"{what} content without bytes, and not in a place that Gemini fetches from,")
    return []


def _uri(media: Mapping[str, Any]) -> str:
    location = (media.get("source") or {}).get("location") or {}
    return str(location.get("uri") or "")


# --- calls and their results


def _tool_use(use: Any, _: Form) -> list[Part]:
    call = {"id": use["toolUseId"], "name": NAMES.wire(use["name"]), "args": input_object(use.get("input"))}
    return [_signed({"function_call": call}, use.get("reasoningSignature"))]


def _signed(part: Part, signature: str | None) -> Part:
    data = signature_bytes(signature)
    return {**part, "thought_signature": data} if data else part


def _tool_result(result: Any, form: Form) -> list[Part]:
    """A function response, whose media stand in it or behind it."""
    call_id, content = result["toolUseId"], result.get("content") or ()
    response: Part = {
        "id": call_id,
        "name": NAMES.wire(form.called.get(call_id, call_id)),
        "response": _response([*_values(content)], failed=result.get("status") == "error"),
    }
    media = [*_result_media(content)]
    if form.nested and media:
        response["parts"] = media
    return [{"function_response": response}, *([] if form.nested else media)]


def _response(values: list[Any], *, failed: bool) -> dict[str, Any]:
    """The result as the object that it must be: an object of the tool's own is kept, everything else is wrapped."""
    if len(values) == 1 and isinstance(values[0], dict) and not failed:
        return values[0]
    return {"error" if failed else "output": values[0] if len(values) == 1 else values or ""}


def _values(content: Iterable[Mapping[str, Any]]) -> Iterator[Any]:
    return (item[key] for item in content for key in ("text", "json") if key in item)


def _result_media(content: Iterable[Mapping[str, Any]]) -> Iterator[Part]:
    for item in content:
        if "text" not in item and "json" not in item:
            yield from converted(_RESULT_MEDIA, item) or ()


# --- what the model said


def _reasoning(reasoning: Any, _: Form) -> list[Part]:
    spoken = reasoning.get("reasoningText")
    if spoken is None:
        warn_left_out("redacted reasoning")
        return []
    part = _signed({"text": spoken.get("text", ""), "thought": True}, spoken.get("signature"))
    return [part] if part["text"] or "thought_signature" in part else []


_RESULT_MEDIA: Final[Mapping[str, Callable[..., list[Part]]]] = {
    "image": _image,
    "document": _document,
    "video": _video,
}

_BLOCKS: Final[Mapping[str, Callable[..., list[Part]]]] = {
    "text": lambda text, _: text_parts(text),
    "image": _image,
    "document": _document,
    "video": _video,
    "toolUse": _tool_use,
    "toolResult": _tool_result,
    "reasoningContent": _reasoning,
    "citationsContent": lambda content, _: text_parts(cited_text(content)),
    "guardContent": lambda content, _: text_parts(guarded_text(content)),
    # The service caches beginnings that it has seen by itself.
    "cachePoint": lambda _, __: [],
}
