"""What a reply asks for, of every kind that models were seen to write."""

import json
from typing import Any

import pytest

from harness.agent.react import Action, FinalAnswer, Reply, parse
from tests.agent.replies import ROWS

CASES = [pytest.param(row, id=f"{kind}-{number}") for kind, rows in ROWS.items() for number, row in enumerate(rows)]


def told(reply: Reply) -> tuple[Any, ...]:
    if isinstance(reply, Action):
        return reply.tool, reply.input
    return (reply.text if isinstance(reply, FinalAnswer) else reply.met,)


@pytest.mark.parametrize("row", CASES)
def test_a_reply_asks_for(row: tuple[Any, ...]) -> None:
    text, *wanted = row
    found = told(parse(text))
    assert found == tuple(wanted)
    assert json.dumps(found[-1], default=str) == json.dumps(wanted[-1], default=str)  # True is not 1
