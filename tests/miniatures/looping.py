"""Miniatures of the rules about runs of the tool loop."""

from collections.abc import Callable
from contextlib import aclosing
from itertools import pairwise
from typing import Any, Final

from harness.contract.exceptions import ContextWindowOverflowException, ToolsUnsupportedException
from tests.miniatures.edits import END, TEXT, Event, edited, every
from tests.miniatures.miniature import Adapter, Miniature, Stream, Wrap, rewritten


def _without_calls(events: list[Event]) -> list[Event]:
    """The reply without its calls; the end of a call follows the end of what was before it."""
    told = [event for event in events if "toolUse" not in str(event)]
    return [event for before, event in pairwise([{}, *told]) if not (END(before) and END(event))]


def _reworded(change: Callable[[str], str]) -> Wrap:
    def reword(event: Event) -> list[Event]:
        body = event["contentBlockDelta"]
        return [{"contentBlockDelta": {**body, "delta": {"text": change(body["delta"]["text"])}}}]

    return edited(every(TEXT, reword))


class _Unkind(Adapter):
    """Raises an exception of no kind in place of some."""

    replaced: tuple[type[Exception], ...]

    async def told(self, asked: dict[str, Any]) -> Stream:
        try:
            async with aclosing(super().told(asked)) as events:
                async for event in events:
                    yield event
        except self.replaced as error:
            raise RuntimeError("the call failed") from error


class _Toolless(_Unkind):
    replaced = (ToolsUnsupportedException,)


class _Endless(_Unkind):
    replaced = (ContextWindowOverflowException,)


class _Wordless(_Unkind):
    replaced = (Exception,)


class _Unstoppable(Adapter):
    """Takes no notice of stop words."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        asked.pop("stop_sequences", None)
        async with aclosing(super().told(asked)) as events:
            async for event in events:
                yield event


class _Demanding(Adapter):
    """Refuses to be called without tools."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        if not asked["tool_specs"]:
            raise ValueError("a call needs tools")
        async with aclosing(super().told(asked)) as events:
            async for event in events:
                yield event


LOOPING: Final = (
    Miniature("REACT-NATIVE", "calls dropped", "loop-native", edited(_without_calls)),
    Miniature(
        "REACT-HISTORY",
        "a field that the service does not know",
        "loop-native",
        rewrite=rewritten(lambda body: body.update(nonsense=1)),
        on=("bedrock", "anthropic"),
    ),
    Miniature("REACT-FALLBACK", "refused tools of no kind", "loop-refused", _Toolless, on=("bedrock", "openai")),
    Miniature("REACT-TEXT", "lines joined", "loop-text", _reworded(lambda text: text.replace("\n", " "))),
    Miniature("REACT-STOP-WORDS", "stop words forgotten", "loop-text", _Unstoppable),
    Miniature("REACT-STOP-REFUSED", "an error without words", "loop-stop-refused", _Wordless, on=("bedrock", "openai")),
    Miniature(
        "REACT-MARKUP", "markup taken away", "loop-markup", _reworded(lambda text: text.replace("<tool_call>", ""))
    ),
    Miniature("REACT-OVERFLOW", "overflow of no kind", "loop-overflow", _Endless),
    Miniature("REACT-LIMIT", "calls without tools refused", "loop-limit", _Demanding),
)
