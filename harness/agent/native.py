"""Native tool calls: what a reply with the vendor's own calls comes to."""

import re
from typing import Any, Final

from harness.agent import lenient_json
from harness.agent.asking import ModelReply
from harness.agent.tools import ToolCall, Toolset
from harness.agent.turns import Turn, fresh_id, text_of
from harness.contract.assembler import BrokenInput
from harness.contract.content import ContentBlock

#: names that every service takes back in the history
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ODD: Final = re.compile(r"[^a-zA-Z0-9_-]+")

#: how calls begin that a server left in the text, for want of the parser that the model's format needs
_MARKUP: Final = re.compile(
    r"\s*(?:```(?:json|xml|tool_code)?\s*)?(?:<\|?(?:tool_call|tool_calls|function_call|function_calls)\b"
    r"|<function=|<invoke\b|\[TOOL_CALLS\]|<\|python_tag\|>|<｜tool▁calls?▁begin｜>|<\|tool▁calls?▁begin\|>)"
)

EMPTY: Final = "Your reply was empty. Call a tool, or give your answer."
CALL_AS_TEXT: Final = (
    "Your reply holds a tool call as text, which is not run. Call the tool through the interface for tools, or give "
    "your answer in plain words."
)


def is_markup(text: str) -> bool:
    """Whether a text begins as a tool call does in some model's own format."""
    return _MARKUP.match(text) is not None


def read_native(reply: ModelReply, tools: Toolset, used: set[str]) -> Turn:
    """The turn of a reply that may hold the vendor's own calls; ``used`` are the ids of earlier ones."""
    blocks = reply.message["content"]
    calls: list[ToolCall] = []
    kept: list[ContentBlock] = []
    for block in blocks:
        if "toolUse" in block:
            calls.append(_call(block["toolUse"], tools, used, cut=reply.cut))
            kept.append(_sent_back(block, calls[-1]))
        elif _worth_keeping(block):
            kept.append(block)
    if calls:
        return Turn(tuple(kept), tuple(calls))
    return _without_calls(text_of(blocks), tuple(kept))


def _without_calls(text: str, kept: tuple[ContentBlock, ...]) -> Turn:
    if not text.strip():
        return Turn(problem=EMPTY)
    return Turn(kept, problem=CALL_AS_TEXT) if is_markup(text) else Turn(kept, answer=text)


def _worth_keeping(block: ContentBlock) -> bool:
    """Whether services take the block back: none takes blank text."""
    return bool(block.get("text", "").strip() or text_of([block]).strip() or "reasoningContent" in block)


def _call(use: Any, tools: Toolset, used: set[str], *, cut: bool) -> ToolCall:
    name = use.get("name") or ""
    given = use.get("input")
    value, problem = (_repaired(given.text, cut=cut)) if isinstance(given, BrokenInput) else (given or {}, None)
    if name not in tools:
        problem = tools.unknown(name)
    return ToolCall(fresh_id(use.get("toolUseId"), used), name, value, problem)


def _repaired(text: str, *, cut: bool) -> tuple[dict[str, Any], str | None]:
    """Broken input, mended where it is clear what was meant, and what to tell the model where it is not.

    Input that broke off is not mended: half of an order is not the order.
    """
    try:
        start = len(text) - len(text.lstrip())
        reading = lenient_json.read(text, start)
    except ValueError as error:
        return {}, _broken(text, str(error))
    if cut or not reading.closed or text[reading.end :].strip():
        return {}, _broken(text, "it breaks off" if cut or not reading.closed else "something follows the JSON value")
    if not isinstance(reading.value, dict):
        return {}, _broken(text, "it is no JSON object")
    return reading.value, None


def _broken(text: str, why: str) -> str:
    shown = text if len(text) <= 200 else f"{text[:200]}…"
    return f"The input was not understood, so the tool was not run: {why}. It was: {shown}\nSend one JSON object."


def _sent_back(block: ContentBlock, call: ToolCall) -> ContentBlock:
    """The block as it enters the history, in which every service must be able to read it."""
    name = call.name if _NAME.fullmatch(call.name) else _ODD.sub("_", call.name)[:64] or "unknown"
    return {"toolUse": {**block["toolUse"], "toolUseId": call.id, "name": name, "input": call.input}}
