"""The documents' tables name only what there is."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from harness.contract.rules import RULES
from harness.dialects import load_dialect
from harness.discovery import find, shipped
from harness.scenarios.catalogue import CATALOGUE
from harness.scenarios.scenario import Scenario
from tests.shared import SHARED, needs_shared

ROOT = Path(__file__).resolve().parents[1]
BUGS = ROOT / "docs" / "strands_bugs.md"
SCENARIOS = {scenario.id: scenario for scenario in CATALOGUE}
OPEN = "open"


@dataclass(frozen=True)
class Row:
    """One row of the table of bugs; ``shown`` holds scenarios, styles and tests, or nothing where the row is open."""

    bug: str
    adapters: tuple[str, ...]
    shown: tuple[str, ...]
    rules: tuple[str, ...]


def _rows() -> Iterator[Row]:
    lines = [line for line in BUGS.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    for line in lines[2:]:
        bug, adapters, _, shown, rules = (cell.strip() for cell in line.strip("|").split(" | "))
        named = shipped() if adapters == "all" else tuple(adapters.split(", "))
        assert bool(_quoted(shown)) != (shown == OPEN)
        yield Row(bug, named, _quoted(shown), _quoted(rules))


def _quoted(cell: str) -> tuple[str, ...]:
    return tuple(re.findall(r"`([^`]+)`", cell))


ROWS = tuple(_rows())
by_bug = pytest.mark.parametrize("row", ROWS, ids=[row.bug for row in ROWS])


def test_each_bug_has_one_row() -> None:
    assert len({row.bug for row in ROWS}) == len(ROWS)


@needs_shared
def test_every_known_bug_has_a_row() -> None:
    lines = (SHARED / "data" / "strands_bugs.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == {row.bug for row in ROWS}


@by_bug
def test_its_rules_and_adapters_are_there(row: Row) -> None:
    assert set(row.rules) <= set(RULES)
    assert set(row.adapters) <= set(shipped())


@by_bug
def test_what_shows_it_is_there(row: Row) -> None:
    for shown in row.shown:
        if shown.startswith("tests/"):
            assert _is_test(shown), shown
        else:
            name, _, style = shown.partition(": ")
            _plays(SCENARIOS[name], style, row.adapters)


def _is_test(node: str) -> bool:
    path, _, name = node.partition("::")
    module = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return any(isinstance(part, ast.FunctionDef) and part.name == name for part in module.body)


def _plays(scenario: Scenario, style: str, adapters: tuple[str, ...]) -> None:
    """Each adapter plays the scenario, and its protocol has the style."""
    for provider in find(adapters):
        dialect = load_dialect(provider.dialect)
        assert scenario.needs(provider, dialect), (scenario.id, provider.name)
        options = {f"{axis.name}={option.name}" for axis in dialect.axes for option in axis.options}
        assert not style or style in options, (style, provider.name)


def test_nothing_is_open() -> None:
    """A row that becomes open again is a loss that somebody must decide on."""
    assert [row.bug for row in ROWS if not row.shown] == []
