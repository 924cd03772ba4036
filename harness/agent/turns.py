"""What one reply comes to: calls, an answer, or a problem that the model is told of."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from harness.agent.tools import ToolCall
from harness.contract.content import ContentBlock, ToolResult


@dataclass(frozen=True, slots=True)
class Turn:
    """One reply as a mode reads it: exactly one of ``calls``, ``answer`` and ``problem`` is given.

    ``kept`` are the blocks that enter the history. ``problem`` is what to tell the model, of whose reply no call can be
    made and which is no answer.
    """

    kept: tuple[ContentBlock, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    answer: str | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """A call and its result."""

    call: ToolCall
    result: ToolResult


def text_of(blocks: Iterable[ContentBlock]) -> str:
    """The words for the user in a message, cited ones included."""
    return "".join(_texts(blocks))


def _texts(blocks: Iterable[ContentBlock]) -> Iterator[str]:
    for block in blocks:
        yield block.get("text", "")
        yield from (piece.get("text", "") for piece in block.get("citationsContent", {}).get("content", ()))


def fresh_id(given: Any, used: set[str]) -> str:
    """An id that no other call has, the given one where it serves; it is then among ``used``."""
    wanted = given if isinstance(given, str) and given.strip() else "call"
    chosen = wanted if wanted not in used and wanted != "call" else _numbered(wanted, used)
    used.add(chosen)
    return chosen


def _numbered(stem: str, used: set[str]) -> str:
    return next(name for number in count(1) if (name := f"{stem}_{number}") not in used)
