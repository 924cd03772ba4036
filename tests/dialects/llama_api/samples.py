"""Replies that the Llama API can give."""

from harness.dialects.reply import Reply, Text, ToolUse, Usage

IDS = [f"call_{digit * 32}" for digit in "0af"]
USAGE = Usage(38, 37, 75)
PLAIN = Reply((Text('Grüße, 世界! \u2028 "x" \\ 🙂'),), usage=USAGE)
CALLS = Reply(
    (
        Text("Let me look."),
        ToolUse.of(IDS[0], "get_weather", {"location": "Zürich"}),
        ToolUse.of(IDS[1], "now", {}),
        ToolUse.of(IDS[2], "get_weather", {"location": "Łódź"}),
    ),
    "tool_use",
    usage=USAGE,
)
ONLY_CALLS = Reply(CALLS.tools, "tool_use")
CUT = Reply((ToolUse(IDS[0], "write", '{"text": "abc'),), "max_tokens", usage=USAGE)
EMPTY = Reply((), usage=USAGE)
SAMPLES = (PLAIN, CALLS, ONLY_CALLS, CUT, EMPTY)
