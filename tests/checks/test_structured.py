"""The result of structured output: one of several instances, and refusals before the request."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import BaseModel

from harness.checks.findings import Findings
from harness.checks.life import check_structured
from harness.contract.assembler import Assembler
from harness.exchange import Call, Exchange, Operation, Samples


class Word(BaseModel):
    """A word."""

    word: str


ONE, OTHER, THIRD = Word(word="one"), Word(word="other"), Word(word="third")


@dataclass
class _Log:
    exchanges: list[Any]


@dataclass
class _Seen:
    exchange: Exchange
    output: Any
    error: Exception | None
    log: _Log
    outputs: int = 1
    output_last: bool = True
    assembled: Assembler = field(default_factory=Assembler)


def broken(
    output: Any, error: Exception | None, instances: tuple[Word, ...] = (), *, sent: bool = True, hard: bool = False
) -> set[str]:
    call = Call(operation=Operation.STRUCTURED, output_model=Word, samples={"Word": Samples()} if hard else {})
    exchange, findings = Exchange(call, instance=ONE, instances=instances), Findings()
    seen: Any = _Seen(exchange, output, error, _Log([None] * sent), int(output is not None))
    check_structured(seen, findings)
    return set(findings.broken)


def test_the_instance_must_be_the_one() -> None:
    assert broken(ONE, None) == set()
    assert broken(OTHER, None) == {"STRUCT-OUTPUT"}
    assert broken(None, ValueError("none")) == {"STRUCT-OUTPUT"}


@pytest.mark.parametrize("output", [ONE, OTHER])
def test_of_several_instances_any_will_do(output: Word) -> None:
    assert broken(output, None, (ONE, OTHER)) == set()


def test_of_several_instances_none_will_do_but_no_slip_and_no_other() -> None:
    assert broken(None, ValueError("two calls"), (ONE, OTHER)) == set()
    assert broken(None, KeyError("input"), (ONE, OTHER)) == {"STRUCT-OUTPUT"}
    assert broken(THIRD, None, (ONE, OTHER)) == {"STRUCT-OUTPUT"}


def test_only_schemas_that_are_hard_to_send_may_be_refused() -> None:
    assert broken(None, ValueError("Word holds itself"), sent=False, hard=True) == set()
    assert broken(None, RecursionError(), sent=False, hard=True) == {"STRUCT-OUTPUT"}
    assert broken(None, ValueError("Word holds itself"), sent=False) == {"STRUCT-OUTPUT"}
    assert broken(None, ValueError("no"), hard=True) == {"STRUCT-OUTPUT"}
