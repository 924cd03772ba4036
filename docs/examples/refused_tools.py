"""A run that begins with native tools, is refused, and ends in an answer: Amazon Bedrock, played offline."""

import asyncio
from typing import Any

from harness.agent.events import EventKind, LoopEvent
from harness.agent.loop import AgentLoop
from harness.agent.tools import Tool
from harness.dialects import load_dialect
from harness.dialects.reply import Reply, Text
from harness.discovery import find
from harness.endpoint.in_process import InProcessEndpoint
from harness.exchange import Answer

SERVICE = load_dialect("bedrock_converse")
REFUSAL = next(error for error in SERVICE.errors if error.error_class == "tools_unsupported")
SAID = (
    'Thought: I must look.\nAction: weather\nAction Input: {"city": "Zürich"}\nObservation: It snows.',
    "Thought: I know.\nFinal Answer: It is sunny in Zürich.",
)
ANSWERS = iter([Answer(error=REFUSAL), *(Answer(Reply((Text(text),))) for text in SAID)])

WEATHER = Tool(
    {
        "name": "weather",
        "description": "Tells the weather of a place.",
        "inputSchema": {"json": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}},
    },
    lambda arguments: f"21 degrees and sunny in {arguments['city']}",
)


def show(event: LoopEvent) -> None:
    """Print the run as it happens, but for the pieces of replies."""
    if event.kind is not EventKind.STREAMED:
        print(event)


def model() -> Any:
    """The adapter over the real SDK, whose requests the played service answers."""
    endpoint = InProcessEndpoint()
    endpoint.reset(lambda request: next(ANSWERS).delivery(SERVICE, stream=True))
    (bedrock,) = find(["bedrock"])
    return bedrock.build(endpoint, {"model_id": "meta.llama3-8b-instruct-v1:0"})


answer = asyncio.run(AgentLoop(model(), [WEATHER], observe=show).run("What is the weather in Zürich?"))
print(f"\n{answer.text}")
