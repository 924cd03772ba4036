"""Requests to judge and read."""

import json
from typing import Any

from harness.dialects.base import WireRequest

CLAUDE = "us.anthropic.claude-sonnet-4-5-20250929-v1:0"
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

Json = dict[str, Any]


def request(body: Any, *, model: str = CLAUDE, stream: bool = True, method: str = "POST") -> WireRequest:
    path = f"/model/{model.replace(':', '%3A').replace('/', '%2F')}/converse{'-stream' if stream else ''}"
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return WireRequest(method, path, (("content-type", "application/json"),), raw)


def user(*blocks: Json) -> Json:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Json) -> Json:
    return {"role": "assistant", "content": list(blocks)}


def text(words: str = "Hello") -> Json:
    return {"text": words}


def call(name: str = "tooluse_1", **more: Any) -> Json:
    return {"toolUse": {"toolUseId": name, "name": "get_weather", "input": {}} | more}


def result(name: str = "tooluse_1", *content: Json, **more: Any) -> Json:
    return {"toolResult": {"toolUseId": name, "content": list(content or [text("sunny")])} | more}


def tool(name: str = "get_weather", **more: Any) -> Json:
    return {"toolSpec": {"name": name, "inputSchema": {"json": {"type": "object"}}} | more}


def image(data: str = PNG, form: str = "png") -> Json:
    return {"image": {"format": form, "source": {"bytes": data}}}


def document(name: str = "Report 1", form: str = "pdf", **source: Any) -> Json:
    return {"document": {"format": form, "name": name, "source": source or {"bytes": "JVBERi0="}}}


def reasoning(**inner: Any) -> Json:
    return {"reasoningContent": inner or {"reasoningText": {"text": "hm", "signature": "c2ln"}}}


CACHE: Json = {"cachePoint": {"type": "default"}}
TOOLS: Json = {"tools": [tool()]}
THINKING: Json = {"additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 1024}}}
S3: Json = {"s3Location": {"uri": "s3://bucket/key"}}


def asked(*turns: Json, **more: Any) -> Json:
    return {"messages": list(turns or [user(text())])} | more


def called(*calls: Json, answers: tuple[Json, ...] = (), **more: Any) -> Json:
    """A user asks, the assistant calls, the user answers."""
    turns = [user(text()), assistant(*(calls or [call()]))]
    return asked(*turns, user(*(answers or [result()])), toolConfig=TOOLS, **more)
