import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.contract.assembler import BrokenInput
from harness.contract.exceptions import ModelResponseError
from tests.providers.shared.openai_chat.wire import calls, chunk, entry, events, read, uses

A = ("a", "add", {"x": 1})
B = ("b", "mul", {"y": {"z": 2}})

AS_TOLD: dict[str, list[Any]] = {
    "one chunk": [calls(entry('{"x":1}', "add", index=0, id="a"), entry('{"y":{"z":2}}', "mul", index=1, id="b"))],
    "finish chunk": [
        calls(
            entry('{"x":1}', "add", index=0, id="a"),
            entry('{"y":{"z":2}}', "mul", index=1, id="b"),
            finish="tool_calls",
        )
    ],
    "sparse index": [
        calls(entry('{"x"', "add", index=1, id="a")),
        calls(entry(":1}", index=1)),
        calls(entry('{"y":', "mul", index=7, id="b")),
        calls(entry('{"z":2}}', index=7)),
    ],
    "no index": [
        calls(entry("", "add", id="a")),
        calls(entry('{"x":1')),
        calls(entry("}")),
        calls(entry("", "mul", id="b")),
        calls(entry('{"y":{"z":2}}')),
    ],
    "null index, whole": [calls(entry('{"x":1}', "add", index=None, id="a"), entry('{"y":{"z":2}}', "mul", id="b"))],
    "same index": [
        calls(entry('{"x":1}', "add", index=0, id="a")),
        calls(entry('{"y"', "mul", index=0, id="b")),
        calls(entry(':{"z":2}}', index=0)),
    ],
    "same index, same chunk": [
        calls(entry('{"x":1}', "add", index=0, id="a"), entry('{"y":{"z":2}}', "mul", index=0, id="b"))
    ],
    "interleaved by index": [
        calls(entry("", "add", index=0, id="a"), entry("", "mul", index=1, id="b")),
        calls(entry('{"y"', index=1)),
        calls(entry('{"x"', index=0)),
        calls(entry(':{"z"', index=1), entry(":1}", index=0)),
        calls(entry(":2}}", index=1)),
    ],
    "interleaved by id": [
        calls(entry('{"x"', "add", index=0, id="a"), entry('{"y":', "mul", index=0, id="b")),
        calls(entry(":1}", index=0, id="a")),
        calls(entry('{"z":2}}', index=0, id="b")),
    ],
    "id and name on every fragment": [
        calls(entry('{"x"', "add", index=0, id="a")),
        calls(entry(":1}", "add", index=0, id="a")),
        calls(entry("", "add", index=0, id="a")),
        calls(entry('{"y":{"z":2}', "mul", index=1, id="b")),
        calls(entry("}", "mul", index=1, id="b")),
    ],
    "empty later": [
        calls(entry("", "add", index=0, id="a")),
        calls(entry('{"x":1}', "", index=0, id="")),
        calls(entry(None, None, index=0, id=None)),
        calls(entry("", "mul", index=1, id="b")),
        calls(entry('{"y":{"z":2}}', "", index=1, id="null")),
    ],
    "name later": [
        calls(entry("", "", index=0, id="a")),
        calls(entry('{"x":1}', "add", index=0)),
        calls(entry('{"y":', None, index=1, id="b")),
        calls(entry('{"z":2}}', "mul", index=1)),
    ],
    "id later": [
        calls(entry("", "add", index=0)),
        calls(entry('{"x":1}', index=0, id="a")),
        calls(entry('{"y":', "mul", index=1)),
        calls(entry('{"z":2}}', index=1)),
        calls(entry("", index=1, id="b")),
    ],
    "arguments as objects": [
        calls(entry({"x": 1}, "add", index=0, id="a")),
        calls(entry({"y": {"z": 2}}, "mul", index=1, id="b")),
    ],
    "said again in the end": [
        calls(entry('{"x":1}', "add", index=0, id="a")),
        calls(entry('{"y":{"z":2}}', "mul", index=1, id="b")),
        calls(
            entry('{"x":1}', "add", index=0, id="a"),
            entry('{"y":{"z":2}}', "mul", index=1, id="b"),
            finish="tool_calls",
        ),
    ],
    "index only later": [
        calls(entry("", "add", id="a")),
        calls(entry('{"x":1}', index=0)),
        calls(entry('{"y":{"z":2}}', "mul", id="b")),
    ],
}


