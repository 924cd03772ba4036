"""What a request says."""

import base64
import json
from typing import Any

import pytest

from harness.dialects.base import (
    CallPart,
    DecodeError,
    MediaPart,
    ReasoningPart,
    ResultPart,
    TextPart,
    ToolView,
    Turn,
    WireRequest,
)
from harness.dialects.mistral_chat import DIALECT
from tests.dialects.mistral_chat.recorded import recorded, request_of
from tests.shared import needs_shared

PNG = b"\x89PNG\r\n\x1a\n-"


def request(body: Any, path: str = "/v1/chat/completions") -> WireRequest:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return WireRequest("POST", path, (("content-type", "application/json"),), raw)


def url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


BODY: dict[str, Any] = {
    "model": "mistral-large-latest",
    "stream": True,
    "random_seed": 7,
    "messages": [
        {"role": "system", "content": [text("Be brief."), text("Grüße")]},
        {
            "role": "user",
            "content": [
                text("What is this? 世界"),
                {"type": "image_url", "image_url": {"url": url("image/png", PNG)}},
                {"type": "image_url", "image_url": "https://example.com/a.jpg"},
                {"type": "document_url", "document_url": url("application/pdf", b"%PDF"), "document_name": "a.pdf"},
                {"type": "file", "file_id": "file-1"},
                {"type": "input_audio", "input_audio": "AAAA"},
            ],
        },
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": [text("H"), text("m.")]}, text("Let me see.")],
            "tool_calls": [
                {"id": "aaaaaaaaa", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}},
                {"id": "bbbbbbbbb", "function": {"name": "g", "arguments": {"y": 2}}},
            ],
        },
        {"role": "tool", "tool_call_id": "aaaaaaaaa", "name": "f", "content": "1"},
        {
            "role": "tool",
            "tool_call_id": "bbbbbbbbb",
            "content": [text("2"), text("3"), {"type": "image_url", "image_url": url("image/png", PNG)}],
        },
    ],
    "tools": [
        {
            "type": "function",
            "function": {"name": "f", "description": "d", "parameters": {"type": "object"}, "strict": True},
        },
        {"type": "function", "function": {"name": "g", "parameters": {}}},
    ],
    "tool_choice": {"type": "function", "function": {"name": "f"}},
    "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}},
}


def test_everything_that_a_request_says_is_in_its_view() -> None:
    view = DIALECT.read_request(request(BODY))
    assert (view.model, view.stream) == ("mistral-large-latest", True)
    assert view.system == ("Be brief.", "Grüße")
    assert view.turns == (
        Turn(
            "user",
            (
                TextPart("What is this? 世界"),
                MediaPart("image", "png", PNG),
                MediaPart("image", None, None, uri="https://example.com/a.jpg"),
                MediaPart("document", "pdf", b"%PDF", "a.pdf"),
                MediaPart("document", None, None, uri="file-1"),
                MediaPart("audio", None, b"\0\0\0"),
            ),
        ),
        Turn(
            "assistant",
            (
                ReasoningPart("Hm."),
                TextPart("Let me see."),
                CallPart("aaaaaaaaa", "f", {"x": 1}),
                CallPart("bbbbbbbbb", "g", {"y": 2}),
            ),
        ),
        Turn("tool", (ResultPart("aaaaaaaaa", ("1",)),)),
        Turn("tool", (ResultPart("bbbbbbbbb", ("2", "3"), (MediaPart("image", "png", PNG),)),)),
    )
    assert view.tools == (ToolView("f", "d", {"type": "object"}, True), ToolView("g", None, {}, None))
    assert (view.tool_choice, view.response_schema) == ("tool:f", {"type": "object"})
    assert view.params == {"random_seed": 7}


@pytest.mark.parametrize(
    ("wire", "meant"), [("auto", "auto"), ("any", "any"), ("required", "any"), ("none", "none"), (None, None)]
)
def test_tool_choice_in_no_vendors_words(wire: str | None, meant: str | None) -> None:
    assert DIALECT.read_request(request({**BODY, "tool_choice": wire})).tool_choice == meant


@pytest.mark.parametrize(
    "bad",
    [request(b"{"), request([]), request({"model": "x"}), request({"messages": ["x"]}), request(BODY, "/v1/fim")],
)
def test_what_is_no_request_of_this_protocol_is_refused(bad: WireRequest) -> None:
    with pytest.raises(DecodeError):
        DIALECT.read_request(bad)


@pytest.mark.parametrize(
    ("body", "asked"), [({"stream": True}, True), ({"stream": False}, False), ({}, False), (b"not json", False)]
)
def test_whether_a_stream_is_asked_for(body: Any, asked: bool) -> None:
    assert DIALECT.is_stream(request(body)) is asked


@needs_shared
def test_every_recorded_request_is_read_whole() -> None:
    read = 0
    for kept in filter(None, map(request_of, recorded())):
        view, messages = DIALECT.read_request(kept), json.loads(kept.body)["messages"]
        said = [message for message in messages if message["role"] != "system"]
        assert [turn.role for turn in view.turns] == [message["role"] for message in said]
        for turn, message in zip(view.turns, said, strict=True):
            called = [part.id for part in turn.parts if isinstance(part, CallPart)]
            assert called == [call["id"] for call in message.get("tool_calls") or ()]
            content = message["content"]
            others = [part for part in turn.parts if not isinstance(part, CallPart)]
            if isinstance(content, list) and message["role"] != "tool":
                assert len(others) == len(content)
            elif isinstance(content, str):
                assert content == "".join(map(text_of, others))
        read += 1
    assert read > 40


def text_of(part: object) -> str:
    """The text of a part, or of a result."""
    return getattr(part, "text", None) or "".join(getattr(part, "texts", ()))
