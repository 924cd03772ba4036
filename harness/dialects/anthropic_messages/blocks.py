"""Content blocks as JSON text: the start and the deltas of a streamed block, or a whole one."""

import json
from base64 import b64encode
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from harness.dialects.anthropic_messages.locations import to_wire
from harness.dialects.anthropic_messages.styles import Choices
from harness.dialects.anthropic_messages.vintages import VINTAGES
from harness.dialects.reply import Block, Reasoning, RedactedReasoning, Text, ToolUse

quote: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Streamed(NamedTuple):
    """A streamed block: its ``content_block`` at the start, then its deltas."""

    start: str
    deltas: list[str]


# --- fragments ------------------------------------------------------------------------------------------------


def _pieces(text: str) -> list[str]:
    size = -(-len(text) // 3)
    return [text[at : at + size] for at in range(0, len(text), size)] if text else []


def _whole(text: str) -> list[str]:
    return [text] if text else []


_CUT_TEXT: Final[dict[str, Callable[[str], list[str]]]] = {
    "pieces": _pieces,
    "whole": _whole,
    "characters": list,
    "empty_tail": lambda text: [*_pieces(text), ""],
}
_CUT_ARGUMENTS: Final[dict[str, Callable[[str], list[str]]]] = {
    "pieces": lambda text: ["", *_pieces(text)],
    "whole": lambda text: ["", text],
    "characters": lambda text: ["", *text],
    "unprefixed": _pieces,
}
_NO_ARGUMENTS: Final[dict[str, list[str]]] = {"empty_delta": [""], "no_delta": [], "object": ["{}"]}


# --- streamed -------------------------------------------------------------------------------------------------


def stream_block(block: Block, choices: Choices) -> Streamed:
    """A block of a streamed reply. Raises ValueError for one that the vendor does not have."""
    build = _STREAMED.get(type(block))
    if build is None:
        raise ValueError(f"this vendor has no {type(block).__name__} block")
    return build(block, choices)


def _stream_text(block: Text, choices: Choices) -> Streamed:
    deltas = [f'{{"type":"text_delta","text":{quote(piece)}}}' for piece in _CUT_TEXT[choices.text](block.text)]
    if not block.citations:
        return Streamed(f'{{"type":"text","text":""{VINTAGES[choices.fields].text}}}', deltas)
    cited = [f'{{"type":"citations_delta","citation":{quote(to_wire(each))}}}' for each in block.citations]
    at = {"first": 0, "last": len(deltas), "between": 1}[choices.citations]
    return Streamed('{"citations":[],"type":"text","text":""}', deltas[:at] + cited + deltas[at:])


def _stream_tool(block: ToolUse, choices: Choices) -> Streamed:
    if block.arguments.strip() not in ("", "{}"):
        fragments = _CUT_ARGUMENTS[choices.arguments](block.arguments)
    else:
        fragments = _NO_ARGUMENTS[choices.no_arguments]
    deltas = [f'{{"type":"input_json_delta","partial_json":{quote(piece)}}}' for piece in fragments]
    return Streamed(_tool(block, "{}", choices), deltas)


def _stream_reasoning(block: Reasoning, choices: Choices) -> Streamed:
    thoughts = _CUT_TEXT[choices.text](block.text)
    deltas = [f'{{"type":"thinking_delta","thinking":{quote(piece)}}}' for piece in thoughts]
    deltas.append(f'{{"type":"signature_delta","signature":{quote(_signature(block))}}}')
    return Streamed('{"type":"thinking","thinking":"","signature":""}', deltas)


def _stream_redacted(block: RedactedReasoning, choices: Choices) -> Streamed:
    return Streamed(_redacted(block, choices), [])


# --- whole ----------------------------------------------------------------------------------------------------


def whole_block(block: Block, choices: Choices) -> str:
    """A block of a whole reply. Raises ValueError for one that the vendor does not have, or cut arguments."""
    build = _WHOLE.get(type(block))
    if build is None:
        raise ValueError(f"this vendor has no {type(block).__name__} block")
    return build(block, choices)


def _text(block: Text, choices: Choices) -> str:
    if not block.citations:
        return f'{{"type":"text","text":{quote(block.text)}{VINTAGES[choices.fields].text}}}'
    cited = quote([to_wire(each) for each in block.citations])
    return f'{{"citations":{cited},"type":"text","text":{quote(block.text)}}}'


def _tool_use(block: ToolUse, choices: Choices) -> str:
    value = block.input
    if not isinstance(value, dict):
        raise ValueError(f"arguments must be a JSON object: {block.arguments!r}")
    return _tool(block, quote(value), choices)


def _tool(block: ToolUse, value: str, choices: Choices) -> str:
    names = f'"id":{quote(block.id)},"name":{quote(block.name)}'
    return f'{{"type":"tool_use",{names},"input":{value}{VINTAGES[choices.fields].tool}}}'


def _reasoning(block: Reasoning, _: Choices) -> str:
    return f'{{"type":"thinking","thinking":{quote(block.text)},"signature":{quote(_signature(block))}}}'


def _redacted(block: RedactedReasoning, _: Choices) -> str:
    return f'{{"type":"redacted_thinking","data":"{b64encode(block.data).decode()}"}}'


def _signature(block: Reasoning) -> str:
    if not block.signature:
        raise ValueError("this vendor signs all reasoning")
    return block.signature


_STREAMED: Final[dict[type, Callable[[Any, Choices], Streamed]]] = {
    Text: _stream_text,
    ToolUse: _stream_tool,
    Reasoning: _stream_reasoning,
    RedactedReasoning: _stream_redacted,
}
_WHOLE: Final[dict[type, Callable[[Any, Choices], str]]] = {
    Text: _text,
    ToolUse: _tool_use,
    Reasoning: _reasoning,
    RedactedReasoning: _redacted,
}
