"""Retries: a strategy around the adapter, and the requests that are made in the end."""

from itertools import chain, repeat
from typing import Any, Final

from harness.checks.failure import THROTTLED, told
from harness.contract.retry import ModelRetryStrategy, RetryingModel
from harness.dialects.base import ErrorClass
from harness.exchange import Answer, Exchange
from harness.scenarios.catalogue.samples import said
from harness.scenarios.scenario import Scenario, Stage, modes

#: attempts of the strategy, and how many of them fail: some, and all
_ATTEMPTS: Final = 4
_FAILING: Final = (0, 2, _ATTEMPTS)


async def _retry(stage: Stage) -> None:
    """Calls that are throttled until the strategy's attempts run out, and before."""
    subject = stage.subject
    errors = [error for error in subject.dialect.errors if error.error_class is ErrorClass.THROTTLE]
    for stream in modes(subject.provider):
        for error in errors[:1]:
            seen = await stage.watch(Exchange(answer=Answer(error=error), stream=stream))
            for failing in _FAILING if THROTTLED in seen.kinds else ():
                requests, raised = await _tried(subject, seen.exchange, failing)
                wanted = min(failing + 1, _ATTEMPTS)
                right = requests == wanted and (raised is None) == (failing < _ATTEMPTS)
                met = f"{requests} requests, {told(raised)}, after {failing} refusals"
                stage.expect("RETRY-COUNT", right, met, f"{wanted} requests of {_ATTEMPTS} attempts", seen)


async def _tried(subject: Any, exchange: Exchange, failing: int) -> tuple[int, BaseException | None]:
    """Requests that the service saw, and what was raised, where so many of them are refused."""
    reply = Answer(said(subject.dialect))
    refusal, answer = (each.delivery(subject.dialect, stream=exchange.stream) for each in (exchange.answer, reply))
    answers = chain(repeat(refusal, failing), repeat(answer))
    subject.endpoint.reset(lambda request: next(answers))
    strategy = ModelRetryStrategy(_ATTEMPTS, retried=subject.exceptions[THROTTLED], sleep=_at_once)
    call, raised = exchange.call, None
    try:
        async for _ in RetryingModel(subject.model(exchange), strategy).stream(call.messages):
            pass
    except Exception as error:
        raised = error
    return len(subject.endpoint.log.exchanges), raised


async def _at_once(seconds: float) -> None:
    """Let no time pass."""


RETRIES: Final = (
    Scenario(
        "retry",
        "a retry strategy around the adapter",
        ("RETRY-COUNT",),
        _retry,
        "livekit-agents#5335",
    ),
)
