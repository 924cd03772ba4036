import asyncio
import time

from harness.endpoint.loop import StallSelector, run_loop

STALL = 0.06  # seconds


def longest(work: object) -> float:
    """The longest stall of a loop that runs a coroutine function."""
    selector = StallSelector()
    with run_loop(selector) as runner:
        runner.run(work())  # type: ignore[operator]
        return selector.longest


async def blocking() -> None:
    await asyncio.sleep(0)
    time.sleep(STALL)  # noqa: ASYNC251 - the fault under test
    await asyncio.sleep(0)


async def sleeping() -> None:
    await asyncio.sleep(STALL)


async def blocking_at_the_end() -> None:
    await asyncio.sleep(0)
    time.sleep(STALL)  # noqa: ASYNC251 - the fault under test


def test_a_blocking_callback_is_a_stall() -> None:
    assert longest(blocking) >= STALL


def test_the_last_callback_counts_too() -> None:
    assert longest(blocking_at_the_end) >= STALL


def test_sleeping_is_none() -> None:
    # The least of several, since a busy machine can stall any of them.
    assert min(longest(sleeping) for _ in range(5)) < STALL / 2


def test_reset_forgets() -> None:
    selector = StallSelector()

    async def run() -> tuple[float, float]:
        await blocking()
        before = selector.longest
        selector.reset()
        return before, selector.longest

    with run_loop(selector) as runner:
        before, after = runner.run(run())
    assert after < STALL <= before


def test_time_outside_the_loop_is_no_stall_after_a_reset() -> None:
    selector = StallSelector()

    async def run() -> float:
        selector.reset()
        await asyncio.sleep(0)
        return selector.longest

    with run_loop(selector) as runner:
        runner.run(run())
        time.sleep(STALL)
        assert min(runner.run(run()) for _ in range(3)) < STALL
