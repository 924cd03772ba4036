"""Rules about tools: their names, schemas, and being forced."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from harness.dialects.base import RequestFault
from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.bedrock_converse.asked import GUIDE, Asked
from harness.dialects.schemas import TARGETS, schema_faults

_NO_FORCED_TOOL: Final[Mapping[str, tuple[str, ...]]] = {
    "any": ("meta.",),
    "tool": ("meta.", "mistral.", "cohere.", "ai21."),
}


def names(asked: Asked) -> Iterator[RequestFault]:
    """Tools are there when the history holds calls, and have different names."""
    held = next((block for block in asked.blocks if block.kind in ("toolUse", "toolResult")), None)
    if held and not asked.tools:
        yield RequestFault(
            Kind.PAIRING,
            "toolConfig",
            f"missing, though there is {held.path}",
            "ValidationException: The toolConfig field must be defined when using toolUse and toolResult content "
            "blocks (zot#18)",
        )
    for name, count in Counter(_names(asked)).items():
        if count > 1:
            yield RequestFault(
                Kind.TOOL_NAME, "toolConfig.tools", f"{count} tools have the name {name}", "Tool names must be unique"
            )


def _names(asked: Asked) -> Iterator[str]:
    for tool in asked.tools.get("tools", ()):
        yield from (value["name"] for value in tool.values() if "name" in value)


def choice(asked: Asked) -> Iterator[RequestFault]:
    """A forced choice names a tool there is, to a model that can be forced."""
    path = "toolConfig.toolChoice"
    for kind, value in asked.tools.get("toolChoice", {}).items():
        if kind == "tool" and value["name"] not in set(_names(asked)):
            yield RequestFault(Kind.TOOL_CHOICE, f"{path}.tool.name", f"no tool {value['name']}", f"{GUIDE}: tool use")
        if asked.is_of(_NO_FORCED_TOOL.get(kind, ())):
            yield RequestFault(
                Kind.TOOL_CHOICE,
                f"{path}.{kind}",
                f"{asked.model} cannot be forced",
                f"ValidationException: This model doesn't support the toolConfig.toolChoice.{kind} field "
                "(agent-squad#134); Amazon Bedrock API reference, ToolChoice",
            )
        if kind in _NO_FORCED_TOOL and asked.thinks:
            yield RequestFault(
                Kind.TOOL_CHOICE,
                f"{path}.{kind}",
                "a forced tool while thinking is on",
                "Thinking may not be enabled when tool_choice forces tool use (vercel-ai#11227, pydantic-ai#3092)",
            )


def schemas(asked: Asked) -> Iterator[RequestFault]:
    """A tool takes an object; an output schema is JSON; both are of the strict kind where they claim to be."""
    for at, tool in enumerate(asked.tools.get("tools", ())):
        kind = tool.get("toolSpec", {}).get("inputSchema", {}).get("json", {"type": "object"}).get("type")
        if kind != "object":
            yield RequestFault(
                Kind.SCHEMA,
                f"toolConfig.tools[{at}].toolSpec.inputSchema.json.type",
                repr(kind),
                "ValidationException: The value at toolConfig.tools.N.toolSpec.inputSchema.json.type must be one of "
                "the following: object (Kiro#11026)",
            )
        if tool.get("toolSpec", {}).get("strict"):
            path = f"toolConfig.tools[{at}].toolSpec.inputSchema.json"
            yield from schema_faults(TARGETS["bedrock"], tool["toolSpec"]["inputSchema"]["json"], path)
    form = asked.body.get("outputConfig", {}).get("textFormat")
    path = "outputConfig.textFormat.structure.jsonSchema.schema"
    if form and not _is_json_object(form["structure"]["jsonSchema"]["schema"]):
        yield RequestFault(Kind.SCHEMA, path, "not the JSON text of a schema", f"{GUIDE}: structured output")
    elif form:
        text = form["structure"]["jsonSchema"]["schema"]
        yield from schema_faults(TARGETS["bedrock"], json.loads(text), path)


def _is_json_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
