"""Adapters that fail, forget, keep quiet, or say something else."""

import warnings
from collections.abc import Callable
from typing import Any

from harness.contract.exceptions import ModelResponseError, StructuredOutputException
from tests.miniatures.edits import Edit, Event, edited
from tests.miniatures.miniature import Adapter, Stream, Wrap

Failure = Callable[[Exception], Exception]

buffered: Wrap = edited(lambda events: events)


class _Refusing(Adapter):
    async def told(self, asked: dict[str, Any]) -> Stream:
        async for _ in super().told(asked):
            pass
        raise ModelResponseError("this is not a reply")
        yield  # what makes it a generator


refusing: Wrap = _Refusing


class Quiet(Adapter):
    """Warns of nothing."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        events, _ = await _with_warnings(super().told(asked))
        for event in events:
            yield event


class Repeating(Adapter):
    """Warns of everything twice."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        events, heard = await _with_warnings(super().told(asked))
        for warning in (*heard, *heard):
            warnings.warn(str(warning.message), stacklevel=1)
        for event in events:
            yield event


class Guessing(Adapter):
    """Takes what it has to warn of for a reply that calls tools."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        events, heard = await _with_warnings(super().told(asked))
        for event in events:
            yield {"messageStop": {"stopReason": "tool_use"}} if heard and "messageStop" in event else event


async def _with_warnings(events: Stream) -> tuple[list[Event], list[Any]]:
    with warnings.catch_warnings(record=True) as heard:
        return [event async for event in events], heard


class Unlike(Adapter):
    """Reads whole replies in another way than streamed ones."""

    def __init__(self, inner: Any, edit: Edit) -> None:
        super().__init__(inner)
        self._whole = edited(edit)(inner)

    @classmethod
    def by(cls, edit: Edit) -> Wrap:
        """One whose whole replies are changed."""
        return lambda inner: cls(inner, edit)

    def told(self, asked: dict[str, Any]) -> Stream:
        told: Stream = super().told(asked) if self.inner.config["stream"] else self._whole.told(asked)
        return told


# --- failures ---------------------------------------------------------------------------------------------------


class _Failing(Adapter):
    def __init__(self, inner: Any, failure: Failure) -> None:
        super().__init__(inner)
        self._failure = failure

    async def told(self, asked: dict[str, Any]) -> Stream:
        try:
            async for event in super().told(asked):
                yield event
        except Exception as error:
            raise self._failure(error) from self._failure(error).__cause__

    async def structured_output(self, *asked: Any) -> Stream:
        try:
            async for item in self.inner.structured_output(*asked):
                yield item
        except Exception as error:
            raise self._failure(error) from self._failure(error).__cause__


def failing(failure: Failure) -> Wrap:
    """An adapter that raises something else."""
    return lambda inner: _Failing(inner, failure)


def raised(kind: type[Exception], cause: Callable[[Exception], Exception | None] = lambda error: error) -> Wrap:
    """An adapter that raises exceptions of one kind, with the words and, if not said otherwise, because of the one."""

    def failure(error: Exception) -> Exception:
        made = kind(str(error))
        made.__cause__ = cause(error)
        return made

    return failing(failure)


class Retrying(Adapter):
    """Tries once more."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        try:
            async for event in super().told(asked):
                yield event
        except Exception:
            async for event in super().told(asked):
                yield event


class Swallowing(Adapter):
    """Ends a reply that broke off as if it had been all."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        events: list[Event] = []
        try:
            async for event in super().told(asked):
                events.append(event)
                yield event
        except Exception:
            for event in _ending(events):
                yield event


def _ending(events: list[Event]) -> list[Event]:
    """What is missing of a reply."""
    begun = [event["contentBlockStart"] for event in events if "contentBlockStart" in event]
    ended = sum("contentBlockStop" in event for event in events)
    ending: list[Event] = [] if events else [{"messageStart": {"role": "assistant"}}]
    if len(begun) > ended:
        ending.append({"contentBlockStop": {"contentBlockIndex": begun[-1]["contentBlockIndex"]}})
    stopped = any("messageStop" in event for event in events)
    return [*ending, *([] if stopped else [{"messageStop": {"stopReason": "end_turn"}}])]


class Finishing(Adapter):
    """Ends a reply that broke off, and then raises all the same."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        events: list[Event] = []
        try:
            async for event in super().told(asked):
                events.append(event)
                yield event
        except Exception:
            for event in _ending(events):
                yield event
            raise


class Grudging(Adapter):
    """Fails once more after a failure."""

    grudge = False

    async def told(self, asked: dict[str, Any]) -> Stream:
        grudge, self.grudge = self.grudge, False
        if grudge:
            raise ModelResponseError("the connection is broken")
        try:
            async for event in super().told(asked):
                yield event
        except Exception:
            self.grudge = True
            raise


# --- arguments, settings, counts, structured output --------------------------------------------------------------


class Asking(Adapter):
    """Changes the arguments before it asks."""

    def __init__(self, inner: Any, change: Callable[[dict[str, Any]], None]) -> None:
        super().__init__(inner)
        self._change = change

    @classmethod
    def by(cls, change: Callable[[dict[str, Any]], None]) -> Wrap:
        """One that makes a change."""
        return lambda inner: cls(inner, change)

    async def told(self, asked: dict[str, Any]) -> Stream:
        self._change(asked)
        async for event in super().told(asked):
            yield event


class Deaf(Adapter):
    """Does not take a new limit."""

    def update_config(self, **settings: Any) -> None:
        settings.pop("context_window_limit", None)
        self.inner.update_config(**settings)


class Mute(Adapter):
    """Does not say that it does not know a setting."""

    def update_config(self, **settings: Any) -> None:
        with warnings.catch_warnings(action="ignore"):
            self.inner.update_config(**settings)


class Stateful(Adapter):
    """Says that the vendor keeps the conversation."""

    stateful = True


class FromNothing(Adapter):
    """Counts from the shortest prompt there is."""

    async def count_tokens(self, *asked: Any) -> int:
        nothing = await self.inner.count_tokens([{"role": "user", "content": [{"text": "Hello"}]}])
        count: int = await self.inner.count_tokens(*asked) - nothing
        return count


class Overlooking(Adapter):
    """Counts the messages alone."""

    async def count_tokens(self, messages: Any, *others: Any) -> int:
        count: int = await self.inner.count_tokens(messages)
        return count


class Structured(Adapter):
    """Changes the items of structured output."""

    def __init__(self, inner: Any, edit: Edit) -> None:
        super().__init__(inner)
        self._edit = edit

    @classmethod
    def by(cls, edit: Edit) -> Wrap:
        """One that makes a change."""
        return lambda inner: cls(inner, edit)

    async def structured_output(self, *asked: Any) -> Stream:
        for item in self._edit([item async for item in self.inner.structured_output(*asked)]):
            yield item


class Forgetful(Adapter):
    """Leaves the system prompt out of structured output."""

    async def structured_output(self, output_model: Any, prompt: Any, system_prompt: Any = None) -> Stream:
        async for item in self.inner.structured_output(output_model, prompt):
            yield item


class Easygoing(Adapter):
    """Hands on a half-filled instance."""

    async def structured_output(self, output_model: Any, *asked: Any) -> Stream:
        try:
            async for item in self.inner.structured_output(output_model, *asked):
                yield item
        except StructuredOutputException:
            yield {"output": output_model.model_construct()}
