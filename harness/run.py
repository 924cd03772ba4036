"""Run an exchange through an adapter and its real SDK, and watch.

A :class:`Subject` is a provider made ready: its dialect, its endpoint, and the models it has built so far. Building a
client costs far more than a call, so one model serves every exchange with the same settings.
"""

import asyncio
import contextlib
import logging
import pickle
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from itertools import chain, repeat
from typing import Any, Final

from harness.checks.ending import stop_row
from harness.checks.life import LONGEST_STALL
from harness.checks.observation import Observation
from harness.contract import exceptions
from harness.dialects.base import Dialect
from harness.endpoint.base import Endpoint, EndpointLog, Responder
from harness.endpoint.loop import BegunTasks, StallSelector, begun_tasks
from harness.exchange import Call, Exchange, Listen, Operation
from harness.listener import SETTLE_LIMIT, Deadline, Listener, Rendezvous
from harness.provider import Provider

#: how long a call may take before it counts as one that never ends, in seconds; and once one did not end
TIME_LIMIT: Final = 20.0
IMPATIENCE: Final = 1.0
#: how often a long stall is measured again, by the thread's own time, before it is believed
STALL_TRIALS: Final = 3

_CONTRACT: Final = ("ModelThrottledException", "ContextWindowOverflowException", "ToolsUnsupportedException")


@dataclass
class Subject:
    """A provider under test."""

    provider: Provider
    dialect: Dialect
    endpoint: Endpoint
    selector: StallSelector
    patience: float = field(default_factory=lambda: TIME_LIMIT)
    settling: float = SETTLE_LIMIT
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
    def overheard() -> "contextlib.AbstractContextManager[Heard]":
        """Collect what is warned of, by ``warnings`` or by ``logging``."""
        return _overheard()

    def on(self, selector: StallSelector) -> "Subject":
        """The same subject, with the same models, on another event loop."""
        return replace(self, selector=selector)

    @cached_property
    def exceptions(self) -> Mapping[str, type[BaseException]]:
        """The adapter's exception types, by the contract's names."""
        paths = self.provider.exceptions
        if paths is None:
            return {name: getattr(exceptions, name) for name in _CONTRACT}
        return {name: _resolve(path) for name, path in paths.items()}


