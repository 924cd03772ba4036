"""Adapters that block, hold on to things, leave things behind, or mix things up."""

import asyncio
import contextlib
import socket
import threading
import time
from contextlib import aclosing
from typing import Any

from tests.miniatures.edits import TEXT, Event
from tests.miniatures.miniature import Adapter, Stream


class Blocking(Adapter):
    """Blocks the loop."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        time.sleep(0.06)  # noqa: ASYNC251 - that is what is wrong with it
        async for event in super().told(asked):
            yield event


class Waiting(Adapter):
    """Reads by a client that blocks, on the loop's own thread, as synchronous SDKs do."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        events: list[Event] = []

        async def read() -> None:
            async with aclosing(self.inner.stream(**asked)) as stream:
                events.extend([event async for event in stream])

        reader = threading.Thread(target=asyncio.run, args=(read(),))
        reader.start()
        reader.join()
        for event in events:
            yield event


class Hanging(Adapter):
    """Reads, by a call that blocks, what never comes."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        reader, writer = socket.socketpair()
        with reader, writer:
            reader.recv(1)
        async for event in super().told(asked):
            yield event


class Holding(Adapter):
    """Never closes a stream, and keeps it."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self._held: list[Stream] = []

    async def told(self, asked: dict[str, Any]) -> Stream:
        events = self.inner.stream(**asked)
        self._held.append(events)
        async for event in events:
            yield event

    async def release(self) -> None:
        for events in self._held:
            await events.aclose()


class Leaving(Holding):
    """Does not wait for what comes after metadata."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        events = self.inner.stream(**asked)
        self._held.append(events)
        async for event in events:
            yield event
            if "metadata" in event:
                return


class Lingering(Adapter):
    """Never comes to the end of closing."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        try:
            async for event in super().told(asked):
                yield event
        except GeneratorExit:
            await asyncio.Event().wait()


class Drowsy(Adapter):
    """Waits until it is cancelled, and then answers as if nothing had been."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
        async for event in super().told(asked):
            yield event


class Stubborn(Adapter):
    """Takes a cancellation for the end of the reply."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        try:
            async with aclosing(super().told(asked)) as events:
                async for event in events:
                    yield event
        except asyncio.CancelledError:
            return


class Littering(Adapter):
    """Leaves a task behind each call."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self._tasks: list[asyncio.Task[bool]] = []

    async def told(self, asked: dict[str, Any]) -> Stream:
        self._tasks.append(asyncio.create_task(asyncio.Event().wait()))
        async for event in super().told(asked):
            yield event

    async def release(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class Breeding(Adapter):
    """Leaves a thread behind each call."""

    def __init__(self, inner: Any) -> None:
        super().__init__(inner)
        self._end = threading.Event()
        self._threads: list[threading.Thread] = []

    async def told(self, asked: dict[str, Any]) -> Stream:
        self.leave()
        async for event in super().told(asked):
            yield event

    def leave(self) -> None:
        self._threads.append(threading.Thread(target=self._end.wait))
        self._threads[-1].start()

    async def release(self) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join()


class Overflowing(Adapter):
    """Reads ahead of its caller, and drops the words for which there is no room."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        ahead: asyncio.Queue[Event | None] = asyncio.Queue(128)
        reading = asyncio.create_task(self._read(super().told(asked), ahead))
        try:
            while (event := await ahead.get()) is not None:
                yield event
            await reading
        finally:
            reading.cancel()

    async def _read(self, events: Stream, ahead: asyncio.Queue[Event | None]) -> None:
        async with aclosing(events):
            async for event in events:
                if not (TEXT(event) and ahead.full()):
                    await ahead.put(event)
        await ahead.put(None)


class Breaking(Breeding):
    """Leaves a thread behind each call that breaks off."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        try:
            async for event in self.inner.stream(**asked):
                yield event
        except Exception:
            self.leave()
            raise


class Sharing(Adapter):
    """Keeps each delta back until the next event, in one place for all streams."""

    _kept: Event | None = None

    async def told(self, asked: dict[str, Any]) -> Stream:
        async for event in super().told(asked):
            kept, self._kept = self._kept, event if "contentBlockDelta" in event else None
            if kept is not None:
                yield kept
            if self._kept is None:
                yield event


class Settled(Adapter):
    """Works in its first event loop only."""

    _loop: asyncio.AbstractEventLoop | None = None

    async def told(self, asked: dict[str, Any]) -> Stream:
        self._loop = self._loop or asyncio.get_running_loop()
        if self._loop is not asyncio.get_running_loop():
            raise RuntimeError("this belongs to a different event loop")
        async for event in super().told(asked):
            yield event
