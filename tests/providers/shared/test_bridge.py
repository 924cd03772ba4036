"""The bridge from blocking iterators to an event loop: delivery, back-pressure, errors, stopping."""

import asyncio
import gc
import subprocess
import sys
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from providers._shared import bridge
from providers._shared.bridge import call_in_thread, iterate_in_thread

#: far above what any step needs, so that only a deadlock reaches it; in seconds
LIMIT = 10.0


class Numbers:
    """A source of 0, 1, 2, … that tells what became of it. ``hold`` makes its reads wait until it is closed."""

    def __init__(self, count: int, *, hold_at: int | None = None, error: Exception | None = None) -> None:
        self.count = count
        self.hold_at = hold_at
        self.error = error
        self.produced = 0
        self.holding = threading.Event()
        self.interrupted = threading.Event()
        self.closed = threading.Event()

    def __iter__(self) -> Iterator[int]:
        for number in range(self.count):
            if number == self.hold_at:
                self.holding.set()
                self.interrupted.wait(LIMIT)
                raise ConnectionError("interrupted")
            self.produced += 1
            yield number
        if self.error:
            raise self.error

    def close(self) -> None:
        self.interrupted.set()
        self.closed.set()

    def interrupt(self) -> None:
        self.interrupted.set()


async def collect(source: Numbers, **options: Any) -> list[int]:
    async with asyncio.timeout(LIMIT):
        return [item async for item in iterate_in_thread(lambda: source, **options)]


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether a condition that another thread brings about holds in the end."""
    deadline = time.monotonic() + LIMIT
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.001)
    return condition()


@pytest.mark.parametrize("capacity", [1, 2, 7, 1000])
def test_all_items_arrive_in_order_and_the_source_is_closed(capacity: int) -> None:
    source = Numbers(500)
    assert asyncio.run(collect(source, capacity=capacity)) == list(range(500))
    assert source.closed.is_set()


def test_an_empty_source_yields_nothing() -> None:
    source = Numbers(0)
    assert asyncio.run(collect(source)) == []
    assert source.closed.is_set()


def test_items_arrive_while_the_source_still_works() -> None:
    source = Numbers(3, hold_at=1)

    async def first() -> int:
        async with aclosing(iterate_in_thread(lambda: source)) as items:
            return await asyncio.wait_for(anext(items), LIMIT)

    assert asyncio.run(first()) == 0


def test_the_reader_waits_for_a_slow_consumer() -> None:
    source = Numbers(100)

    async def slow() -> list[int]:
        ahead = []
        async with aclosing(iterate_in_thread(lambda: source, capacity=4)) as items:
            async for item in items:
                ahead.append(source.produced - item)
                await asyncio.sleep(0)
        return ahead

    ahead = asyncio.run(slow())
    assert len(ahead) == 100
    # what was taken at once, what may wait in the queue, and the one in the reader's hand
    assert max(ahead) <= 4 + 4 + 1


def test_an_error_comes_after_the_items_with_its_traceback() -> None:
    source = Numbers(2, error=LookupError("broken"))
    seen: set[int] = set()

    async def read() -> None:
        async for item in iterate_in_thread(lambda: source):
            seen.add(item)

    with pytest.raises(LookupError, match="broken") as caught:
        asyncio.run(read())
    assert seen == {0, 1}
    assert caught.value is source.error
    assert "__iter__" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert source.closed.is_set()


def test_an_error_of_opening_is_raised() -> None:
    def fail() -> Numbers:
        raise PermissionError("no")

    async def read() -> None:
        async for _ in iterate_in_thread(fail):
            pytest.fail("there is nothing to read")

    with pytest.raises(PermissionError, match="no"):
        asyncio.run(read())


def test_an_error_is_freed_with_its_last_user() -> None:
    class Own(Exception):
        pass

    async def read() -> weakref.ref[Own]:
        source = Numbers(0, error=Own())
        try:
            await collect(source)
        except Own as error:
            source.error = None
            return weakref.ref(error)
        raise AssertionError("the error was lost")

    gc.disable()
    try:
        assert asyncio.run(read())() is None
    finally:
        gc.enable()


def test_leaving_early_stops_a_reader_that_waits_for_room() -> None:
    source = Numbers(10_000)

    async def leave() -> None:
        async with aclosing(iterate_in_thread(lambda: source, capacity=2)) as items:
            await anext(items)
        assert source.closed.is_set()

    asyncio.run(leave())
    assert source.closed.wait(LIMIT)
    assert source.produced < 10


def test_leaving_early_interrupts_a_read_and_waits_for_the_close() -> None:
    source = Numbers(3, hold_at=1)

    async def leave() -> None:
        async with aclosing(iterate_in_thread(lambda: source, interrupt=lambda _: source.interrupt())) as items:
            await anext(items)
            await asyncio.to_thread(source.holding.wait, LIMIT)
        assert source.closed.is_set()

    asyncio.run(leave())
    assert source.closed.wait(LIMIT)


def test_without_an_interrupt_the_source_is_closed_from_the_side() -> None:
    source = Numbers(3, hold_at=1)

    async def leave() -> None:
        async with aclosing(iterate_in_thread(lambda: source)) as items:
            await anext(items)

    asyncio.run(leave())
    assert source.closed.wait(LIMIT)


def test_cancellation_releases_the_source() -> None:
    source = Numbers(3, hold_at=1)

    async def read() -> None:
        async with aclosing(iterate_in_thread(lambda: source, interrupt=lambda _: source.interrupt())) as items:
            async for _ in items:
                pass

    async def cancel() -> None:
        task = asyncio.create_task(read())
        await asyncio.to_thread(source.holding.wait, LIMIT)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert source.closed.is_set()

    asyncio.run(cancel())
    assert source.closed.wait(LIMIT)


def test_a_consumer_that_leaves_before_the_source_is_open_does_not_wait() -> None:
    opening, may_open = threading.Event(), threading.Event()
    source = Numbers(10_000)

    def slowly() -> Numbers:
        opening.set()
        may_open.wait(LIMIT)
        return source

    async def cancel() -> None:
        task = asyncio.create_task(anext(iterate_in_thread(slowly)))
        await asyncio.to_thread(opening.wait, LIMIT)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    may_open.set()
    assert source.closed.wait(LIMIT)
    assert source.produced == 0


def test_a_reader_does_not_outlive_the_loop_of_a_consumer_that_never_came_back() -> None:
    source = Numbers(10_000)
    loop = asyncio.new_event_loop()
    items = iterate_in_thread(lambda: source, capacity=2)
    loop.run_until_complete(anext(items))
    loop.close()
    assert source.closed.wait(LIMIT)
    del items


FORGETFUL = """
import asyncio, itertools
from providers._shared.bridge import iterate_in_thread

