"""Running the calls of one turn: each at most once, each with one result, in order."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from harness.agent import tools
from harness.agent.cache import ToolCache
from harness.agent.events import EventKind, LoopEvent, Observer, brief, ignore
from harness.agent.hooks import STANDARD, Hooks
from harness.agent.tools import ToolCall, Toolset, failure, result_of
from harness.agent.turns import Done
from harness.contract.content import ToolResult

_INTERRUPTED: Final = "The run was interrupted before this call had a result."
_NOT_FIRST: Final = "Not run: one call a turn. Call it again if it is still needed."
_BLOCKED: Final = "A guard does not allow this call. Do not repeat it; go on without it."


@dataclass
class Caller:
    """Runs calls, with hooks around them and a cache beside them."""

    toolset: Toolset
    hooks: Hooks = STANDARD
    cache: ToolCache = field(default_factory=ToolCache)
    policy: Literal["parallel", "first"] = "parallel"
    observe: Observer = ignore

    async def call_all(self, calls: Sequence[ToolCall], done: list[Done]) -> None:
        """Run calls and put each with its result into ``done``, in their order, also when this is interrupted."""
        results: dict[int, ToolResult] = {}
        try:
            async with asyncio.TaskGroup() as group:
                for place, call in enumerate(calls if self.policy == "parallel" else calls[:1]):
                    group.create_task(self._keep(place, call, results))
        finally:
            missing = _INTERRUPTED if not results or self.policy == "parallel" else _NOT_FIRST
            done += [
                Done(call, results.get(place) or result_of(call.id, missing, "error"))
                for place, call in enumerate(calls)
            ]

    async def _keep(self, place: int, call: ToolCall, results: dict[int, ToolResult]) -> None:
        result = await self.hooks.amend(call, await self._result(call), self.observe)
        results[place] = result
        self._tell(EventKind.TOOL_RESULT, f"{call.name}: {brief(tools.text_of(result))}", result)

    async def _result(self, call: ToolCall) -> ToolResult:
        if call.problem is not None:
            return result_of(call.id, call.problem, "error")
        if not await self.hooks.allow(call, self.observe):
            self._tell(EventKind.BLOCKED, call.name, call)
            return result_of(call.id, _BLOCKED, "error")
        tool = self.toolset[call.name]
        if (text := self.cache.get(tool, call.input)) is not None:
            self._tell(EventKind.CACHED, call.name, call)
            return result_of(call.id, text)
        result = await self._run(call)
        self.cache.put(tool, call.input, result)
        return result

    async def _run(self, call: ToolCall) -> ToolResult:
        self._tell(EventKind.TOOL_STARTED, f"{call.name} {brief(call.input)}", call)
        try:
            return result_of(call.id, await tools.run(self.toolset[call.name], call.input))
        except Exception as error:
            return result_of(call.id, failure(call, error), "error")

    def _tell(self, kind: EventKind, what: str, data: object) -> None:
        self.observe(LoopEvent(kind, what, data))
