"""Hooks around tools, and the cache beside them."""

import asyncio
from typing import Any

import pytest

from harness.agent.cache import ToolCache
from harness.agent.calling import Caller
from harness.agent.events import EventKind, LoopEvent
from harness.agent.hooks import Hooks
from harness.agent.tools import Tool, ToolCall, Toolset, told
from harness.agent.turns import Done

SPEC: Any = {"name": "add", "description": "Adds one.", "inputSchema": {"json": {"type": "object"}}}


def adder(ran: list[Any], *, cached: bool = False) -> Tool:
    async def add(value: dict[str, Any]) -> Any:
        ran.append(value)
        return {"sum": value.get("n", 0) + 1}

    return Tool(SPEC, add, cached)


def performed(caller: Caller, *values: Any) -> list[tuple[str | None, str]]:
    done: list[Done] = []
    calls = [ToolCall(f"t{place}", "add", value) for place, value in enumerate(values)]
    asyncio.run(caller.call_all(calls, done))
    assert [each.result["toolUseId"] for each in done] == [call.id for call in calls]
    return [(each.result.get("status"), each.result["content"][0]["text"]) for each in done]


async def refuse_async(call: ToolCall) -> bool:
    return False


def broken(*arguments: Any) -> Any:
    raise RuntimeError("the guard fell asleep")


@pytest.mark.parametrize("hook", [lambda call: False, refuse_async, broken])
def test_a_hook_blocks_by_false_and_by_failing(hook: Any) -> None:
    ran: list[Any] = []
    events: list[LoopEvent] = []
    asked: list[str] = []
    hooks = Hooks(before_tool=(hook, lambda call: asked.append(call.name)))
    ((status, words),) = performed(Caller(Toolset([adder(ran)]), hooks, observe=events.append), {"n": 1})
    assert (ran, asked, status) == ([], [], "error")
    assert "does not allow" in words
    assert EventKind.BLOCKED in [event.kind for event in events]
    assert (EventKind.HOOK_FAILED in [event.kind for event in events]) == (hook is broken)


@pytest.mark.parametrize("verdict", [None, True, 0, ""])
def test_only_false_blocks(verdict: Any) -> None:
    ran: list[Any] = []
    performed(Caller(Toolset([adder(ran)]), Hooks(before_tool=(lambda call: verdict,))), {"n": 1})
    assert ran == [{"n": 1}]


def test_a_hook_behind_a_tool_may_replace_the_text_and_one_that_fails_is_reported() -> None:
    events: list[LoopEvent] = []
    hooks = Hooks(after_tool=(broken, lambda call, result: f"({result['content'][0]['text']})"))
    caller = Caller(Toolset([adder([])]), hooks, observe=events.append)
    assert performed(caller, {"n": 1}) == [("success", '({"sum": 2})')]
    assert EventKind.HOOK_FAILED in [event.kind for event in events]


def test_equal_inputs_share_a_result_where_the_tool_opted_in() -> None:
    for cached, times in ((True, 1), (False, 2)):
        ran: list[Any] = []
        caller = Caller(Toolset([adder(ran, cached=cached)]))
        first = performed(caller, {"n": 1, "m": {"x": 1, "y": 2}})
        assert performed(caller, {"m": {"y": 2, "x": 1}, "n": 1}) == first
        assert len(ran) == times


def test_inputs_that_only_python_calls_equal_are_different() -> None:
    ran: list[Any] = []
    caller = Caller(Toolset([adder(ran, cached=True)]))
    for value in (1, True, 1.0):
        performed(caller, {"n": value})
    assert len(ran) == 3


def test_failures_are_not_remembered() -> None:
    ran: list[Any] = []

    def failing(value: Any) -> str:
        ran.append(value)
        raise OSError("down")

    caller = Caller(Toolset([Tool(SPEC, failing, cached=True)]), cache=ToolCache())
    performed(caller, {})
    performed(caller, {})
    assert len(ran) == 2


def test_a_blocked_call_is_not_answered_from_the_cache() -> None:
    ran: list[Any] = []
    open_, cache = Hooks(), ToolCache()
    performed(Caller(Toolset([adder(ran, cached=True)]), open_, cache), {"n": 1})
    shut = Hooks(before_tool=(lambda call: False,))
    ((status, _),) = performed(Caller(Toolset([adder(ran, cached=True)]), shut, cache), {"n": 1})
    assert status == "error"


def test_what_an_observer_raises_leaves_each_call_with_a_result() -> None:
    def observe(event: LoopEvent) -> None:
        if event.kind is EventKind.TOOL_STARTED:
            raise RuntimeError("no more")

    done: list[Done] = []
    caller = Caller(Toolset([adder([])]), observe=observe)
    with pytest.raises(ExceptionGroup):
        asyncio.run(caller.call_all([ToolCall("a", "add", {}), ToolCall("b", "add", {})], done))
    assert [each.result["toolUseId"] for each in done] == ["a", "b"]


@pytest.mark.parametrize(
    ("value", "text"),
    [("x", "x"), (None, "null"), ("", "(no output)"), (" \n", "(no output)"), ([1, "ä"], '[1, "ä"]'), ("\ud800", "?")],
)
def test_every_value_is_told_as_text_that_services_take(value: Any, text: str) -> None:
    assert told(value) == text


def test_two_tools_of_one_name_are_a_mistake() -> None:
    with pytest.raises(ValueError, match="same name"):
        Toolset([adder([]), adder([])])
