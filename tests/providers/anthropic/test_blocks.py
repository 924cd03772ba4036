import base64
from typing import Any

import pytest

from harness.contract.config import UnsupportedContentWarning
from providers.anthropic.blocks import wire_block
from providers.anthropic.names import CALL_IDS

PNG = b"\x89PNG\r\n\x1a\n0000"


def sent(block: Any) -> Any:
    return wire_block(block)


def result(*content: Any, **fields: Any) -> Any:
    return sent({"toolResult": {"toolUseId": "t1", "content": list(content), **fields}})


def image(data: bytes = PNG, kind: str = "png") -> Any:
    return {"image": {"format": kind, "source": {"bytes": data}}}


@pytest.mark.parametrize(
    ("data", "declared", "media_type"),
    [
        (PNG, "jpeg", "image/png"),
        (b"\xff\xd8\xff\xe0", "png", "image/jpeg"),
        (b"GIF89a", "png", "image/gif"),
        (b"RIFF0000WEBPVP8 ", "png", "image/webp"),
        (b"????", "webp", "image/webp"),
    ],
)
def test_images_are_typed_by_their_bytes(data: bytes, declared: str, media_type: str) -> None:
    source = {"type": "base64", "media_type": media_type, "data": base64.b64encode(data).decode()}
    assert sent(image(data, declared)) == {"type": "image", "source": source}


def test_pdf_documents_are_sent_in_base64() -> None:
    document = {"format": "pdf", "name": "report", "source": {"bytes": b"%PDF"}, "citations": {"enabled": True}}
    assert sent({"document": document}) == {
        "type": "document",
        "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="},
        "title": "report",
        "citations": {"enabled": True},
    }


@pytest.mark.parametrize("kind", ["txt", "md", "csv", "html"])
def test_text_documents_are_sent_as_text(kind: str) -> None:
    document = {"format": kind, "name": "notes", "source": {"bytes": "é".encode()}, "context": "mine"}
    assert sent({"document": document}) == {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "é"},
        "title": "notes",
        "context": "mine",
    }


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"image": {"format": "png", "source": {"location": {"type": "s3", "uri": "s3://b/k"}}}}, "without bytes"),
        ({"document": {"format": "pdf", "name": "d", "source": {"location": {"type": "s3"}}}}, "without bytes"),
        ({"document": {"format": "docx", "name": "d", "source": {"bytes": b"PK"}}}, "docx documents"),
        ({"video": {"format": "mp4", "source": {"bytes": b"0"}}}, "video content"),
        ({"reasoningContent": {"reasoningText": {"text": "hm"}}}, "without a signature"),
        ({"hologram": {}}, "hologram content"),
    ],
)
def test_what_cannot_be_sent_warns(block: Any, words: str) -> None:
    with pytest.warns(UnsupportedContentWarning, match=words):
        assert sent(block) is None


@pytest.mark.parametrize(
    "block",
    [
        {"text": " \n"},
        {"citationsContent": {"content": [{"text": ""}], "citations": []}},
        {"guardContent": {"text": {"text": ""}}},
    ],
)
def test_blank_text_is_not_sent(block: Any) -> None:
    assert sent(block) is None


def test_cited_and_guarded_text_is_sent_as_text() -> None:
    cited = {"citationsContent": {"content": [{"text": "a"}, {"text": "b"}], "citations": [{"title": "t"}]}}
    assert sent(cited) == {"type": "text", "text": "ab"}
    assert sent({"guardContent": {"text": {"text": "g"}}}) == {"type": "text", "text": "g"}


def test_reasoning_is_replayed_with_its_proof() -> None:
    signed = {"reasoningText": {"text": "", "signature": "c2ln"}}
    assert sent({"reasoningContent": signed}) == {"type": "thinking", "thinking": "", "signature": "c2ln"}
    assert sent({"reasoningContent": {"redactedContent": b"\x00\x01"}}) == {"type": "redacted_thinking", "data": "AAE="}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ('{"a": ', {}),
        (None, {}),
        ([1], {}),
    ],
)
def test_a_calls_input_is_always_an_object(given: Any, expected: Any) -> None:
    use = sent({"toolUse": {"toolUseId": "x:1", "name": "add", "input": given}})
    assert use == {"type": "tool_use", "id": CALL_IDS.wire("x:1"), "name": "add", "input": expected}


def test_results_of_every_kind() -> None:
    block = result({"text": "done"}, {"json": {"k": "日本"}}, {"text": " "}, image(), status="success")
    assert [part["type"] for part in block["content"]] == ["text", "text", "image"]
    assert block["content"][1]["text"] == '{"k": "日本"}'
    assert "is_error" not in block


def test_a_result_without_content_is_still_a_result() -> None:
    assert result() == {"type": "tool_result", "tool_use_id": "t1"}


def test_a_failed_call_may_hold_text_only() -> None:
    with pytest.warns(UnsupportedContentWarning, match="image content in the result of a failed call"):
        block = result({"text": "boom"}, image(), status="error")
    assert block == {
        "type": "tool_result",
        "tool_use_id": "t1",
        "content": [{"type": "text", "text": "boom"}],
        "is_error": True,
    }
