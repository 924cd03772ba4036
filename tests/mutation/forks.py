"""Each task in a process of its own, forked from this one: whatever a mutant leaves behind, or hangs in, dies with it.

What was imported before costs nothing again. No thread may be running when a task is forked.
"""

import multiprocessing
import resource
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from typing import Any, Final, Generic, TypeVar

K = TypeVar("K")

_FORK: Final = multiprocessing.get_context("fork")
#: bytes of address space that a task may take: a mutant that never stops reading must not take all there is
_MEMORY: Final = 6 * 1024**3


class TaskFailedError(RuntimeError):
    """A task raised; the message is its traceback."""


@dataclass(frozen=True)
class Task(Generic[K]):
    """What is called, in a process of its own; ``prepare`` is called in this one before."""

    key: K
    call: Callable[[], Any]
    prepare: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Ended(Generic[K]):
    """``value`` is what the task returned; None where it took longer than the limit, or died."""

    key: K
    value: Any
    seconds: float


@dataclass
class _Running(Generic[K]):
    task: Task[K]
    process: ForkProcess
    end: Connection
    begun: float


def run_all(tasks: Iterable[Task[K]], jobs: int, limit: float) -> Iterator[Ended[K]]:
    """Run tasks, ``jobs`` at a time, each for ``limit`` seconds at most. Raises TaskFailedError."""
    rest, running = iter(tasks), dict[Connection, _Running[K]]()
    try:
        while True:
            while len(running) < jobs and (task := next(rest, None)) is not None:
                begun = _begin(task)
                running[begun.end] = begun
            if not running:
                return
            yield from _ended(running, limit)
    finally:
        for left in running.values():
            left.process.kill()


def _begin(task: Task[K]) -> _Running[K]:
    task.prepare()
    ours, theirs = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_work, args=(task.call, theirs), daemon=True)
    process.start()
    theirs.close()
    return _Running(task, process, ours, time.monotonic())


def _work(call: Callable[[], Any], end: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    try:
        told = (True, call())
    except Exception:
        told = (False, traceback.format_exc())
    end.send(told)
    end.close()


def _ended(running: dict[Connection, _Running[K]], limit: float) -> Iterator[Ended[K]]:
    ready = wait(list(running), timeout=1.0)
    for end, each in list(running.items()):
        seconds = time.monotonic() - each.begun
        if end in ready or seconds > limit:
            del running[end]
            yield Ended(each.task.key, _value(each, told=end in ready), round(seconds, 2))


def _value(each: _Running[Any], told: bool) -> Any:
    try:
        done, value = each.end.recv() if told else (True, None)
    except EOFError:
        done, value = True, None
    each.process.kill()  # threads that a mutant left would keep it alive
    each.process.join()
    each.end.close()
    if not done:
        raise TaskFailedError(value)
    return value
