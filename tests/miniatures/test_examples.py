"""The examples that ship are what the miniatures play."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict

import pytest

from harness.contract.rules import RULES
from harness.reporting.examples import Example
from tests.miniatures.examples import FILE, lasting, stage

WRITTEN = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def play() -> Iterator[Callable[[str], Example]]:
    with stage() as made:
        yield made


@pytest.mark.parametrize("rule", RULES)
def test_an_example_is_as_it_is_played(rule: str, play: Callable[[str], Example]) -> None:
    assert lasting(WRITTEN.get(rule)) == lasting(asdict(play(rule))), "run: python -m tests.miniatures.examples"
