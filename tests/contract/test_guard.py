"""The machine at run time, around any stream of events."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import pytest
from hypothesis import given

from harness.contract.state import ContractViolationError, guard
from tests.contract.streams import Event, Reply, end, replies, start, stop, text, thought

MIXED = [start(), text(), thought(), end(), stop()]


class Stream:
    """An asynchronous generator of events that notes when it was closed."""

    def __init__(self, events: list[Event], failure: BaseException | None = None) -> None:
        self.events = events
        self.failure = failure
        self.given = 0
        self.closed = False

    async def __aiter__(self) -> AsyncGenerator[Any, None]:
        try:
            for event in self.events:
                self.given += 1
                yield event
            if self.failure is not None:
                raise self.failure
        finally:
            self.closed = True


class Plain:
    """An asynchronous iterator that nobody can close."""

    def __init__(self, events: list[Event]) -> None:
        self.events = iter(events)

    def __aiter__(self) -> "Plain":
        return self

    async def __anext__(self) -> Any:
        for event in self.events:
            return event
        raise StopAsyncIteration


async def _until_raised(events: AsyncIterator[Any]) -> tuple[list[Event], BaseException | None]:
    taken = []
    try:
        async for event in events:
            taken.append(event)  # noqa: PERF401 - what came before the exception is wanted
    except Exception as error:
        return taken, error
    return taken, None


def take(stream: Any, *arguments: Any) -> tuple[list[Event], BaseException | None]:
    return asyncio.run(_until_raised(guard(stream, *arguments)))


@given(replies())
def test_legal_streams_pass_unchanged(reply: Reply) -> None:
    events = reply.events
    taken, error = take(Stream(events))
    assert error is None
    assert all(mine is theirs for mine, theirs in zip(taken, events, strict=True))


def test_iterators_that_cannot_be_closed_pass_too() -> None:
    assert take(Plain([start(), stop()])) == ([start(), stop()], None)


def test_raises_at_the_event_and_does_not_hand_it_on() -> None:
    stream = Stream(MIXED)
    taken, error = take(stream)
    assert taken == MIXED[:2]
    assert isinstance(error, ContractViolationError)
    assert [(found.rule, found.index) for found in error.violations] == [("STREAM-DELTA-KIND", 2)]
    assert str(error) == "STREAM-DELTA-KIND: contentBlockDelta(reasoningContent) when text block open (event 2)"
    assert (stream.given, stream.closed) == (3, True)


def test_raises_at_the_end_when_the_stop_is_missing() -> None:
    taken, error = take(Stream(MIXED[:2]))
    assert taken == MIXED[:2]
    assert isinstance(error, ContractViolationError)
    assert [(found.rule, found.index) for found in error.violations] == [("STREAM-STOP-MISSING", 2)]


def test_the_streams_own_exception_passes_and_is_no_violation() -> None:
    failure = RuntimeError("connection lost")
    stream = Stream([start(), text()], failure)
    assert take(stream) == ([start(), text()], failure)
    assert stream.closed


def test_closing_early_closes_the_stream() -> None:
    async def leave_early() -> bool:
        guarded = guard(stream)
        await anext(guarded)
        await guarded.aclose()
        return stream.closed

    stream = Stream(MIXED)
    assert asyncio.run(leave_early())
    assert stream.given == 1


def test_cancelling_closes_the_stream() -> None:
    class Waiting(Stream):
        async def __aiter__(self) -> AsyncGenerator[Any, None]:
            try:
                yield start()
                await asyncio.Event().wait()
            finally:
                self.closed = True

    async def cancel() -> None:
        guarded = guard(stream)
        await anext(guarded)
        task = asyncio.ensure_future(anext(guarded))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    stream = Waiting([])
    asyncio.run(cancel())
    assert stream.closed


def test_a_callers_own_handler_gets_each_steps_violations_and_all_events_pass() -> None:
    found: list[Any] = []
    taken, error = take(Stream([text(), thought()]), found.append)
    assert (taken, error) == ([text(), thought()], None)
    assert [tuple(violation.rule for violation in step) for step in found] == [
        ("STREAM-START-FIRST",),
        ("STREAM-DELTA-KIND",),
        ("STREAM-STOP-MISSING",),
    ]


def test_a_handlers_own_exception_ends_the_stream() -> None:
    def refuse(_: Any) -> None:
        raise ZeroDivisionError

    stream = Stream(MIXED)
    taken, error = take(stream, refuse)
    assert taken == MIXED[:2]
    assert isinstance(error, ZeroDivisionError)
    assert stream.closed
