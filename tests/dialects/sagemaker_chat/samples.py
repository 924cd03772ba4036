"""Replies that a model server behind an endpoint can give."""

from harness.dialects.reply import Reasoning, Reply, Text, ToolUse, Usage

IDS = [f"chatcmpl-tool-{digit * 32}" for digit in "0af"]
USAGE = Usage(139, 41, 180)
PLAIN = Reply((Text('Grüße, 世界! \u2028 "x" \\ 🙂'),), usage=USAGE)
CALLS = Reply(
    (
        Reasoning("Let me see."),
        Text("Let me look."),
        ToolUse.of(IDS[0], "weather", {"location": "Zürich"}),
        ToolUse.of(IDS[1], "now", {}),
    ),
    "tool_use",
    usage=Usage(209, 58, 267, 140),
)
CUT = Reply((ToolUse(IDS[0], "write", '{"text": "abc'),), "max_tokens", usage=USAGE)
SAMPLES = (PLAIN, CALLS, CUT)
