"""Life: closing, cancelling, concurrency, event loops, settings, and token counts."""

import threading
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any, Final

from harness.contract.content import ContentBlock
from harness.dialects.base import Dialect, Style
from harness.dialects.reply import Reply
from harness.exchange import Answer, Call, Exchange, Listen, Operation, hello
from harness.provider import Provider
from harness.scenarios.catalogue.samples import WEATHER, call, called, rich, said
from harness.scenarios.scenario import Scenario, Stage, exchanges, modes
from harness.scenarios.styles import single_styles
from harness.wire.cuts import Cut, CutKind
from harness.wire.faults import Fault, FaultKind

#: calls of the test for threads that pile up: more than the idle workers that an executor keeps
_CALLS: Final = 12
#: calls of the test for what piles up over a long life
_MANY_CALLS: Final = 200
#: the text, and the number of calls, of the reply to a slow caller: in the smallest pieces that most protocols have for
#: either, it is more events than adapters and SDKs keep waiting
_LONG: Final = " ".join(f"wörd-{number}" for number in range(45))
_MANY_TOOLS: Final = 15
#: how long a slow caller turns away after each event, in seconds: a loop is back from that later than a frame is read
_PAUSE: Final = 0.0002


def _slowly(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """A long reply in the smallest pieces, a frame at a time and all at once, and a caller that comes behind."""
    calls = [call(dialect, number, city=f"Rome {number}") for number in range(_MANY_TOOLS)]
    reply = called(dialect, *calls, text=_LONG) if provider.capabilities.tools else said(dialect, _LONG)
    if provider.stream_config is not None:
        finest = max(single_styles(dialect, stream=True), key=lambda style: _frames(dialect, reply, style))
        for cut in (Cut(CutKind.FRAMES), Cut(CutKind.WHOLE)):
            yield Exchange(answer=Answer(reply, finest, cut), pause=_PAUSE)


def _frames(dialect: Dialect, reply: Reply, style: Style) -> int:
    return len(dialect.encode(reply, style, stream=True).frames)


def _closed(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _stopped(provider, dialect, Listen.CLOSE)


def _cancelled(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    yield from _stopped(provider, dialect, Listen.CANCEL)


def _stopped(provider: Provider, dialect: Dialect, listen: Listen) -> Iterator[Exchange]:
    if provider.stream_config is not None:
        for after in (1, 2, 4, 6):
            yield Exchange(answer=Answer(rich(provider, dialect)), listen=listen, listen_after=after)
        yield Exchange(answer=Answer(rich(provider, dialect)), listen=listen, listen_after=4, gated=True)


async def _threads(stage: Stage) -> None:
    """Streams that are closed early, again and again: no thread a call may be left."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    before = set(threading.enumerate())
    for _ in range(_CALLS):
        exchange = next(_stopped(provider, dialect, Listen.CLOSE), Exchange(answer=Answer(said(dialect)), stream=False))
        seen = await stage.run(exchange)
    grown = len(set(threading.enumerate()) - before)
    stage.expect("LIFE-TASKS", grown < _CALLS, f"{grown} more threads after {_CALLS} calls", "no thread a call", seen)


async def _growth(stage: Stage) -> None:
    """Calls of every ending, again and again: nothing piles up."""
    kinds = list(_endings(stage.subject.provider, stage.subject.dialect))
    seen = [await stage.run(each) for each in kinds][-1]
    before = set(threading.enumerate())
    await stage.run_all(islice(cycle(kinds), _MANY_CALLS))
    grown = len(set(threading.enumerate()) - before)
    met = f"{grown} more threads after {_MANY_CALLS} calls"
    stage.expect("LIFE-TASKS", grown < _CALLS, met, "no thread a call", seen)


def _endings(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """A call that fails at once, one that breaks off, one that ends well, in each mode, and some that are left."""
    for stream in modes(provider):
        yield Exchange(answer=Answer(error=dialect.errors[0]), stream=stream)
        yield Exchange(answer=Answer(said(dialect), fault=Fault(FaultKind.RESET)), stream=stream)
        yield Exchange(answer=Answer(rich(provider, dialect)), stream=stream)
    for listen in (Listen.CLOSE, Listen.CANCEL) if provider.stream_config is not None else ():
        yield Exchange(answer=Answer(rich(provider, dialect)), listen=listen, listen_after=4)


async def _concurrent(stage: Stage) -> None:
    """Two streams of one instance, event by event in turn."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    for stream in modes(provider):
        one = Exchange(answer=Answer(said(dialect, "One, and more of one.")), stream=stream)
        other = Exchange(answer=Answer(rich(provider, dialect)), stream=stream)
        plain = [await stage.run(each) for each in (one, other)]
        for seen, alone in zip(await stage.together(one, other), plain, strict=True):
            stage.compare("LIFE-CONCURRENT", seen, alone)


async def _loops(stage: Stage) -> None:
    """One instance in two event loops, one after the other."""
    dialect = stage.subject.dialect
    for stream in modes(stage.subject.provider):
        exchange = Exchange(answer=Answer(said(dialect)), stream=stream)
        plain = await stage.run(exchange)
        for _ in range(2):
            stage.compare("LIFE-LOOPS", await stage.elsewhere(exchange), plain)


#: histories and tools that the contract does not have: whatever an adapter makes of them, the call must end
_OUTSIDE: Final[tuple[dict[str, Any], ...]] = (
    {"messages": [{"role": "user", "content": [{"text": "Hi"}, {"hologram": {"format": "cube"}}]}]},
    {"messages": [{"role": "user"}]},
    {
        "messages": [
            {"role": "assistant", "content": [{"toolUse": {"toolUseId": "call_1", "name": "clock", "input": {}}}]},
            {"role": "user", "content": [{"toolResult": {"toolUseId": "call_1", "content": [{"text": "noon"}]}}]},
        ]
    },
    {"messages": hello(), "tool_specs": [{"name": "clock"}]},
)


async def _outside(stage: Stage) -> None:
    """Calls that break the contract; after one that never ends, the others would only cost the same time."""
    for stream in modes(stage.subject.provider):
        for asked in _OUTSIDE:
            seen = await stage.watch(Exchange(Call(**asked), Answer(said(stage.subject.dialect)), stream))
            stage.expect("LIFE-ENDS", not seen.timed_out, "the call did not end", "a reply or an error", seen)
            if seen.timed_out:
                return


async def _tokens(stage: Stage) -> None:
    """Token counts of a prompt, and of the same prompt with more in it."""
    dialect = stage.subject.dialect
    long: list[ContentBlock] = [{"text": "word " * 50}]
    calls = (
        Call(hello(), operation=Operation.COUNT),
        Call(hello(), system_prompt="You are a helpful assistant. " * 5, operation=Operation.COUNT),
        Call(hello(), tool_specs=[WEATHER], operation=Operation.COUNT),
        Call([{"role": "user", "content": long}], operation=Operation.COUNT),
    )
    stream = modes(stage.subject.provider)[0]
    plain, *more = [await stage.run(Exchange(each, Answer(said(dialect)), stream=stream)) for each in calls]
    for seen in more:
        grows = isinstance(seen.output, int) and isinstance(plain.output, int) and seen.output > plain.output
        stage.expect("TOKENS-GROWS", grows, f"{seen.output} after {plain.output}", "more", seen)


async def _settings(stage: Stage) -> None:
    """What update_config sets, get_config returns; an unknown setting warns."""
    subject = stage.subject
    seen = await stage.run(Exchange(answer=Answer(said(subject.dialect)), stream=modes(subject.provider)[0]))
    model = subject.fresh(seen.exchange)
    model.update_config(context_window_limit=12345)
    limit = model.context_window_limit
    stage.expect("CONFIG-UPDATE", limit == 12345, f"context_window_limit {limit}", 12345, seen)
    with subject.overheard() as heard:
        model.update_config(no_such_setting=1)
        warnings = heard.told()
    told = any("no_such_setting" in warning for warning in warnings)
    stage.expect("CONFIG-UNKNOWN", told, f"warnings {warnings}", "a warning that names no_such_setting", seen)
    stateful = subject.provider.capabilities.stateful
    stage.expect("STATE-DECLARED", model.stateful is stateful, f"stateful {model.stateful}", stateful, seen)


LIFE = (
    Scenario("close", "the stream is closed early", ("LIFE-CLOSE", "LIFE-TASKS"), exchanges(_closed), "litellm#36123"),
    Scenario("cancel", "the task is cancelled", ("LIFE-CANCEL", "LIFE-TASKS"), exchanges(_cancelled), "phoenix#10785"),
    Scenario("threads", "streams closed early, again and again", ("LIFE-TASKS",), _threads, "strands#643"),
    Scenario(
        "growth", "calls of every ending, again and again", ("LIFE-TASKS", "LIFE-RELEASED"), _growth, "strands#643"
    ),
    Scenario(
        "slow",
        "a caller that is slower than the service",
        ("CONTENT-TEXT", "TOOL-COUNT", "LIFE-ENDS"),
        exchanges(_slowly),
    ),
    Scenario("outside", "histories and tools that the contract does not have", ("LIFE-ENDS",), _outside, "strands#643"),
    Scenario("concurrent", "two streams at a time", ("LIFE-CONCURRENT",), _concurrent, "vllm#39043"),
    Scenario("loops", "two event loops one after the other", ("LIFE-LOOPS",), _loops, "llm-bedrock#4"),
    Scenario("tokens", "token counts", ("TOKENS-COUNT", "TOKENS-GROWS"), _tokens),
    Scenario("settings", "settings and flags", ("CONFIG-UPDATE", "CONFIG-UNKNOWN", "STATE-DECLARED"), _settings),
)