class Source(itertools.count):
    def close(self):
        pass

loop = asyncio.new_event_loop()
items = iterate_in_thread(Source, capacity=2)
print(loop.run_until_complete(anext(items)))
del items
"""


def test_a_program_that_forgets_a_stream_can_end() -> None:
    program = [sys.executable, "-c", FORGETFUL]
    root = Path(bridge.__file__).parents[2]
    ended = subprocess.run(program, cwd=root, timeout=LIMIT, capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("0\n", "")


def test_the_loop_turns_while_the_source_blocks() -> None:
    source = Numbers(2, hold_at=1)

    async def both() -> int:
        turns = 0
        async with aclosing(iterate_in_thread(lambda: source)) as items:
            await anext(items)
            waiting = asyncio.ensure_future(anext(items))
            while not source.holding.is_set() or turns < 100:
                turns += 1
                await asyncio.sleep(0)
            source.interrupt()
            with pytest.raises(ConnectionError):
                await waiting
        return turns

    assert asyncio.run(both()) >= 100


def test_streams_do_not_wait_for_each_other() -> None:
    """More streams than any pool has threads, each of which ends only when all have begun."""
    barrier = threading.Barrier(40)

    class Together(Numbers):
        def __iter__(self) -> Iterator[int]:
            barrier.wait(LIMIT)
            yield from super().__iter__()

    async def all_of_them() -> list[list[int]]:
        return await asyncio.gather(*(collect(Together(3)) for _ in range(40)))

    assert asyncio.run(all_of_them()) == [[0, 1, 2]] * 40


@pytest.fixture
def wakes(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One item for each time that a reader wakes its consumer's loop."""
    noted: list[None] = []
    wake = bridge._Channel._wake

    def counted(channel: Any) -> None:
        noted.append(None)
        wake(channel)

    monkeypatch.setattr(bridge._Channel, "_wake", counted)
    return noted


