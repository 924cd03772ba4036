"""Requests for the tests: a body that is right, and changes that make it wrong."""

import json
from collections.abc import Mapping
from typing import Any

from harness.dialects.base import WireRequest

DEVELOPER = "/v1beta/models/gemini-2.5-flash:generateContent"
STRICT = "/v1beta/models/gemini-3-pro-preview:generateContent"
VERTEX = "/v1beta1/projects/p/locations/global/publishers/google/models/gemini-2.5-flash:generateContent"
STREAM = "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"

SCHEMA: dict[str, Any] = {
    "type": "OBJECT",
    "properties": {"city": {"type": "string"}, "format": {"type": "STRING", "enum": ["a", "b"]}},
    "required": ["city"],
}
CALL = {"functionCall": {"id": "a", "name": "get_weather", "args": {"city": "Zürich"}}, "thoughtSignature": "c2ln"}
RESULT = {"functionResponse": {"id": "a", "name": "get_weather", "response": {"output": "sunny"}}}
ASKED = {"role": "user", "parts": [{"text": "Hello"}]}
CALLED = {"role": "model", "parts": [CALL]}
ANSWERED = {"role": "user", "parts": [RESULT]}
TOOLS = [{"functionDeclarations": [{"name": "get_weather", "description": "d", "parameters": SCHEMA}]}]

RIGHT: dict[str, Any] = {
    "contents": [ASKED, CALLED, ANSWERED, {"role": "model", "parts": [{"text": "Sunny."}]}, ASKED],
    "systemInstruction": {"parts": [{"text": "Be brief."}]},
    "tools": TOOLS,
    "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["get_weather"]}},
    "generationConfig": {"temperature": 0.5, "maxOutputTokens": 100, "stopSequences": ["END"]},
}


def ask(body: Any, path: str = DEVELOPER) -> WireRequest:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return WireRequest("POST", path, (("content-type", "application/json"),), raw)


def contents(*turns: Mapping[str, Any]) -> dict[str, Any]:
    return {"contents": list(turns)}


def user(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "parts": list(parts)}


def declared(**function: Any) -> dict[str, Any]:
    """A right request but for one function."""
    return {"contents": [ASKED], "tools": [{"functionDeclarations": [{"name": "f", **function}]}]}


def parameters(schema: Any) -> dict[str, Any]:
    """A right request but for one property of its parameters."""
    return declared(parameters={"type": "OBJECT", "properties": {"x": schema}})


def configured(**config: Any) -> dict[str, Any]:
    return {"contents": [ASKED], "generationConfig": config}


def chosen(tools: Any = TOOLS, **choice: Any) -> dict[str, Any]:
    return {"contents": [ASKED], "tools": tools, "toolConfig": {"functionCallingConfig": choice}}


def blob(mime: Any, data: Any) -> dict[str, Any]:
    return {"inlineData": {"mimeType": mime, "data": data}}
