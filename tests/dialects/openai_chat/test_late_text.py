"""Text behind a call: no style says it, one recording does, and streams of other servers may."""

import json
from typing import Any

from harness.dialects.openai_chat import DIALECT
from harness.dialects.reply import Block, Text, ToolUse


def call(index: int) -> dict[str, Any]:
    return {"tool_calls": [{"index": index, "id": f"c{index}", "function": {"name": "f", "arguments": "{}"}}]}


def read(*deltas: dict[str, Any]) -> tuple[Block, ...]:
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": "tool_calls"})
    body = "".join(f"data: {json.dumps({'choices': [choice]})}\n\n" for choice in choices)
    return DIALECT.decode(body.encode(), stream=True).blocks


def test_text_stays_where_it_came() -> None:
    blocks = read({"content": "a"}, call(0), {"content": "b"}, {"content": "c"}, call(1), {"content": "d"})
    calls = [ToolUse("c0", "f", "{}"), ToolUse("c1", "f", "{}")]
    assert blocks == (Text("a"), calls[0], Text("bc"), calls[1], Text("d"))


def test_empty_text_behind_a_call_is_nothing() -> None:
    late: list[dict[str, Any]] = [{"content": ""}, {"content": None}, {"content": [{"type": "text", "text": ""}]}]
    assert read(call(0), *late) == (ToolUse("c0", "f", "{}"),)
