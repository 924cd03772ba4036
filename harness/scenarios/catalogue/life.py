"""Life: closing, cancelling, concurrency, event loops, settings, and token counts."""

import threading
from collections.abc import Iterator

from harness.contract.content import ContentBlock
from harness.dialects.base import Dialect
from harness.exchange import Answer, Call, Exchange, Listen, Operation, hello
from harness.provider import Provider
from harness.scenarios.catalogue.samples import WEATHER, rich, said
from harness.scenarios.scenario import Scenario, Stage, exchanges, modes

#: calls of the test for threads that pile up: more than the idle workers that an executor keeps
_CALLS = 12


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
    Scenario("concurrent", "two streams at a time", ("LIFE-CONCURRENT",), _concurrent, "vllm#39043"),
    Scenario("loops", "two event loops one after the other", ("LIFE-LOOPS",), _loops, "llm-bedrock#4"),
    Scenario("tokens", "token counts", ("TOKENS-COUNT", "TOKENS-GROWS"), _tokens),
    Scenario("settings", "settings and flags", ("CONFIG-UPDATE", "CONFIG-UNKNOWN", "STATE-DECLARED"), _settings),
)
