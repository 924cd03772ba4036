"""Replies that llama.cpp's server can give."""

from harness.dialects.reply import Reasoning, Reply, Text, ToolUse, Usage

IDS = [letter * 32 for letter in "aB3"]
USAGE = Usage(139, 41, 180)
PLAIN = Reply((Text('Grüße, 世界! \u2028 "x" \\ 🙂'),), usage=USAGE)
CALLS = Reply(
    (
        Reasoning("User wants weather."),
        Text("Let me look."),
        ToolUse.of(IDS[0], "weather", {"location": "Zürich"}),
        ToolUse.of(IDS[1], "now", {}),
    ),
    "tool_use",
    usage=Usage(209, 58, 267, 140),
)
ONLY_CALLS = Reply(CALLS.tools, "tool_use", usage=USAGE)
CUT = Reply((ToolUse(IDS[0], "write", '{"text": "abc'),), "max_tokens", usage=USAGE)
SAMPLES = (PLAIN, CALLS, ONLY_CALLS, CUT)
