"""Faults in how calls fail, in counts of tokens, and in lives; and the faults of the miniatures."""

import json
from collections.abc import Callable
from typing import Any, Final

from harness.contract.exceptions import (
    ContextWindowOverflowException,
    IncompleteStreamError,
    ModelResponseError,
    ModelThrottledException,
    StructuredOutputException,
    ToolsUnsupportedException,
)
from tests.miniatures.miniature import Adapter, Stream, Wrap
from tests.mutation.mutant import Mutant, fails


def _only(kind: type[Exception], other: Callable[[Exception], Exception]) -> Callable[[Exception], Exception]:
    """Something else in place of one kind."""

    def failure(error: Exception) -> Exception:
        if not isinstance(error, kind):
            return error
        made = other(error)
        made.__cause__ = error
        return made

    return failure


def _slip(error: Exception) -> Exception:
    """A slip of the adapter's own, because of the error."""
    made = KeyError("choices")
    made.__cause__ = error
    return made


def _as(kind: type[Exception]) -> Callable[[Exception], Exception]:
    def failure(error: Exception) -> Exception:
        made = kind(str(error))
        made.__cause__ = error.__cause__ or error
        return made

    return failure


def _kept(change: Callable[[Any], None]) -> Callable[[Exception], Exception]:
    """The same error, with something about it changed."""

    def failure(error: Exception) -> Exception:
        change(error)
        return error

    return failure


def _waits(seconds: Callable[[float], float]) -> Callable[[Exception], Exception]:
    def change(error: Any) -> None:
        if getattr(error, "retry_after", None) is not None:
            error.retry_after = seconds(error.retry_after)

    return _kept(change)


class _Told(Adapter):
    """Yields an event in place of raising."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        try:
            async for event in super().told(asked):
                yield event
        except Exception:
            yield {"error": {"message": "failed"}}


class _Late(Adapter):
    """Raises only when the caller comes again."""

    late: Exception | None = None

    async def told(self, asked: dict[str, Any]) -> Stream:
        late, self.late = self.late, None
        if late is not None:
            raise late
        try:
            async for event in super().told(asked):
                yield event
        except Exception as error:
            self.late = error


class _Prefixless(Adapter):
    """Keeps to itself what came before a failure."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        events = [event async for event in super().told(asked)]
        for event in events:
            yield event


class _Twice(Adapter):
    """Begins anew after a failure, and goes on where it was."""

    async def told(self, asked: dict[str, Any]) -> Stream:
        count = 0
        try:
            async for event in super().told(asked):
                count += 1
                yield event
        except Exception:
            async for event in super().told(asked):
                count -= 1
                if count < 0:
                    yield event


class _Counting(Adapter):
    """Counts otherwise."""

    def __init__(self, inner: Any, count: Callable[[int], Any]) -> None:
        super().__init__(inner)
        self._count = count

    async def count_tokens(self, *asked: Any, **named: Any) -> Any:
        return self._count(await self.inner.count_tokens(*asked, **named))


def _counts(name: str, count: Callable[[int], Any]) -> Mutant:
    return Mutant(id=name, kind="other", wrap=lambda inner: _Counting(inner, count), hint="tokens")


def _wraps(name: str, wrap: Wrap, hint: str, *, peers: bool = False) -> Mutant:
    return Mutant(id=name, kind="error", wrap=wrap, hint=hint, peers=peers)


def _no_json(error: Exception) -> Exception:
    made = json.JSONDecodeError("Expecting value", "", 0)
    made.__cause__ = error
    return made


FAILED: Final[tuple[Mutant, ...]] = (
    fails(
        "throttling is overflow", _only(ModelThrottledException, _as(ContextWindowOverflowException)), "error-throttle"
    ),
    fails("throttling is no kind", _only(ModelThrottledException, _as(RuntimeError)), "error-throttle", peers=True),
    fails(
        "overflow is throttling", _only(ContextWindowOverflowException, _as(ModelThrottledException)), "error-overflow"
    ),
    fails("overflow is no kind", _only(ContextWindowOverflowException, _as(ValueError)), "error-overflow"),
    fails(
        "refused tools are throttling", _only(ToolsUnsupportedException, _as(ModelThrottledException)), "error-tools"
    ),
    fails(
        "refused tools are overflow",
        _only(ToolsUnsupportedException, _as(ContextWindowOverflowException)),
        "error-tools",
    ),
    fails("everything is overflow", _as(ContextWindowOverflowException), "error-other"),
    fails("everything is refused tools", _as(ToolsUnsupportedException), "error-other"),
    fails("everything is a slip", _slip, "error-other"),
    fails("everything is a broken body", _no_json, "error-other"),
    fails("a cut is throttling", _only(IncompleteStreamError, _as(ModelThrottledException)), "fault-cut"),
    fails("a broken body is a cut", _only(ModelResponseError, _as(KeyError)), "fault-html"),
    fails("no instance is a slip", _only(StructuredOutputException, _as(KeyError)), "structured-invalid"),
    fails(
        "no instance is throttling",
        _only(StructuredOutputException, _as(ModelThrottledException)),
        "structured-invalid",
    ),
    fails("time-outs are cancellations", _only(TimeoutError, lambda error: _as(RuntimeError)(error)), "fault-silence"),
    fails("waits are milliseconds", _waits(lambda seconds: seconds * 1000), "error-throttle"),
    fails("waits are nothing", _waits(lambda seconds: 0.0), "error-throttle"),
    fails("errors say nothing", _kept(lambda error: setattr(error, "args", ("",))), "error-throttle"),
    _wraps("an error is an event", _Told, "error-throttle", peers=True),
    _wraps("an error is nothing", _Late, "error-throttle"),
    _wraps("what came before a failure is lost", _Prefixless, "fault-cut"),
    _wraps("a failed call goes on by itself", _Twice, "error-throttle"),
)

COUNTED: Final[tuple[Mutant, ...]] = (
    _counts("the count is 0", lambda count: 0),
    _counts("the count is always 1", lambda count: 1),
    _counts("the count is a float", float),
    _counts("the count is None", lambda count: None),
    _counts("the count is text", str),
    _counts("the count is negative", lambda count: -count),
)
