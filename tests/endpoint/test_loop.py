import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from harness.endpoint.loop import StallSelector, own_time, run_loop

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


def _spin(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


@pytest.mark.parametrize("block", [time.sleep, _spin], ids=["asleep", "at work"])
def test_a_blocked_loop_is_seen_in_its_own_time(block: Callable[[float], None]) -> None:
    selector = StallSelector()

    async def blocked() -> float:
        with selector.fairly():
            selector.reset()
            await asyncio.sleep(0)
            block(0.06)
            await asyncio.sleep(0)
            return selector.longest

    with run_loop(selector) as runner:
        assert runner.run(blocked()) >= 0.055


def test_own_time_stands_still_while_others_have_the_processor() -> None:
    """More threads than processors at work, in processes of their own: this one waits, and is not blamed."""
    command = [sys.executable, "-c", "import time\nend = time.time() + 1\nwhile time.time() < end: pass"]
    others = [subprocess.Popen(command) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        with own_time() as clock:
            own, wall = clock(), time.perf_counter()
            _spin(0.2)
            own, wall = clock() - own, time.perf_counter() - wall
    finally:
        for other in others:
            other.wait()
    assert own < wall if sys.platform == "linux" else own == wall
