"""Run an exchange through an adapter and its real SDK, and watch.

A :class:`Subject` is a provider made ready: its dialect, its endpoint, and the models it has built so far. Building a
client costs far more than a call, so one model serves every exchange with the same settings.
"""

import asyncio
import contextlib
import logging
import pickle
import threading
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Any, Final

from harness.checks.ending import stop_row
from harness.checks.life import LONGEST_STALL
from harness.checks.observation import Observation
from harness.contract import exceptions
from harness.contract.events import StreamEvent
from harness.dialects.base import Dialect
from harness.endpoint.base import Endpoint, EndpointLog, Responder
from harness.endpoint.loop import StallSelector
from harness.exchange import Call, Exchange, Listen, Operation
from harness.provider import Provider

#: how long a call may take before it counts as one that never ends, in seconds
TIME_LIMIT: Final = 20.0
#: how long a worker may take to end after its call, in seconds
SETTLE_LIMIT: Final = 2.0
#: how often a long stall is measured again before it is believed: other processes delay a loop too
STALL_TRIALS: Final = 3

_CONTRACT: Final = ("ModelThrottledException", "ContextWindowOverflowException", "ToolsUnsupportedException")


@dataclass
class Subject:
    """A provider under test."""

    provider: Provider
    dialect: Dialect
    endpoint: Endpoint
    selector: StallSelector
    _models: dict[str, Any] = field(default_factory=dict)

    def model(self, exchange: Exchange) -> Any:
        """The adapter, set up for the exchange; built at first use. Settings are keyed by their value."""
        key = repr((exchange.stream, sorted(exchange.call.config.items())))
        if key not in self._models:
            self._models[key] = self.fresh(exchange)
        return self._models[key]

    def fresh(self, exchange: Exchange) -> Any:
        """A new instance of the adapter, set up for the exchange."""
        mode = self.provider.stream_config if exchange.stream else self.provider.whole_config
        if mode is None:
            raise ValueError(f"{self.provider.name} has no {'streaming' if exchange.stream else 'whole'} mode")
        return self.provider.build(self.endpoint, {**mode, **exchange.call.config})

    @staticmethod
    @contextlib.contextmanager
    def overheard() -> Iterator[list[str]]:
        """Collect warnings, given by ``warnings`` or by ``logging``; complete once the context has ended."""
        heard: list[str] = []
        with _overheard(heard):
            yield heard

    def on(self, selector: StallSelector) -> "Subject":
        """The same subject, with the same models, on another event loop."""
        return replace(self, selector=selector)

    @cached_property
    def exceptions(self) -> Mapping[str, type[BaseException]]:
        """The adapter's exception types, by the contract's names."""
        paths = self.provider.exceptions
        if not paths:
            return {name: getattr(exceptions, name) for name in _CONTRACT}
        return {name: _resolve(path) for name, path in paths.items()}


