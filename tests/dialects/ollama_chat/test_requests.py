"""What a request says."""

import json
from base64 import b64encode
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
from harness.dialects.ollama_chat import DIALECT
from tests.dialects.ollama_chat.recorded import recorded, request_of
from tests.shared import needs_shared

PNG = b"\x89PNG\r\n\x1a\n-"


def request(body: Any, path: str = "/api/chat") -> WireRequest:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return WireRequest("POST", path, (("content-type", "application/json"),), raw)


def base64(data: bytes) -> str:
    return b64encode(data).decode()


BODY: dict[str, Any] = {
    "model": "llama3.2",
    "stream": False,
    "options": {"temperature": 0.5},
    "think": "high",
    "format": {"type": "object"},
    "messages": [
        {"role": "system", "content": "Be brief. Grüße"},
        {"role": "User", "content": "What is this? 世界", "images": [base64(PNG), base64(b"\xff\xd8\xff-"), "%"]},
        {
            "role": "assistant",
            "content": "Let me see.",
            "thinking": "Hm.",
            "tool_calls": [
                {"function": {"name": "f", "arguments": {"x": 1}}},
                {"id": "call_0", "function": {"name": "g", "arguments": {}}},
            ],
        },
        {"role": "tool", "content": "1", "tool_name": "f"},
        {"role": "tool", "content": "", "tool_name": "g", "tool_call_id": "call_0", "images": [base64(PNG)]},
    ],
    "tools": [
        {"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}},
        {"type": "function", "function": {"name": "g"}},
    ],
}


def test_everything_that_a_request_says_is_in_its_view() -> None:
    view = DIALECT.read_request(request(BODY))
    assert (view.model, view.stream) == ("llama3.2", False)
    assert view.system == ("Be brief. Grüße",)
    assert view.turns == (
        Turn(
            "user",
            (
                TextPart("What is this? 世界"),
                MediaPart("image", "png", PNG),
                MediaPart("image", "jpeg", b"\xff\xd8\xff-"),
                MediaPart("image", None, None, uri="%"),
            ),
        ),
        Turn(
            "assistant",
            (ReasoningPart("Hm."), TextPart("Let me see."), CallPart("#1", "f", {"x": 1}), CallPart("call_0", "g", {})),
        ),
        Turn("tool", (ResultPart("#1", ("1",)),)),
        Turn("tool", (ResultPart("call_0", (), (MediaPart("image", "png", PNG),)),)),
    )
    assert view.tools == (ToolView("f", "d", {"type": "object"}), ToolView("g", None, None))
    assert (view.tool_choice, view.response_schema) == (None, {"type": "object"})
    assert view.params == {"options": {"temperature": 0.5}, "think": "high"}


def result_ids(*results: dict[str, Any]) -> list[str]:
    """Which of the calls f, g, f and h (with an id) some results are for."""
    calls: list[dict[str, Any]] = [{"function": {"name": name, "arguments": {}}} for name in "fgf"]
    calls.append({"id": "call_h", "function": {"name": "h", "arguments": {}}})
    messages = [
        {"role": "assistant", "tool_calls": calls},
        *({"role": "tool", "content": "1", **more} for more in results),
    ]
    view = DIALECT.read_request(request({"model": "m", "messages": messages}))
    assert [part.id for part in view.turns[0].parts if isinstance(part, CallPart)] == ["#1", "#2", "#3", "call_h"]
    return [part.id for turn in view.turns[1:] for part in turn.parts if isinstance(part, ResultPart)]


def test_results_without_ids_belong_to_calls_by_name_and_order() -> None:
    assert result_ids({}, {}, {}, {}) == ["#1", "#2", "#3", "call_h"]
    names = [{"tool_name": name} for name in "hfgf"]
    assert result_ids(*names) == ["call_h", "#1", "#2", "#3"]
    assert result_ids({"tool_call_id": "call_h"}, {"tool_name": "f"}, {}) == ["call_h", "#1", "#2"]
    assert result_ids({"tool_name": "unknown"}, {"tool_call_id": "call_x"}) == ["unknown", "call_x"]


@pytest.mark.parametrize("wanted", ["json", "", None])
def test_a_format_without_a_schema_stays_a_parameter(wanted: Any) -> None:
    view = DIALECT.read_request(request({**BODY, "format": wanted}))
    assert view.response_schema is None
    assert view.params["format"] == wanted


@pytest.mark.parametrize(
    "bad",
    [request(b"{"), request([]), request({"model": "x"}), request({"messages": ["x"]}), request(BODY, "/api/generate")],
)
def test_what_is_no_request_of_this_protocol_is_refused(bad: WireRequest) -> None:
    with pytest.raises(DecodeError):
        DIALECT.read_request(bad)


@pytest.mark.parametrize(
    ("body", "asked"),
    [({"stream": True}, True), ({"stream": False}, False), ({}, True), ({"stream": None}, True), (b"not json", False)],
)
def test_a_stream_is_asked_for_unless_refused(body: Any, asked: bool) -> None:
    assert DIALECT.is_stream(request(body)) is asked


@needs_shared
def test_every_recorded_request_is_read_whole() -> None:
    for kept in map(request_of, recorded()):
        view, body = DIALECT.read_request(kept), json.loads(kept.body)
        assert [turn.role for turn in view.turns] == [message["role"] for message in body["messages"]]
        told = [text for turn in view.turns for part in turn.parts for text in texts_of(part)]
        assert told == [message["content"] for message in body["messages"] if message["content"]]
        assert [tool.name for tool in view.tools] == [tool["function"]["name"] for tool in body.get("tools", ())]
        assert (view.model, view.stream) == (body["model"], body.get("stream", True))


def texts_of(part: object) -> tuple[str, ...]:
    """The texts of a part or of a result."""
    text = getattr(part, "text", None)
    return (text,) if text else getattr(part, "texts", ())
