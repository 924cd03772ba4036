"""Whether a mutant can ever show: the calls of a whole suite are kept, and told once more to the mutant's wrapper."""

import asyncio
import copy
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from harness.dialects.base import WireRequest
from tests.miniatures.miniature import Adapter, Stream, Wrap
from tests.mutation.mutant import Mutant


class Told:
    """A call that ended by itself: what was asked, what came, how it ended."""

    def __init__(self, asked: dict[str, Any], events: list[Any], failure: Exception | None) -> None:
        self.asked = asked
        self.events = events
        self._failure = failure
        self._state = (failure.args, dict(vars(failure))) if failure is not None else ((), {})
        self.words = (repr(asked), repr(events), _words(failure))

    @property
    def failure(self) -> Exception | None:
        """The exception, as it was when it was raised, whatever wrappers have changed about it since."""
        if self._failure is not None:
            self._failure.args, own = self._state
            vars(self._failure).clear()
            vars(self._failure).update(own)
        return self._failure


def _words(failure: Exception | None) -> str:
    return "" if failure is None else f"{failure!r} {vars(failure)} {failure.__cause__!r}"


@dataclass
class Heard:
    """The calls of all models that are wrapped and the requests that they make, each kind once."""

    inner: Any = None
    calls: dict[tuple[str, ...], Told] = field(default_factory=dict)
    requests: dict[str, WireRequest] = field(default_factory=dict)

    def wrap(self, inner: Any) -> Any:
        """An adapter whose calls are kept."""
        self.inner = inner
        return _Kept(inner, self)

    def rewrite(self, request: WireRequest) -> WireRequest:
        """Keep a request, and leave it as it is."""
        self.requests.setdefault(repr(request), request)
        return request

    def keep(self, told: Told) -> None:
        """Keep a call, unless its like is kept."""
        self.calls.setdefault(told.words, told)

    def shows(self, mutant: Mutant) -> bool:
        """Whether a mutant changes anything that was heard; one that may change something else does."""
        rewritten = any(mutant.rewrite(request) != request for request in self.requests.values())
        return rewritten or not mutant.streams or asyncio.run(self._tell_again(mutant.wrap))

    async def _tell_again(self, wrap: Wrap) -> bool:
        again = _Again(self.inner)
        outer = wrap(again)
        for told in self.calls.values():
            again.about = told
            if await _differs(outer, again, told):
                return True
        return False


class _Kept(Adapter):
    """Passes everything on, and keeps each call that ends by itself."""

    def __init__(self, inner: Any, heard: Heard) -> None:
        super().__init__(inner)
        self._heard = heard

    async def told(self, asked: dict[str, Any]) -> Stream:
        before, events = copy.deepcopy(asked), list[Any]()
        try:
            async with aclosing(self.inner.stream(**asked)) as stream:
                async for event in stream:
                    events.append(copy.deepcopy(event))
                    yield event
        except Exception as error:
            self._heard.keep(Told(before, events, error))
            raise
        self._heard.keep(Told(before, events, None))

    async def structured_output(self, *asked: Any, **named: Any) -> Stream:
        """Its failures are kept as failures of a stream."""
        try:
            async for item in self.inner.structured_output(*asked, **named):
                yield item
        except Exception as error:
            self._heard.keep(Told({"messages": [], "tool_specs": None, "system_prompt": None}, [], error))
            raise


class _Again(Adapter):
    """Tells the call that it is about, and writes down what it was asked."""

    about: Told
    asked: str = ""

    async def told(self, asked: dict[str, Any]) -> Stream:
        self.asked += repr(asked)
        for event in copy.deepcopy(self.about.events):
            yield event
        if (failure := self.about.failure) is not None:
            raise failure


async def _differs(outer: Any, again: _Again, told: Told) -> bool:
    """Whether what is asked or told differs on both sides of a wrapper."""
    again.asked, events = "", list[Any]()
    failure: Exception | None = None
    try:
        async with aclosing(outer.stream(**copy.deepcopy(told.asked))) as stream:
            async for event in stream:
                events.append(event)
    except Exception as error:
        failure = error
    return (again.asked, repr(events), _words(failure)) != told.words
