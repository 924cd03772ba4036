"""Requests that the real service refuses, each for one fault, and some that it takes."""

from typing import Any

from harness.dialects.base import RequestFaultKind as Kind
from tests.dialects.openai_responses.test_requests import BODY, PNG, SCHEMA, tool, url

USER = {"role": "user", "content": "Hi"}
EVERYTHING = {
    **BODY,
    "input": [
        item | ({"arguments": "{}"} if item.get("call_id") == "b" and "arguments" in item else {})
        for item in BODY["input"]
    ],
}
GOOD: dict[str, Any] = {"model": "m", "input": [USER]}
SUMMARY = [{"type": "summary_text", "text": "Hm."}]
ANSWER = {"type": "message", "role": "assistant", "id": "msg_1", "content": [{"type": "output_text", "text": "So."}]}


def items(*made: Any, **more: Any) -> dict[str, Any]:
    return {"model": "m", "input": list(made), **more}


def user(*parts: Any) -> dict[str, Any]:
    return items({"role": "user", "content": list(parts)})


def call(call_id: Any = "a", **changed: Any) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}", **changed}


def result(call_id: Any = "a", **changed: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": "1", **changed}


def reasoning(**changed: Any) -> dict[str, Any]:
    return {"type": "reasoning", "id": "rs_1", "summary": SUMMARY, "encrypted_content": "gAAAA", **changed}


def image(address: Any) -> dict[str, Any]:
    return {"type": "input_image", "image_url": address}


def file(**fields: Any) -> dict[str, Any]:
    return {"type": "input_file", **fields}


def tools(*made: Any, **more: Any) -> dict[str, Any]:
    return {**GOOD, "tools": list(made), **more}


def schema(name: Any = "n", **changed: Any) -> dict[str, Any]:
    wanted = {"type": "json_schema", "name": name, "strict": True, "schema": {**SCHEMA, **changed}}
    return {**GOOD, "text": {"format": wanted}}


BAD: list[tuple[str, Kind, str, dict[str, Any]]] = [
    ("no model", Kind.FORM, "model", {"input": "Hi"}),
    ("no input", Kind.FORM, "input", {"model": "m"}),
    ("empty input", Kind.FORM, "input", {"model": "m", "input": []}),
    ("unknown parameter", Kind.FORM, "tool_specs", {**GOOD, "tool_specs": []}),
    ("messages", Kind.FORM, "messages", {**GOOD, "messages": [USER]}),
    ("max_tokens", Kind.FORM, "max_tokens", {**GOOD, "max_tokens": 100}),
    ("response_format", Kind.FORM, "response_format", {**GOOD, "response_format": {"type": "text"}}),
    ("too few tokens", Kind.FORM, "max_output_tokens", {**GOOD, "max_output_tokens": 15}),
    ("tokens as text", Kind.FORM, "max_output_tokens", {**GOOD, "max_output_tokens": "100"}),
    ("temperature below", Kind.FORM, "temperature", {**GOOD, "temperature": -1}),
    ("temperature above", Kind.FORM, "temperature", {**GOOD, "temperature": 2.1}),
    ("truncation", Kind.FORM, "truncation", {**GOOD, "truncation": "middle"}),
    ("include", Kind.FORM, "include[0]", {**GOOD, "include": ["usage"]}),
    ("stream options alone", Kind.FORM, "stream_options", {**GOOD, "stream_options": {"include_obfuscation": True}}),
    (
        "stream usage",
        Kind.FORM,
        "stream_options.include_usage",
        {**GOOD, "stream": True, "stream_options": {"include_usage": True}},
    ),
    (
        "two conversations",
        Kind.FORM,
        "previous_response_id",
        {**GOOD, "previous_response_id": "resp_1", "conversation": "conv_1"},
    ),
    ("item no object", Kind.FORM, "input[0]", items("Hi")),
    ("unknown item", Kind.FORM, "input[0].type", items({"type": "tool_result", "id": "x"})),
    ("tool role", Kind.FORM, "input[0].role", items({"role": "tool", "content": "x"})),
    ("no role", Kind.FORM, "input[0].role", items({"type": "message", "content": "x"})),
    ("no content", Kind.FORM, "input[0].content", items({"role": "user"})),
    ("content object", Kind.FORM, "input[0].content", items({"role": "user", "content": {"text": "x"}})),
    ("calls in a message", Kind.FORM, "input[0].tool_calls", items({**USER, "tool_calls": []})),
    ("chat text", Kind.FORM, "input[0].content[0].type", user({"type": "text", "text": "x"})),
    ("part without type", Kind.FORM, "input[0].content[0].type", user({"text": "x"})),
    ("answer from the user", Kind.FORM, "input[0].content[0].type", user({"type": "output_text", "text": "x"})),
    (
        "question from the assistant",
        Kind.FORM,
        "input[0].content[0].type",
        items({"role": "assistant", "content": [{"type": "input_text", "text": "x"}]}),
    ),
    ("text no string", Kind.FORM, "input[0].content[0].text", user({"type": "input_text", "text": None})),
    ("foreign message id", Kind.FORM, "input[0].id", items({**ANSWER, "id": "call_1"})),
    ("foreign call id", Kind.FORM, "input[0].id", items(call(id="call_1"), result())),
    ("arguments object", Kind.FORM, "input[0].arguments", items(call(arguments={}), result())),
    ("arguments cut", Kind.FORM, "input[0].arguments", items(call(arguments='{"a'), result())),
    ("arguments array", Kind.FORM, "input[0].arguments", items(call(arguments="[]"), result())),
    ("no output", Kind.FORM, "input[1].output", items(call(), result(output=None))),
    ("output number", Kind.FORM, "input[1].output", items(call(), result(output=1))),
    ("output error", Kind.FORM, "input[1].is_error", items(call(), result(is_error=True))),
    ("reference alone", Kind.FORM, "input[0]", items({"type": "item_reference", "id": "msg_1"}, USER, store=False)),
    ("blank text", Kind.EMPTY_TEXT, "input[0].content[0].text", user({"type": "input_text", "text": " \n"})),
    ("empty text", Kind.EMPTY_TEXT, "input[0].content[0].text", user({"type": "input_text", "text": ""})),
    ("no result", Kind.PAIRING, "input[0]", items(call(), USER)),
    ("no call", Kind.PAIRING, "input[1].call_id", items(USER, result())),
    ("result first", Kind.PAIRING, "input[0].call_id", items(result(), call())),
    ("call name", Kind.TOOL_NAME, "input[0].name", items(call(name="a b"), result())),
    ("no call id", Kind.TOOL_ID, "input[0].call_id", items(call(None), result(None))),
    ("long call id", Kind.TOOL_ID, "input[0].call_id", items(call("a" * 65), result("a" * 65))),
    ("item twice", Kind.TOOL_ID, "input[1].id", items(ANSWER, ANSWER)),
    ("sealed nothing", Kind.REASONING, "input[0]", items(reasoning(encrypted_content=None), ANSWER, store=False)),
    ("no summary", Kind.REASONING, "input[0].summary", items(reasoning(summary=None), ANSWER)),
    (
        "summary part",
        Kind.REASONING,
        "input[0].summary[0].type",
        items(reasoning(summary=[{"type": "text", "text": "x"}]), ANSWER),
    ),
    ("reasoning last", Kind.REASONING, "input[1]", items(USER, reasoning())),
    ("reasoning before the user", Kind.REASONING, "input[0]", items(reasoning(), USER)),
    (
        "reasoning before another's words",
        Kind.REASONING,
        "input[0]",
        items(reasoning(), {"role": "assistant", "content": "So."}),
    ),
    ("image object", Kind.FORM, "input[0].content[0].image_url", user(image({"url": "https://example.com/a.png"}))),
    ("no image", Kind.FORM, "input[0].content[0].image_url", user({"type": "input_image"})),
    ("image path", Kind.MEDIA, "input[0].content[0].image_url", user(image("a.png"))),
    ("bare base64", Kind.MEDIA, "input[0].content[0].image_url", user(image("iVBORw0KGgo="))),
    ("image bmp", Kind.MEDIA, "input[0].content[0].image_url", user(image(url("image/bmp", b"BM")))),
    ("image lies", Kind.MEDIA, "input[0].content[0].image_url", user(image(url("image/jpeg", PNG)))),
    ("bare file", Kind.MEDIA, "input[0].content[0].file_data", user(file(file_data="JVBERi0=", filename="a"))),
    ("nameless file", Kind.FORM, "input[0].content[0].filename", user(file(file_data=url("application/pdf", b"%")))),
    ("no file", Kind.FORM, "input[0].content[0].file_id", user(file())),
    (
        "image from the assistant",
        Kind.MEDIA,
        "input[0].content[0].type",
        items({"role": "assistant", "content": [image("https://example.com/a.png")]}),
    ),
    ("chat tool", Kind.FORM, "tools[0].name", tools({"type": "function", "function": {"name": "f"}})),
    ("tool without type", Kind.FORM, "tools[0].type", tools({"name": "f"})),
    ("tool key", Kind.FORM, "tools[0].input_schema", tools(tool(input_schema={}))),
    ("strict text", Kind.FORM, "tools[0].strict", tools(tool(strict="yes"))),
    ("tool name", Kind.TOOL_NAME, "tools[0].name", tools(tool(name="a.b"))),
    ("long tool name", Kind.TOOL_NAME, "tools[0].name", tools(tool(name="a" * 65))),
    ("tool twice", Kind.TOOL_NAME, "tools[1].name", tools(tool(), tool())),
    ("schema of a string", Kind.SCHEMA, "tools[0].parameters.type", tools(tool(parameters={"type": "string"}))),
    ("strict but open", Kind.SCHEMA, "tools[0].parameters.additionalProperties", tools(tool(strict=True))),
    (
        "strict but optional",
        Kind.SCHEMA,
        "tools[0].parameters.required",
        tools(tool(strict=True, parameters={**SCHEMA, "required": []})),
    ),
    ("choice alone", Kind.TOOL_CHOICE, "tool_choice", {**GOOD, "tool_choice": "required"}),
    ("choice value", Kind.TOOL_CHOICE, "tool_choice", tools(tool(), tool_choice="any")),
    (
        "chat choice",
        Kind.TOOL_CHOICE,
        "tool_choice.name",
        tools(tool(), tool_choice={"type": "function", "function": {"name": "f"}}),
    ),
    (
        "choice of none",
        Kind.TOOL_CHOICE,
        "tool_choice.name",
        tools(tool(), tool_choice={"type": "function", "name": "x"}),
    ),
    ("choice without type", Kind.FORM, "tool_choice.type", tools(tool(), tool_choice={"name": "f"})),
    (
        "choice of all",
        Kind.TOOL_CHOICE,
        "tool_choice.mode",
        tools(
            tool(), tool_choice={"type": "allowed_tools", "mode": "all", "tools": [{"type": "function", "name": "f"}]}
        ),
    ),
    ("format", Kind.FORM, "text.format.type", {**GOOD, "text": {"format": {"type": "xml"}}}),
    ("text key", Kind.FORM, "text.schema", {**GOOD, "text": {"schema": {}}}),
    (
        "chat schema",
        Kind.FORM,
        "text.format.json_schema",
        {**GOOD, "text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA, "json_schema": {}}}},
    ),
    ("nameless schema", Kind.SCHEMA, "text.format.name", schema(None)),
    ("schema name", Kind.SCHEMA, "text.format.name", schema("a b")),
    ("schema open", Kind.SCHEMA, "text.format.schema.additionalProperties", schema(additionalProperties=True)),
    ("schema optional", Kind.SCHEMA, "text.format.schema.required", schema(required=[])),
    ("schema of an array", Kind.SCHEMA, "text.format.schema.type", schema(type="array", items={"type": "string"})),
    ("json unsaid", Kind.FORM, "input", {**GOOD, "text": {"format": {"type": "json_object"}}}),
]

GOOD_ONES: list[tuple[str, dict[str, Any]]] = [
    ("text", {"model": "m", "input": "Hi"}),
    ("message", GOOD),
    ("everything", EVERYTHING),
    ("stored prompt", {"prompt": {"id": "pmpt_1"}}),
    ("least tokens", {**GOOD, "max_output_tokens": 16}),
    ("nulls", {**GOOD, "instructions": None, "max_output_tokens": None, "tools": None, "text": None, "include": None}),
    ("padding off", {**GOOD, "stream": True, "stream_options": {"include_obfuscation": False}}),
    ("empty output", items(call(), result(output=""))),
    ("empty outputs", items(call(), result(output=[{"type": "input_text", "text": ""}]))),
    ("image output", items(call(), result(output=[image(url("image/png", PNG))]))),
    ("parallel", items(call("a"), call("b"), result("b"), result("a"))),
    ("words between call and result", items(call(), ANSWER, result())),
    ("result of a call that the service holds", items(result(), previous_response_id="resp_1")),
    ("result in a conversation", items(result(), conversation="conv_1")),
    ("reasoning and its answer", items(reasoning(), ANSWER)),
    ("reasoning and its call", items(reasoning(), call(id="fc_1"), result())),
    ("sealed reasoning", items(reasoning(), {"role": "assistant", "content": "So."}, USER, store=False)),
    ("reasoning without id", items({**reasoning(), "id": None}, {"role": "assistant", "content": "So."})),
    ("reference", items({"id": "msg_1"}, USER)),
    ("empty schema", tools(tool(parameters={}))),
    ("no parameters", tools(tool(parameters=None, strict=None))),
    ("strict", tools(tool(strict=True, parameters=SCHEMA), tool_choice="required")),
    ("own tool of the vendor", tools({"type": "x_search"}, tool_choice={"type": "x_search"})),
    (
        "allowed tools",
        tools(
            tool(),
            tool_choice={"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "f"}]},
        ),
    ),
    ("auto without tools", {**GOOD, "tool_choice": "auto"}),
    ("schema", schema()),
    (
        "json said",
        {**GOOD, "instructions": "x", "input": "Answer in JSON.", "text": {"format": {"type": "json_object"}}},
    ),
    ("plain text", {**GOOD, "text": {"format": {"type": "text"}, "verbosity": "low"}}),
    ("OpenRouter", {**GOOD, "provider": {"order": ["openai"]}, "models": ["a"], "plugins": [{"id": "web"}]}),
    ("xAI", {**GOOD, "search_parameters": {"mode": "auto"}, "include": ["no_inline_citations"]}),
]
