"""Blocks that the server writes for itself: its own tools and their results, and a kind that no client asked for.

They are no part of the reply; a client passes over them.
"""

from typing import Final, NamedTuple

from harness.dialects.anthropic_messages.blocks import Streamed, quote
from harness.dialects.anthropic_messages.styles import Choices


class ServerBlock(NamedTuple):
    """One such block in both forms."""

    streamed: Streamed
    whole: str


def _use(call_id: str, name: str, value: str) -> ServerBlock:
    fragments = ["", *([value] if value != "{}" else [])]
    start = f'{{"type":"server_tool_use","id":"{call_id}","name":"{name}","input":%s}}'
    deltas = [f'{{"type":"input_json_delta","partial_json":{quote(piece)}}}' for piece in fragments]
    return ServerBlock(Streamed(start % "{}", deltas), start % value)


def _result(whole: str) -> ServerBlock:
    return ServerBlock(Streamed(whole, []), whole)


_TOOLS: Final[dict[str, tuple[ServerBlock, ...]]] = {
    "none": (),
    "web_search": (
        _use("srvtoolu_01WebSearch", "web_search", '{"query":"weather"}'),
        _result(
            '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_01WebSearch","content":[{"type":'
            '"web_search_result","title":"Weather","url":"https://example.com/weather","encrypted_content":"RW5j",'
            '"page_age":"1 week ago"}],"caller":{"type":"direct"}}'
        ),
    ),
    "code_execution": (
        _use("srvtoolu_01Bash", "bash_code_execution", '{"command":"true"}'),
        _result(
            '{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_01Bash","content":{"type":'
            '"bash_code_execution_result","stdout":"","stderr":"","return_code":0,"content":[]}}'
        ),
    ),
    "advisor": (
        _use("srvtoolu_01Advisor", "advisor", "{}"),
        _result(
            '{"type":"advisor_tool_result","tool_use_id":"srvtoolu_01Advisor","content":'
            '{"type":"advisor_result","text":"Go on.","stop_reason":"end_turn"}}'
        ),
    ),
}

_COMPACTION: Final = ServerBlock(
    Streamed('{"type":"compaction","content":null}', ['{"type":"compaction_delta","content":"So far: nothing."}']),
    '{"type":"compaction","content":"So far: nothing."}',
)


def server_blocks(choices: Choices) -> tuple[tuple[ServerBlock, ...], tuple[ServerBlock, ...]]:
    """What the server puts before the first block of the reply, and after it."""
    before = (_COMPACTION,) if choices.unknown == "block" else ()
    tools = _TOOLS[choices.server_tool]
    return (before, tools) if choices.server_tool == "code_execution" else (before + tools, ())
