"""The tools of a request: specifications, strict schemas, the choice among them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from harness.contract.config import CacheToolsConfig
from harness.contract.content import Messages, ToolChoice, ToolSpec
from providers.bedrock.content import Block, cache_point, is_blank
from providers.bedrock.names import ToolNames


def called_tools(messages: Messages) -> list[str]:
    """Names of the tools that the history calls, each once."""
    calls = (block["toolUse"]["name"] for message in messages for block in message["content"] if "toolUse" in block)
    return list(dict.fromkeys(calls))


def tool_config(
    specs: list[ToolSpec] | None, choice: ToolChoice | None, messages: Messages, names: ToolNames, config: Any
) -> Block | None:
    """The ``toolConfig`` member, or None when the request has no tools.

    The service refuses a history with calls in it unless tools are declared, so those called are, where the caller
    gave none.
    """
    given = specs or [_bygone(name) for name in called_tools(messages)]
    if not given:
        return None
    tools = [_tool(spec, names, strict=bool(config.get("strict_tools"))) for spec in given]
    tools += _cache_points(config.get("cache_tools"))
    return {"tools": tools, **({"toolChoice": _choice(choice, names)} if choice and specs else {})}


def _bygone(name: str) -> ToolSpec:
    description = "Was called earlier in this conversation; no longer available."
    return {"name": name, "description": description, "inputSchema": {"json": {"type": "object"}}}


def _tool(spec: ToolSpec, names: ToolNames, *, strict: bool) -> Block:
    schema = spec["inputSchema"]["json"]
    tool: Block = {"name": names.sent(spec["name"])}
    if not is_blank(spec.get("description")):
        tool["description"] = spec["description"]
    tool["inputSchema"] = {"json": strict_schema(schema) if strict else schema}
    return {"toolSpec": {**tool, **({"strict": True} if strict else {})}}


def _cache_points(setting: CacheToolsConfig | str | None) -> Iterator[Block]:
    if isinstance(setting, CacheToolsConfig):
        yield cache_point(setting.type, setting.ttl)
    elif setting:
        yield cache_point(setting)


def _choice(choice: ToolChoice, names: ToolNames) -> Block:
    if "tool" in choice:
        return {"tool": {"name": names.sent(choice["tool"]["name"])}}
    return {kind: {} for kind in choice}


def is_forced(choice: ToolChoice | None) -> bool:
    """Whether the model must call a tool."""
    return choice is not None and not choice.keys().isdisjoint(("any", "tool"))


#: keywords of JSON Schema whose value is a schema, a list of schemas, or a map from names to schemas
_SCHEMA: Final = frozenset({"items", "not", "if", "then", "else", "contains"})
_SCHEMAS: Final = frozenset({"anyOf", "allOf", "oneOf", "prefixItems"})
_NAMED_SCHEMAS: Final = frozenset({"properties", "$defs", "definitions", "patternProperties"})


def strict_schema(schema: Any) -> Any:
    """A copy in which every object that lists its properties takes no others. Open maps stay open."""
    if not isinstance(schema, dict):
        return schema
    closed = {keyword: _strict_value(keyword, value) for keyword, value in schema.items()}
    if "properties" in schema:
        closed.setdefault("additionalProperties", False)
    return closed


def _strict_value(keyword: str, value: Any) -> Any:
    if keyword in _SCHEMA:
        return strict_schema(value)
    if keyword in _SCHEMAS and isinstance(value, Iterable):
        return [strict_schema(item) for item in value]
    if keyword in _NAMED_SCHEMAS and isinstance(value, Mapping):
        return {name: strict_schema(item) for name, item in value.items()}
    return value
