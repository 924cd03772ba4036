"""Requests for these tests."""

import json
from collections.abc import Mapping
from typing import Any

from harness.dialects.base import WireRequest

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
PDF = "JVBERi0xLjQKJSVFT0YK"


def request(body: Any, path: str = "/v1/messages", **headers: str) -> WireRequest:
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return WireRequest("POST", path, named, json.dumps(body, ensure_ascii=False).encode())


def body(*messages: Any, **fields: Any) -> dict[str, Any]:
    """A body that is right, with these messages and further or other fields; None leaves a field out."""
    whole = {"model": "claude-opus-5", "max_tokens": 64, "messages": list(messages or [user("hi")]), **fields}
    return {name: value for name, value in whole.items() if value is not None}


def user(*content: Any) -> dict[str, Any]:
    return _turn("user", content)


def assistant(*content: Any) -> dict[str, Any]:
    return _turn("assistant", content)


def _turn(role: str, content: tuple[Any, ...]) -> dict[str, Any]:
    bare = len(content) == 1 and isinstance(content[0], str)
    return {"role": role, "content": content[0] if bare else list(content)}


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **more}


def call(call_id: str = "toolu_1", name: str = "now", **value: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": value}


def result(call_id: str = "toolu_1", content: Any = "12:00", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def image(media_type: str = "image/png", data: str = PNG) -> dict[str, Any]:
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def document(**source: Any) -> dict[str, Any]:
    return {"type": "document", "title": "Report", "source": source}


def thinking(words: str = "hm", **more: Any) -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": "c2ln", **more}


def tool(name: str = "now", schema: Mapping[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "input_schema": schema or {"type": "object", "properties": {}}, **more}


CACHED = {"type": "ephemeral"}
HOUR = {"type": "ephemeral", "ttl": "1h"}
