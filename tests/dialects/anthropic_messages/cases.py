"""Requests that the service accepts, and requests that it refuses for one reason each."""

from typing import Any

from harness.dialects.base import RequestFaultKind as Kind
from tests.dialects.anthropic_messages.requests import (
    CACHED,
    HOUR,
    PDF,
    PNG,
    assistant,
    body,
    call,
    document,
    image,
    result,
    text,
    thinking,
    tool,
    user,
)

Wire = dict[str, Any]

OBJECT = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}

ACCEPTED: dict[str, Wire] = {
    "bare text": body(),
    "system text": body(system="Be brief."),
    "system blocks": body(system=[text("Be brief.", cache_control=CACHED)]),
    "empty system text": body(system=""),
    "joined user turns": body(user("a"), user("b")),
    "joined assistant turns": body(user("a"), assistant("b"), assistant("c"), user("d")),
    "prefill": body(user("a"), assistant("b")),
    "empty prefill": body(user("a"), {"role": "assistant", "content": ""}),
    "system turn": body(user("a"), assistant("b"), user("c"), {"role": "system", "content": "d"}),
    "call and result": body(user("a"), assistant(text("b"), call()), user(result(), text("c")), tools=[tool()]),
    "call and result, no tools": body(user("a"), assistant(call()), user(result())),
    "results in two turns": body(
        user("a"), assistant(call("x"), call("y")), user(result("x")), user(result("y"), text("b"))
    ),
    "result without content": body(
        user("a"), assistant(call()), user({"type": "tool_result", "tool_use_id": "toolu_1"})
    ),
    "result of blank text": body(user("a"), assistant(call()), user(result(content=[text(" ")]))),
    "result with media": body(user("a"), assistant(call()), user(result(content=[text("b"), image()]))),
    "failed result": body(user("a"), assistant(call()), user(result(is_error=True))),
    "image": body(user(text("a"), image())),
    "image by address": body(user({"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}})),
    "pdf": body(user(document(type="base64", media_type="application/pdf", data=PDF))),
    "text document": body(user(document(type="text", media_type="text/plain", data="a"))),
    "document of blocks": body(user(document(type="content", content=[text("a"), image()]))),
    "search result": body(user({"type": "search_result", "source": "s", "title": "t", "content": [text("a")]})),
    "thinking in history": body(user("a"), assistant(thinking(), text("b")), user("c")),
    "signed empty thinking": body(user("a"), assistant(thinking(""), text("b")), user("c")),
    "redacted thinking": body(
        user("a"), assistant({"type": "redacted_thinking", "data": "AAEC"}, text("b")), user("c")
    ),
    "thinking": body(max_tokens=2048, thinking={"type": "enabled", "budget_tokens": 1024}, temperature=1),
    "interleaved thinking": body(thinking={"type": "enabled", "budget_tokens": 1024}, tools=[tool()]),
    "choice": body(tools=[tool()], tool_choice={"type": "tool", "name": "now", "disable_parallel_tool_use": True}),
    "choice and thinking": body(tools=[tool()], tool_choice={"type": "auto"}, thinking={"type": "adaptive"}),
    "vendor tool": body(tools=[{"type": "web_search_20250305", "name": "web_search", "max_uses": 3}]),
    "server tool's blocks": body(
        user("a"),
        assistant({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}, text("b")),
        user("c"),
    ),
    "long tool name": body(tools=[tool("n" * 128)]),
    "strict tool": body(tools=[tool(schema=OBJECT, strict=True)]),
    "structured output": body(output_config={"format": {"type": "json_schema", "schema": OBJECT}, "effort": "low"}),
    "loose schema": body(
        tools=[tool(schema={"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}})]
    ),
    "four markers": body(
        user(text("a", cache_control=CACHED), text("b", cache_control=CACHED)),
        system=[text("s", cache_control=CACHED)],
        tools=[tool(cache_control=HOUR)],
    ),
    "sampling": body(
        temperature=0, top_p=0.5, top_k=0, stop_sequences=["END"], metadata={"user_id": None}, stream=True
    ),
}


#: the request, the kind of its fault, and where it lies
REFUSED: dict[str, tuple[Wire, Kind, str]] = {
    # form
    "no max_tokens": (body(max_tokens=None), Kind.FORM, "max_tokens"),
    "no model": (body(model=None), Kind.FORM, "model"),
    "no messages": (body(messages=None), Kind.FORM, "messages"),
    "max_tokens of a string": (body(max_tokens="64"), Kind.FORM, "max_tokens"),
    "max_tokens of a bool": (body(max_tokens=True), Kind.FORM, "max_tokens"),
    "null field": (body() | {"tools": None}, Kind.FORM, "tools"),
    "unknown field": (body(frequency_penalty=1), Kind.FORM, "frequency_penalty"),
    "beta field": (body(context_management={}), Kind.FORM, "context_management"),
    "temperature too high": (body(temperature=1.5), Kind.FORM, "temperature"),
    "stop sequences not a list": (body(stop_sequences="END"), Kind.FORM, "stop_sequences"),
    "blank stop sequence": (body(stop_sequences=["a", "\n"]), Kind.FORM, "stop_sequences[1]"),
    "unknown member of a block": (body(user(text("a", id="1"))), Kind.FORM, "messages[0].content[0].id"),
    "unknown member of a system block": (body(system=[text("a", id="1")]), Kind.FORM, "system[0].id"),
    "unknown block": (body(user({"type": "video", "source": {}})), Kind.FORM, "messages[0].content[0].type"),
    "unknown message": (body("Invalid content"), Kind.FORM, "messages[0]"),
    "unknown member of a message": (body(user("a") | {"name": "bob"}), Kind.FORM, "messages[0].name"),
    "image of an assistant": (body(user("a"), assistant(image())), Kind.FORM, "messages[1].content[0].type"),
    "call of a user": (body(user(call())), Kind.FORM, "messages[0].content[0].type"),
    "arguments as text": (
        body(user("a"), assistant(call() | {"input": "{}"}), user(result())),
        Kind.FORM,
        "messages[1].content[0].input",
    ),
    "content of a number": (body({"role": "user", "content": 1}), Kind.FORM, "messages[0].content"),
    "metadata": (body(metadata={"trace": "1"}), Kind.FORM, "metadata.trace"),
    "effort": (body(output_config={"effort": "extreme"}), Kind.FORM, "output_config.effort"),
    # roles
    "unknown role": (body({"role": "tool", "content": "a"}), Kind.ROLES, "messages[0].role"),
    "no turns": (body(messages=[]), Kind.ROLES, "messages"),
    "assistant first": (body(assistant("a"), user("b")), Kind.ROLES, "messages[0].role"),
    # text
    "empty text": (
        body(user("a"), assistant(text(""), text("b")), user("c")),
        Kind.EMPTY_TEXT,
        "messages[1].content[0]",
    ),
    "blank text": (body(user(text("\n "))), Kind.EMPTY_TEXT, "messages[0].content[0]"),
    "blank bare text": (body(user(" ")), Kind.EMPTY_TEXT, "messages[0].content"),
    "no content": (body({"role": "user", "content": []}), Kind.EMPTY_TEXT, "messages[0].content"),
    "empty bare text": (body({"role": "user", "content": ""}), Kind.EMPTY_TEXT, "messages[0].content"),
    "empty text of the system": (body(system=[text("")]), Kind.EMPTY_TEXT, "system[0]"),
    "empty text in a result": (
        body(user("a"), assistant(call()), user(result(content=[text("")]))),
        Kind.EMPTY_TEXT,
        "messages[2].content[0].content[0]",
    ),
    "space after the prefill": (body(user("a"), assistant("b ")), Kind.EMPTY_TEXT, "messages[1].content"),
    # pairing
    "no result": (body(user("a"), assistant(call()), user("b")), Kind.PAIRING, "messages[1].content[0]"),
    "no result at the end": (body(user("a"), assistant(call())), Kind.PAIRING, "messages[1].content[0]"),
    "one of two results": (
        body(user("a"), assistant(call("x"), call("y")), user(result("x"))),
        Kind.PAIRING,
        "messages[1].content[1]",
    ),
    "no call": (body(user(result())), Kind.PAIRING, "messages[0].content[0]"),
    "two results": (
        body(user("a"), assistant(call()), user(result(), result())),
        Kind.PAIRING,
        "messages[2].content[1]",
    ),
    "a result behind text": (
        body(user("a"), assistant(call()), user(text("b"), result())),
        Kind.PAIRING,
        "messages[2].content[1]",
    ),
    "a result behind another turn's text": (
        body(user("a"), assistant(call()), user("b"), user(result())),
        Kind.PAIRING,
        "messages[3].content[0]",
    ),
    # names and ids
    "tool name": (body(tools=[tool("calendar.read")]), Kind.TOOL_NAME, "tools[0].name"),
    "too long tool name": (body(tools=[tool("n" * 129)]), Kind.TOOL_NAME, "tools[0].name"),
    "no tool name": (body(tools=[{"input_schema": {"type": "object"}}]), Kind.TOOL_NAME, "tools[0].name"),
    "tool name of a call": (
        body(user("a"), assistant(call(name="a b")), user(result())),
        Kind.TOOL_NAME,
        "messages[1].content[0].name",
    ),
    "tool id": (body(user("a"), assistant(call("a.b")), user(result("a"))), Kind.TOOL_ID, "messages[1].content[0].id"),
    "tool id of a result": (
        body(user("a"), assistant(call("a")), user(result("a:b"))),
        Kind.TOOL_ID,
        "messages[2].content[0].tool_use_id",
    ),
    # choice
    "choice without tools": (body(tool_choice={"type": "any"}), Kind.TOOL_CHOICE, "tool_choice"),
    "choice of none of them": (
        body(tools=[tool()], tool_choice={"type": "tool", "name": "then"}),
        Kind.TOOL_CHOICE,
        "tool_choice.name",
    ),
    "choice without a name": (body(tools=[tool()], tool_choice={"type": "tool"}), Kind.TOOL_CHOICE, "tool_choice.name"),
    "choice in another vendor's words": (
        body(tools=[tool()], tool_choice={"type": "required"}),
        Kind.TOOL_CHOICE,
        "tool_choice.type",
    ),
    "choice as text": (body(tools=[tool()], tool_choice="auto"), Kind.TOOL_CHOICE, "tool_choice"),
    "parallel calls of none": (
        body(tools=[tool()], tool_choice={"type": "none", "disable_parallel_tool_use": True}),
        Kind.FORM,
        "tool_choice.disable_parallel_tool_use",
    ),
    "forced with thinking": (
        body(tools=[tool()], tool_choice={"type": "any"}, thinking={"type": "adaptive"}),
        Kind.TOOL_CHOICE,
        "tool_choice.type",
    ),
    # media
    "media type": (body(user(image("image/bmp"))), Kind.MEDIA, "messages[0].content[0].source.media_type"),
    "bare format": (body(user(image("png"))), Kind.MEDIA, "messages[0].content[0].source.media_type"),
    "mismatched media type": (body(user(image("image/jpeg"))), Kind.MEDIA, "messages[0].content[0].source.media_type"),
    "not base64": (body(user(image(data="a%b"))), Kind.MEDIA, "messages[0].content[0].source.data"),
    "not ASCII": (body(user(image(data="é" * 4))), Kind.MEDIA, "messages[0].content[0].source.data"),
    "base64 as repr": (body(user(image(data=f"b'{PNG}'"))), Kind.MEDIA, "messages[0].content[0].source.data"),
    "no data": (body(user(image(data=""))), Kind.MEDIA, "messages[0].content[0].source.data"),
    "no source": (body(user({"type": "image"})), Kind.MEDIA, "messages[0].content[0].source"),
    "unknown source": (
        body(user({"type": "image", "source": {"type": "s3", "uri": "s3://a"}})),
        Kind.MEDIA,
        "messages[0].content[0].source.type",
    ),
    "document type": (
        body(user(document(type="base64", media_type="text/csv", data="YQ=="))),
        Kind.MEDIA,
        "messages[0].content[0].source.media_type",
    ),
    "mismatched media in a result": (
        body(user("a"), assistant(call()), user(result(content=[image("image/gif")]))),
        Kind.MEDIA,
        "messages[2].content[0].content[0].source.media_type",
    ),
    "media in a failed result": (
        body(user("a"), assistant(call()), user(result(content=[image()], is_error=True))),
        Kind.MEDIA,
        "messages[2].content[0].content[0]",
    ),
    # cache
    "five markers": (
        body(user(*(text(str(each), cache_control=CACHED) for each in range(5)))),
        Kind.CACHE,
        "messages[0].content[4].cache_control",
    ),
    "marker of the body counts": (
        body(user(*(text(str(each), cache_control=CACHED) for each in range(4))), cache_control=CACHED),
        Kind.CACHE,
        "messages[0].content[3].cache_control",
    ),
    "markers in results count": (
        body(
            user("a"),
            assistant(call()),
            user(result(content=[text(str(each), cache_control=CACHED) for each in range(5)])),
        ),
        Kind.CACHE,
        "messages[2].content[0].content[4].cache_control",
    ),
    "marker on thinking": (
        body(user("a"), assistant(thinking(cache_control=CACHED), text("b")), user("c")),
        Kind.CACHE,
        "messages[1].content[0].cache_control",
    ),
    "another marker": (
        body(user(text("a", cache_control={"type": "default"}))),
        Kind.CACHE,
        "messages[0].content[0].cache_control.type",
    ),
    "another time to live": (
        body(tools=[tool(cache_control={"type": "ephemeral", "ttl": "1d"})]),
        Kind.CACHE,
        "tools[0].cache_control.ttl",
    ),
    "an hour after five minutes": (
        body(user(text("a", cache_control=HOUR)), tools=[tool(cache_control=CACHED)]),
        Kind.CACHE,
        "messages[0].content[0].cache_control",
    ),
    # schemas
    "no schema": (body(tools=[{"name": "now"}]), Kind.SCHEMA, "tools[0].input_schema"),
    "schema of no type": (body(tools=[tool(schema={"properties": {}})]), Kind.SCHEMA, "tools[0].input_schema.type"),
    "schema of an array": (body(tools=[tool(schema={"type": "array"})]), Kind.SCHEMA, "tools[0].input_schema.type"),
    "combined schema": (
        body(tools=[tool(schema={"type": "object", "anyOf": [{"required": ["a"]}]})]),
        Kind.SCHEMA,
        "tools[0].input_schema",
    ),
    "property name": (
        body(tools=[tool(schema={"type": "object", "properties": {"a b": {}}})]),
        Kind.SCHEMA,
        "tools[0].input_schema.properties",
    ),
    "strict and open": (
        body(tools=[tool(strict=True)]),
        Kind.SCHEMA,
        "tools[0].input_schema.additionalProperties",
    ),
    "open inside": (
        body(
            output_config={
                "format": {
                    "type": "json_schema",
                    "schema": OBJECT | {"$defs": {"Inner": {"type": "object", "properties": {}}}},
                }
            }
        ),
        Kind.SCHEMA,
        "output_config.format.schema.$defs.Inner.additionalProperties",
    ),
    "bounds in structured output": (
        body(
            output_config={
                "format": {
                    "type": "json_schema",
                    "schema": OBJECT | {"properties": {"n": {"anyOf": [{"type": "integer", "minimum": 0}]}}},
                }
            }
        ),
        Kind.SCHEMA,
        "output_config.format.schema.properties.n.anyOf[0].minimum",
    ),
    "format without schema": (
        body(output_config={"format": {"type": "json_schema"}}),
        Kind.SCHEMA,
        "output_config.format.schema",
    ),
    # reasoning
    "unsigned": (
        body(user("a"), assistant({"type": "thinking", "thinking": "hm"}, text("b")), user("c")),
        Kind.REASONING,
        "messages[1].content[0].signature",
    ),
    "empty signature": (
        body(user("a"), assistant(thinking(signature=""), text("b")), user("c")),
        Kind.REASONING,
        "messages[1].content[0].signature",
    ),
    "null signature": (
        body(user("a"), assistant(thinking(signature=None), text("b")), user("c")),
        Kind.REASONING,
        "messages[1].content[0].signature",
    ),
    "redacted data decoded": (
        body(user("a"), assistant({"type": "redacted_thinking", "data": "\x00raw"}, text("b")), user("c")),
        Kind.REASONING,
        "messages[1].content[0].data",
    ),
    "reasoning at the end": (
        body(user("a"), assistant(thinking()), user("c")),
        Kind.REASONING,
        "messages[1].content[0]",
    ),
    "small budget": (
        body(max_tokens=4096, thinking={"type": "enabled", "budget_tokens": 100}),
        Kind.REASONING,
        "thinking.budget_tokens",
    ),
    "no budget": (body(thinking={"type": "enabled"}), Kind.REASONING, "thinking.budget_tokens"),
    "budget beyond max_tokens": (
        body(thinking={"type": "enabled", "budget_tokens": 1024}),
        Kind.REASONING,
        "thinking.budget_tokens",
    ),
    "temperature with thinking": (
        body(max_tokens=2048, thinking={"type": "enabled", "budget_tokens": 1024}, temperature=0.5),
        Kind.REASONING,
        "temperature",
    ),
    "top_k with thinking": (
        body(max_tokens=2048, thinking={"type": "enabled", "budget_tokens": 1024}, top_k=5),
        Kind.REASONING,
        "top_k",
    ),
    "unknown thinking": (body(thinking={"type": "auto"}), Kind.REASONING, "thinking.type"),
}
