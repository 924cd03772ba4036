"""Loops that are blocked are interrupted, whatever blocks them, and no others."""

import asyncio
import queue
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from harness.endpoint import watchdog
from harness.endpoint.loop import StallSelector, run_loop
from harness.endpoint.watchdog import LoopBlockedError, Watchdog


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.setattr(watchdog, "PATIENCE", 0.3)
    return 0.3


@pytest.fixture
def runner(patience: float) -> Iterator[asyncio.Runner]:
    selector = StallSelector()
    made = run_loop(selector)
    dog = Watchdog(selector, made.get_loop().is_running)
    assert dog.awake
    yield made
    dog.close()
    made.close()


def read_nothing() -> None:
    reader, writer = socket.socketpair()
    with reader, writer:
        reader.recv(1)


def wait_for_a_lock() -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def spin() -> None:
    while True:
        pass


def swallow() -> None:
    try:
        time.sleep(3600)
    except Exception:
        read_nothing()


BLOCKING = (read_nothing, wait_for_a_lock, spin, swallow, lambda: time.sleep(3600), lambda: queue.Queue[int]().get())


@pytest.mark.parametrize("block", BLOCKING)
def test_a_blocked_loop_is_interrupted(block: Callable[[], object], runner: asyncio.Runner) -> None:
    async def call() -> None:
        block()

    with pytest.raises(LoopBlockedError, match=r"here: .*tests\.endpoint\.test_watchdog:\d+ in "):
        runner.get_loop().run_until_complete(call())


def test_the_loop_can_be_used_again(runner: asyncio.Runner) -> None:
    async def call(seconds: float) -> str:
        time.sleep(seconds)  # noqa: ASYNC251 - that is what is tried
        return "done"

    with pytest.raises(LoopBlockedError):
        runner.get_loop().run_until_complete(call(3600))
    assert runner.get_loop().run_until_complete(call(0)) == "done"


def test_a_loop_that_waits_is_left_alone(runner: asyncio.Runner, patience: float) -> None:
    async def call() -> str:
        await asyncio.sleep(patience * 2)
        return "done"

    assert runner.get_loop().run_until_complete(call()) == "done"


def test_who_steps_through_code_is_left_alone(runner: asyncio.Runner, patience: float) -> None:
    scope = {"__name__": "pdb", "wait": lambda: time.sleep(patience * 2)}

    async def call() -> str:
        exec("wait()", scope)
        return "done"

    assert runner.get_loop().run_until_complete(call()) == "done"


def test_what_is_not_of_the_loop_is_left_alone(runner: asyncio.Runner, patience: float) -> None:
    runner.get_loop().run_until_complete(asyncio.sleep(0))
    time.sleep(patience * 2)  # the process may do for long whatever it wants between two runs


def test_a_signal_that_is_taken_is_left_alone() -> None:
    selector = StallSelector()
    old = signal.signal(signal.SIGUSR2, lambda number, frame: None)
    dog = Watchdog(selector, lambda: True)
    assert not dog.awake
    dog.close()
    assert signal.getsignal(signal.SIGUSR2) is not signal.SIG_DFL
    signal.signal(signal.SIGUSR2, old)
    selector.close()


def test_other_threads_are_not_watched() -> None:
    found: list[bool] = []
    thread = threading.Thread(target=lambda: found.append(Watchdog(StallSelector(), lambda: True).awake))
    thread.start()
    thread.join()
    assert found == [False]
