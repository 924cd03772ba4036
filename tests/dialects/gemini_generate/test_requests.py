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
from harness.dialects.gemini_generate import DIALECT
from tests.dialects.gemini_generate.asks import DEVELOPER, RIGHT, SCHEMA, STREAM, VERTEX, ask, chosen, contents, user
from tests.dialects.gemini_generate.recorded import recorded, request_of
from tests.shared import needs_shared

PNG = b"\x89PNG\r\n\x1a\n\xfb\xff-"
JSON_SCHEMA = {"type": "object", "properties": {"snake_case": {"type": "string"}}, "$defs": {"a_b": {}}}


def media(mime: str, data: bytes, **more: str) -> dict[str, Any]:
    return {"mimeType": mime, "data": base64.b64encode(data).decode(), **more}


BODY: dict[str, Any] = {
    "system_instruction": {"role": "user", "parts": [{"text": "Be brief."}, {"text": "Grüße"}]},
    "contents": [
        user(
            {"text": "What is this? 世界"},
            {"inlineData": media("image/png", PNG)},
            {"inline_data": {"mime_type": "image/jpeg", "data": base64.urlsafe_b64encode(PNG).decode()}},
            {"fileData": {"fileUri": "gs://a/b.mp4", "mimeType": "video/mp4"}},
            {"inlineData": media("application/pdf", b"%PDF", displayName="a.pdf")},
            {"inlineData": media("text/plain", b"x")},
        ),
        {
            "role": "model",
            "parts": [
                {"text": "Hm.", "thought": True, "thoughtSignature": "-_8="},
                {"text": "Let me see."},
                {"functionCall": {"id": "a", "name": "f", "args": {"snake_case": 1}}, "thoughtSignature": "c2ln"},
                {"functionCall": {"name": "g"}},
                {"executableCode": {"language": "PYTHON", "code": "1"}},
            ],
        },
        user(
            {"functionResponse": {"id": "a", "name": "f", "response": {"output": [{"text": "1"}, {"json": {"é": 2}}]}}},
            {
                "functionResponse": {
                    "name": "g",
                    "response": {"error": "no"},
                    "parts": [{"inlineData": media("image/png", PNG)}],
                }
            },
        ),
    ],
    "tools": [
        {"functionDeclarations": [{"name": "f", "description": "d", "parameters": SCHEMA}]},
        {"google_search": {}, "function_declarations": [{"name": "g", "parameters_json_schema": JSON_SCHEMA}]},
    ],
    "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
    "generationConfig": {"temperature": 0.5, "responseMimeType": "application/json", "responseJsonSchema": JSON_SCHEMA},
    "safetySettings": [],
}


def test_everything_that_a_request_says_is_in_its_view() -> None:
    view = DIALECT.read_request(ask(BODY, STREAM))
    assert (view.model, view.stream) == ("gemini-2.5-flash", True)
    assert view.system == ("Be brief.", "Grüße")
    assert view.turns[:2] == (
        Turn(
            "user",
            (
                TextPart("What is this? 世界"),
                MediaPart("image", "png", PNG),
                MediaPart("image", "jpeg", PNG),
                MediaPart("video", "mp4", None, uri="gs://a/b.mp4"),
                MediaPart("document", "pdf", b"%PDF", "a.pdf"),
                MediaPart("document", "txt", b"x"),
            ),
        ),
        Turn(
            "assistant",
            (
                ReasoningPart("Hm.", "+/8="),
                TextPart("Let me see."),
                CallPart("a", "f", {"snake_case": 1}, "c2ln"),
                CallPart("call-1.3", "g", {}),
            ),
        ),
    )
    assert view.tools == (ToolView("f", "d", SCHEMA), ToolView("g", None, JSON_SCHEMA))
    assert view.tool_choice == "tool:f"
    assert view.response_schema == JSON_SCHEMA
    assert view.params == {"temperature": 0.5, "responseMimeType": "application/json", "safetySettings": []}


def test_results_hold_their_texts_and_values_and_find_their_calls() -> None:
    first, second = DIALECT.read_request(ask(BODY)).turns[2].parts
    assert isinstance(first, ResultPart)
    assert isinstance(second, ResultPart)
    assert (first.id, first.error, second.id, second.error) == ("a", None, "call-1.3", True)
    assert {"1", '{"é":2}'} <= set(first.texts)
    assert second.media == (MediaPart("image", "png", PNG),)


def test_calls_of_one_name_without_ids_are_answered_in_order() -> None:
    call = {"functionCall": {"name": "f"}}
    results = [{"functionResponse": {"name": "f", "response": {"output": text}}} for text in ("1", "2")]
    view = DIALECT.read_request(
        ask(contents(user({"text": "x"}), {"role": "model", "parts": [call, call]}, user(*results)))
    )
    ids = [[part.id for part in turn.parts if isinstance(part, CallPart | ResultPart)] for turn in view.turns]
    assert ids[1] == ids[2] == ["call-1.0", "call-1.1"]
    stray = DIALECT.read_request(ask(contents(user(results[0])))).turns[0].parts[0]
    assert isinstance(stray, ResultPart)
    assert stray.id == ""


@pytest.mark.parametrize(
    ("choice", "meant"),
    [
        ({"mode": "AUTO"}, "auto"),
        ({"mode": "any"}, "any"),
        ({"mode": "ANY", "allowedFunctionNames": ["f", "g"]}, "any"),
        ({"mode": "NONE"}, "none"),
        ({"mode": "VALIDATED"}, "auto"),
        ({}, None),
    ],
)
def test_tool_choice_in_no_vendors_words(choice: dict[str, Any], meant: str | None) -> None:
    assert DIALECT.read_request(ask(chosen(**choice))).tool_choice == meant


@pytest.mark.parametrize(
    "bad",
    [
        ask(b"{"),
        ask([]),
        ask(RIGHT, "/v1beta/models/gemini:countTokens"),
        ask(contents(user({"text": 1}, {"functionCall": {}}))),
        ask(contents(user({"functionResponse": {"response": {}}}))),
        WireRequest("GET", DEVELOPER, (), b"{}"),
    ],
)
def test_what_is_no_request_of_this_protocol_is_refused(bad: WireRequest) -> None:
    with pytest.raises(DecodeError):
        DIALECT.read_request(bad)


@pytest.mark.parametrize(("path", "asked"), [(STREAM, True), (DEVELOPER, False), (VERTEX, False), ("/", False)])
def test_whether_a_stream_is_asked_for(path: str, asked: bool) -> None:
    assert DIALECT.is_stream(ask(RIGHT, path)) is asked


@needs_shared
def test_every_recorded_request_is_read_whole() -> None:
    read = 0
    for kept in filter(None, map(request_of, recorded())):
        view, body = DIALECT.read_request(kept), json.loads(kept.body)
        assert len(view.turns) == len(body["contents"])
        said = json.dumps(body, ensure_ascii=False)
        for turn, content in zip(view.turns, body["contents"], strict=True):
            texts = [part["text"] for part in content["parts"] if "text" in part]
            assert [part.text for part in turn.parts if isinstance(part, TextPart | ReasoningPart)] == texts
            results = [part for part in turn.parts if isinstance(part, ResultPart)]
            assert len(results) == sum(
                bool({"functionResponse", "function_response"} & part.keys()) for part in content["parts"]
            )
            assert all(result.id for result in results)
        assert len(view.tools) == said.count('"parametersJsonSchema"') + said.count('"parameters"')
        read += 1
    assert read >= 90
