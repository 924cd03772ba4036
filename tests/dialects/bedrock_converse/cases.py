"""Requests that Bedrock refuses, with the faults they have, and requests that it takes."""

from typing import Any

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.base import WireRequest
from tests.dialects.bedrock_converse.asks import (
    CACHE,
    CLAUDE,
    S3,
    THINKING,
    TOOLS,
    asked,
    assistant,
    call,
    called,
    document,
    image,
    reasoning,
    request,
    result,
    text,
    tool,
    user,
)

NOVA, LLAMA, TITAN = "us.amazon.nova-lite-v1:0", "us.meta.llama3-3-70b-instruct-v1:0", "amazon.titan-text-express-v1"


def schema(value: Any) -> Any:
    return {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": {"schema": value}}}}


#: a request, and the faults that it has: kind and path
REFUSED: dict[str, tuple[WireRequest, list[tuple[Kind, str]]]] = {
    "unknown member": (request(asked(max_tokens=5)), [(Kind.FORM, "max_tokens")]),
    "unknown nested member": (
        request(asked(user({"text": "a", "index": 0}))),
        [(Kind.FORM, "messages[0].content[0]"), (Kind.FORM, "messages[0].content[0].index")],
    ),
    "stream-only fragments replayed": (
        request(called(call(partial_json="{"))),
        [(Kind.FORM, "messages[1].content[0].toolUse.partial_json")],
    ),
    "null": (
        request(
            asked(user(text()), assistant(reasoning(reasoningText={"text": "hm", "signature": None})), user(text()))
        ),
        [(Kind.FORM, "messages[1].content[0].reasoningContent.reasoningText.signature")],
    ),
    "missing member": (
        request(called(call(), answers=({"toolResult": {"toolUseId": "tooluse_1"}},))),
        [(Kind.FORM, "messages[2].content[0].toolResult")],
    ),
    "no number": (request(asked(inferenceConfig={"maxTokens": "5"})), [(Kind.FORM, "inferenceConfig.maxTokens")]),
    "out of range": (
        request(asked(inferenceConfig={"temperature": 1.5})),
        [(Kind.FORM, "inferenceConfig.temperature")],
    ),
    "empty content": (request(asked(user())), [(Kind.FORM, "messages[0].content")]),
    "no body": (request(b"hello"), [(Kind.FORM, "")]),
    "another path": (WireRequest("POST", f"/model/{CLAUDE}/invoke", (), b"{}"), [(Kind.FORM, "")]),
    "stream mode of a whole reply": (
        request(asked(guardrailConfig={"streamProcessingMode": "sync"}), stream=False),
        [(Kind.FORM, "guardrailConfig.streamProcessingMode")],
    ),
    "input is a string": (
        request(called(call(input='{"a": 1}'))),
        [(Kind.FORM, "messages[1].content[0].toolUse.input")],
    ),
    "result is a list": (
        request(called(answers=(result("tooluse_1", {"json": [1]}),))),
        [(Kind.FORM, "messages[2].content[0].toolResult.content[0].json")],
    ),
    "empty description": (
        request(asked(toolConfig={"tools": [tool(description="")]})),
        [(Kind.FORM, "toolConfig.tools[0].toolSpec.description")],
    ),
    "blank text": (request(asked(user(text(" \n")))), [(Kind.EMPTY_TEXT, "messages[0].content[0].text")]),
    "blank system": (request(asked(system=[text("")])), [(Kind.EMPTY_TEXT, "system[0].text")]),
    "blank guarded text": (
        request(asked(user({"guardContent": {"text": {"text": " "}}}))),
        [(Kind.EMPTY_TEXT, "messages[0].content[0].guardContent.text.text")],
    ),
    "failure without words": (
        request(called(answers=({"toolResult": {"toolUseId": "tooluse_1", "content": [], "status": "error"}},))),
        [(Kind.EMPTY_TEXT, "messages[2].content[0].toolResult.content")],
    ),
    "no result": (
        request(called(answers=(text(),))),
        [(Kind.PAIRING, "messages[2].content")],
    ),
    "conversation ends with a call": (
        request(asked(user(text()), assistant(call()), toolConfig=TOOLS)),
        [(Kind.PAIRING, "messages[2].content")],
    ),
    "one of two results": (
        request(called(call(), call("tooluse_2"))),
        [(Kind.PAIRING, "messages[2].content")],
    ),
    "result without its call": (
        request(asked(user(result()), toolConfig=TOOLS)),
        [(Kind.PAIRING, "messages[0].content")],
    ),
    "result a turn late": (
        request(
            asked(user(text()), assistant(call()), user(text()), assistant(text()), user(result()), toolConfig=TOOLS)
        ),
        [(Kind.PAIRING, "messages[2].content"), (Kind.PAIRING, "messages[4].content")],
    ),
    "call of the user": (
        request(asked(user(call()), assistant(text()), toolConfig=TOOLS)),
        [(Kind.PAIRING, "messages[0].content"), (Kind.PAIRING, "messages[1].content")],
    ),
    "tool history without tools": (
        request({name: value for name, value in called().items() if name != "toolConfig"}),
        [(Kind.PAIRING, "toolConfig")],
    ),
    "no turn": (request({"messages": [], "system": [text()]}), [(Kind.ROLES, "messages")]),
    "assistant begins": (request(asked(assistant(text()), user(text()))), [(Kind.ROLES, "messages[0].role")]),
    "two of the user": (request(asked(user(text()), user(text()))), [(Kind.ROLES, "messages[1].role")]),
    "tool role": (request(asked({"role": "tool", "content": [text()]})), [(Kind.ROLES, "messages[0].role")]),
    "tool name alphabet": (
        request(asked(toolConfig={"tools": [tool("get.weather")]})),
        [(Kind.TOOL_NAME, "toolConfig.tools[0].toolSpec.name")],
    ),
    "tool name length": (
        request(asked(toolConfig={"tools": [tool("x" * 65)]})),
        [(Kind.TOOL_NAME, "toolConfig.tools[0].toolSpec.name")],
    ),
    "tool name twice": (request(asked(toolConfig={"tools": [tool(), tool()]})), [(Kind.TOOL_NAME, "toolConfig.tools")]),
    "tool id alphabet": (
        request(called(call("a b"), answers=(result("a b"),))),
        [
            (Kind.TOOL_ID, "messages[1].content[0].toolUse.toolUseId"),
            (Kind.TOOL_ID, "messages[2].content[0].toolResult.toolUseId"),
        ],
    ),
    "tool id twice": (
        request(called(call(), call())),
        [(Kind.TOOL_ID, "messages[1].content")],
    ),
    "choice without tools": (
        request(asked(toolConfig={"tools": [], "toolChoice": {"any": {}}})),
        [(Kind.TOOL_CHOICE, "toolConfig.tools")],
    ),
    "choice of no tool": (
        request(asked(toolConfig={**TOOLS, "toolChoice": {"tool": {"name": "other"}}})),
        [(Kind.TOOL_CHOICE, "toolConfig.toolChoice.tool.name")],
    ),
    "choice forced on Llama": (
        request(asked(toolConfig={**TOOLS, "toolChoice": {"any": {}}}), model=LLAMA),
        [(Kind.TOOL_CHOICE, "toolConfig.toolChoice.any")],
    ),
    "choice forced on thinking": (
        request(asked(toolConfig={**TOOLS, "toolChoice": {"any": {}}}, **THINKING)),
        [(Kind.TOOL_CHOICE, "toolConfig.toolChoice.any")],
    ),
    "schema of no object": (
        request(asked(toolConfig={"tools": [tool(inputSchema={"json": {"type": "array"}})]})),
        [(Kind.SCHEMA, "toolConfig.tools[0].toolSpec.inputSchema.json.type")],
    ),
    "schema without a type": (
        request(asked(toolConfig={"tools": [tool(inputSchema={"json": {}})]})),
        [(Kind.SCHEMA, "toolConfig.tools[0].toolSpec.inputSchema.json.type")],
    ),
    "output schema is no JSON": (
        request(asked(outputConfig=schema("{"))),
        [(Kind.SCHEMA, "outputConfig.textFormat.structure.jsonSchema.schema")],
    ),
    "output schema is no text": (
        request(asked(outputConfig=schema({"type": "object"}))),
        [(Kind.FORM, "outputConfig.textFormat.structure.jsonSchema.schema")],
    ),
    "image format": (
        request(asked(user(image(form="jpg")))),
        [(Kind.MEDIA, "messages[0].content[0].image.format")],
    ),
    "image as a data URL": (
        request(asked(user(image("data:image/png;base64,iVBORw0KGgo=")))),
        [(Kind.MEDIA, "messages[0].content[0].image.source.bytes")],
    ),
    "image of no bytes": (
        request(asked(user(image("")))),
        [(Kind.MEDIA, "messages[0].content[0].image.source.bytes")],
    ),
    "image that is text": (
        request(asked(user(image("dGhlc2UgYnl0ZXM=")))),
        [(Kind.MEDIA, "messages[0].content[0].image.source.bytes")],
    ),
    "image of the assistant": (
        request(asked(user(text()), assistant(image()), user(text()))),
        [(Kind.MEDIA, "messages[1].content[0].image")],
    ),
    "image in S3 to Claude": (
        request(asked(user({"image": {"format": "png", "source": S3}}))),
        [(Kind.MEDIA, "messages[0].content[0].image")],
    ),
    "video to Claude": (
        request(asked(user({"video": {"format": "mp4", "source": {"bytes": "AAAA"}}}))),
        [(Kind.MEDIA, "messages[0].content[0].video")],
    ),
    "21 images": (request(asked(user(*[image()] * 21))), [(Kind.MEDIA, "messages[0].content")]),
    "six documents": (
        request(asked(user(text(), *map(document, "abcdef")))),
        [(Kind.MEDIA, "messages[0].content")],
    ),
    "document in a result to Nova": (
        request(called(answers=(result("tooluse_1", document()),)), model=NOVA),
        [(Kind.MEDIA, "messages[2].content[0].toolResult.content[0].document")],
    ),
    "document without text": (request(asked(user(document()))), [(Kind.MEDIA, "messages[0].content")]),
    "document format": (
        request(asked(user(text(), document(form="json")))),
        [(Kind.MEDIA, "messages[0].content[1].document.format")],
    ),
    "document names alike": (
        request(asked(user(text(), document()), assistant(text()), user(text(), document()))),
        [(Kind.MEDIA, "messages[2].content[1].document.name")],
    ),
    **{
        f"document name {name!r}": (
            request(asked(user(text(), document(name)))),
            [(Kind.MEDIA, "messages[0].content[1].document.name")],
        )
        for name in ("report.pdf", "it's", "No #1", "Grüße", "two  spaces", "", "s3://x", "x" * 201)
    },
    "five cache points": (
        request(asked(user(*[text(), CACHE] * 5))),
        [(Kind.CACHE, "messages[0].content[9].cachePoint")],
    ),
    "cache point to Llama": (
        request(asked(system=[text(), CACHE]), model=LLAMA),
        [(Kind.CACHE, "system[1].cachePoint")],
    ),
    "cache point in tools to Nova": (
        request(asked(toolConfig={"tools": [tool(), CACHE]}), model=NOVA),
        [(Kind.CACHE, "toolConfig.tools[1].cachePoint")],
    ),
    "cache point of another type": (
        request(asked(system=[text(), {"cachePoint": {"type": "ephemeral"}}])),
        [(Kind.CACHE, "system[1].cachePoint.type")],
    ),
    "cache life unknown": (
        request(asked(system=[text(), {"cachePoint": {"type": "default", "ttl": "2h"}}])),
        [(Kind.CACHE, "system[1].cachePoint.ttl")],
    ),
    "short cache life first": (
        request(asked(user(text(), {"cachePoint": {"type": "default", "ttl": "1h"}}), system=[text(), CACHE])),
        [(Kind.CACHE, "messages[0].content[1].cachePoint")],
    ),
    "cache point after a text document": (
        request(asked(user(text(), document(form="txt", text="words"), CACHE))),
        [(Kind.CACHE, "messages[0].content[2].cachePoint")],
    ),
    "reasoning without signature": (
        request(asked(user(text()), assistant(reasoning(reasoningText={"text": "hm"}), text()), user(text()))),
        [(Kind.REASONING, "messages[1].content[0].reasoningContent")],
    ),
    "reasoning of the user": (
        request(asked(user(reasoning(), text()))),
        [(Kind.REASONING, "messages[0].content[0].reasoningContent")],
    ),
    "reasoning to DeepSeek": (
        request(asked(user(text()), assistant(reasoning(), text()), user(text())), model="us.deepseek.r1-v1:0"),
        [(Kind.REASONING, "messages[1].content[0].reasoningContent")],
    ),
    "call without its reasoning": (request(called(**THINKING)), [(Kind.REASONING, "messages[1].content[0]")]),
}

#: what the service takes
ACCEPTED: dict[str, WireRequest] = {
    "text": request(asked()),
    "whole": request(asked(), stream=False),
    "tools": request(called()),
    "parallel calls": request(called(call("a"), call("b"), answers=(result("b"), result("a", status="error")))),
    "results with words": request(called(answers=(result(), text("and?")))),
    "blank result": request(called(answers=(result("tooluse_1", text("")),))),
    "result of nothing": request(called(answers=({"toolResult": {"toolUseId": "tooluse_1", "content": []}},))),
    "same id in later turns": request(
        asked(user(text()), assistant(call()), user(result()), assistant(call()), user(result()), toolConfig=TOOLS)
    ),
    "server tool": request(
        asked(
            user(text()),
            assistant(call("s", type="server_tool_use"), result("s", type="x_result"), text()),
            user(text()),
            toolConfig={"tools": [{"systemTool": {"name": "nova_code_interpreter"}}]},
        ),
        model=NOVA,
    ),
    "two of the user to Titan": request(asked(user(text()), user(text())), model=TITAN),
    "empty system": request(asked(system=[])),
    "four cache points": request(
        asked(user(text(), CACHE, text(), CACHE), system=[text(), CACHE], toolConfig={"tools": [tool(), CACHE]})
    ),
    "long cache life first": request(
        asked(user(text(), CACHE), system=[text(), {"cachePoint": {"type": "default", "ttl": "1h"}}])
    ),
    "media": request(asked(user(text(), image(), document("a"), document("b [1] (x)-y_z")))),
    "media in S3 to Nova": request(asked(user(text(), {"video": {"format": "mp4", "source": S3}})), model=NOVA),
    "images in results": request(called(answers=(result("tooluse_1", text(), image(), document()),))),
    "reasoning": request(called(reasoning(), call(), **THINKING)),
    "hidden reasoning": request(called(reasoning(redactedContent="AAEC"), call(), **THINKING)),
    "unsigned reasoning of others": request(
        asked(user(text()), assistant(reasoning(reasoningText={"text": "hm"}), text()), user(text())),
        model="openai.gpt-oss-120b-1:0",
    ),
    "forced choice": request(asked(toolConfig={**TOOLS, "toolChoice": {"tool": {"name": "get_weather"}}})),
    "profile ARN": request(
        asked(), model="arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-haiku-v1:0"
    ),
    "prompt ARN": request({"promptVariables": {"x": text()}}, model="arn:aws:bedrock:us-east-1:123456789012:prompt/AB"),
    "guarded document": request(asked(user(document(), {"guardContent": {"text": {"text": "check me"}}}))),
    "all the rest": request(
        asked(
            inferenceConfig={"maxTokens": 5, "temperature": 1, "topP": 0.5, "stopSequences": ["END"]},
            guardrailConfig={
                "guardrailIdentifier": "gr1",
                "guardrailVersion": "DRAFT",
                "trace": "enabled_full",
                "streamProcessingMode": "async",
            },
            additionalModelRequestFields={"top_k": 5},
            additionalModelResponseFieldPaths=["/stop_sequence"],
            requestMetadata={"team": "a"},
            performanceConfig={"latency": "optimized"},
            serviceTier={"type": "flex"},
            outputConfig=schema('{"type": "object", "additionalProperties": false}'),
        )
    ),
}