@pytest.mark.parametrize("told", AS_TOLD)
def test_two_calls_however_they_are_told(told: str) -> None:
    found = read(*AS_TOLD[told])
    assert uses(found) == [A, B]
    assert found.stop_reason == "tool_use"


WITHOUT_IDS: dict[str, list[Any]] = {
    "by index": [calls(entry('{"n":1}', "f", index=0)), calls(entry('{"n":2}', "f", index=1, id=""))],
    "by completeness": [calls(entry('{"n":1}', "f")), calls(entry('{"n":2}', "f", id=None))],
    "in one chunk": [calls(entry('{"n":1}', "f"), entry('{"n":2}', "f"))],
    "at the same index": [calls(entry('{"n":', "f", index=0), entry("1}", index=0), entry('{"n":2}', "f", index=0))],
}


@pytest.mark.parametrize("told", WITHOUT_IDS)
def test_calls_without_ids_get_some(told: str) -> None:
    (first, name, one), (second, other, two) = uses(read(*WITHOUT_IDS[told]))
    assert (name, one, other, two) == ("f", {"n": 1}, "f", {"n": 2})
    assert first != second
    assert all(0 < len(call_id) <= 40 for call_id in (first, second))


def test_a_new_name_at_a_blank_call_is_another_call() -> None:
    assert [name for _, name, _ in uses(read(calls(entry("", "f")), calls(entry("", "g"))))] == ["f", "g"]


def test_a_shared_id_stays_with_the_first_call_only() -> None:
    found = uses(read(calls(entry("{}", "f", index=0, id="same")), calls(entry("{}", "g", index=1, id="same"))))
    assert [(call_id == "same", name) for call_id, name, _ in found] == [(True, "f"), (False, "g")]


@pytest.mark.parametrize("arguments", ["", None, " ", "{}"])
def test_no_arguments_are_an_empty_object(arguments: Any) -> None:
    found = read(calls(entry(arguments, "now", index=0, id="a")), chunk("tool_calls"))
    assert uses(found) == [("a", "now", {})]
    assert found.stop_reason == "tool_use"


def test_empty_call_objects_are_no_calls() -> None:
    found = read(chunk(content="x", tool_calls=[entry("", "")], function_call={"name": "", "arguments": ""}))
    assert found.message["content"] == [{"text": "x"}]
    assert found.stop_reason == "end_turn"


def test_null_lists_and_entries_are_nothing() -> None:
    assert read(chunk(tool_calls=None), chunk(tool_calls=[None]), chunk("stop")).message["content"] == []


def test_the_older_function_call() -> None:
    call = [{"name": "add", "arguments": ""}, {"arguments": '{"x"'}, {"arguments": ":1}"}]
    found = read(*(chunk(function_call=piece) for piece in call), chunk("function_call"))
    assert [use[1:] for use in uses(found)] == [A[1:]]
    assert found.stop_reason == "tool_use"


def test_the_open_call_is_told_as_it_grows_and_the_next_when_it_may() -> None:
    told = [
        calls(entry('{"x"', "add", index=0, id="a")),
        calls(entry('{"y":', "mul", index=1, id="b")),
        calls(entry(":1}", index=0)),
        calls(entry('{"z":2}}', index=1)),
    ]
    found = events(told)
    kinds = [(next(iter(event)), next(iter(event.values())).get("contentBlockIndex")) for event in found]  # type: ignore[attr-defined]
    assert kinds[1:-1] == [
        ("contentBlockStart", 0),
        ("contentBlockDelta", 0),
        ("contentBlockDelta", 0),
        ("contentBlockStop", 0),
        ("contentBlockStart", 1),
        ("contentBlockDelta", 1),
        ("contentBlockDelta", 1),
        ("contentBlockStop", 1),
    ]