def _resolve(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


async def observe(subject: Subject, exchange: Exchange) -> Observation:
    """Run one exchange; a long stall is measured again, and the shortest one is kept."""
    seen = await _observe(subject, exchange)
    for _ in range(STALL_TRIALS):
        if seen.stall < LONGEST_STALL:
            break
        again = await _observe(subject, exchange)
        seen.stall = min(seen.stall, again.stall)
    return seen


async def _observe(subject: Subject, exchange: Exchange) -> Observation:
    listener = _listener(subject, exchange)
    subject.endpoint.reset(_responder(subject.dialect, exchange, listener))
    listener.seen.log = subject.endpoint.log
    await _call(subject, subject.model(exchange), listener)
    _expect(listener.seen)
    return listener.seen


def _responder(dialect: Dialect, exchange: Exchange, listener: "_Listener") -> Responder:
    """The answer to each request: in the exchange's mode, but for structured output, whose mode the adapter chooses."""
    answer, stream = exchange.answer, exchange.stream
    if exchange.call.operation is Operation.STRUCTURED:
        return lambda request: answer.delivery(dialect, stream=dialect.is_stream(request))
    delivery = answer.delivery(dialect, stream=stream)
    if exchange.gated:
        delivery = replace(delivery, gate=listener.gate if exchange.listen is Listen.ALL else listener.hold)
    return lambda request: delivery


def _listener(subject: Subject, exchange: Exchange) -> "_Listener":
    seen = Observation(subject.provider, subject.dialect, exchange, EndpointLog())
    seen.known = frozenset(subject.exceptions)
    return _Listener(seen)


async def observe_together(subject: Subject, exchanges: Sequence[Exchange]) -> list[Observation]:
    """Run exchanges of one model at the same time: each takes one event, then lets the others go on.

    Requests are answered in the order in which they arrive, which is that of ``exchanges``: each call starts once the
    request of the one before has arrived.
    """
    deliveries = [exchange.answer.delivery(subject.dialect, stream=exchange.stream) for exchange in exchanges]
    listeners = [_listener(subject, exchange) for exchange in exchanges]
    waiting = iter(deliveries)
    subject.endpoint.reset(lambda request: next(waiting))
    log = subject.endpoint.log
    model = subject.model(exchanges[0])
    calls: list[asyncio.Task[None]] = []
    for count, listener in enumerate(listeners, 1):
        calls.append(asyncio.create_task(listener.listen(model, pause=True)))
        while len(log.exchanges) < count and not calls[-1].done():  # noqa: ASYNC110
            await asyncio.sleep(0)
    await asyncio.gather(*calls)
    for listener, exchange_log in zip(listeners, log.exchanges, strict=False):
        listener.seen.log = EndpointLog([exchange_log])
        listener.seen.kinds = _kinds(subject, listener.seen.error)
        await _settle(listener.seen, asyncio.all_tasks())
        _expect(listener.seen)
    return [listener.seen for listener in listeners]


def _kinds(subject: Subject, error: BaseException | None) -> frozenset[str]:
    return frozenset(name for name, kind in subject.exceptions.items() if isinstance(error, kind))


async def _call(subject: Subject, model: Any, listener: "_Listener") -> None:
    """Make the call, and note all that it did besides answering."""
    seen = listener.seen
    listener.call = call = _copied(seen.exchange.call)
    inputs = _inputs(call)
    before = {name: pickle.dumps(value) for name, value in inputs.items()}
    tasks = asyncio.all_tasks()
    subject.selector.reset()
    with _overheard(seen.warnings):
        await listener.listen(model)
    seen.stall = subject.selector.longest
    seen.changed = tuple(name for name, value in inputs.items() if _changed(before[name], value))
    seen.kinds = _kinds(subject, seen.error)
    await _settle(seen, tasks)
    listener.over.set()


async def _settle(seen: Observation, tasks: set[Any]) -> None:
    """Give what still winds up after the call a moment, then note what stayed."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + SETTLE_LIMIT
    while (left := asyncio.all_tasks() - tasks) or _held(seen):
        if loop.time() > deadline:
            break
        await asyncio.sleep(0.001)
    seen.tasks = tuple(task.get_name() for task in left)


def _held(seen: Observation) -> bool:
    """Whether a response is not yet let go of, though it may have been: workers and sockets take their time."""
    return (seen.exchange.listen is not Listen.ALL or seen.provider.loopback) and seen.log.unreleased > 0


def _copied(call: Call) -> Call:
    """The call with inputs of its own: an adapter that changes them would spoil the exchange, and shared samples."""
    values = (call.messages, call.tool_specs, call.system_prompt_content, call.tool_choice)
    messages, tools, system, choice = pickle.loads(pickle.dumps(values))  # noqa: S301 - our own bytes
    return replace(call, messages=messages, tool_specs=tools, system_prompt_content=system, tool_choice=choice)


def _inputs(call: Call) -> dict[str, Any]:
    return {
        "messages": call.messages,
        "tool_specs": call.tool_specs,
        "system_prompt_content": call.system_prompt_content,
        "tool_choice": call.tool_choice,
        "config": call.config,
    }


def _changed(before: bytes, now: Any) -> bool:
    """Equal bytes mean an unchanged value; unequal ones may mean other sharing only, so the values decide."""
    return pickle.dumps(now) != before and pickle.loads(before) != now  # noqa: S301 - our own bytes


class _LogTap(logging.Handler):
    """Keeps what adapters log as warnings."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__(logging.WARNING)
        self.heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the record's text."""
        self.heard.append(record.getMessage())


@contextlib.contextmanager
def _overheard(heard: list[str]) -> Iterator[None]:
    """Collect warnings, given by ``warnings`` or by ``logging``."""
    tap, root = _LogTap(heard), logging.getLogger()
    root.addHandler(tap)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
    finally:
        root.removeHandler(tap)
        heard += [str(warning.message) for warning in caught]


class _Listener:
    """The caller: makes the call, takes the events, and closes or cancels where the exchange says so."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.call = seen.exchange.call
        #: the call has ended, and what winds up after it has had its time
        self.over = threading.Event()
        self._leaving = threading.Event()
        self._told = threading.Condition()
        self._deltas = 0
        self._pause = False
        self._thread = threading.get_ident()
        self._leave: Callable[[], object] = self._leaving.set

    async def listen(self, model: Any, *, pause: bool = False) -> None:
        """Make the call to its end, whatever that is; with ``pause``, let others run after each event."""
        seen = self.seen
        self._pause = pause
        try:
            async with asyncio.timeout(TIME_LIMIT) as limit:
                await _LISTEN[seen.exchange.listen](self, model)
        except TimeoutError as error:
            seen.timed_out = limit.expired()
            seen.error = error
        except Exception as error:
            seen.error = error
        if seen.error is None and self._whole():
            seen.assembled.finish()

    def _whole(self) -> bool:
        """Whether a stream was taken to its end. Structured output may do without one."""
        wanted = self.seen.exchange.call.operation is Operation.STREAM or bool(self.seen.events)
        return self.seen.exchange.listen is Listen.ALL and wanted

    async def _take_all(self, model: Any) -> None:
        async for event in _started(model, self.call, self.seen):
            self._take(event)
            if self._pause:
                await asyncio.sleep(0)

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
            if "output" in event:
                seen.output, seen.outputs = event["output"], seen.outputs + 1
            if not (event := _unwrapped(event)):
                return
        seen.events.append(event)
        seen.assembled.feed(event)
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


_LISTEN: Final[Mapping[Listen, Callable[[_Listener, Any], Any]]] = {
    Listen.ALL: _Listener._take_all,
    Listen.CLOSE: _Listener._take_some,
    Listen.CANCEL: _Listener._be_cancelled,
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
}


def _expect(seen: Observation) -> None:
    """Say which reply must have arrived: the whole one, of a legal exchange that was listened to until its end."""
    exchange = seen.exchange
    answer = exchange.answer
    if len(seen.log.exchanges) > 1 and exchange.legal and stop_row(seen.dialect, answer.reply).resumable:
        return  # the adapter goes on by itself, which the vendor asks for, and no second answer is at hand
    if exchange.legal and exchange.listen is Listen.ALL and exchange.call.operation is Operation.STREAM:
        if answer.raw is None:
            seen.expected = seen.dialect.expected(answer.reply, answer.style, stream=exchange.stream)
        else:
            seen.expected = answer.reply
