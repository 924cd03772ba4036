"""A run of the tool loop through an adapter, watched."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

from harness.agent.events import EventKind, LoopEvent
from harness.agent.loop import AgentLoop
from harness.agent.refusals import ErrorKinds
from harness.agent.tools import Tool
from harness.checks.observation import Observation
from harness.exchange import Call

#: what the tools of scenarios answer, whatever they are asked
RESULT: Final = "21 degrees and sunny"


async def loop(model: Any, call: Call, seen: Observation) -> AsyncIterator[Any]:
    """Run the loop; its events are kept as what was seen, and its answer as the output. Yields nothing."""
    goal = seen.exchange.goal
    if goal is None:
        raise ValueError("a run of the loop needs a goal")
    tools = [Tool(spec, _tell) for spec in call.tool_specs or ()]
    kinds = ErrorKinds(**{field: seen.exceptions[name] for name, field in _KINDS.items() if name in seen.exceptions})
    agent = AgentLoop(model, tools, call.system_prompt, settings=goal.settings, kinds=kinds, observe=_keeper(seen))
    seen.output = await agent.run(call.messages[-1]["content"])
    events: tuple[Any, ...] = ()
    for event in events:
        yield event


_KINDS: Final[Mapping[str, str]] = {
    "ModelThrottledException": "throttled",
    "ContextWindowOverflowException": "overflow",
    "ToolsUnsupportedException": "tools",
}


async def _tell(value: dict[str, Any]) -> str:
    return RESULT


def _keeper(seen: Observation) -> Callable[[LoopEvent], None]:
    """Keeps the events of the loop, but for those of the streams that it listens to."""

    def keep(event: LoopEvent) -> None:
        if event.kind is not EventKind.STREAMED:
            seen.run.append(event)

    return keep
