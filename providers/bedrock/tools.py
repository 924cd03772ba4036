"""The tools of a request: specifications, strict schemas, the choice among them."""

from collections.abc import Iterator

from harness.contract.config import CacheToolsConfig
from harness.contract.content import ToolChoice, ToolSpec
from providers._shared.content import is_blank
from providers._shared.request import Request
from providers._shared.strict import strict_schema
from providers.bedrock.content import Block, cache_point
from providers.bedrock.names import NAMES


def tool_config(call: Request) -> Block | None:
    """The ``toolConfig`` member, or None when the request has no tools.

    The service refuses a history with calls in it unless tools are declared, so those called are, where the caller
    gave none.
    """
    specs, choice = call.tool_specs, call.tool_choice
    given = specs or [_bygone(name) for name in call.called_tools]
    if not given:
        return None
    tools = [_tool(spec, strict=bool(call.config.get("strict_tools"))) for spec in given]
    tools += _cache_points(call.config.get("cache_tools"))
    return {"tools": tools, **({"toolChoice": _choice(choice)} if choice and specs else {})}


def _bygone(name: str) -> ToolSpec:
    description = "Was called earlier in this conversation; no longer available."
    return {"name": name, "description": description, "inputSchema": {"json": {"type": "object"}}}


def _tool(spec: ToolSpec, *, strict: bool) -> Block:
    schema = spec["inputSchema"]["json"]
    closed = strict_schema(schema, "bedrock") if strict else None
    tool: Block = {"name": NAMES.wire(spec["name"])}
    if not is_blank(spec.get("description")):
        tool["description"] = spec["description"]
    tool["inputSchema"] = {"json": closed or schema}
    return {"toolSpec": {**tool, **({"strict": True} if closed else {})}}


def _cache_points(setting: CacheToolsConfig | str | None) -> Iterator[Block]:
    if isinstance(setting, CacheToolsConfig):
        yield cache_point(setting.type, setting.ttl)
    elif setting:
        yield cache_point(setting)


def _choice(choice: ToolChoice) -> Block:
    if "tool" in choice:
        return {"tool": {"name": NAMES.wire(choice["tool"]["name"])}}
    return {kind: {} for kind in choice}
