"""What a run of the loop tells of itself, as it happens."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    """What happened. ``data`` of the event is what is named here, and None where nothing is."""

    #: the model is called; the number of tool specifications sent
    CALLED = "call"
    #: the model said something; a stream event of the contract
    STREAMED = "stream"
    #: a whole reply arrived; its message
    REPLIED = "reply"
    #: the endpoint refuses tools: from here on in text; the error
    FELL_BACK = "fallback"
    #: the endpoint refuses stop words: from here on without; the error
    STOP_DROPPED = "no stop words"
    #: a throttled call is tried again; the error
    RETRIED = "retry"
    #: the conversation was shortened, since it did not fit; the error
    SUMMARISED = "summary"
    #: a reply was of no use, and the model was told so; what it was told
    TAUGHT = "taught"
    #: a tool begins; the ToolCall
    TOOL_STARTED = "tool"
    #: a call has its result; the contract's ToolResult
    TOOL_RESULT = "result"
    #: a hook kept a tool from being run; the ToolCall
    BLOCKED = "blocked"
    #: a hook raised; the exception
    HOOK_FAILED = "hook failed"
    #: the result was remembered from an earlier call; the ToolCall
    CACHED = "cached"
    #: the model is asked for its final answer, without tools
    FORCED = "last call"
    #: the run ends in an answer; the Answer
    ANSWERED = "answer"
    #: the run ends in an exception; the exception
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class LoopEvent:
    """One event: ``what`` happened in words, in one line."""

    kind: EventKind
    what: str = ""
    data: Any = None

    def __str__(self) -> str:
        return f"{self.kind.value:<13} {self.what}".rstrip()


#: is told every event, in the loop's own task; what it raises ends the run
Observer = Callable[[LoopEvent], None]


def ignore(event: LoopEvent) -> None:
    """The observer of those who do not look."""


def brief(value: object, limit: int = 100) -> str:
    """A value in one line of at most ``limit`` characters."""
    text = " ".join((value if isinstance(value, str) else repr(value)).split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
