"""Hooks: what looks at each call before and after it, and at each run once it has its answer."""

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from harness.agent.events import EventKind, LoopEvent, Observer
from harness.agent.tools import ToolCall
from harness.contract.content import Messages, ToolResult
from harness.contract.model import Model

#: False keeps the call from being run; so does raising, since a guard that fails must not leave the door open
BeforeTool = Callable[[ToolCall], bool | Awaitable[bool | None] | None]
#: a string replaces the result's text; of one that raises the result stands
AfterTool = Callable[[ToolCall, ToolResult], str | Awaitable[str | None] | None]
#: is given the model and the history once a run has its answer; may change the history
AfterRun = Callable[[Model, Messages], None]


@dataclass(frozen=True, slots=True)
class Hooks:
    """The hooks of a loop; those of a kind are asked in order. Hooks may be coroutine functions, but for ``after_run``.

    ``after_tool`` hooks see every result, those of blocked and failed calls too.
    """

    before_tool: tuple[BeforeTool, ...] = ()
    after_tool: tuple[AfterTool, ...] = ()
    after_run: tuple[AfterRun, ...] = ()

    async def allow(self, call: ToolCall, observe: Observer) -> bool:
        """Whether all hooks let the call be run."""
        for hook in self.before_tool:
            try:
                verdict = hook(call)
                verdict = await verdict if inspect.isawaitable(verdict) else verdict
            except Exception as error:
                _report(error, f"before {call.name}, which is blocked", observe)
                return False
            if verdict is False:
                return False
        return True

    async def amend(self, call: ToolCall, result: ToolResult, observe: Observer) -> ToolResult:
        """The result, as the hooks leave it."""
        for hook in self.after_tool:
            try:
                text = hook(call, result)
                text = await text if inspect.isawaitable(text) else text
            except Exception as error:
                _report(error, f"after {call.name}, whose result stands", observe)
                continue
            if text is not None:
                result = {**result, "content": [{"text": text if text.strip() else "(no output)"}]}
        return result


def _report(error: Exception, where: str, observe: Observer) -> None:
    observe(LoopEvent(EventKind.HOOK_FAILED, f"{type(error).__name__}: {error} ({where})", error))


def clear_stateful_history(model: Model, messages: Messages) -> None:
    """The plugin for models whose service keeps the conversation: what it keeps is not kept here too."""
    if model.stateful:
        messages.clear()


STANDARD: Final = Hooks(after_run=(clear_stateful_history,))