def _resolve(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


async def observe(subject: Subject, exchange: Exchange) -> Observation:
    """Run one exchange."""
    (seen,) = await observe_all(subject, [exchange])
    return seen


async def observe_all(subject: Subject, exchanges: Sequence[Exchange]) -> list[Observation]:
    """Run exchanges one after the other, up to one that never ends.

    A long stall is measured again, more fairly, and the shortest one is kept. What can be done for all of them at once
    is: code that has just run runs several times faster.
    """
    seen = await _observe_all(subject, exchanges)
    for each in seen:
        for _ in range(STALL_TRIALS):
            if each.stall < LONGEST_STALL or each.timed_out:
                break
            with subject.selector.fairly():
                (again,) = await _observe_all(subject, [each.exchange])
            each.stall = min(each.stall, again.stall)
    return seen


async def _observe_all(subject: Subject, exchanges: Sequence[Exchange]) -> list[Observation]:
    listeners = [_listener(subject, exchange) for exchange in exchanges]
    responders = [_responder(subject.dialect, listener) for listener in listeners]
    seen: list[Observation] = []
    tasks, inputs = begun_tasks(), _Inputs()
    with _overheard() as heard, Deadline(subject.patience) as deadline:
        for listener, responder in zip(listeners, responders, strict=True):
            subject.endpoint.reset(responder)
            listener.seen.log = subject.endpoint.log
            heard.clear()
            listener.call = inputs.of(listener.seen.exchange.call)
            listener.seen.asked = inputs.asked
            tasks.forget()
            await _call(subject, listener, deadline)
            listener.seen.changed = inputs.changed()
            listener.seen.warnings = heard.told()
            await _settle(subject, listener.seen, tasks)
            if listener.seen.exchange.gated:
                listener.over.set()
            seen.append(listener.seen)
            if listener.seen.timed_out:
                break
    for each in seen:
        _expect(each)
        await _read(each)
    return seen


async def _read(seen: Observation) -> None:
    """Have the adapter's framework read the events of a reply that must have arrived, where it has a way of its own."""
    assemble = seen.provider.assemble
    if assemble is None or seen.expected is None or seen.error is not None:
        return
    if any("redactContent" in event for event in seen.events):  # the content need not be the model's own then
        return
    try:
        seen.reading = await assemble(seen.events)
    except Exception as error:
        seen.reading_error = error


def _responder(dialect: Dialect, listener: Listener) -> Responder:
    """The answer to each request: in the exchange's mode, but for structured output, whose mode the adapter chooses."""
    exchange = listener.seen.exchange
    answer, stream = exchange.answer, exchange.stream
    if exchange.call.operation is Operation.STRUCTURED:
        return lambda request: answer.delivery(dialect, stream=dialect.is_stream(request))
    if exchange.goal is not None:
        answers = chain(exchange.goal.answers, repeat(exchange.goal.answers[-1]))
        return lambda request: next(answers).delivery(dialect, stream=stream)
    delivery = answer.delivery(dialect, stream=stream)
    if exchange.gated:
        delivery = replace(delivery, gate=listener.gate if exchange.listen is Listen.ALL else listener.hold)
    return lambda request: delivery


def _listener(subject: Subject, exchange: Exchange) -> Listener:
    seen = Observation(subject.provider, subject.dialect, exchange, EndpointLog())
    seen.known = frozenset(subject.exceptions)
    seen.exceptions = subject.exceptions
    return Listener(seen)


async def observe_together(subject: Subject, exchanges: Sequence[Exchange]) -> list[Observation]:
    """Run exchanges of one model at the same time, in step: each takes one event, then lets the others go on.

    Requests are answered in the order in which they arrive, which is that of ``exchanges``: each call starts once the
    request of the one before has arrived.
    """
    deliveries = [exchange.answer.delivery(subject.dialect, stream=exchange.stream) for exchange in exchanges]
    listeners = [_listener(subject, exchange) for exchange in exchanges]
    waiting = iter(deliveries)
    subject.endpoint.reset(lambda request: next(waiting))
    log = subject.endpoint.log
    model = subject.model(exchanges[0])
    meet = Rendezvous(len(listeners))
    calls: list[asyncio.Task[None]] = []
    for count, listener in enumerate(listeners, 1):
        calls.append(asyncio.create_task(_in_step(listener, model, subject.patience, meet)))
        while len(log.exchanges) < count and not calls[-1].done():  # noqa: ASYNC110
            await asyncio.sleep(0)
    await asyncio.gather(*calls)
    tasks = begun_tasks()
    tasks.forget()
    for listener, exchange_log in zip(listeners, log.exchanges, strict=False):
        listener.seen.log = EndpointLog([exchange_log])
        listener.seen.kinds = _kinds(subject, listener.seen.error)
        await _settle(subject, listener.seen, tasks)
        _expect(listener.seen)
    return [listener.seen for listener in listeners]


async def _in_step(listener: Listener, model: Any, patience: float, meet: Rendezvous) -> None:
    with Deadline(patience) as deadline:
        await listener.listen(model, deadline, meet)


def _kinds(subject: Subject, error: BaseException | None) -> frozenset[str]:
    if error is None:
        return frozenset()
    return frozenset(name for name, kind in subject.exceptions.items() if isinstance(error, kind))


async def _call(subject: Subject, listener: Listener, deadline: Deadline) -> None:
    """Make the call, and note how long it blocked the loop."""
    seen = listener.seen
    try:
        model = subject.model(seen.exchange)
    except Exception as error:  # such settings are refused, or break the adapter: judged as an answer to the call
        seen.error = error
        return
    subject.selector.reset()
    await listener.listen(model, deadline)
    if seen.timed_out:
        subject.patience = IMPATIENCE
    seen.stall = subject.selector.longest
    seen.kinds = _kinds(subject, seen.error)


async def _settle(subject: Subject, seen: Observation, tasks: BegunTasks) -> None:
    """Give what still winds up after the call a moment, then note what stayed; who let it pass once has less of it."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + subject.settling
    while (left := tasks.left) or _held(seen):
        if loop.time() > deadline:
            subject.settling = SETTLE_LIMIT / 20
            break
        await asyncio.sleep(0.001)
    seen.tasks = tuple(task.get_name() for task in left)


def _held(seen: Observation) -> bool:
    """Whether a response is not yet let go of, though it may have been: workers and sockets take their time."""
    return (seen.exchange.listen is not Listen.ALL or seen.provider.loopback) and seen.log.unreleased > 0


class _Inputs:
    """The inputs of calls, each a copy: an adapter that changes them would spoil the exchange, and shared samples.

    Exchanges of one call share a copy for as long as it is unchanged.
    """

    def __init__(self) -> None:
        self._call: Call | None = None
        self._copy = Call()
        self._before: dict[str, Any] = {}
        self._bytes = b""
        #: bytes that are equal for equal inputs of one method
        self.asked = b""

    def of(self, call: Call) -> Call:
        """The call, with inputs of its own."""
        if call is not self._call:
            self._call, self._copy = call, _copied(call)
            self._bytes = pickle.dumps(_inputs(self._copy))
            self._before = pickle.loads(self._bytes)  # noqa: S301 - our own bytes
            self.asked = self._bytes + repr((call.operation, call.system_prompt)).encode()
        return self._copy

    def changed(self) -> tuple[str, ...]:
        """The inputs that are not as they were. Equal values mean unchanged ones, and so do equal bytes."""
        now = _inputs(self._copy)
        if now == self._before or pickle.dumps(now) == self._bytes:
            return ()
        self._call = None
        return tuple(name for name, value in now.items() if value != self._before[name])


def _copied(call: Call) -> Call:
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


class Heard(logging.Handler):
    """What was warned of since it was last cleared, by ``warnings`` or by ``logging``."""

    def __init__(self, caught: list[warnings.WarningMessage]) -> None:
        super().__init__(logging.WARNING)
        self._caught = caught
        self._logged: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the record's text."""
        self._logged.append(record.getMessage())

    def clear(self) -> None:
        """Forget it all."""
        self._caught.clear()
        self._logged.clear()

    def told(self) -> list[str]:
        """The texts."""
        return [*self._logged, *(str(warning.message) for warning in self._caught)]


@contextlib.contextmanager
def _overheard() -> Iterator[Heard]:
    root = logging.getLogger()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        heard = Heard(caught)
        root.addHandler(heard)
        try:
            yield heard
        finally:
            root.removeHandler(heard)


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
