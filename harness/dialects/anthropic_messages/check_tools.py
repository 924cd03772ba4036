"""What tools, the choice among them, schemas and thinking must be together."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.anthropic_messages.rules import Faults, fault
from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.schemas import TARGETS, schema_faults

Wire = Mapping[str, Any]


def _tools(body: Wire) -> list[Wire]:
    return body.get("tools") or []


def _custom(body: Wire) -> Iterator[tuple[str, Wire]]:
    """Tools with a schema of their own, and their paths."""
    for index, tool in enumerate(_tools(body)):
        if "input_schema" in tool:
            yield f"tools[{index}]", tool


def _unique_names(body: Wire) -> Faults:
    counts = Counter(tool.get("name") for tool in _tools(body) if tool.get("name"))
    for index, tool in enumerate(_tools(body)):
        if counts[tool.get("name")] > 1:
            yield fault(Kind.TOOL_NAME, f"tools[{index}].name", tool["name"], "tools: Tool names must be unique.")


# --- the choice -------------------------------------------------------------------------------------------------

_THINKS: Final = ("enabled", "adaptive")
_FORCES: Final = ("any", "tool")


def _choice(body: Wire) -> Faults:
    choice = body.get("tool_choice")
    if choice is None:
        return
    if not _tools(body):
        words = "tool_choice may only be specified while providing tools"
        yield fault(Kind.TOOL_CHOICE, "tool_choice", "no tools", words)
    elif choice["type"] == "tool" and choice["name"] not in {tool.get("name") for tool in _tools(body)}:
        words = f"tool_choice.name: Tool '{choice['name']}' not found in provided tools"
        yield fault(Kind.TOOL_CHOICE, "tool_choice.name", choice["name"], words)
    if choice["type"] in _FORCES and _thinking(body).get("type") in _THINKS:
        words = "Thinking may not be enabled when tool_choice forces tool use."
        yield fault(Kind.TOOL_CHOICE, "tool_choice.type", f"{choice['type']} with thinking", words)


# --- thinking ---------------------------------------------------------------------------------------------------


def _thinking(body: Wire) -> Wire:
    return body.get("thinking") or {}


def _budget(body: Wire) -> Faults:
    budget, most = _thinking(body).get("budget_tokens"), body.get("max_tokens")
    # With tools, interleaved thinking may spread its budget over a whole turn of several replies.
    if budget is not None and most is not None and budget >= most and not _tools(body):
        words = "`max_tokens` must be greater than `thinking.budget_tokens`"
        yield fault(Kind.REASONING, "thinking.budget_tokens", f"{budget} of {most}", words)


def _sampling(body: Wire) -> Faults:
    if _thinking(body).get("type") != "enabled":
        return
    if body.get("temperature", 1) != 1:
        words = "`temperature` may only be set to 1 when thinking is enabled"
        yield fault(Kind.REASONING, "temperature", f"{body['temperature']} with thinking", words)
    if "top_k" in body:
        words = "`top_k` must be unset when thinking is enabled"
        yield fault(Kind.REASONING, "top_k", f"{body['top_k']} with thinking", words)


def _stop_sequences(body: Wire) -> Faults:
    for index, sequence in enumerate(body.get("stop_sequences") or ()):
        if not sequence.strip():
            words = "stop_sequences: each stop sequence must contain non-whitespace"
            yield fault(Kind.FORM, f"stop_sequences[{index}]", repr(sequence), words)


# --- schemas ----------------------------------------------------------------------------------------------------

_property_name = re.compile(r"[a-zA-Z0-9_.-]{1,64}").fullmatch
_COMBINERS: Final = frozenset({"oneOf", "allOf", "anyOf"})


def _input_schemas(body: Wire) -> Faults:
    for path, tool in _custom(body):
        schema, at = tool["input_schema"], f"{path}.input_schema"
        if schema.get("type") != "object":
            yield fault(Kind.SCHEMA, f"{at}.type", repr(schema.get("type")), "Input should be 'object'")
        if found := _COMBINERS & schema.keys():
            words = "input_schema does not support oneOf, allOf, or anyOf at the top level"
            yield fault(Kind.SCHEMA, at, ", ".join(sorted(found)), words)
        for name in schema.get("properties") or ():
            if not _property_name(name):
                words = "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"
                yield fault(Kind.SCHEMA, f"{at}.properties", repr(name), words)


def _strict_schemas(body: Wire) -> Faults:
    for path, tool in _custom(body):
        if tool.get("strict"):
            yield from schema_faults(TARGETS["anthropic"], tool["input_schema"], f"{path}.input_schema")
    wanted = (body.get("output_config") or {}).get("format") or {}
    yield from schema_faults(TARGETS["anthropic"], wanted.get("schema"), "output_config.format.schema")


TOOL_RULES: Final[tuple[Callable[[Wire], Faults], ...]] = (
    _unique_names,
    _choice,
    _budget,
    _sampling,
    _stop_sequences,
    _input_schemas,
    _strict_schemas,
)
