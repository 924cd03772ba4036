"""Requests that the real service would refuse, and those that it accepted."""

import json
from typing import Any

import pytest

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.gemini_generate import DIALECT
from tests.dialects.gemini_generate.asks import (
    ANSWERED,
    ASKED,
    CALL,
    CALLED,
    DEVELOPER,
    RESULT,
    RIGHT,
    SCHEMA,
    STREAM,
    STRICT,
    TOOLS,
    VERTEX,
    ask,
    blob,
    chosen,
    configured,
    contents,
    declared,
    parameters,
    user,
)
from tests.dialects.gemini_generate.recorded import recorded, request_of
from tests.shared import needs_shared

UNSIGNED = {"role": "model", "parts": [{"functionCall": CALL["functionCall"]}]}
ANSWER = RESULT["functionResponse"]
NAMELESS: dict[str, Any] = {"functionCall": {"args": {}}}

#: what is wrong, where, and of which kind
WRONG: list[tuple[Any, str, Kind]] = [
    ({**RIGHT, "max_tokens": 5}, "max_tokens", Kind.FORM),
    ({**RIGHT, "messages": []}, "messages", Kind.FORM),
    ({}, "contents", Kind.FORM),
    (contents(), "contents", Kind.FORM),
    (contents({"role": "system", "parts": [{"text": "x"}]}, ASKED), "contents[0].role", Kind.ROLES),
    (contents({"role": "assistant", "parts": [{"text": "x"}]}), "contents[0].role", Kind.ROLES),
    (contents({"role": "user", "content": "x"}), "contents[0].content", Kind.FORM),
    (contents({"role": "user", "parts": []}), "contents[0].parts", Kind.FORM),
    (contents(user({})), "contents[0].parts[0]", Kind.FORM),
    (contents(user("x")), "contents[0].parts[0]", Kind.FORM),
    (contents(user({"thoughtSignature": "c2ln"})), "contents[0].parts[0]", Kind.FORM),
    (contents(user({"text": "x", **blob("image/png", "AAAA")})), "contents[0].parts[0]", Kind.FORM),
    (contents(user({"text": 7})), "contents[0].parts[0].text", Kind.FORM),
    (contents(user({"text": "x", "cache_control": {}})), "contents[0].parts[0].cache_control", Kind.FORM),
    (contents(user({"text": ""})), "contents[0].parts[0].text", Kind.EMPTY_TEXT),
    (contents(user({"text": "x", "thoughtSignature": "!"})), "contents[0].parts[0].thoughtSignature", Kind.REASONING),
    (contents(user(blob("image/png", "not base64!"))), "contents[0].parts[0].inlineData.data", Kind.MEDIA),
    (contents(user(blob("image/png", ""))), "contents[0].parts[0].inlineData.data", Kind.MEDIA),
    (contents(user(blob(None, "AAAA"))), "contents[0].parts[0].inlineData.mimeType", Kind.MEDIA),
    (contents(user(blob("application/msword", "AAAA"))), "contents[0].parts[0].inlineData.mimeType", Kind.MEDIA),
    (contents(user({"fileData": {"mimeType": "image/png"}})), "contents[0].parts[0].fileData.fileUri", Kind.MEDIA),
    (contents(ASKED, CALLED, ASKED), "contents[2]", Kind.PAIRING),
    (contents(ASKED, {"role": "model", "parts": [CALL, CALL]}, ANSWERED), "contents[2]", Kind.PAIRING),
    (contents(ASKED, {"role": "model", "parts": [CALL, CALL]}, ANSWERED, ANSWERED), "contents[3]", Kind.PAIRING),
    (contents(ASKED, ANSWERED), "contents[1]", Kind.PAIRING),
    (contents(CALLED, ANSWERED), "contents[0]", Kind.ROLES),
    (contents(ASKED, {"role": "user", "parts": [CALL]}, ANSWERED), "contents[1]", Kind.ROLES),
    (contents(ASKED, {"role": "model", "parts": [{"text": "x"}]}, CALLED, ANSWERED), "contents[2]", Kind.ROLES),
    (contents(ASKED, {"role": "model", "parts": [NAMELESS]}, ANSWERED), "contents[1].parts[0].functionCall.name",
     Kind.TOOL_NAME),
    (contents(ASKED, CALLED, user({"functionResponse": {"name": "f", "response": "sunny"}})),
     "contents[2].parts[0].functionResponse.response", Kind.FORM),
    (contents(ASKED, CALLED, user({"functionResponse": {"name": "f", "response": [1]}})),
     "contents[2].parts[0].functionResponse.response", Kind.FORM),
    (contents(ASKED, CALLED, user({"functionResponse": {**ANSWER, "is_error": True}})),
     "contents[2].parts[0].functionResponse.is_error", Kind.FORM),
    (contents(ASKED, CALLED, user({"functionResponse": {**ANSWER, "parts": [blob("a/b", "AAAA")]}})),
     "contents[2].parts[0].functionResponse.parts[0].inlineData.mimeType", Kind.MEDIA),
    (declared(name="get weather"), "tools[0].functionDeclarations[0].name", Kind.TOOL_NAME),
    (declared(name="1st"), "tools[0].functionDeclarations[0].name", Kind.TOOL_NAME),
    (declared(name="wetter_für"), "tools[0].functionDeclarations[0].name", Kind.TOOL_NAME),
    (declared(name="a" * 129), "tools[0].functionDeclarations[0].name", Kind.TOOL_NAME),
    ({"contents": [ASKED], "tools": TOOLS * 2}, "tools[1].functionDeclarations[0].name", Kind.TOOL_NAME),
    (declared(strict=True), "tools[0].functionDeclarations[0].strict", Kind.FORM),
    (declared(input_schema=SCHEMA), "tools[0].functionDeclarations[0].input_schema", Kind.FORM),
    (declared(parameters={"type": "STRING"}), "tools[0].functionDeclarations[0].parameters.type", Kind.SCHEMA),
    (declared(parameters=SCHEMA, parametersJsonSchema=SCHEMA), "tools[0].functionDeclarations[0]", Kind.SCHEMA),
    (declared(parametersJsonSchema={"type": "array"}), "tools[0].functionDeclarations[0].parametersJsonSchema",
     Kind.SCHEMA),
    (chosen(mode="any_of_them"), "toolConfig.functionCallingConfig.mode", Kind.TOOL_CHOICE),
    (chosen([{"googleSearch": {}}], mode="AUTO"), "toolConfig.functionCallingConfig", Kind.TOOL_CHOICE),
    (chosen(mode="ANY", allowedFunctionNames=["g"]), "toolConfig.functionCallingConfig.allowedFunctionNames[0]",
     Kind.TOOL_CHOICE),
    (chosen(mode="AUTO", allowedFunctionNames=["get_weather"]), "toolConfig.functionCallingConfig.allowedFunctionNames",
     Kind.TOOL_CHOICE),
    (configured(temperature=2.5), "generationConfig.temperature", Kind.FORM),
    (configured(maxOutputTokens=0), "generationConfig.maxOutputTokens", Kind.FORM),
    (configured(topP="0.5"), "generationConfig.topP", Kind.FORM),
    (configured(stopSequences=list("abcdef")), "generationConfig.stopSequences", Kind.FORM),
    (configured(max_tokens=5), "generationConfig.max_tokens", Kind.FORM),
    (configured(responseSchema=SCHEMA), "generationConfig.responseMimeType", Kind.SCHEMA),
    (configured(responseMimeType="application/json", responseSchema=SCHEMA, responseJsonSchema=SCHEMA),
     "generationConfig.responseSchema", Kind.SCHEMA),
    (configured(responseMimeType="application/json", responseSchema={"$ref": "#/$defs/A"}),
     "generationConfig.responseSchema.$ref", Kind.SCHEMA),
    ({**configured(responseMimeType="application/json"), "tools": TOOLS},
     "generationConfig.responseMimeType", Kind.FORM),
]  # fmt: skip

