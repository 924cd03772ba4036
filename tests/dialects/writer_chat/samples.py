"""Replies that Writer's chat can give."""

from harness.dialects.reply import Reply, Text, ToolUse, Usage

IDS = [f"chatcmpl-tool-{digit * 32}" for digit in "0af"]
USAGE = Usage(39, 37, 76)
PLAIN = Reply((Text('Grüße, 世界! \u2028 "x" \\ 🙂'),), usage=USAGE)
CALLS = Reply(
    (
        Text("Let me look."),
        ToolUse.of(IDS[0], "get_weather", {"location": "Zürich"}),
        ToolUse.of(IDS[1], "now", {}),
        ToolUse.of(IDS[2], "get_weather", {"location": "Łódź"}),
    ),
    "tool_use",
    usage=Usage(212, 153, 365, 64),
)
ONLY_CALLS = Reply(CALLS.tools, "tool_use", usage=USAGE)
CUT = Reply((ToolUse(IDS[0], "write", '{"text": "abc'),), "max_tokens", usage=USAGE)
FILTERED = Reply((), "content_filtered")
SAMPLES = (PLAIN, CALLS, ONLY_CALLS, CUT, FILTERED)
