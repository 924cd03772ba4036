"""What recorded exchanges hold, apart from what they say: kinds of events, their fields, words and order."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from harness.cassettes.events import RecordedEvent, events_of
from harness.cassettes.matching import canonical
from harness.cassettes.model import Interaction

#: members that hold one of a few words
_ENUMS: Final = frozenset(
    {
        "code",
        "doneReason",
        "done_reason",
        "finishReason",
        "finish_reason",
        "object",
        "role",
        "service_tier",
        "status",
        "stopReason",
        "stop_reason",
        "type",
    }
)
_WORD: Final = re.compile(r"[A-Za-z][\w.-]{0,40}")
#: members under which a model or a user may put any names
_FREE: Final = frozenset({"args", "arguments", "input", "properties", "schema", "parameters", "inputSchema"})
_TYPES: Final = {bool: "boolean", int: "number", float: "number", str: "text", type(None): "null"}

Path = tuple[str, ...]


@dataclass
class Inventory:
    """What exchanges hold.

    ``fields`` maps a path (``[]`` for items of a list) to the types of its values, ``words`` one of an enumeration to
    its words, ``order`` a scenario to the kinds of its events, like neighbours told once. ``requests`` maps paths of
    request bodies to types.
    """

    kinds: set[str] = field(default_factory=set)
    fields: dict[Path, set[str]] = field(default_factory=dict)
    words: dict[Path, set[str]] = field(default_factory=dict)
    order: dict[str, tuple[str, ...]] = field(default_factory=dict)
    requests: dict[Path, set[str]] = field(default_factory=dict)

    def add(self, name: str, exchanges: Iterable[Interaction]) -> None:
        """Take in the exchanges of a scenario."""
        events: list[RecordedEvent] = []
        for one in exchanges:
            events += events_of(one)
            _note(self.requests, canonical(one.request_body), ())
        self.order[name] = tuple(kind for kind, _ in groupby(event.kind for event in events))
        for event in events:
            self.take(event)

    def take(self, event: RecordedEvent) -> None:
        """Take in an event; the name that a framing gives is the first step of its paths."""
        self.kinds.add(event.kind)
        start = (event.name,) if event.name else ()
        _note(self.fields, event.value, start)
        for path, word in _words(event.value, start):
            self.words.setdefault(path, set()).add(word)


def _note(fields: dict[Path, set[str]], value: Any, path: Path) -> None:
    for place, kind in _leaves(value, path):
        fields.setdefault(place, set()).add(kind)


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, dict):
        yield path, "object"
        for key, item in value.items() if not (path and path[-1] in _FREE) else ():
            yield from _leaves(item, (*path, key))
    elif isinstance(value, list):
        yield path, "list"
        for item in value:
            yield from _leaves(item, (*path, "[]"))
    else:
        yield path, _TYPES.get(type(value), "text")


def _words(value: Any, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, dict):
        for key, item in value.items() if not (path and path[-1] in _FREE) else ():
            yield from _words(item, (*path, key))
    elif isinstance(value, list):
        for item in value:
            yield from _words(item, (*path, "[]"))
    elif isinstance(value, str) and path and path[-1] in _ENUMS and _WORD.fullmatch(value):
        yield path, value


def shown(path: Path) -> str:
    """A path in a line."""
    return ".".join(path).replace(".[]", "[]") or "the whole"
