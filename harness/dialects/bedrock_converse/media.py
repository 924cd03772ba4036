"""Rules about images, documents and videos."""

from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import RequestFault
from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.bedrock_converse.asked import CLAUDE, NOVA, Asked

_MESSAGE_PAGE: Final = "Amazon Bedrock API reference, Message"
_MATRIX: Final = (
    "bedrock-converse/pydantic+pydantic-ai__test_multimodal_tool_returns_test_multimodal_tool_return_matrix_direct-"
    "uploaded_file"
)


_SIGNATURES: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"RIFF")
_AT_MOST: Final = {"image": 20, "document": 5}


def _media(asked: Asked) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Path, kind and value of each media block, those in tool results included."""
    for block in asked.blocks:
        if block.kind in _MEDIA_KINDS:
            yield block.path, block.kind, block.value
        elif block.kind == "toolResult":
            for at, inner in enumerate(block.value["content"]):
                yield from ((f"{block.path}.content[{at}].{kind}", kind, inner[kind]) for kind in inner)


_MEDIA_KINDS: Final = frozenset({"image", "document", "video"})


def documents(asked: Asked) -> Iterator[RequestFault]:
    """Documents have different names, and a text beside them."""
    names: set[str] = set()
    for path, kind, value in _media(asked):
        if kind == "document" and value["name"] in names:
            yield RequestFault(
                Kind.MEDIA, f"{path}.name", f"{value['name']!r} again", "Document names must be unique (bifrost#7003)"
            )
        names |= {value["name"]} if kind == "document" else set()
    for at, turn in enumerate(asked.turns):
        kinds = {kind for block in turn["content"] for kind in block}
        if "document" in kinds and not kinds & {"text", "guardContent"}:
            yield RequestFault(
                Kind.MEDIA, f"messages[{at}].content", "a document without a text", f"{_MESSAGE_PAGE}: content"
            )


def placement(asked: Asked) -> Iterator[RequestFault]:
    """Media are the user's, and not too many in a turn."""
    counts = Counter((block.turn, block.kind) for block in asked.blocks)
    for (turn, kind), count in counts.items():
        if count > _AT_MOST.get(kind, count):
            what = f"{count} blocks of the kind {kind}"
            yield RequestFault(Kind.MEDIA, f"messages[{turn}].content", what, f"{_MESSAGE_PAGE}: content")
    for block in asked.blocks:
        if block.kind in ("image", "document") and block.role == "assistant":
            yield RequestFault(Kind.MEDIA, block.path, "media of the assistant", f"{_MESSAGE_PAGE}: content")


#: where each family of models refuses a kind of media
_REFUSED: Final[tuple[tuple[tuple[str, ...], Callable[[str, str, Mapping[str, Any]], bool], str], ...]] = (
    (CLAUDE, lambda _path, kind, _value: kind == "video", f"{_MATRIX}-video-bedrock_claude.yaml"),
    (
        CLAUDE,
        lambda _path, kind, value: kind != "video" and "s3Location" in value.get("source", ()),
        f"{_MATRIX}-image-bedrock_claude.yaml",
    ),
    (
        NOVA,
        lambda path, kind, _value: kind == "document" and ".toolResult." in path,
        f"{_MATRIX}-document-bedrock_nova.yaml",
    ),
)


def refusals(asked: Asked) -> Iterator[RequestFault]:
    """Images are images, and the model takes the kind of media in this place."""
    for path, kind, value in _media(asked):
        if kind == "image" and "bytes" in value["source"] and not _is_image(value["source"]["bytes"]):
            yield RequestFault(
                Kind.MEDIA,
                f"{path}.source.bytes",
                "the bytes of no image",
                "bedrock-converse-stream/agentjido+req_llm__amazon_bedrock_converse_stream_validation_exception.json",
            )
        for families, refused, evidence in _REFUSED:
            if kind in _MEDIA_KINDS and asked.is_of(families) and refused(path, kind, value):
                yield RequestFault(Kind.MEDIA, path, f"{asked.model} refuses this {kind} here", evidence)


def _is_image(data: str) -> bool:
    return b64decode(data[:16]).startswith(_SIGNATURES)
