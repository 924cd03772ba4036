"""Pieces of replies become events of the contract, in order and once."""

from typing import Any

import pytest

from harness.bridges.events import Piece, Telling, ending
from harness.bridges.limits import BRIDGED
from harness.contract.assembler import Assembler
from harness.contract.rules import RULES
from harness.contract.state import check_events

CALL = Piece("call", '{"a": 1}', name="f", id="1")


def _told(live: list[Piece], whole: list[Piece]) -> list[Any]:
    telling = Telling()
    return [*telling.start(), *telling.live(live), *telling.rest(whole), *ending("end_turn", None)]


def _content(live: list[Piece], whole: list[Piece]) -> list[Any]:
    assembler, events = Assembler(), _told(live, whole)
    assert check_events(events) == []
    for event in events:
        assembler.feed(event)
    assembler.finish()
    return list(assembler.message["content"])


@pytest.mark.parametrize(
    ("live", "whole", "content"),
    [
        ([Piece("text", "a"), Piece("text", "b")], [Piece("text", "ab")], [{"text": "ab"}]),
        ([Piece("text", "a", 0), Piece("text", "b", 1)], [Piece("text", "a", 0), Piece("text", "b", 1)], ["a", "b"]),
        ([Piece("text", "a")], [Piece("text", "a"), Piece("text", "b")], [{"text": "ab"}]),
        ([Piece("text", ""), Piece("call")], [Piece("text", ""), CALL], ["call"]),
        ([Piece("text", "a"), Piece("call"), Piece("text", "b")], [Piece("text", "ab"), CALL], ["ab", "call"]),
        ([Piece("call"), Piece("text", "b", 1)], [CALL, Piece("text", "b", 1)], ["call", "b"]),
        ([], [Piece("reasoning", "why", signature="s"), Piece("text", "a")], ["why s", "a"]),
    ],
)
def test_blocks_come_out_whole_and_in_order(live: list[Piece], whole: list[Piece], content: list[Any]) -> None:
    assert _content(live, whole) == [
        _BLOCKS.get(each, {"text": each}) if isinstance(each, str) else each for each in content
    ]


_BLOCKS: dict[str, Any] = {
    "call": {"toolUse": {"toolUseId": "1", "name": "f", "input": {"a": 1}}},
    "why s": {"reasoningContent": {"reasoningText": {"text": "why", "signature": "s"}}},
}


def test_text_is_told_as_it_comes() -> None:
    assert {"contentBlockDelta": {"delta": {"text": "a"}}} in list(Telling().live([Piece("text", "a")]))


def test_a_reply_whose_end_nobody_told_has_none() -> None:
    assert list(ending(None, None)) == []


def test_what_cannot_be_shown_are_rules_with_reasons() -> None:
    assert BRIDGED.keys() <= RULES.keys()
    assert all(BRIDGED.values())
