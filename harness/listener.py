"""The caller of one exchange: makes the call, takes the events, and leaves when it is told to."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from typing import Any, Final

from harness.checks.observation import Observation
from harness.contract.events import StreamEvent
from harness.endpoint.watchdog import LoopBlockedError
from harness.exchange import Call, Listen, Operation
from harness.looping import loop

#: how long a worker may take to end after its call, in seconds
SETTLE_LIMIT: Final = 2.0


class Rendezvous:
    """Keeps listeners in step: none goes on from its first delta before each has one, or has ended."""

    def __init__(self, listeners: int) -> None:
        self._awaited = listeners
        self._all_there = asyncio.Event()
        self._here: set[int] = set()

    async def step(self, listener: "Listener") -> None:
        """Wait at the first delta for the others; later, let them go on."""
        self.arrive(listener)
        await self._all_there.wait()
        await asyncio.sleep(0)

    def arrive(self, listener: "Listener") -> None:
        """Keep nobody waiting for a listener any more."""
        self._here.add(id(listener))
        if len(self._here) >= self._awaited:
            self._all_there.set()


class Deadline:
    """How long each call may take, by one timer for all calls of a task: nearly every one ends long before.

    To be entered in the task that makes the calls.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._until: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        #: the last call took longer, and was cancelled
        self.expired = False

    def __enter__(self) -> "Deadline":
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        return self

    def __exit__(self, *exception: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def start(self) -> None:
        """A call begins."""
        self.expired = False
        self._until = self._loop.time() + self._seconds
        if self._timer is None:
            self._timer = self._loop.call_at(self._until, self._look)

    def stop(self) -> None:
        """The call has ended."""
        self._until = None
        if self.expired:
            self._task.uncancel()

    def _look(self) -> None:
        self._timer = None
        if self._until is None:
            return
        if self._until > self._loop.time():
            self._timer = self._loop.call_at(self._until, self._look)
        else:
            self.expired = True
            self._task.cancel()


class Listener:
    """The caller: makes the call, takes the events, and closes or cancels where the exchange says so."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.call = seen.exchange.call
        #: the call has ended, and what winds up after it has had its time
        self.over = threading.Event()
        self._leaving = threading.Event()
        self._told = threading.Condition()
        self._deltas = 0
        self._meet: Rendezvous | None = None
        self._thread = threading.get_ident()
        self._leave: Callable[[], object] = self._leaving.set

    async def listen(self, model: Any, deadline: Deadline, meet: Rendezvous | None = None) -> None:
        """Make the call to its end, or up to the deadline, in step with others where there is a meeting."""
        seen = self.seen
        self._meet = meet
        deadline.start()
        try:
            await _LISTEN[seen.exchange.listen](self, model)
        except asyncio.CancelledError:
            if not deadline.expired:
                raise
            seen.error = TimeoutError()
        except LoopBlockedError as error:
            seen.timed_out, seen.error = True, error
        except Exception as error:
            seen.error = error
        finally:
            deadline.stop()
        seen.timed_out |= deadline.expired  # an adapter may take the cancellation for an end, or for an error
        if meet is not None:
            meet.arrive(self)
        seen.whole = seen.error is None and self._streamed()

    def _streamed(self) -> bool:
        """Whether a stream was to be taken to its end. Structured output may do without one."""
        wanted = self.seen.exchange.call.operation is Operation.STREAM or bool(self.seen.events)
        return self.seen.exchange.listen is Listen.ALL and wanted

    async def _take_all(self, model: Any) -> None:
        stream = _started(model, self.call, self.seen)
        if self._plain():
            await self._take_plainly(stream)
            return
        async for event in stream:
            self._take(event)
            if self._meet is not None and "contentBlockDelta" in event:  # what begins may come before the request
                await self._meet.step(self)
            if self.seen.exchange.pause:
                await asyncio.sleep(self.seen.exchange.pause)

    def _plain(self) -> bool:
        """Whether there is nothing to do but to take the events."""
        exchange = self.seen.exchange
        calm = not exchange.gated and not exchange.pause and self._meet is None
        return calm and exchange.call.operation is Operation.STREAM

    async def _take_plainly(self, stream: AsyncIterator[Any]) -> None:
        take = self.seen.take
        async for event in stream:
            take(event)

    async def _take_some(self, model: Any) -> None:
        """Take some events, then close the stream."""
        stream = _started(model, self.call, self.seen)
        try:
            await self._take_first(stream)
        finally:
            self._leaving.set()
            await stream.aclose()

    async def _take_first(self, stream: AsyncIterator[Any]) -> None:
        wanted = self.seen.exchange.listen_after
        if not wanted:
            return
        async for event in stream:
            self._take(event)
            if len(self.seen.events) >= wanted:
                return

    async def _be_cancelled(self, model: Any) -> None:
        """Take some events in a task of its own, then cancel it."""
        enough = asyncio.Event()
        task = asyncio.ensure_future(self._take_until_cancelled(model, enough))
        waiting = asyncio.ensure_future(enough.wait())
        self._leave = partial(asyncio.get_running_loop().call_soon_threadsafe, self._interrupt, task)
        await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        self._leaving.set()
        self.seen.interrupted |= task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            self.seen.cancelled = True

    async def _take_until_cancelled(self, model: Any, enough: asyncio.Event) -> None:
        async for event in _started(model, self.call, self.seen):
            self._take(event)
            if not self.seen.exchange.gated and len(self.seen.events) >= self.seen.exchange.listen_after:
                enough.set()
                await asyncio.Event().wait()

    def _interrupt(self, task: asyncio.Future[None]) -> None:
        self._leaving.set()
        self.seen.interrupted |= task.cancel()

    def _take(self, event: Any) -> None:
        seen = self.seen
        if seen.exchange.call.operation is Operation.STRUCTURED and isinstance(event, dict):
            seen.output_last = "output" in event
            if seen.output_last:
                seen.output, seen.outputs = event["output"], seen.outputs + 1
            if not (event := _unwrapped(event)):
                return
        seen.take(event)
        if seen.exchange.gated and "contentBlockDelta" in event:
            with self._told:
                self._deltas += 1
                self._told.notify_all()

    def gate(self, index: int) -> None:
        """Note how far the caller has come; a sender in a thread of its own waits for the caller to come along."""
        if index < 0:
            return
        with self._told:
            if index == len(self.seen.log.exchanges[-1].delivery.chunks) - 1 and threading.get_ident() != self._thread:
                self._told.wait_for(lambda: self._deltas > 0, SETTLE_LIMIT)
            self.seen.progress.append(self._deltas)

    def hold(self, index: int) -> None:
        """Have the caller leave while the service is still talking: the last bytes come once the call is over.

        A caller that cancels does so while it waits for them. A sender in the caller's own thread cannot hold them.
        """
        log = self.seen.log.exchanges[-1]
        if index < len(log.delivery.chunks) - 1:
            return
        if self.seen.exchange.listen is Listen.CANCEL:
            self._leave()
        if threading.get_ident() != self._thread and self._leaving.wait(SETTLE_LIMIT):
            while not log.released and not self.over.wait(0.001):
                pass


_EVENTS: Final = StreamEvent.__annotations__.keys()


def _unwrapped(told: Mapping[str, Any]) -> Any:
    """The stream event in what structured output yields; None where a framework tells what it made of one.

    Strands yields each event as ``{"event": ...}``, and beside it what its loop derives from it.
    """
    return told if _EVENTS & told.keys() else told.get("event")


_LISTEN: Final[Mapping[Listen, Callable[[Listener, Any], Any]]] = {
    Listen.ALL: Listener._take_all,
    Listen.CLOSE: Listener._take_some,
    Listen.CANCEL: Listener._be_cancelled,
}


def _started(model: Any, call: Call, seen: Observation) -> Any:
    """The stream of the call, whatever its operation is."""
    return _OPERATIONS[call.operation](model, call, seen)


def _stream(model: Any, call: Call, seen: Observation) -> Any:
    optional = {"system_prompt_content": call.system_prompt_content} if call.system_prompt_content else {}
    return model.stream(call.messages, call.tool_specs, call.system_prompt, tool_choice=call.tool_choice, **optional)


def _structured(model: Any, call: Call, seen: Observation) -> Any:
    return model.structured_output(call.output_model, call.messages, call.system_prompt)


async def _count(model: Any, call: Call, seen: Observation) -> AsyncIterator[Any]:
    seen.output = await model.count_tokens(
        call.messages, call.tool_specs, call.system_prompt, call.system_prompt_content
    )
    events: tuple[Any, ...] = ()
    for event in events:
        yield event


_OPERATIONS: Final[Mapping[Operation, Callable[[Any, Call, Observation], Any]]] = {
    Operation.STREAM: _stream,
    Operation.STRUCTURED: _structured,
    Operation.COUNT: _count,
    Operation.LOOP: loop,
}
