"""Requests that the real service refuses, each for one fault, and some that it takes."""

from typing import Any

from harness.dialects.base import RequestFaultKind as Kind
from tests.dialects.mistral_chat.test_requests import BODY, PNG, text, url

USER = {"role": "user", "content": "Hi"}
GOOD: dict[str, Any] = {"model": "m", "messages": [USER]}
A, B = "aaaaaaaaa", "bbbbbbbbb"


def call(call_id: Any = A, name: str = "f", arguments: Any = "{}", **more: Any) -> dict[str, Any]:
    return {"id": call_id, "function": {"name": name, "arguments": arguments}, **more}


def calls(*made: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": list(made)}


def result(call_id: str = A, **more: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "1", **more}


def talk(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages)}


def user(*parts: Any) -> dict[str, Any]:
    return talk({"role": "user", "content": list(parts)})


def image(address: Any) -> dict[str, Any]:
    return user({"type": "image_url", "image_url": address})


def tool(**function: Any) -> dict[str, Any]:
    return {**GOOD, "tools": [{"type": "function", "function": {"name": "f", "parameters": {}, **function}}]}


def wanted(**fields: Any) -> dict[str, Any]:
    return {**GOOD, "response_format": {"type": "json_schema", "json_schema": fields}}


_IMAGE = "messages[0].content[0].image_url"

