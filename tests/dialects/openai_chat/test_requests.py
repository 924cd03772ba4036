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
from harness.dialects.openai_chat import DIALECT
from tests.dialects.openai_chat.recorded import recorded, request_of
from tests.shared import needs_shared

PNG = b"\x89PNG\r\n\x1a\n-"


def request(body: Any, path: str = "/v1/chat/completions") -> WireRequest:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return WireRequest("POST", path, (("content-type", "application/json"),), raw)


def url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


BODY: dict[str, Any] = {
    "model": "gpt-4o",
    "stream": True,
    "stream_options": {"include_usage": True},
    "temperature": 0.5,
    "messages": [
        {"role": "system", "content": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "Grüße"}]},
        {"role": "developer", "content": "Be kind."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "What is this? 世界", "cache_control": {"type": "ephemeral"}},
                {"type": "image_url", "image_url": {"url": url("image/png", PNG)}},
                {"type": "image_url", "image_url": {"url": "https://example.com/a.jpg"}},
                {"type": "file", "file": {"filename": "a.pdf", "file_data": url("application/pdf", b"%PDF")}},
                {"type": "file", "file": {"file_id": "file-1"}},
                {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
            ],
        },
        {
            "role": "assistant",
            "content": "Let me see.",
            "reasoning_content": "Hm.",
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}},
                {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{"}},
            ],
        },
        {"role": "tool", "tool_call_id": "a", "content": "1"},
        {
            "role": "tool",
            "tool_call_id": "b",
            "content": [{"type": "text", "text": "2"}, {"type": "text", "text": "3"}],
        },
        {"role": "assistant", "content": None, "refusal": "No."},
    ],
    "tools": [
        {
            "type": "function",
            "function": {"name": "f", "description": "d", "parameters": {"type": "object"}, "strict": True},
        },
        {"type": "function", "function": {"name": "g"}},
    ],
    "tool_choice": {"type": "function", "function": {"name": "f"}},
    "response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": {"type": "object"}}},
}


def test_everything_that_a_request_says_is_in_its_view() -> None:
    view = DIALECT.read_request(request(BODY))
    assert (view.model, view.stream) == ("gpt-4o", True)
    assert view.system == ("Be brief.", "Grüße", "Be kind.")
    assert view.turns == (
        Turn(
            "user",
            (
                TextPart("What is this? 世界"),
                MediaPart("image", "png", PNG),
                MediaPart("image", None, None, uri="https://example.com/a.jpg"),
                MediaPart("document", "pdf", b"%PDF", "a.pdf"),
                MediaPart("document", None, None, uri="file-1"),
                MediaPart("audio", "wav", b"\0\0\0"),
            ),
        ),
        Turn(
            "assistant",
            (ReasoningPart("Hm."), TextPart("Let me see."), CallPart("a", "f", {"x": 1}), CallPart("b", "g", "{")),
        ),
        Turn("tool", (ResultPart("a", ("1",)),)),
        Turn("tool", (ResultPart("b", ("2", "3")),)),
        Turn("assistant", (TextPart("No."),)),
    )
    assert view.tools == (ToolView("f", "d", {"type": "object"}, True), ToolView("g", None, None, None))
    assert view.tool_choice == "tool:f"
    assert view.response_schema == {"type": "object"}
    assert view.cache_points == ("messages[2].content[0].cache_control",)
    assert view.params == {"stream_options": {"include_usage": True}, "temperature": 0.5}


@pytest.mark.parametrize(("wire", "meant"), [("auto", "auto"), ("required", "any"), ("none", "none"), (None, None)])
def test_tool_choice_in_no_vendors_words(wire: str | None, meant: str | None) -> None:
    assert DIALECT.read_request(request({**BODY, "tool_choice": wire})).tool_choice == meant


def test_a_response_format_without_a_schema_stays_a_parameter() -> None:
    view = DIALECT.read_request(request({**BODY, "response_format": {"type": "json_object"}}))
    assert view.response_schema is None
    assert view.params["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(
    "bad",
    [request(b"{"), request([]), request({"model": "x"}), request({"messages": ["x"]}), request(BODY, "/v1/responses")],
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
        said = [message for message in messages if message["role"] not in ("system", "developer")]
        assert [turn.role for turn in view.turns] == [message["role"] for message in said]
        assert len(view.system) >= len(messages) - len(said)
        for turn, message in zip(view.turns, said, strict=True):
            called = [part.id for part in turn.parts if isinstance(part, CallPart)]
            assert called == [call["id"] for call in message.get("tool_calls") or ()]
            content = message.get("content")
            assert not isinstance(content, str) or content in "".join(map(text_of, turn.parts))
        read += 1
    assert read > 350


def text_of(part: object) -> str:
    """The text of a part, or of a result."""
    return getattr(part, "text", None) or "".join(getattr(part, "texts", ()))
