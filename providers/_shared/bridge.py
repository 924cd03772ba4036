"""From blocking code to an event loop: one reader thread, a bounded queue, an end marker.

The reader is done when its source ends, when the consumer stops early (the source is then interrupted and closed), or
when the consumer's event loop is gone.

An item that comes after a silence wakes the loop at once. At first, and after each item, the loop looks again by itself
before it asks to be woken, so a burst costs few wake-ups: each makes the two threads contend for the interpreter, in
the middle of which the reader is slowest.
"""

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from functools import partial
from typing import Final, Generic, Protocol, TypeVar

from providers._shared import threads

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

#: how long a stopped consumer waits for the reader to close its source, in seconds
GRACE: Final = 0.2
#: how soon a consumer that has begun, or has taken something, looks again by itself, in seconds
LINGER: Final = 0.002
#: how often a reader that waits for room looks whether the consumer's loop still exists, in seconds
POLL: Final = 0.5


class Source(Protocol[T_co]):
    """A blocking iterable that holds a resource. Both methods are called by the reader thread."""

    def __iter__(self) -> Iterator[T_co]:
        """Read the items."""

    def close(self) -> None:
        """Release the resource."""


async def call_in_thread(function: Callable[[], T]) -> T:
    """The result of a blocking call. A cancelled caller does not wait for it; the call ends by itself."""
    future: asyncio.Future[tuple[list[T], _End]] = asyncio.get_running_loop().create_future()
    threads.start(partial(_settle, future, function))
    results, end = await future
    end.reraise()
    return results[0]


def _settle(future: "asyncio.Future[tuple[list[T], _End]]", function: Callable[[], T]) -> None:
    if future.cancelled():
        return
    results: list[T] = []
    end = _End()
    try:
        results.append(function())
    except BaseException as error:
        end.error = error
    _call_soon(future.get_loop(), partial(_tell, future, (results, end)))


def _tell(future: asyncio.Future[T], result: T) -> None:
    if not future.done():  # its caller may have been cancelled
        future.set_result(result)


def _call_soon(loop: asyncio.AbstractEventLoop, callback: Callable[[], object]) -> None:
    """Have the loop of another thread call something, unless it is closed: then nobody waits."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(callback)


def close_in_thread(source: Source[T]) -> None:
    """Close a source that may be in use by its reader, without blocking the caller."""

    def close() -> None:
        # The reader's own close reports what matters; this one may meet a source in the middle of a read.
        with contextlib.suppress(Exception):
            source.close()

    threads.start(close)


async def iterate_in_thread(
    open_source: Callable[[], Source[T]],
    *,
    interrupt: Callable[[Source[T]], None] = close_in_thread,
    capacity: int = 128,
) -> AsyncGenerator[T, None]:
    """Yield the items of a blocking source. The reader is at most ``capacity`` items ahead of the consumer.

    ``open_source`` is called in the reader thread, which also closes the source. ``interrupt`` is called when the
    consumer stops early; it makes a read that is under way in the reader end, and must not block. Exceptions of the
    source are raised here with their traceback. The generator must be closed (``contextlib.aclosing``) by those who
    leave it early.
    """
    channel: _Channel[T] = _Channel(asyncio.get_running_loop(), capacity)
    threads.start(lambda: _read(open_source, channel))
    try:
        end: _End | None = None
        while end is None:
            items, end = await channel.take()
            for item in items:
                yield item
        end.reraise()
    finally:
        await channel.abandon(interrupt)


def _read(open_source: Callable[[], Source[T]], channel: "_Channel[T]") -> None:
    end = _End()
    try:
        with contextlib.closing(open_source()) as source:
            if channel.attach(source):
                all(map(channel.put, source))
    except BaseException as error:
        end.error = error
    channel.finish(end)


class _End:
    """The end marker: how the source ended."""

    __slots__ = ("error",)

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def reraise(self) -> None:
        error, self.error = self.error, None
        if error is not None:
            try:
                raise error
            finally:
                del error  # else the error would hold its own traceback


class _Channel(Generic[T]):
    """What the reader thread and the event loop share. The lock is held for a few instructions at a time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, capacity: int) -> None:
        self._loop = loop
        self._capacity = capacity
        self._lock = threading.Lock()
        self._room = threading.Condition(self._lock)
        self._ready = asyncio.Event()
        self._items: list[T] = []
        self._end: _End | None = None
        self._source: Source[T] | None = None
        self._abandoned = False
        #: the consumer waits to be woken
        self._asleep = False
        #: it was woken, and has not looked since
        self._woken = False

    # --- the reader's side

    def attach(self, source: Source[T]) -> bool:
        """Say what to interrupt; False when nobody wants it any more."""
        with self._lock:
            self._source = source
            return not self._abandoned

    def put(self, item: T) -> bool:
        """Hand an item over, waiting for room; False when nobody wants it any more."""
        with self._lock:
            while len(self._items) >= self._capacity and not self._deserted():
                self._room.wait(POLL)
            if self._deserted():
                return False
            self._items.append(item)
            wake = not self._woken and (self._asleep or len(self._items) == self._capacity)
            self._woken |= wake
        if wake:
            self._wake()
        return True

    def finish(self, end: _End) -> None:
        """Say that the source is closed."""
        with self._lock:
            self._end = end
            wake, self._woken = not self._woken, True
        if wake:
            self._wake()

    def _deserted(self) -> bool:
        return self._abandoned or self._loop.is_closed()

    def _wake(self) -> None:
        _call_soon(self._loop, self._ready.set)

    # --- the consumer's side

    async def take(self) -> tuple[list[T], _End | None]:
        """Wait for something, then take everything that is there, and the end marker if it has come."""
        if not self._asleep:
            await self._linger()
        while not self._arrived():
            await self._ready.wait()
        with self._lock:
            items, self._items = self._items, []
            self._room.notify()
            return items, self._end

    async def _linger(self) -> None:
        """Wait a moment in which the reader need not wake the loop, unless it has reached its end or limit."""
        look = self._loop.call_later(LINGER, self._ready.set)
        try:
            await self._ready.wait()
        finally:
            look.cancel()

    def _arrived(self) -> bool:
        """Whether there is something to take; if not, the reader will wake the loop when there is."""
        with self._lock:
            self._ready.clear()
            self._woken = False
            self._asleep = not self._items and self._end is None
            return not self._asleep

    async def abandon(self, interrupt: Callable[[Source[T]], None]) -> None:
        """Stop the reader unless it has ended, and give it a moment to close the source."""
        with self._lock:
            self._abandoned = True
            source = self._source
            self._room.notify()
        if source is None or self._end is not None:
            return  # the reader closes it as soon as it is open, or has closed it
        if not self._loop.is_running():
            return  # collected as garbage, perhaps while the interpreter ends: no thread could be started
        interrupt(source)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while (await self.take())[1] is None:
                    pass
