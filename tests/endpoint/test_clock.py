import asyncio
import threading
import time

import pytest

from harness.endpoint.clock import Clock, RealClock, VirtualClock


def woken(clock: Clock, *sleeps: float) -> list[tuple[float, float]]:
    """For each sleeper, in the order of waking: how long it slept, and the time when it woke."""
    order: list[tuple[float, float]] = []

    async def sleeper(seconds: float) -> None:
        await clock.sleep(seconds)
        order.append((seconds, clock.time()))

    async def run() -> None:
        await asyncio.gather(*map(sleeper, sleeps))

    asyncio.run(run())
    return order


def test_virtual_sleep_takes_no_real_time() -> None:
    began = time.monotonic()
    assert woken(VirtualClock(), 3600) == [(3600, 3600)]
    assert time.monotonic() - began < 60


def test_sleepers_wake_in_the_order_of_their_deadlines() -> None:
    assert woken(VirtualClock(start=10), 3, 1, 2, 1) == [(1, 11), (1, 11), (2, 12), (3, 13)]


def test_sleepers_that_sleep_again_keep_their_order() -> None:
    clock, order = VirtualClock(), list[str]()

    async def ticker(name: str, seconds: float, times: int) -> None:
        for _ in range(times):
            await clock.sleep(seconds)
            order.append(f"{name}{clock.time():g}")

    async def run() -> None:
        await asyncio.gather(ticker("a", 3, 2), ticker("b", 2, 3))

    asyncio.run(run())
    # At 6 both are due; a has slept since 3, b since 4.
    assert order == ["b2", "a3", "b4", "a6", "b6"]


def test_a_cancelled_sleeper_holds_nobody_up_and_moves_no_time() -> None:
    clock = VirtualClock()

    async def run() -> float:
        cancelled = asyncio.create_task(clock.sleep(1))
        late = asyncio.create_task(clock.sleep(2))
        await asyncio.sleep(0)
        cancelled.cancel()
        await late
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        return clock.time()

    assert asyncio.run(run()) == 2
    assert woken(clock, 1) == [(1, 3)]


def test_time_never_goes_back() -> None:
    clock = VirtualClock()

    async def run() -> float:
        sleeper = asyncio.create_task(clock.sleep(1))
        await asyncio.sleep(0)
        clock.sleep_blocking(5)
        await sleeper
        return clock.time()

    assert asyncio.run(run()) == 5
    clock.sleep_blocking(-1)
    assert clock.time() == 5


def test_blocking_sleepers_of_several_threads_all_count() -> None:
    clock = VirtualClock()
    threads = [threading.Thread(target=clock.sleep_blocking, args=(1,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert clock.time() == 8


def test_a_sleeper_waits_for_an_earlier_one_of_another_loop() -> None:
    clock, asleep, let_go = VirtualClock(), threading.Event(), threading.Event()

    async def earlier() -> None:
        sleeper = asyncio.create_task(clock.sleep(2))
        await asyncio.sleep(0)
        asleep.set()
        assert let_go.wait(timeout=30)  # blocks the loop, so that its sleeper cannot move the time
        await sleeper

    async def later() -> None:
        sleeper = asyncio.create_task(clock.sleep(3))
        for _ in range(50):
            await asyncio.sleep(0)
        assert (sleeper.done(), clock.time()) == (False, 0)
        let_go.set()
        await sleeper

    other = threading.Thread(target=lambda: asyncio.run(earlier()))
    other.start()
    assert asleep.wait(timeout=30)
    try:
        asyncio.run(later())
    finally:
        let_go.set()
        other.join(timeout=30)
    assert clock.time() == 3


def test_an_interrupted_sleep_moves_no_virtual_time() -> None:
    clock, interrupt = VirtualClock(), threading.Event()
    interrupt.set()
    clock.sleep_blocking(5, interrupt)
    assert clock.time() == 0


def test_a_real_sleep_ends_when_interrupted() -> None:
    clock, interrupt = RealClock(), threading.Event()
    sleeper = threading.Thread(target=clock.sleep_blocking, args=(600, interrupt))
    sleeper.start()
    interrupt.set()
    sleeper.join(timeout=30)
    assert not sleeper.is_alive()


def test_real_sleeps_take_their_time() -> None:
    clock = RealClock()
    began = clock.time()
    clock.sleep_blocking(0.01)
    assert clock.time() - began >= 0.01
    ((_, end),) = woken(clock, 0.01)
    assert end - began >= 0.02
