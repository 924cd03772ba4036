"""The table of services: ``targets.toml``, read once."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final, Literal

#: levels of schemas that are followed; deeper ones are refused, before Python's stack is
MAX_DEPTH: Final = 100


@dataclass(frozen=True, slots=True)
class Target:
    """What a service takes in strict schemas.

    ``keywords`` stay whatever their value; ``format`` stays with one of ``formats``; ``pattern`` stays where the
    expression here is not found in it, and never where there is none. With ``complete`` all properties are required,
    with ``typed`` every schema needs a type. With ``open`` maps and values of any kind are taken, and objects keep
    their ``additionalProperties``. With ``recursive`` a reference may lead back to itself, with ``tuples``
    ``prefixItems`` are taken, with ``one_of`` ``oneOf``; with ``scalars`` values to choose from are
    neither objects nor lists. ``min_items`` is the greatest ``minItems``, where only small ones are taken.
    """

    name: str
    source: str
    keywords: frozenset[str] = frozenset()
    formats: frozenset[str] = frozenset()
    pattern: re.Pattern[str] | None = None
    complete: bool = False
    typed: bool = False
    open: bool = False
    recursive: bool = False
    tuples: bool = False
    one_of: bool = False
    scalars: bool = False
    root: Literal["object", "any"] = "object"
    min_items: int | None = None
    max_depth: int = MAX_DEPTH
    max_properties: int | None = None
    max_enum: int | None = None

    def takes(self, key: str, value: Any) -> bool:
        """Whether a keyword that only narrows, or only tells, stays."""
        if key == "format" and self.formats:
            return value in self.formats
        if key == "pattern" and key not in self.keywords:
            return self.pattern is not None and isinstance(value, str) and not self.pattern.search(value)
        if key == "minItems" and self.min_items is not None:
            return isinstance(value, int) and value <= self.min_items
        return key in self.keywords


def _load() -> Iterator[Target]:
    table = tomllib.loads(files(__package__).joinpath("targets.toml").read_text(encoding="utf-8"))
    sets = table.pop("sets")
    for name, row in table.items():
        fields: dict[str, Any] = {
            **row,
            "keywords": frozenset(_words(row.get("keywords", ()), sets)),
            "formats": frozenset(_words(row.get("formats", ()), sets)),
            "pattern": re.compile(row["pattern"]) if "pattern" in row else None,
        }
        yield Target(name=name, **fields)


def _words(words: Iterable[str], sets: Mapping[str, Iterable[str]]) -> Iterator[str]:
    for word in words:
        yield from sets[word[1:-1]] if word.startswith("<") else (word,)


TARGETS: Final[Mapping[str, Target]] = {target.name: target for target in _load()}
