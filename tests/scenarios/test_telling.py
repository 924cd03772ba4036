from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.checks.content import text_of
from harness.contract.assembler import assemble
from harness.contract.capabilities import Capabilities
from harness.dialects import load_dialect
from harness.dialects.reply import Citation, Reasoning, RedactedReasoning, Refusal, Reply, Text, ToolUse, Usage
from harness.scenarios.describe import timeline
from harness.scenarios.strategies import replies
from harness.scenarios.telling import faultless

ALL = Capabilities(tools=True, reasoning=True, signatures=True, redacted=True, citations=True)


@settings(deadline=None, max_examples=20)
@given(st.sampled_from(["bedrock_converse", "openai_chat"]).flatmap(lambda name: replies(load_dialect(name), ALL)))
def test_a_faultless_telling_says_the_reply(reply: Reply) -> None:
    events: Any = faultless(replace(reply, usage=None), ALL)
    heard = assemble(events)
    assert not heard.violations
    assert heard.stop_reason == reply.stop
    blocks = heard.message["content"]
    said = [block.text for block in reply.blocks if isinstance(block, Text | Refusal)]
    assert "".join(map(text_of, blocks)) == "".join(said)
    assert [block["toolUse"]["name"] for block in blocks if "toolUse" in block] == [call.name for call in reply.tools]


def test_each_event_is_a_line() -> None:
    reply = Reply((Reasoning("why", "s"), Text("a", (Citation("t", None, None),)), ToolUse("", "f", "{}")), "tool_use")
    assert timeline(list(faultless(replace(reply, usage=Usage(1, 2)), ALL))) == [
        "messageStart {'role': 'assistant'}",
        "contentBlockStart {'start': {}}",
        "contentBlockDelta {'reasoningContent': {'text': 'why'}}",
        "contentBlockDelta {'reasoningContent': {'signature': 's'}}",
        "contentBlockStop {}",
        "contentBlockStart {'start': {}}",
        "contentBlockDelta {'text': 'a'}",
        "contentBlockDelta {'citation': {'title': 't'}}",
        "contentBlockStop {}",
        "contentBlockStart {'start': {'toolUse': {'name': 'f', 'toolUseId': …}}}",
        "contentBlockDelta {'toolUse': {'input': '{}'}}",
        "contentBlockStop {}",
        "messageStop {'stopReason': 'tool_use'}",
        "metadata {'usage': …}",
    ]


@pytest.mark.parametrize("block", [Reasoning("why", "s"), RedactedReasoning(b"x")])
def test_what_an_adapter_does_not_claim_is_not_told(block: Reasoning | RedactedReasoning) -> None:
    plain = list(faultless(Reply((block, Text("a"))), Capabilities()))
    assert plain == list(faultless(Reply((Text("a"),)), Capabilities()))
