"""Threads for blocking calls: as many as calls, used again, gone after a while."""

import contextvars
import threading

import pytest

from providers._shared import threads

LIMIT = 10.0


def thread_of_a_call() -> threading.Thread:
    """Where a call ran, once its thread is idle."""
    ran: list[threading.Thread] = []
    threads.start(lambda: ran.append(threading.current_thread()))
    assert eventually_idle(ran)
    return ran[0]


def eventually_idle(ran: list[threading.Thread]) -> bool:
    idle = threading.Event()
    for _ in range(10_000):
        with threads._lock:
            if ran and ran[0] in threads._idle:
                return True
        idle.wait(0.001)
    return False


def test_a_thread_is_used_again() -> None:
    assert thread_of_a_call() is thread_of_a_call()


def test_calls_do_not_wait_for_each_other() -> None:
    barrier = threading.Barrier(33)
    for _ in range(32):
        threads.start(lambda: barrier.wait(LIMIT))
    barrier.wait(LIMIT)  # breaks unless all 32 run at once


def test_the_context_of_the_caller_is_seen_and_kept() -> None:
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="nothing")
    seen: list[str] = []
    done = threading.Event()

    def read() -> None:
        seen.append(variable.get())
        variable.set("changed by the call")
        done.set()

    variable.set("caller's")
    threads.start(read)
    assert done.wait(LIMIT)
    assert seen == ["caller's"]
    assert variable.get() == "caller's"


def test_idle_threads_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "IDLE_SECONDS", 0.01)
    ran: list[threading.Thread] = []
    done = threading.Event()

    def work() -> None:
        ran.append(threading.current_thread())
        done.set()

    with threads._lock:
        kept, threads._idle[:] = threads._idle[:], []  # so that a new thread is made, with the short patience
    threads.start(work)
    with threads._lock:
        threads._idle += kept
    assert done.wait(LIMIT)
    ran[0].join(LIMIT)
    assert not ran[0].is_alive()
    assert ran[0] not in threads._idle


def test_threads_are_daemons() -> None:
    assert thread_of_a_call().daemon
