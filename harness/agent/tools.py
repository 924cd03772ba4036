"""Tools: what the model may call, and the texts by which their results reach it."""

import asyncio
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from harness.contract.content import ToolResult, ToolSpec

Status = Literal["success", "error"]

_EMPTY: Final = "(no output)"


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool. ``run`` takes the input, a JSON object, and gives any value; what it raises is told to the model.

    A coroutine function is awaited. Any other function runs in a thread; a run that is cancelled waits for it, since
    threads cannot be stopped. ``cached`` lets equal calls share one result: for tools without effects only.
    """

    spec: ToolSpec
    run: Callable[[dict[str, Any]], Any]
    cached: bool = False

    @property
    def name(self) -> str:
        """The name by which the model calls it."""
        return self.spec["name"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model made it.

    ``name`` is in the model's words. ``problem`` is what the model must be told in place of running the tool, e.g. that
    its input is no JSON object; ``input`` then says nothing.
    """

    id: str
    name: str
    input: dict[str, Any]
    problem: str | None = None


class Toolset(Mapping[str, Tool]):
    """Tools by name. Raises ValueError when two have the same name."""

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        listed = list(tools)
        self._tools = {tool.name: tool for tool in listed}
        if len(self._tools) < len(listed):
            raise ValueError("two tools have the same name")

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    @property
    def specs(self) -> list[ToolSpec]:
        """What the model is told of them."""
        return [tool.spec for tool in self._tools.values()]

    def unknown(self, name: str) -> str:
        """What to tell a model that calls a tool which there is not."""
        there = f"The tools are: {', '.join(self)}." if self._tools else "There are no tools."
        return f"There is no tool {name!r}. {there} Use one of these names exactly, or answer without a tool."


async def run(tool: Tool, value: dict[str, Any]) -> Any:
    """What the tool gives. Raises what it raises."""
    if inspect.iscoroutinefunction(tool.run):
        return await tool.run(value)
    result = await _in_thread(tool.run, value)
    return await result if inspect.isawaitable(result) else result


async def _in_thread(function: Callable[[dict[str, Any]], Any], value: dict[str, Any]) -> Any:
    """Run in a thread, which has ended when this ends, cancelled or not."""
    work = asyncio.ensure_future(asyncio.to_thread(function, value))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait({work})
        raise


def result_of(call_id: str, value: object, status: Status = "success") -> ToolResult:
    """The result of a call: strings as they are, other values as JSON."""
    return {"toolUseId": call_id, "status": status, "content": [{"text": told(value)}]}


def text_of(result: ToolResult) -> str:
    """The words of a result that :func:`result_of` made."""
    return result["content"][0]["text"]


def told(value: object) -> str:
    """A tool's value as text, which is never blank: services refuse blank text."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair cannot be sent
    return whole if whole.strip() else _EMPTY


def failure(call: ToolCall, error: BaseException) -> str:
    """What to tell a model whose call failed."""
    return f"The tool {call.name} failed: {type(error).__name__}: {error}. Mend the input, or go on without it."
