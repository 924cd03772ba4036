"""Which calls are tried again, when, and how often."""

import asyncio
import copy
import random
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from harness.contract.content import Messages
from harness.contract.exceptions import ContextWindowOverflowException, ModelThrottledException
from harness.contract.model import Model
from harness.contract.retry import ModelRetryStrategy, RetryingModel
from harness.endpoint.clock import VirtualClock

THROTTLED = ModelThrottledException("slow down")
HELLO: Messages = [{"role": "user", "content": [{"text": "Hello"}]}]
REPLY: list[Any] = [{"messageStart": {"role": "assistant"}}, {"messageStop": {"stopReason": "end_turn"}}]


def delays(strategy: ModelRetryStrategy, *errors: BaseException) -> list[float | None]:
    return [strategy.after(error) for error in errors]


def test_the_waits_double() -> None:
    assert delays(ModelRetryStrategy(), *[THROTTLED] * 7) == [4, 8, 16, 32, 64, None, None]


def test_the_waits_have_a_limit() -> None:
    assert delays(ModelRetryStrategy(max_attempts=9), *[THROTTLED] * 8) == [4, 8, 16, 32, 64, 128, 240, 240]


@pytest.mark.parametrize("error", [ContextWindowOverflowException(), ValueError(), TimeoutError()])
def test_only_throttled_calls_are_tried_again(error: BaseException) -> None:
    assert delays(ModelRetryStrategy(), error, THROTTLED) == [None, 4]


def test_other_exceptions_may_mean_throttling() -> None:
    assert delays(ModelRetryStrategy(retried=KeyError), KeyError(), THROTTLED) == [4, None]


@pytest.mark.parametrize(("asked", "delay"), [(None, 8), (0, 8), (0.5, 0.5), (30, 30), (3600, 240)])
def test_a_wait_that_the_service_asks_for_stands_in_place_of_the_back_off(asked: float | None, delay: float) -> None:
    strategy = ModelRetryStrategy(jitter=False)
    assert delays(strategy, THROTTLED, ModelThrottledException(retry_after=asked), THROTTLED) == [4, delay, 16]


def test_jitter_spares_a_wait_that_the_service_asks_for() -> None:
    strategy = ModelRetryStrategy(jitter=True, uniform=lambda low, high: low)
    assert delays(strategy, ModelThrottledException(retry_after=9), THROTTLED) == [9, 0]


def test_reset_forgets_the_failures() -> None:
    strategy = ModelRetryStrategy()
    delays(strategy, *[THROTTLED] * 9)
    strategy.reset()
    assert delays(strategy, THROTTLED, THROTTLED) == [4, 8]


def test_a_fresh_strategy_has_the_settings_and_no_failures() -> None:
    strategy = ModelRetryStrategy(max_attempts=2, initial_delay=3)
    delays(strategy, THROTTLED)
    assert delays(strategy.fresh(), THROTTLED, THROTTLED) == [3, None]
    assert delays(strategy, THROTTLED) == [None]


@pytest.mark.parametrize("settings", [{"max_attempts": 0}, {"initial_delay": -1}, {"max_delay": -1}])
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at least once"):
        ModelRetryStrategy(**settings)


seconds = st.floats(0, 1e6)
asked_for = st.none() | st.floats(0, 1e9)


@given(st.integers(1, 1200), seconds, seconds, st.booleans(), st.lists(asked_for, max_size=20), st.integers())
def test_delays_stay_in_their_bounds(
    attempts: int, initial: float, most: float, jitter: bool, asked: list[float | None], seed: int
) -> None:
    strategy = ModelRetryStrategy(attempts, initial, most, jitter, uniform=random.Random(seed).uniform)
    found = delays(strategy, *(ModelThrottledException(retry_after=wait) for wait in asked))
    assert [delay is None for delay in found] == [number + 1 >= attempts for number in range(len(asked))]
    for number, (delay, wait) in enumerate(zip(found, asked, strict=True)):
        backoff = min(initial * 2**number, most)
        if delay is not None and wait:
            assert delay == min(wait, most)
        elif delay is not None:
            assert 0 <= delay <= backoff if jitter else delay == pytest.approx(backoff)


def test_no_number_of_attempts_is_too_large() -> None:
    assert delays(ModelRetryStrategy(max_attempts=3000), *[THROTTLED] * 2500)[-1] == 240


def test_waiting_takes_the_clock_s_time() -> None:
    clock = VirtualClock()
    strategy = ModelRetryStrategy(max_attempts=3, sleep=clock.sleep)

    async def wait() -> list[tuple[bool, float]]:
        return [(await strategy.wait(error), clock.time()) for error in [THROTTLED] * 3]

    assert asyncio.run(wait()) == [(True, 4), (True, 12), (False, 12)]