#: schemas of one property, and where they are wrong
WRONG_SCHEMAS: list[tuple[Any, str]] = [
    ({"type": "STRING", "$schema": "x"}, ".$schema"),
    ({"type": "OBJECT", "additionalProperties": False}, ".additionalProperties"),
    ({"$ref": "#/$defs/A"}, ".$ref"),
    ({"type": "ARRAY"}, ".items"),
    ({"type": ["string", "null"]}, ".type"),
    ({"type": "text"}, ".type"),
    ({"type": "STRING", "const": "a"}, ".const"),
    ({"type": "STRING", "format": "uri"}, ".format"),
    ({"type": "STRING", "enum": ["a", 1]}, ".enum[1]"),
    ({"type": "INTEGER", "enum": ["1"]}, ".enum"),
    ({"enum": ["a"]}, ".enum"),
    ({"type": "OBJECT", "properties": {}, "required": ["a"]}, ".required[0]"),
    ({"type": "ARRAY", "items": {"type": "STRING", "uniqueItems": True}}, ".items.uniqueItems"),
    ({"anyOf": [{"type": "STRING"}, {"type": "NUMBER", "exclusiveMinimum": 0}]}, ".anyOf[1].exclusiveMinimum"),
    ({"type": "OBJECT", "properties": {"a": {"type": "NUMBER", "multipleOf": 2}}}, ".properties.a.multipleOf"),
    ({"type": "OBJECT", "propertyNames": {"pattern": "a"}}, ".propertyNames"),
    (True, ""),
]

