"""An SDK's stream, of plain objects, that remembers whether the service said ``[DONE]``."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, ClassVar, Generic, Protocol, TypeVar, cast

from harness.contract.events import StreamEvent
from providers._shared.stainless.errors import connection_errors

E = TypeVar("E")

_DONE = "[DONE]"


class Chunks(Generic[E]):
    """What an SDK's ``AsyncStream[object]`` becomes a stream of plain objects by.

    ``object`` is the SDKs' own way to leave data alone: building their models costs as much as everything else
    together, and they fit their own vendor's newest chunks only. A class names this base before ``AsyncStream``. It
    is generic since the SDK looks at what all bases are made of to find out what its stream yields.
    """

    sdk: ClassVar[Any]
    response: Any
    done = False

    def _iter_events(self) -> AsyncIterator[Any]:
        return self._noted(cast("Any", super())._iter_events())

    async def _noted(self, events: AsyncIterator[Any]) -> AsyncIterator[Any]:
        with connection_errors(self.sdk, self.response.request):
            async for event in events:
                self.done = self.done or event.data.startswith(_DONE)
                if event.data:  # the SDK would parse the data of events that have none
                    yield event

    async def whole(self) -> bytes | None:
        """The body, when the service answered with something else than a stream; else None."""
        kind = self.response.headers.get("content-type", "").partition(";")[0].strip()
        if kind not in {"application/json", "text/html"}:
            return None
        with connection_errors(self.sdk, self.response.request):
            return bytes(await self.response.aread())


class Reader(Protocol):
    """Reads one reply."""

    def feed(self, chunk: Any) -> list[StreamEvent]:
        """The events of the next chunk."""

    def whole(self, body: Any) -> list[StreamEvent]:
        """All events of a whole reply."""

    def finish(self, *, done: bool) -> list[StreamEvent]:
        """The last events, once the answer has ended."""


async def told(stream: Any, reader: Reader) -> AsyncGenerator[StreamEvent, None]:
    """The events of an answer, read from :class:`Chunks`; also when the service ignored that it was to stream."""
    async with stream:
        if (whole := await stream.whole()) is not None:
            for event in reader.whole(json.loads(whole)):
                yield event
            return
        async for chunk in stream:
            for event in reader.feed(chunk):
                yield event
        for event in reader.finish(done=stream.done):
            yield event


async def reply(
    answer: Any, to: type[Chunks[object]], reader: Reader, *, streams: bool
) -> AsyncGenerator[StreamEvent, None]:
    """The events of an answer to a request made through ``with_raw_response``, streamed or whole."""
    if not streams:
        for event in reader.whole(json.loads(await answer.read())):
            yield event
        return
    async with aclosing(told(await answer.parse(to=to), reader)) as events:
        async for event in events:
            yield event
