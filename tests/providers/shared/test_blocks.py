from typing import Any

from harness.contract.assembler import assemble
from providers._shared.blocks import Block, BlockWriter, KeyedWriter, ToolBlock


def said(words: str) -> Any:
    return {"text": words}


def kinds(writer: BlockWriter) -> list[str]:
    """What became ready, by kind of event, with the words of deltas."""
    told: list[str] = []
    for event in writer.take():
        ((kind, body),) = event.items()
        told.append(body["delta"]["text"] if kind == "contentBlockDelta" else kind)  # type: ignore[index]
    return told


class Saying(Block):
    def complete(self) -> bool:
        return True


def test_a_block_that_says_nothing_is_not_told() -> None:
    writer = KeyedWriter()
    writer.open(0, Block("text"))
    writer.end(0)
    writer.write(writer.open(1, Block("text")), said("a"))
    writer.close()
    events = writer.take()
    assert assemble(events).message["content"] == [{"text": "a"}]
    assert {body.get("contentBlockIndex") for event in events for body in event.values()} == {None, 0}  # type: ignore[attr-defined]


def test_the_reply_begins_once() -> None:
    writer = BlockWriter()
    writer.begin()
    writer.begin()
    assert kinds(writer) == ["messageStart"]
    assert writer.begun


def test_the_open_block_is_told_at_once_and_the_next_one_waits() -> None:
    writer = KeyedWriter()
    first, second = writer.open("a", Block("text")), writer.open("b", Block("text"))
    writer.write(first, said("1"))
    writer.write(second, said("2"))
    assert kinds(writer) == ["messageStart", "contentBlockStart", "1"]
    writer.end("b")
    writer.write(first, said("3"))
    assert kinds(writer) == ["3"]
    writer.end("a")
    assert kinds(writer) == ["contentBlockStop", "contentBlockStart", "2", "contentBlockStop"]
    assert (writer.at("a"), first.ended, second.ended) == (None, True, True)


def test_a_block_of_speech_ends_when_the_next_one_stands_in_line() -> None:
    writer = BlockWriter()
    first, second = Saying("text"), Saying("reasoning")
    writer.add(first)
    writer.write(first, said("1"))
    assert writer.last is first
    writer.add(second)
    writer.write(second, said("2"))
    assert kinds(writer)[-4:] == ["1", "contentBlockStop", "contentBlockStart", "2"]
    assert writer.last is second


def test_a_key_that_is_used_again_is_a_block_next_to_the_former() -> None:
    writer = KeyedWriter()
    writer.write(writer.open(0, Block("text")), said("1"))
    writer.write(writer.open(1, Block("text")), said("3"))
    writer.write(writer.open(0, Block("text")), said("2"))
    writer.close()
    assert [word for word in kinds(writer) if len(word) == 1] == ["1", "2", "3"]


def test_a_call_is_told_as_soon_as_it_starts() -> None:
    writer = KeyedWriter()
    writer.open(0, ToolBlock("tool", tool={"name": "add", "toolUseId": "t"}))
    start = {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"name": "add", "toolUseId": "t"}}}}
    assert writer.take()[1:] == [start]


def test_the_end_of_a_key_that_nobody_opened_is_nothing() -> None:
    writer = KeyedWriter()
    writer.end(7)
    writer.close()
    assert writer.take() == []
