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
from harness.dialects.openai_responses import DIALECT
from tests.dialects.openai_responses.recorded import recorded, request_of
from tests.shared import needs_shared

PNG = b"\x89PNG\r\n\x1a\n-"


def request(body: Any, path: str = "/v1/responses") -> WireRequest:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return WireRequest("POST", path, (("content-type", "application/json"),), raw)


def url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def tool(**changed: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"é": {"type": "string"}}}
    return {"type": "function", "name": "f", "description": "Grüße", "parameters": schema, "strict": False, **changed}


SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}

BODY: dict[str, Any] = {
    "model": "gpt-5",
    "stream": True,
    "store": False,
    "temperature": 0.5,
    "instructions": "Be brief.",
    "input": [
        {"role": "developer", "content": "Be kind."},
        {"type": "message", "role": "system", "content": [{"type": "input_text", "text": "Grüße"}]},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "What is this? 世界", "prompt_cache_breakpoint": {"mode": "explicit"}},
                {"type": "input_image", "image_url": url("image/png", PNG)},
                {"type": "input_image", "image_url": "https://example.com/a.jpg"},
                {"type": "input_file", "filename": "a.pdf", "file_data": url("application/pdf", b"%PDF")},
                {"type": "input_file", "file_id": "file-1"},
                {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
            ],
        },
        {
            "type": "reasoning",
            "id": "rs_1",
            "summary": [{"type": "summary_text", "text": "Hm."}],
            "encrypted_content": "gAAAA",
        },
        {"type": "message", "role": "assistant", "id": "msg_1", "content": [{"type": "output_text", "text": "So."}]},
        {"type": "function_call", "id": "fc_1", "call_id": "a", "name": "f", "arguments": '{"x": 1}'},
        {"type": "function_call", "call_id": "b", "name": "g", "arguments": "{"},
        {"type": "function_call_output", "call_id": "a", "output": "1"},
        {
            "type": "function_call_output",
            "call_id": "b",
            "output": [
                {"type": "input_text", "text": "2"},
                {"type": "input_image", "image_url": url("image/png", PNG)},
                {"type": "input_text", "text": "3"},
            ],
        },
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "x"}},
        {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]},
        {"role": "user", "content": "Go on."},
    ],
    "tools": [tool(), {"type": "web_search"}],
    "tool_choice": {"type": "function", "name": "f"},
    "text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA}, "verbosity": "low"},
}


def test_what_a_request_says() -> None:
    view = DIALECT.read_request(request(BODY))
    assert (view.model, view.stream) == ("gpt-5", True)
    assert view.system == ("Be brief.", "Be kind.", "Grüße")
    assert view.turns == (
        Turn(
            "user",
            (
                TextPart("What is this? 世界"),
                MediaPart("image", "png", PNG),
                MediaPart("image", None, None, None, "https://example.com/a.jpg"),
                MediaPart("document", "pdf", b"%PDF", "a.pdf"),
                MediaPart("document", None, None, None, "file-1"),
                MediaPart("audio", "wav", b"\x00\x00\x00"),
            ),
        ),
        Turn("assistant", (ReasoningPart("Hm.", "gAAAA"),)),
        Turn("assistant", (TextPart("So."),)),
        Turn("assistant", (CallPart("a", "f", {"x": 1}),)),
        Turn("assistant", (CallPart("b", "g", "{"),)),
        Turn("tool", (ResultPart("a", ("1",)),)),
        Turn("tool", (ResultPart("b", ("2", "3"), (MediaPart("image", "png", PNG),)),)),
        Turn("assistant", ()),
        Turn("assistant", (TextPart("No."),)),
        Turn("user", (TextPart("Go on."),)),
    )
    assert view.tools == (ToolView("f", "Grüße", tool()["parameters"], False),)
    assert (view.tool_choice, view.response_schema) == ("tool:f", SCHEMA)
    assert view.cache_points == ("input[2].content[0].prompt_cache_breakpoint",)
    assert view.params == {"store": False, "temperature": 0.5, "text": {"verbosity": "low"}}


def test_a_string_is_a_users_message() -> None:
    view = DIALECT.read_request(request({"model": "m", "input": "Hi"}))
    assert view.turns == (Turn("user", (TextPart("Hi"),)),)


def test_a_conversation_that_the_service_holds_is_a_parameter() -> None:
    body = {"model": "m", "previous_response_id": "resp_1", "input": [{"role": "user", "content": "Go on."}]}
    view = DIALECT.read_request(request(body))
    assert view.params == {"previous_response_id": "resp_1"}
    assert len(view.turns) == 1


@pytest.mark.parametrize(
    ("choice", "met"),
    [
        ("auto", "auto"),
        ("required", "any"),
        ("none", "none"),
        (None, None),
        ({"type": "web_search"}, "tool:web_search"),
    ],
)
def test_tool_choices(choice: Any, met: str | None) -> None:
    assert DIALECT.read_request(request({**BODY, "tool_choice": choice})).tool_choice == met


def test_text_without_a_schema_is_a_parameter() -> None:
    view = DIALECT.read_request(request({**BODY, "text": {"format": {"type": "text"}}}))
    assert view.response_schema is None
    assert view.params["text"] == {"format": {"type": "text"}}


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (b"{", "/v1/responses"),
        (b"[]", "/v1/responses"),
        ({"input": [1]}, "/v1/responses"),
        ({"input": {}}, "/v1/responses"),
        (BODY, "/v1/chat/completions"),
    ],
)
def test_what_is_no_request_is_not_read_as_one(body: Any, path: str) -> None:
    with pytest.raises(DecodeError):
        DIALECT.read_request(request(body, path))


@pytest.mark.parametrize(("body", "met"), [(BODY, True), ({**BODY, "stream": False}, False), (b"{", False)])
def test_streams_are_asked_for(body: Any, met: bool) -> None:
    assert DIALECT.is_stream(request(body)) is met


@needs_shared
def test_every_recorded_request_is_read_with_all_its_texts() -> None:
    read = 0
    for found in recorded():
        kept = request_of(found)
        if kept is None:
            continue
        view = DIALECT.read_request(kept)
        parts = [part for turn in view.turns for part in turn.parts]
        said = [part.text for part in parts if isinstance(part, TextPart)] + list(view.system)
        said += [text for part in parts if isinstance(part, ResultPart) for text in part.texts]
        assert sorted(said) == sorted(texts_of(json.loads(kept.body))), found.name
        read += 1
    assert read > 100


def texts_of(body: dict[str, Any]) -> list[str]:
    """The words of a request, found by their place alone."""
    told = body.get("input") or []
    items = told if isinstance(told, list) else [{"content": told}]
    contents = [item.get(name) for item in items for name in ("content", "output") if item.get("type") != "reasoning"]
    parts = [part for content in contents for part in (content if isinstance(content, list) else [{"text": content}])]
    texts = [part.get("text") for part in parts] + [body.get("instructions")]
    return [text for text in texts if text]
