"""Shares of the suite, for as many machines: always the same ones, none overlapping, all of about the same cost.

What a case costs is looked up in a table of measurements (``costs.toml``), so that every machine comes to the same
shares without knowing of the others.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from hypothesis import settings

from harness.scenarios.generated import PROPERTIES

_FORM: Final = re.compile(r"([0-9]{1,4})/([0-9]{1,4})")
#: the examples with which the costs of properties were measured
_EXAMPLES: Final = 100
#: the scenarios that draw their exchanges
GENERATED: Final = frozenset(prop.id for prop in PROPERTIES)


@dataclass(frozen=True, slots=True)
class Shard:
    """One share of ``count``; ``number`` counts from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> "Shard":
        """The shard that ``i/n`` names. Raises ValueError."""
        found = _FORM.fullmatch(text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise ValueError(f"takes I/N, e.g. 1/3 for the first of three shares, not {text!r}")
        return cls(int(found[1]), int(found[2]))

    def __str__(self) -> str:
        return f"{self.number}of{self.count}"


@dataclass(frozen=True, slots=True)
class Piece:
    """What is given to one share whole: a case of a provider. ``name`` is its node id."""

    provider: str
    scenario: str
    name: str


def share(shard: Shard, pieces: Sequence[Piece], everywhere: Collection[str] = ()) -> frozenset[str]:
    """The names of a shard's pieces; scenarios of ``everywhere`` are in every share."""
    common = [piece for piece in pieces if piece.scenario in everywhere]
    others = (piece for piece in pieces if piece.scenario not in everywhere)
    return frozenset(piece.name for piece in (*common, *shares(shard.count, others)[shard.number - 1]))


def shares(count: int, pieces: Iterable[Piece]) -> list[list[Piece]]:
    """The pieces in shares: the dearest first, each where the load is then least.

    A share that a provider comes into pays for loading its SDK, so that small shares do not hold a piece of each.
    """
    loads = [0.0] * count
    opened: list[set[str]] = [set() for _ in range(count)]
    given: list[list[Piece]] = [[] for _ in range(count)]
    for piece in sorted(pieces, key=lambda piece: (-cost(piece), piece.name)):
        after = [
            load + cost(piece) + (0 if piece.provider in there else setup(piece.provider))
            for load, there in zip(loads, opened, strict=True)
        ]
        place = after.index(min(after))
        loads[place] = after[place]
        opened[place].add(piece.provider)
        given[place].append(piece)
    return given


def cost(piece: Piece) -> float:
    """What a piece takes, in seconds of the machine that the table was measured on."""
    table = _table()
    factor = settings().max_examples / _EXAMPLES if piece.scenario in GENERATED else 1.0
    seconds: float = table["scenarios"].get(piece.scenario, table["scenario"])
    return seconds * factor * _of(piece.provider)["factor"]


def setup(provider: str) -> float:
    """What the first call of a provider takes, beyond the cost of its case, in seconds."""
    return _of(provider)["setup"]


def _of(provider: str) -> Mapping[str, float]:
    found: Mapping[str, float] = _table()["providers"].get(provider, _table()["provider"])
    return found


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("harness.suite").joinpath("costs.toml").read_text(encoding="utf-8"))
