"""Trying a throttled call again: when, and how often. Time and chance are injected."""

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from harness.contract.content import Messages
from harness.contract.events import StreamEvent
from harness.contract.exceptions import ModelThrottledException
from harness.contract.model import Model, T

E = TypeVar("E")


@dataclass(slots=True)
class ModelRetryStrategy:
    """Exponential back-off for throttled calls, and for nothing else.

    A call is tried ``max_attempts`` times at most. The waits between, in seconds, are ``initial_delay * 2**n`` for
    n = 0, 1, …, never more than ``max_delay``: 4, 8, 16, 32, 64 by default. With ``jitter`` each is drawn evenly from
    0 to that (full jitter). A wait that the service itself asks for (``retry_after`` of the error) stands in place of
    the back-off, without jitter, since whoever comes earlier is refused again; of one longer than ``max_delay`` only
    ``max_delay`` is waited, the most that a caller is willing to wait at a time. A ``retry_after`` of 0 asks for
    nothing.

    A strategy counts the failures of one call at a time: :meth:`reset` it when the call succeeds, and after each
    invocation of an agent. ``retried`` are the exceptions that mean throttling. ``sleep`` lets seconds pass,
    ``uniform`` draws a number between two.
    """

    max_attempts: int = 6
    initial_delay: float = 4.0
    max_delay: float = 240.0
    jitter: bool = False
    retried: type[BaseException] = ModelThrottledException
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    uniform: Callable[[float, float], float] = random.uniform
    _failures: int = field(default=0, init=False)
    _backoff: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        if self.max_attempts < 1 or self.initial_delay < 0 or self.max_delay < 0:
            raise ValueError("a call is tried at least once, and waits are not negative")
        self.reset()

    def after(self, error: BaseException) -> float | None:
        """Count a failure; the seconds to wait before the next attempt, or None when there must not be one."""
        if not isinstance(error, self.retried):
            return None
        self._failures += 1
        if self._failures >= self.max_attempts:
            return None
        backoff, self._backoff = self._backoff, min(self._backoff * 2, self.max_delay)
        if asked := getattr(error, "retry_after", None):
            return float(min(asked, self.max_delay))
        return self.uniform(0.0, backoff) if self.jitter else backoff

    async def wait(self, error: BaseException) -> bool:
        """Count a failure and let the wait pass; False, at once, when there must not be another attempt."""
        delay = self.after(error)
        if delay is not None:
            await self.sleep(delay)
        return delay is not None

    def reset(self) -> None:
        """Forget the failures."""
        self._failures = 0
        self._backoff = min(self.initial_delay, self.max_delay)

    def fresh(self) -> "ModelRetryStrategy":
        """The same strategy for another call, without failures."""
        return replace(self)


class RetryingModel(Model):
    """Any model, its throttled calls tried again as ``strategy`` says.

    Each call counts by itself, so one instance serves several at a time. A call that has yielded an event is never
    started again: its error is raised. Everything else is the model's own.
    """

    def __init__(self, model: Model, strategy: ModelRetryStrategy | None = None) -> None:
        self.model = model
        self.strategy = strategy or ModelRetryStrategy()

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self).get("model"), name)  # a copy in the making has none yet

    @property
    def stateful(self) -> bool:
        """Whether the model is."""
        return self.model.stateful

    @property
    def context_window_limit(self) -> int | None:
        """The model's limit, in tokens."""
        return self.model.context_window_limit

    def update_config(self, **model_config: Any) -> None:
        """Change the model's settings."""
        self.model.update_config(**model_config)

    def get_config(self) -> Any:
        """The model's settings."""
        return self.model.get_config()

    def stream(self, messages: Messages, *arguments: Any, **kwargs: Any) -> AsyncGenerator[StreamEvent, None]:
        """Yield the events of one reply; see :meth:`Model.stream`."""
        return self._tried(lambda: self.model.stream(messages, *arguments, **kwargs))

    def structured_output(
        self, output_model: type[T], prompt: Messages, system_prompt: str | None = None, **kwargs: Any
    ) -> AsyncGenerator[dict[str, T | Any], None]:
        """Yield the events of a reply and, last, the output; see :meth:`Model.structured_output`."""
        return self._tried(lambda: self.model.structured_output(output_model, prompt, system_prompt, **kwargs))

    async def count_tokens(self, *arguments: Any, **kwargs: Any) -> int:
        """The model's estimate; see :meth:`Model.count_tokens`."""
        return await self.model.count_tokens(*arguments, **kwargs)

    async def _tried(self, call: Callable[[], AsyncIterable[E]]) -> AsyncGenerator[E, None]:
        strategy = self.strategy.fresh()
        while True:
            begun = False
            try:
                async with _closing(call()) as events:
                    async for event in events:
                        begun = True
                        yield event
                return
            except strategy.retried as error:
                if begun or not await strategy.wait(error):
                    raise


@asynccontextmanager
async def _closing(events: AsyncIterable[E]) -> AsyncIterator[AsyncIterable[E]]:
    """The events of a call, whose connection is freed in the end where it can be."""
    try:
        yield events
    finally:
        if close := getattr(events, "aclose", None):
            await close()