RIGHT_SCHEMAS: list[Any] = [
    {"type": "string", "format": "date-time", "description": "d", "nullable": True, "default": None},
    {"type": 1},
    {"type": "INTEGER", "format": "int32", "minimum": 1},
    {"type": "OBJECT", "properties": {"additionalProperties": {"type": "STRING"}, "$ref": {"type": "STRING"}}},
    {"any_of": [{"type": "STRING"}, {"type": "NULL"}], "property_ordering": []},
    {"type": "STRING", "enum": ["const", "$ref"], "example": {"$ref": 1}, "pattern": "^a"},
]


def faults(body: Any, path: str = DEVELOPER) -> list[tuple[str, Kind]]:
    return [(fault.path, fault.kind) for fault in DIALECT.check_request(ask(body, path))]


@pytest.mark.parametrize(("body", "place", "kind"), WRONG)
def test_a_wrong_request_is_refused_for_what_is_wrong(body: Any, place: str, kind: Kind) -> None:
    assert (place, kind) in faults(body)
    assert {found_kind for _, found_kind in faults(body)} == {kind}


@pytest.mark.parametrize(("schema", "place"), WRONG_SCHEMAS)
def test_a_schema_outside_the_subset_is_refused(schema: Any, place: str) -> None:
    found = faults(parameters(schema))
    assert found == [(f"tools[0].functionDeclarations[0].parameters.properties.x{place}", Kind.SCHEMA)]


@pytest.mark.parametrize("schema", RIGHT_SCHEMAS)
def test_a_schema_inside_the_subset_is_accepted(schema: Any) -> None:
    assert faults(parameters(schema)) == []


def test_every_fault_says_what_was_met_and_cites_its_rule() -> None:
    for body, _, _ in WRONG:
        for fault in DIALECT.check_request(ask(body)):
            assert fault.what
            assert fault.evidence.startswith("Google 400: ") or "reference" in fault.evidence


@pytest.mark.parametrize("path", [DEVELOPER, STRICT, VERTEX, STREAM])
def test_a_right_request_is_accepted(path: str) -> None:
    assert faults(RIGHT, path) == []


