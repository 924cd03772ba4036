"""Requests that the real service refuses, each for one fault, and some that it takes."""

from typing import Any

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.openai_chat.judge.parameters import COMPATIBLE
from tests.dialects.openai_chat.test_requests import BODY, PNG, url

USER = {"role": "user", "content": "Hi"}
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
GOOD: dict[str, Any] = {"model": "m", "messages": [USER]}
OBJECT = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}

DEEP: dict[str, Any] = {"$defs": {"B": {"anyOf": [{"type": "array", "items": {**OBJECT, "required": []}}]}}}


def call(call_id: str = "a", name: str = "f", arguments: Any = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calls(*made: dict[str, Any]) -> dict[str, Any]:
    return {"role": "assistant", "content": None, "tool_calls": list(made)}


def result(call_id: str = "a", content: Any = "1") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def with_messages(*messages: dict[str, Any]) -> dict[str, Any]:
    return {"model": "m", "messages": list(messages)}


def user(*parts: dict[str, Any]) -> dict[str, Any]:
    return with_messages({"role": "user", "content": list(parts)})


def image(address: Any) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": address}}


def file(**fields: Any) -> dict[str, Any]:
    return {"type": "file", "file": fields}


def tool(**function: Any) -> dict[str, Any]:
    return {**GOOD, "tools": [{"type": "function", "function": function}]}


def schema(name: Any = "n", strict: bool = True, **changed: Any) -> dict[str, Any]:
    inner = {"name": name, "strict": strict, "schema": {**OBJECT, **changed}}
    return {**GOOD, "response_format": {"type": "json_schema", "json_schema": inner}}


BAD: list[tuple[str, Kind, str, dict[str, Any]]] = [
    ("no model", Kind.FORM, "model", {"messages": [USER]}),
    ("no messages", Kind.FORM, "messages", {"model": "m"}),
    ("empty messages", Kind.FORM, "messages", {"model": "m", "messages": []}),
    ("unknown parameter", Kind.FORM, "tool_specs", {**GOOD, "tool_specs": []}),
    ("max_tokens text", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": "100"}),
    ("max_tokens fraction", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": 10.5}),
    ("max_tokens true", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": True}),
    ("max_tokens zero", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": 0}),
    ("two limits", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": 5, "max_completion_tokens": 5}),
    ("temperature text", Kind.FORM, "temperature", {**GOOD, "temperature": "0.1"}),
    ("stream options alone", Kind.FORM, "stream_options", {**GOOD, "stream_options": {"include_usage": True}}),
    ("null tools", Kind.FORM, "tools", {**GOOD, "tools": None}),
    ("empty tools", Kind.NO_TOOLS, "tools", {**GOOD, "tools": []}),
    ("parallel alone", Kind.FORM, "parallel_tool_calls", {**GOOD, "parallel_tool_calls": True}),
    ("unknown role", Kind.FORM, "messages[0].role", with_messages({"role": "model", "content": "x"})),
    ("no role", Kind.FORM, "messages[0].role", with_messages({"content": "x"})),
    ("null content", Kind.FORM, "messages[0].content", with_messages({"role": "user", "content": None})),
    ("no content", Kind.FORM, "messages[1].content", with_messages(USER, {"role": "assistant"})),
    ("content object", Kind.FORM, "messages[0].content", with_messages({"role": "user", "content": {"text": "x"}})),
    ("empty content", Kind.FORM, "messages[0].content", user()),
    ("unknown message field", Kind.FORM, "messages[0].id", with_messages({**USER, "id": "x"})),
    ("part without type", Kind.FORM, "messages[0].content[0].type", user({"text": "x"})),
    ("unknown part", Kind.FORM, "messages[0].content[0]", user({"type": "document", "document": {}})),
    (
        "no tool_call_id",
        Kind.FORM,
        "messages[2].tool_call_id",
        with_messages(USER, calls(call()), {"role": "tool", "content": "x"}),
    ),
    (
        "empty calls",
        Kind.FORM,
        "messages[1].tool_calls",
        with_messages(USER, {"role": "assistant", "content": "x", "tool_calls": []}),
    ),
    (
        "call without type",
        Kind.FORM,
        "messages[1].tool_calls[0].type",
        with_messages(USER, calls({"id": "a", "function": {"name": "f", "arguments": "{}"}}), result()),
    ),
    (
        "arguments object",
        Kind.FORM,
        "messages[1].tool_calls[0].function.arguments",
        with_messages(USER, calls(call(arguments={})), result()),
    ),
    (
        "arguments cut",
        Kind.FORM,
        "messages[1].tool_calls[0].function.arguments",
        with_messages(USER, calls(call(arguments='{"a')), result()),
    ),
    (
        "arguments blank",
        Kind.FORM,
        "messages[1].tool_calls[0].function.arguments",
        with_messages(USER, calls(call(arguments="")), result()),
    ),
    ("tool without function", Kind.FORM, "tools[0].function", {**GOOD, "tools": [{"type": "function"}]}),
    ("tool in Bedrock's form", Kind.FORM, "tools[0].type", {**GOOD, "tools": [{"toolSpec": {"name": "f"}}]}),
    ("tool with inputSchema", Kind.FORM, "tools[0].function.inputSchema", tool(name="f", inputSchema={"json": {}})),
    ("unknown format", Kind.FORM, "response_format.type", {**GOOD, "response_format": {"type": "json"}}),
    ("no word of JSON", Kind.FORM, "messages", {**GOOD, "response_format": {"type": "json_object"}}),
    ("empty text part", Kind.EMPTY_TEXT, "messages[0].content[0].text", user({"type": "text", "text": ""})),
    ("blank text part", Kind.EMPTY_TEXT, "messages[0].content[0].text", user({"type": "text", "text": " \n"})),
    ("call without result", Kind.PAIRING, "messages[1].tool_calls[0]", with_messages(USER, calls(call()))),
    ("result too late", Kind.PAIRING, "messages[3].tool_call_id", with_messages(USER, calls(call()), USER, result())),
    (
        "one of two results",
        Kind.PAIRING,
        "messages[1].tool_calls[1]",
        with_messages(USER, calls(call(), call("b")), result(), USER),
    ),
    ("result without call", Kind.PAIRING, "messages[1].tool_call_id", with_messages(USER, result())),
    ("result twice", Kind.PAIRING, "messages[3].tool_call_id", with_messages(USER, calls(call()), result(), result())),
    ("system later", Kind.ROLES, "messages[1].role", with_messages(USER, {"role": "system", "content": "x"})),
    ("name with a dot", Kind.TOOL_NAME, "tools[0].function.name", tool(name="a.b")),
    ("name too long", Kind.TOOL_NAME, "tools[0].function.name", tool(name="a" * 65)),
    ("name with a line end", Kind.TOOL_NAME, "tools[0].function.name", tool(name="a\n")),
    ("name twice", Kind.TOOL_NAME, "tools[1].function.name", {**GOOD, "tools": [TOOL, TOOL]}),
    (
        "called name",
        Kind.TOOL_NAME,
        "messages[1].tool_calls[0].function.name",
        with_messages(USER, calls(call(name="a b")), result()),
    ),
    ("id twice", Kind.TOOL_ID, "messages[1].tool_calls[1].id", with_messages(USER, calls(call(), call()), result())),
    ("empty id", Kind.TOOL_ID, "messages[1].tool_calls[0].id", with_messages(USER, calls(call("")), result(""))),
    ("choice alone", Kind.TOOL_CHOICE, "tool_choice", {**GOOD, "tool_choice": "auto"}),
    ("choice any", Kind.TOOL_CHOICE, "tool_choice", {**GOOD, "tools": [TOOL], "tool_choice": "any"}),
    (
        "choice of Anthropic",
        Kind.TOOL_CHOICE,
        "tool_choice.function",
        {**GOOD, "tools": [TOOL], "tool_choice": {"type": "function", "name": "f"}},
    ),
    (
        "choice of none there",
        Kind.TOOL_CHOICE,
        "tool_choice.function.name",
        {**GOOD, "tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "g"}}},
    ),
    (
        "image URL text",
        Kind.FORM,
        "messages[0].content[0].image_url",
        user({"type": "image_url", "image_url": "https://x.y/z"}),
    ),
    ("image without data URL", Kind.MEDIA, "messages[0].content[0].image_url.url", user(image("iVBORw0KGgo="))),
    (
        "image twice wrapped",
        Kind.MEDIA,
        "messages[0].content[0].image_url.url",
        user(image("data:image/png;base64," + url("image/png", PNG))),
    ),
    (
        "image of another format",
        Kind.MEDIA,
        "messages[0].content[0].image_url.url",
        user(image(url("image/jpeg", PNG))),
    ),
    (
        "image of no format",
        Kind.MEDIA,
        "messages[0].content[0].image_url.url",
        user(image(url("application/octet-stream", PNG))),
    ),
    ("image by format alone", Kind.MEDIA, "messages[0].content[0].image_url.url", user(image(url("png", PNG)))),
    ("empty image", Kind.MEDIA, "messages[0].content[0].image_url.url", user(image(url("image/png", b"")))),
    (
        "image of the assistant",
        Kind.MEDIA,
        "messages[1].content[0]",
        with_messages(USER, {"role": "assistant", "content": [image(url("image/png", PNG))]}),
    ),
    (
        "image in a result",
        Kind.MEDIA,
        "messages[2].content[0]",
        with_messages(USER, calls(call()), result(content=[image(url("image/png", PNG))])),
    ),
    (
        "file in a result",
        Kind.MEDIA,
        "messages[2].content[0]",
        with_messages(USER, calls(call()), result(content=[file(file_id="x")])),
    ),
    ("file as bare base64", Kind.MEDIA, "messages[0].content[0].file.file_data", user(file(file_data="JVBERi0="))),
    ("file of nothing", Kind.FORM, "messages[0].content[0].file.file_id", user(file(filename="a.pdf"))),
    (
        "schema in an envelope",
        Kind.SCHEMA,
        "tools[0].function.parameters.type",
        tool(name="f", parameters={"json": {"type": "object"}}),
    ),
    (
        "strict tool left open",
        Kind.SCHEMA,
        "tools[0].function.parameters.additionalProperties",
        tool(name="f", strict=True, parameters={"type": "object", "properties": {}}),
    ),
    ("schema name", Kind.SCHEMA, "response_format.json_schema.name", schema("a b")),
    ("no schema name", Kind.SCHEMA, "response_format.json_schema.name", schema(None)),
    (
        "strict schema left open",
        Kind.SCHEMA,
        "response_format.json_schema.schema.additionalProperties",
        schema(additionalProperties=True),
    ),
    ("strict schema with an option", Kind.SCHEMA, "response_format.json_schema.schema.required", schema(required=[])),
    (
        "strict schema, deep",
        Kind.SCHEMA,
        "response_format.json_schema.schema.$defs.B.anyOf[0].items.required",
        schema(**DEEP),
    ),
    ("strict schema with oneOf", Kind.SCHEMA, "response_format.json_schema.schema.oneOf", schema(oneOf=[])),
]

GOOD_ONES: list[tuple[str, dict[str, Any]]] = [
    ("plain", GOOD),
    ("everything", {**BODY, "messages": [*BODY["messages"][:3], USER], "tools": [TOOL]}),
    ("empty content of a call", with_messages(USER, {**calls(call()), "content": ""}, result(content=""))),
    ("results in another order", with_messages(USER, calls(call(), call("b")), result("b"), result())),
    ("the same id in another turn", with_messages(USER, calls(call()), result(), calls(call()), result())),
    ("blank result in parts", with_messages(USER, calls(call()), result(content=[{"type": "text", "text": ""}]))),
    ("reasoning sent back", with_messages(USER, {"role": "assistant", "content": "x", "reasoning_content": "y"}, USER)),
    ("prefill", with_messages(USER, {"role": "assistant", "content": "x"})),
    ("other people's parameters", {**GOOD, **dict.fromkeys(" ".join(COMPATIBLE.values()).split(), 1)}),
    ("open schema that is not strict", schema(strict=False, additionalProperties=True, required=[])),
    ("tool without parameters", tool(name="f")),
    ("image whose bytes say nothing", user(image(url("image/webp", b"not really")))),
    ("word document", user(file(file_data=url("application/msword", b"x"), filename="a.doc"))),
]