def test_text_between_fragments_comes_after_the_call() -> None:
    found = read(calls(entry('{"x"', "add", index=0, id="a")), chunk(content="so"), calls(entry(":1}", index=0)))
    assert found.message["content"] == [
        {"toolUse": {"toolUseId": "a", "name": "add", "input": {"x": 1}}},
        {"text": "so"},
    ]


def test_a_cut_call_keeps_its_fragments_and_must_not_run() -> None:
    for finish in ("length", "tool_calls", "stop"):
        found = read(calls(entry('{"x": "ab', "add", index=0, id="a"), finish=finish))
        assert found.stop_reason == "max_tokens"
        assert uses(found) == [("a", "add", BrokenInput('{"x": "ab'))]


def test_a_call_without_a_name_is_an_error_unless_it_was_cut() -> None:
    with pytest.raises(ModelResponseError, match="without a name"):
        read(calls(entry("{}", "", index=0, id="a"), finish="tool_calls"))
    assert uses(read(calls(entry("", "", index=0, id="a"), finish="length"))) == []


@dataclass(frozen=True)
class Told:
    """One call as it will be told."""

    name: str
    arguments: str
    pieces: tuple[str, ...]


@st.composite
def told_calls(draw: st.DrawFn) -> list[Told]:
    found = []
    for _ in range(draw(st.integers(1, 4))):
        value = draw(st.dictionaries(st.text(max_size=5), st.none() | st.integers() | st.text('{}":x', max_size=5)))
        text = json.dumps(value, ensure_ascii=draw(st.booleans()))
        cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
        pieces = tuple(text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True))
        found.append(Told(draw(st.sampled_from("fgh")), text, pieces))
    return found


@dataclass(frozen=True)
class Style:
    """How fragments are labelled."""

    index: str
    ids: str
    names: str
    interleaved: bool

    def fragments(self, position: int, call: Told) -> Iterator[dict[str, Any]]:
        index = {"plain": position, "sparse": 3 * position + 1, "same": 0, "null": None}.get(self.index)
        for number, piece in enumerate(call.pieces):
            first = number == 0
            labels: dict[str, Any] = {} if self.index == "absent" else {"index": index}
            if self.ids == "all" or first:
                labels |= {"id": f"call_{position}"}
            elif self.ids == "empty":
                labels |= {"id": ""}
            yield entry(piece, call.name if first or self.names == "all" else None, **labels)


styles = st.builds(
    Style,
    st.sampled_from(["plain", "sparse", "same", "null", "absent"]),
    st.sampled_from(["first", "all", "empty"]),
    st.sampled_from(["first", "all"]),
    st.booleans(),
)


@settings(max_examples=200, deadline=None)
@given(told_calls(), styles, st.randoms(use_true_random=False))
def test_every_labelling_gives_the_same_calls(told: list[Told], style: Style, random: Any) -> None:
    rows = [list(style.fragments(position, call)) for position, call in enumerate(told)]
    fragments = [fragment for row in rows for fragment in row]
    if style.interleaved and (style.ids == "all" or style.index in {"plain", "sparse"}):
        order = [number for number, row in enumerate(rows) for _ in row]
        random.shuffle(order)
        openers = [rows[number].pop(0) for number in range(len(rows))]
        rest = [rows[number].pop(0) for number in order if rows[number]]
        fragments = openers + rest + [fragment for row in rows for fragment in row]
    found = read(*(calls(fragment) for fragment in fragments), chunk("tool_calls"))
    assert uses(found) == [(f"call_{n}", call.name, json.loads(call.arguments)) for n, call in enumerate(told)]