Step = Exception | dict[str, Any]


class Scripted(Model):
    """A model whose calls go as the script says: one row of events and errors a call."""

    def __init__(self, *calls: Sequence[Step]) -> None:
        self.script: Iterator[Sequence[Step]] = iter(calls)
        self.config: dict[str, Any] = {"context_window_limit": 7}
        self.calls: list[Any] = []
        self.closed = 0

    stateful = True

    def update_config(self, **model_config: Any) -> None:
        self.config.update(model_config)

    def get_config(self) -> Any:
        return self.config

    def structured_output(
        self, output_model: Any, prompt: Any, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, Any], None]:
        return self._play((output_model, prompt, system_prompt, kwargs))

    def stream(self, *arguments: Any, **kwargs: Any) -> AsyncGenerator[Any, None]:
        return self._play((*arguments, kwargs))

    async def count_tokens(self, *arguments: Any, **kwargs: Any) -> int:
        return len(arguments) + len(kwargs)

    async def _play(self, call: Any) -> AsyncGenerator[Any, None]:
        self.calls.append(call)
        try:
            for step in next(self.script):
                if isinstance(step, Exception):
                    raise step
                yield step
        finally:
            self.closed += 1


def retrying(*calls: Sequence[Step], **settings: Any) -> tuple[Scripted, VirtualClock, RetryingModel]:
    model, clock = Scripted(*calls), VirtualClock()
    return model, clock, RetryingModel(model, ModelRetryStrategy(sleep=clock.sleep, **settings))


def taken(call: Callable[[], Any]) -> list[Any]:
    async def take() -> list[Any]:
        return [event async for event in call()]

    return asyncio.run(take())


def test_a_throttled_call_is_made_again() -> None:
    model, clock, wrapped = retrying([THROTTLED], [ModelThrottledException(retry_after=30)], REPLY)
    assert taken(lambda: wrapped.stream(HELLO, None, "Be kind.", tool_choice={"auto": {}})) == REPLY
    assert model.calls == [(HELLO, None, "Be kind.", {"tool_choice": {"auto": {}}})] * 3
    assert (model.closed, clock.time()) == (3, 34)


def test_attempts_run_out() -> None:
    model, clock, wrapped = retrying(*[[THROTTLED]] * 9)
    with pytest.raises(ModelThrottledException, match="slow down"):
        taken(lambda: wrapped.stream(HELLO))
    assert (len(model.calls), clock.time()) == (6, 124)


def test_each_call_counts_by_itself() -> None:
    model, _, wrapped = retrying([THROTTLED], REPLY, [THROTTLED], REPLY, max_attempts=2)
    assert [taken(lambda: wrapped.stream(HELLO)) for _ in range(2)] == [REPLY, REPLY]
    assert len(model.calls) == 4


def test_other_errors_are_raised_at_once() -> None:
    model, clock, wrapped = retrying([ValueError("no")])
    with pytest.raises(ValueError, match="no"):
        taken(lambda: wrapped.stream(HELLO))
    assert (len(model.calls), clock.time()) == (1, 0)


def test_a_call_that_has_yielded_is_never_started_again() -> None:
    model, _, wrapped = retrying([REPLY[0], THROTTLED], REPLY)
    seen = []

    async def take() -> None:
        async with aclosing(wrapped.stream(HELLO)) as events:
            seen.append(await anext(events))
            await anext(events)

    with pytest.raises(ModelThrottledException):
        asyncio.run(take())
    assert (seen, len(model.calls)) == (REPLY[:1], 1)


def test_structured_output_is_tried_again() -> None:
    class City(BaseModel):
        name: str

    output = {"output": City(name="Rome")}
    model, _, wrapped = retrying([THROTTLED], [output])
    assert taken(lambda: wrapped.structured_output(City, HELLO, "Be kind.", more=1)) == [output]
    assert model.calls == [(City, HELLO, "Be kind.", {"more": 1})] * 2


def test_closing_early_closes_the_call() -> None:
    model, _, wrapped = retrying(REPLY)

    async def take() -> Any:
        async with aclosing(wrapped.stream(HELLO)) as events:
            return await anext(events), model.closed

    assert (asyncio.run(take()), model.closed) == ((REPLY[0], 0), 1)


def test_everything_else_is_the_model_s_own() -> None:
    model, _, wrapped = retrying()
    wrapped.update_config(context_window_limit=9)
    assert (wrapped.get_config(), wrapped.context_window_limit) == (model.config, 9)
    assert wrapped.stateful is True
    assert wrapped.closed == 0
    assert asyncio.run(wrapped.count_tokens(HELLO, system_prompt="x")) == 2
    with pytest.raises(AttributeError):
        _ = wrapped.no_such_thing
    assert copy.copy(wrapped).model is model
