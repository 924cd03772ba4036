"""Cases of ReAct replies, one JSON object a line, and how readers of such replies do on them.

A case has ``id``, ``text`` (the reply) and ``expect``: ``action`` with ``tool`` and ``input``, ``final`` with the
answer as ``input``, or ``error``.
"""

import importlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from harness.agent.react import Action, FinalAnswer, parse

KINDS: Final = ("action", "final", "error")


class BrokenCaseError(Exception):
    """A line that is no case."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reply asks for: ``kind`` as in a case's ``expect``; ``value`` is an action's input, or an answer."""

    kind: str
    tool: str | None = None
    value: Any = None

    def same(self, other: "Outcome") -> bool:
        """Whether both are equal as JSON, where True is not 1."""
        return (self.kind, self.tool, _canonical(self.value)) == (other.kind, other.tool, _canonical(other.value))


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@dataclass(frozen=True, slots=True)
class Case:
    """One reply and what it asks for."""

    id: str
    text: str
    wanted: Outcome


#: reads a reply; an exception stands for an error
Reader = Callable[[str], Outcome]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file. Raises BrokenCaseError with the number of the line that is none, and OSError."""
    lines = path.read_text(encoding="utf-8").split("\n")
    cases = [_case(f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    if not cases:
        raise BrokenCaseError(f"{path}: there is no case in it")
    return cases


def _case(place: str, line: str) -> Case:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise BrokenCaseError(f"{place}: no JSON: {error}") from error
    if not isinstance(row, dict):
        raise BrokenCaseError(f"{place}: not an object, but {line[:40]}")
    wrong = [f"{name} {row.get(name)!r}" for name, fits in _FIELDS.items() if not fits(row.get(name))]
    if wrong:
        raise BrokenCaseError(f"{place}: cannot be a case with {', '.join(wrong)}")
    return Case(str(row["id"]), row["text"], _wanted(row))


_FIELDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "id": lambda value: isinstance(value, str | int),
    "text": lambda value: isinstance(value, str),
    "expect": lambda value: value in KINDS,
}


def _wanted(row: Mapping[str, Any]) -> Outcome:
    if row["expect"] == "error":
        return Outcome("error")
    tool = row.get("tool") if row["expect"] == "action" else None
    return Outcome(row["expect"], tool, row.get("input"))


def ours(text: str) -> Outcome:
    """What our own reader makes of a reply."""
    found = parse(text)
    if isinstance(found, Action):
        return Outcome("action", found.tool, found.input)
    return Outcome("final", None, found.text) if isinstance(found, FinalAnswer) else Outcome("error")


def outcome(reader: Reader, text: str) -> Outcome:
    """What a reader makes of a reply, an error where it raises."""
    try:
        return reader(text)
    except Exception:  # every library has its own
        return Outcome("error")


# ------------------------------------------------------------------------------------------------------------- peers


def _crewai(module: Any) -> Reader:
    def read(text: str) -> Outcome:
        found = module.parse(text)
        if hasattr(found, "output"):
            return Outcome("final", None, found.output)
        return Outcome("action", found.tool, _decoded(found.tool_input))

    return read


def _langchain(module: Any) -> Reader:
    parser = module.ReActSingleInputOutputParser()

    def read(text: str) -> Outcome:
        found = parser.parse(text)
        if hasattr(found, "return_values"):
            return Outcome("final", None, found.return_values["output"])
        return Outcome("action", found.tool, _decoded(found.tool_input))

    return read


def _llama_index(module: Any) -> Reader:
    parser = module.ReActOutputParser()

    def read(text: str) -> Outcome:
        found = parser.parse(text)
        if hasattr(found, "response"):
            return Outcome("final", None, found.response)
        return Outcome("action", found.action, found.action_input)

    return read


def _decoded(value: Any) -> Any:
    """Input that is handed on as text stands for the JSON in it."""
    try:
        return json.loads(value)
    except (TypeError, ValueError):
        return value


#: library to where its reader is, and how to call it
_PEERS: Final[Mapping[str, tuple[str, Callable[[Any], Reader]]]] = {
    "crewai": ("crewai.agents.parser", _crewai),
    "langchain": ("langchain_classic.agents.output_parsers.react_single_input", _langchain),
    "llama-index": ("llama_index.core.agent.react.output_parser", _llama_index),
}


def peers() -> Iterator[tuple[str, Reader]]:
    """The readers of other libraries, of those that are installed."""
    for name, (path, reader) in _PEERS.items():
        try:
            module = importlib.import_module(path)
        except ImportError:
            continue
        yield name, reader(module)
