"""Taps on both sides of a mutant's wrapper: whether it ever changed anything is read off what they hear."""

from collections import Counter
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from tests.miniatures.miniature import Adapter, Stream, Wrap

#: a call in words: what was asked, what came, how it ended
Trace = tuple[str, ...]


@dataclass
class Heard:
    """What was heard on both sides of the wrapper, and whether a request was changed on its way."""

    inside: list[Trace] = field(default_factory=list)
    outside: list[Trace] = field(default_factory=list)
    rewritten: bool = False

    @property
    def differs(self) -> bool:
        """Whether something was heard outside that was not heard inside; calls that were stopped tell nothing."""
        return self.rewritten or bool(Counter(self.outside) - Counter(self.inside))


class _Tap(Adapter):
    """Passes everything on, and writes down what ended by itself."""

    def __init__(self, inner: Any, traces: list[Trace]) -> None:
        super().__init__(inner)
        self._traces = traces

    async def told(self, asked: dict[str, Any]) -> Stream:
        trace = [_words(asked)]
        try:
            async with aclosing(self.inner.stream(**asked)) as events:
                async for event in events:
                    trace.append(_words(event))
                    yield event
        except Exception as error:
            self._traces.append((*trace, _of_error(error)))
            raise
        self._traces.append(tuple(trace))

    async def structured_output(self, *asked: Any, **named: Any) -> Stream:
        trace = [repr(asked[:1]), _words([*asked[1:], named])]
        try:
            async for item in self.inner.structured_output(*asked, **named):
                trace.append(_words(item))
                yield item
        except Exception as error:
            self._traces.append((*trace, _of_error(error)))
            raise
        self._traces.append(tuple(trace))

    async def count_tokens(self, *asked: Any, **named: Any) -> Any:
        count = await self.inner.count_tokens(*asked, **named)
        self._traces.append((_words([asked, named]), repr(count)))
        return count


def _words(value: Any) -> str:
    return repr(value)


def _of_error(error: Exception) -> str:
    cause = error.__cause__ or error.__context__
    return f"{type(error).__name__}({error}) {vars(error)} because of {type(cause).__name__}({cause})"


def tapped(wrap: Wrap, heard: Heard) -> Callable[[Any], Any]:
    """A wrapper between two taps."""
    return lambda inner: _Tap(wrap(_Tap(inner, heard.inside)), heard.outside)