BAD: list[tuple[str, Kind, str, dict[str, Any]]] = [
    ("no model", Kind.FORM, "model", {"messages": [USER]}),
    ("no messages", Kind.FORM, "messages", {"model": "m"}),
    ("OpenAI's limit", Kind.FORM, "max_completion_tokens", {**GOOD, "max_completion_tokens": 5}),
    ("OpenAI's seed", Kind.FORM, "seed", {**GOOD, "seed": 5}),
    ("too hot", Kind.FORM, "temperature", {**GOOD, "temperature": 1.6}),
    ("temperature word", Kind.FORM, "temperature", {**GOOD, "temperature": "hot"}),
    ("top_p", Kind.FORM, "top_p", {**GOOD, "top_p": -0.1}),
    ("max_tokens fraction", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": 1.5}),
    ("max_tokens word", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": "many"}),
    ("max_tokens below", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": -1}),
    ("stop number", Kind.FORM, "stop", {**GOOD, "stop": 7}),
    ("tools object", Kind.FORM, "tools", {**GOOD, "tools": {}}),
    ("message text", Kind.FORM, "messages[0].role", {**GOOD, "messages": ["Hi"]}),
    ("developer", Kind.FORM, "messages[0].role", talk({"role": "developer", "content": "x"}, USER)),
    ("no content", Kind.FORM, "messages[0].content", talk({"role": "user"})),
    ("content object", Kind.FORM, "messages[0].content", talk({"role": "user", "content": {}})),
    ("user's name", Kind.FORM, "messages[0].name", talk({**USER, "name": None})),
    (
        "reasoning_content",
        Kind.FORM,
        "messages[1].reasoning_content",
        talk(USER, {"role": "assistant", "content": "x", "reasoning_content": "y"}, USER),
    ),
    ("part text", Kind.FORM, "messages[0].content[0].type", user("x")),
    ("unknown part", Kind.FORM, "messages[0].content[0].type", user({"type": "video", "video": "x"})),
    ("part without text", Kind.FORM, "messages[0].content[0].text", user({"type": "text"})),
    ("call's extra", Kind.FORM, "messages[1].tool_calls[0].extra", talk(USER, calls(call(extra=1)), result())),
    (
        "arguments list",
        Kind.FORM,
        "messages[1].tool_calls[0].function.arguments",
        talk(USER, calls(call(arguments=[]))),
    ),
    ("tool's extra", Kind.FORM, "tools[0].function.inputSchema", tool(inputSchema={})),
    ("null description", Kind.FORM, "tools[0].function.description", tool(description=None)),
    ("tool in Bedrock's form", Kind.FORM, "tools[0].toolSpec", {**GOOD, "tools": [{"toolSpec": {}, "function": {}}]}),
    ("no parameters", Kind.SCHEMA, "tools[0].function.parameters", {**GOOD, "tools": [{"function": {"name": "f"}}]}),
    ("unknown format", Kind.FORM, "response_format.type", {**GOOD, "response_format": {"type": "json"}}),
    ("schema without name", Kind.SCHEMA, "response_format.json_schema.name", wanted(schema={})),
    ("schema list", Kind.SCHEMA, "response_format.json_schema.schema", wanted(name="n", schema=[])),
    ("schema's extra", Kind.SCHEMA, "response_format.json_schema.x", wanted(name="n", schema={}, x=1)),
    (
        "no schema",
        Kind.SCHEMA,
        "response_format.json_schema",
        {**GOOD, "response_format": {"type": "json_schema"}},
    ),
    ("cache marker", Kind.CACHE, "messages[0].content[0].cache_control", user({**text("x"), "cache_control": {}})),
    ("choice word", Kind.TOOL_CHOICE, "tool_choice", {**GOOD, "tool_choice": "always"}),
    (
        "choice of Anthropic",
        Kind.TOOL_CHOICE,
        "tool_choice.function",
        {**GOOD, "tool_choice": {"type": "function"}},
    ),
    (
        "choice without name",
        Kind.TOOL_CHOICE,
        "tool_choice.function.name",
        {**GOOD, "tool_choice": {"type": "function", "function": {}}},
    ),
    (
        "thinking text",
        Kind.REASONING,
        "messages[1].content[0].thinking",
        talk(USER, {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}]}, USER),
    ),
    ("no conversation", Kind.ROLES, "messages", talk()),
    ("tool first", Kind.ROLES, "messages[0].role", talk(result())),
    ("assistant last", Kind.ROLES, "messages[1].role", talk(USER, {"role": "assistant", "content": "x"})),
    ("tool after user", Kind.ROLES, "messages[1].role", talk(USER, result())),
    (
        "system after assistant",
        Kind.ROLES,
        "messages[2].role",
        talk(USER, calls(call()), {"role": "system", "content": "x"}),
    ),
    (
        "prefix in the middle",
        Kind.ROLES,
        "messages[1].prefix",
        talk(USER, {"role": "assistant", "content": "x", "prefix": True}, USER),
    ),
    ("says nothing", Kind.EMPTY_TEXT, "messages[1].content", talk(USER, {"role": "assistant", "content": ""}, USER)),
    ("call without result", Kind.PAIRING, "messages[1].tool_calls[0]", talk(USER, calls(call()), USER)),
    ("one of two results", Kind.PAIRING, "messages[1].tool_calls[1]", talk(USER, calls(call(), call(B)), result())),
    ("result of another", Kind.PAIRING, "messages[2].tool_call_id", talk(USER, calls(call()), result(B))),
    ("result twice", Kind.PAIRING, "messages[3].tool_call_id", talk(USER, calls(call()), result(), result())),
    ("OpenAI's id", Kind.TOOL_ID, "messages[1].tool_calls[0].id", talk(USER, calls(call("call_1")), result("call_1"))),
    ("id in the result", Kind.TOOL_ID, "messages[2].tool_call_id", talk(USER, calls(call("call_1")), result("call_1"))),
    (
        "id with a line end",
        Kind.TOOL_ID,
        "messages[1].tool_calls[0].id",
        talk(USER, calls(call(A + "\n")), result(A + "\n")),
    ),
    (
        "no id",
        Kind.TOOL_ID,
        "messages[1].tool_calls[0].id",
        talk(USER, calls({"function": call()["function"]}), result()),
    ),
    ("id twice", Kind.TOOL_ID, "messages[1].tool_calls[1].id", talk(USER, calls(call(), call()), result())),
    ("name with a dot", Kind.TOOL_NAME, "tools[0].function.name", tool(name="a.b")),
    ("name too long", Kind.TOOL_NAME, "tools[0].function.name", tool(name="a" * 65)),
    (
        "called name",
        Kind.TOOL_NAME,
        "messages[1].tool_calls[0].function.name",
        talk(USER, calls(call(name="a b")), result()),
    ),
    ("result's name", Kind.TOOL_NAME, "messages[2].name", talk(USER, calls(call()), result(name="a b"))),
    ("image of no address", Kind.MEDIA, _IMAGE, image("iVBORw0KGgo=")),
    ("image object", Kind.MEDIA, f"{_IMAGE}.url", image({})),
    ("image of another format", Kind.MEDIA, f"{_IMAGE}.url", image({"url": url("image/jpeg", PNG)})),
    ("image of no format", Kind.MEDIA, _IMAGE, image(url("image/tiff", PNG))),
    ("empty image", Kind.MEDIA, _IMAGE, image(url("image/png", b""))),
    (
        "bare document",
        Kind.MEDIA,
        "messages[0].content[0].document_url",
        user({"type": "document_url", "document_url": "JVBERi0="}),
    ),
    (
        "image of the assistant",
        Kind.MEDIA,
        "messages[1].content[0]",
        talk(USER, {"role": "assistant", "content": [{"type": "image_url", "image_url": "https://x.y/z"}]}, USER),
    ),
]

GOOD_ONES: list[tuple[str, dict[str, Any]]] = [
    ("plain", GOOD),
    ("everything", BODY),
    ("numbers as text", {**GOOD, "temperature": "0.5", "max_tokens": "100", "n": 1.0}),
    ("nulls", {**GOOD, "temperature": None, "tools": None, "stop": None, "max_tokens": None}),
    ("choice without tools", {**GOOD, "tool_choice": "auto"}),
    ("prefill", talk(USER, {"role": "assistant", "content": "x", "prefix": True})),
    ("system alone", talk({"role": "system", "content": "x"})),
    ("two users", talk(USER, USER)),
    ("results in another order", talk(USER, calls(call(), call(B)), result(B), result())),
    ("user after tool", talk(USER, calls(call()), result(), USER)),
    ("content beside calls", talk(USER, {**calls(call()), "content": "x"}, result())),
    ("a tool of the service's own", {**GOOD, "tools": [{"type": "web_search"}]}),
    ("image by address", image({"url": "https://x.y/z", "detail": "high"})),
    ("image whose bytes say nothing", image(url("image/webp", b"not really"))),
    ("document by address", user({"type": "document_url", "document_url": "https://x.y/z.pdf"})),
    ("format without schema", {**GOOD, "response_format": {"type": "json_object"}}),
]
