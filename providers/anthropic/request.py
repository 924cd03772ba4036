"""From the contract's arguments to the keyword arguments of ``messages.create``."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec
from providers._shared.content import guarded_text
from providers._shared.request import Request
from providers._shared.strict import strict_schema
from providers.anthropic.blocks import WireBlock, text_block, wire_block
from providers.anthropic.caching import limit_marks, mark_last, mark_point
from providers.anthropic.names import NAMES

#: what ``messages.count_tokens`` takes
_COUNTED: Final = frozenset({"messages", "model", "system", "thinking", "tool_choice", "tools"})

_FORCED: Final = frozenset({"any", "tool"})


def format_request(call: Request) -> dict[str, Any]:
    """The request. ``params`` of the configuration win over what is derived, and add to the tools."""
    config = call.config
    params = dict(config.get("params") or {})
    tools = [*format_tools(call.tool_specs, config), *params.pop("tools", ())]
    request: dict[str, Any] = {
        "model": config["model_id"],
        "max_tokens": config["max_tokens"],
        **_given("system", format_system(call.system)),
        **_given("tools", tools),
        **_given("tool_choice", format_tool_choice(call.tool_choice) if tools else None),
        **params,
        "messages": format_messages(call.messages),
    }
    _unthink(request)
    _cache_history(request, config.get("cache_config"))
    limit_marks(request)
    return request


def count_request(request: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a request whose tokens can be counted."""
    return {name: value for name, value in request.items() if name in _COUNTED}


def for_signature(request: Mapping[str, Any], accepted: Iterable[str]) -> dict[str, Any]:
    """The request with what the SDK's method does not name moved to ``extra_body``.

    The methods name what current models take: ``temperature`` came and went with the versions of the SDK.
    """
    known = frozenset(accepted)
    named = {name: value for name, value in request.items() if name in known}
    extra = {name: value for name, value in request.items() if name not in known}
    return {**named, "extra_body": {**extra, **named.get("extra_body", {})}} if extra else named


def format_messages(messages: Messages) -> list[WireBlock]:
    """Turns, with same-role runs merged and results of tools first, as the API wants them."""
    turns: list[WireBlock] = []
    sent: list[WireBlock] = []
    for message in messages:
        for block in message["content"]:
            if "cachePoint" in block:
                mark_point(sent, block["cachePoint"])
            elif (wire := wire_block(block)) is not None:
                _add(turns, message["role"], wire)
                sent.append(wire)
    for turn in turns:
        turn["content"].sort(key=_after_results)
    return turns


def _add(turns: list[WireBlock], role: str, block: WireBlock) -> None:
    if not turns or turns[-1]["role"] != role:
        turns.append({"role": role, "content": []})
    turns[-1]["content"].append(block)


def _after_results(block: WireBlock) -> bool:
    return bool(block["type"] != "tool_result")


def format_system(system: Iterable[SystemContentBlock]) -> list[WireBlock]:
    """The system prompt as text blocks, with marks for cache points."""
    blocks: list[WireBlock] = []
    for item in system:
        if "cachePoint" in item:
            mark_point(blocks, item["cachePoint"])
            continue
        block = text_block(item.get("text") or guarded_text(item.get("guardContent") or {}))
        if block:
            blocks.append(block)
    return blocks


def format_tools(specs: Sequence[ToolSpec], config: Mapping[str, Any]) -> list[WireBlock]:
    """Tool definitions; the last one is marked when the configuration asks for cached tools."""
    tools = [_tool(spec, strict=bool(config.get("strict_tools"))) for spec in specs]
    cached = config.get("cache_tools")
    if cached and tools:
        mark_last(tools, getattr(cached, "ttl", None))
    return tools


def _tool(spec: ToolSpec, *, strict: bool) -> WireBlock:
    schema = spec["inputSchema"]["json"]
    closed = strict_schema(schema, "anthropic") if strict else None
    return {
        "name": NAMES.wire(spec["name"]),
        **_given("description", spec.get("description")),
        "input_schema": closed or schema,
        **_given("strict", closed is not None),
    }


def format_tool_choice(choice: ToolChoice | None) -> WireBlock | None:
    """``auto``, ``any`` or ``tool`` in the API's form."""
    if not choice:
        return None
    if "tool" in choice:
        return {"type": "tool", "name": NAMES.wire(choice["tool"]["name"])}
    return {"type": next(iter(choice))}


def _unthink(request: dict[str, Any]) -> None:
    """Leave thinking out where a call is forced: the API refuses the two together."""
    if (request.get("tool_choice") or {}).get("type") in _FORCED:
        request.pop("thinking", None)


def _cache_history(request: dict[str, Any], cache_config: Any) -> None:
    """With a cache configuration, mark the end of the last user turn, so that the next request finds it."""
    if cache_config is None:
        return
    last = next((turn for turn in reversed(request["messages"]) if turn["role"] == "user"), None)
    if last and not any("cache_control" in block for block in last["content"]):
        mark_last(last["content"], cache_config.ttl)


def _given(name: str, value: Any) -> dict[str, Any]:
    return {name: value} if value else {}