def test_a_burst_that_comes_at_once_does_not_wake_the_loop(wakes: list[None]) -> None:
    source = Numbers(100, hold_at=99)

    async def burst() -> None:
        async with aclosing(iterate_in_thread(lambda: source)) as items:
            first = asyncio.ensure_future(anext(items))
            await asyncio.sleep(0)
            source.holding.wait(LIMIT)  # the loop is held up on purpose
            assert await first == 0
            assert len(wakes) == 0

    asyncio.run(burst())


def test_an_item_after_a_silence_wakes_the_loop(monkeypatch: pytest.MonkeyPatch, wakes: list[None]) -> None:
    asleep = threading.Event()
    arrived = bridge._Channel._arrived

    def looked(channel: Any) -> bool:
        found = arrived(channel)
        if not found:
            asleep.set()
        return found

    monkeypatch.setattr(bridge._Channel, "_arrived", looked)

    class Late(Numbers):
        def __iter__(self) -> Iterator[int]:
            asleep.wait(LIMIT)
            yield from super().__iter__()

    source = Late(2, hold_at=1)

    async def first() -> None:
        async with aclosing(iterate_in_thread(lambda: source)) as items:
            assert await asyncio.wait_for(anext(items), LIMIT) == 0
            assert len(wakes) == 1

    asyncio.run(first())


def test_the_end_does_not_wake_a_loop_once_more(monkeypatch: pytest.MonkeyPatch, wakes: list[None]) -> None:
    over = threading.Event()
    finish = bridge._Channel.finish

    def finished(channel: Any, end: Any) -> None:
        finish(channel, end)
        over.set()

    monkeypatch.setattr(bridge._Channel, "finish", finished)

    async def burst() -> list[int]:
        items = asyncio.ensure_future(collect(Numbers(3)))
        await asyncio.sleep(0)
        over.wait(LIMIT)  # the loop is held up on purpose
        return await items

    assert asyncio.run(burst()) == [0, 1, 2]
    assert len(wakes) == 1


def test_a_call_gives_its_result_or_its_error() -> None:
    assert asyncio.run(call_in_thread(lambda: 42)) == 42
    with pytest.raises(ZeroDivisionError):
        asyncio.run(call_in_thread(lambda: 1 // 0))


def test_the_error_of_a_call_is_not_kept() -> None:
    class LostError(Exception):
        pass

    def fail() -> None:
        raise LostError

    async def failed() -> weakref.ref[LostError]:
        try:
            await call_in_thread(fail)
        except LostError as error:
            return weakref.ref(error)
        raise AssertionError("no error")

    gc.disable()
    try:
        assert asyncio.run(failed())() is None
    finally:
        gc.enable()


def test_a_cancelled_call_is_not_waited_for() -> None:
    begun, go_on, over = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        go_on.wait(LIMIT)
        over.set()

    async def cancel() -> None:
        task = asyncio.create_task(call_in_thread(work))
        await asyncio.to_thread(begun.wait, LIMIT)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert not over.is_set()
    go_on.set()
    assert eventually(over.is_set)