@pytest.mark.parametrize(
    "body",
    [
        contents({"parts": [{"text": "no role"}]}),
        contents(ASKED, {"role": "model", "parts": [{"text": "", "thoughtSignature": "c2ln"}]}, ASKED),
        {"contents": ASKED, "system_instruction": {"parts": {"text": ""}}},
        contents(user(blob("image/png", "__t0xA"), {"file_data": {"file_uri": "gs://a/b", "mime_type": "image/png"}})),
        contents(ASKED, {"role": "model", "parts": [CALL, {"function_call": {"name": "g"}}]}, user(RESULT, RESULT)),
        contents(user(blob("text/csv", "AAAA"), blob("application/pdf", "AAAA"))),
        declared(parametersJsonSchema={"type": "object", "$defs": {}, "additionalProperties": False}),
        declared(),
        chosen(mode="ANY"),
        chosen(mode="none"),
        configured(responseMimeType="application/json", responseJsonSchema={"$ref": "#/$defs/A", "$defs": {"A": {}}}),
    ],
)
def test_what_the_service_takes_too_is_accepted(body: Any) -> None:
    assert faults(body) == []


def test_only_vertex_has_references_in_its_schema() -> None:
    body = parameters({"type": "OBJECT", "additionalProperties": False})
    assert faults(body, VERTEX) == []
    assert [kind for _, kind in faults(body)] == [Kind.SCHEMA]
    assert faults(parameters({"type": "STRING", "format": "uri"}), VERTEX) == []


def test_only_newer_models_want_signatures_of_the_current_turn_back() -> None:
    current = contents(ASKED, UNSIGNED, ANSWERED)
    assert faults(current, STRICT) == [("contents[1].parts[0]", Kind.REASONING)]
    assert faults(current) == []
    assert faults(contents(ASKED, UNSIGNED, ANSWERED, ASKED), STRICT) == []
    both = {"role": "model", "parts": [CALL, *UNSIGNED["parts"]]}
    assert faults(contents(ASKED, both, user(RESULT, RESULT)), STRICT) == []


def test_newer_models_answer_in_json_beside_functions() -> None:
    body = {**configured(responseMimeType="application/json"), "tools": TOOLS}
    assert faults(body, STRICT) == []


@pytest.mark.parametrize(
    "request_", [ask(b"{"), ask([]), ask(RIGHT, "/v1/chat/completions"), ask(RIGHT, "/v1beta/models")]
)
def test_what_is_no_request_is_refused(request_: Any) -> None:
    assert [fault.kind for fault in DIALECT.check_request(request_)] == [Kind.FORM]


# --- recordings -------------------------------------------------------------------------------------------------------

#: words of recorded 400s that no rule about form explains: the key, the model's modalities, the prompt's length, a page
NOT_OF_FORM = (
    "API key not valid",
    "JSON mode is not enabled",
    "response modalities",
    "exceeds the maximum number of tokens",
    "Cannot fetch content",
)


@needs_shared
def test_every_request_that_was_answered_is_accepted() -> None:
    accepted = 0
    for found in recorded():
        request = request_of(found)
        if request is not None and found.exchange.response.status in (200, 404, 429):
            assert DIALECT.check_request(request) == [], found.name
            accepted += 1
    assert accepted >= 90


@needs_shared
def test_every_recorded_refusal_is_explained() -> None:
    explained = unexplained = 0
    for found in recorded():
        request = request_of(found)
        if request is None or found.exchange.response.status != 400:
            continue
        message = json.loads(found.exchange.response.body)["error"]["message"]
        told = DIALECT.check_request(request)
        if any(words in message for words in NOT_OF_FORM):
            assert told == [], found.name
            unexplained += 1
        else:
            assert any(message in fault.evidence for fault in told), found.name
            explained += 1
    assert (explained, unexplained >= 7) == (1, True)
