"""What the emulated model says: named replies, which heed the tools of the request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from harness.contract.content import Json
from harness.dialects.base import Dialect, RequestView, ResultPart, ToolView
from harness.dialects.reply import Reasoning, Refusal, Reply, Text, ToolUse
from harness.scenarios.catalogue.samples import called, cited, said, usage
from harness.scenarios.strategies import make_id

Say = Callable[[Dialect, RequestView, str], Reply]


@dataclass(frozen=True, slots=True)
class Script:
    """One named reply. ``can`` says which dialects have a form for it."""

    title: str
    say: Say
    can: Callable[[Dialect], bool] = lambda dialect: True


def _text(dialect: Dialect, view: RequestView, text: str) -> Reply:
    return said(dialect, text)


def _limit(dialect: Dialect, view: RequestView, text: str) -> Reply:
    return replace(said(dialect, text), stop="max_tokens")


def _one_tool(dialect: Dialect, view: RequestView, text: str) -> Reply:
    return _calling(dialect, view, text, _wanted(view)[:1])


def _every_tool(dialect: Dialect, view: RequestView, text: str) -> Reply:
    return _calling(dialect, view, text, _wanted(view))


def _calling(dialect: Dialect, view: RequestView, text: str, tools: list[ToolView]) -> Reply:
    """Calls of the request's own tools; the text once their results are there, or where there are no tools."""
    answered = bool(view.turns) and any(isinstance(part, ResultPart) for part in view.turns[-1].parts)
    if answered or not tools:
        return said(dialect, text)
    pattern = dialect.shape.tool_id_pattern
    calls = [ToolUse.of(make_id(pattern, n), tool.name, instance(tool.schema)) for n, tool in enumerate(tools, 1)]
    return called(dialect, *calls)


def _wanted(view: RequestView) -> list[ToolView]:
    """The tools, those that the request asks for where it does."""
    kind, _, name = (view.tool_choice or "").partition(":")
    return [tool for tool in view.tools if kind != "none" and name in ("", tool.name)]


def _reasoning(dialect: Dialect, view: RequestView, text: str) -> Reply:
    signature = "c2lnbmF0dXJl" if dialect.shape.signed else None
    return replace(said(dialect), blocks=(Reasoning("Let me think.", signature), Text(text)))


def _refusal(dialect: Dialect, view: RequestView, text: str) -> Reply:
    return Reply((Refusal("I cannot help with that."),), usage=usage(dialect))


def _cited(dialect: Dialect, view: RequestView, text: str) -> Reply:
    return cited(dialect)


SCRIPTS: Final[Mapping[str, Script]] = {
    "text": Script("the text", _text),
    "tool": Script("a call of the request's first tool, and the text once it has a result", _one_tool),
    "tools": Script("a call of each of the request's tools, and the text once they have results", _every_tool),
    "limit": Script("the text, cut by the length limit", _limit),
    "reasoning": Script("reasoning, then the text", _reasoning, lambda dialect: Reasoning in dialect.shape.blocks),
    "refusal": Script("a refusal in the field for it", _refusal, lambda dialect: Refusal in dialect.shape.blocks),
    "citations": Script("text with citations", _cited, lambda dialect: dialect.shape.citations),
}


def instance(schema: Json) -> dict[str, Any]:
    """The plainest value that a tool's schema asks for: what it requires, in its first type or listed value."""
    made = _value(schema)
    return made if isinstance(made, dict) else {}


def _value(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return "text"
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    for key in ("enum", "examples"):
        if schema.get(key):
            return schema[key][0]
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return _value(schema[key][0])
    kind = schema.get("type", "object" if "properties" in schema else "string")
    return _PLAINEST[kind[0] if isinstance(kind, list) else str(kind).lower()](schema)


def _object(schema: Mapping[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties") or {}
    return {name: _value(properties.get(name)) for name in schema.get("required") or ()}


_PLAINEST: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "object": _object,
    "array": lambda schema: [_value(schema.get("items"))] * int(schema.get("minItems") or 0),
    "string": lambda schema: "text".ljust(int(schema.get("minLength") or 0), "."),
    "integer": lambda schema: int(schema.get("minimum") or 1),
    "number": lambda schema: float(schema.get("minimum") or 1),
    "boolean": lambda schema: True,
    "null": lambda schema: None,
}
