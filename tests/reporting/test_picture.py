from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.reporting.picture import MOST_ROWS, Pair, pairs, picture
from harness.reporting.timeline import END

START, BEGIN, STOP = "messageStart {'role': 'assistant'}", "contentBlockStart {'start': {}}", "contentBlockStop {}"
CALL = "contentBlockStart {'start': {'toolUse': {'name': 'f', 'toolUseId': …}}}"
ENDED, CALLED = "messageStop {'stopReason': 'end_turn'}", "messageStop {'stopReason': 'tool_use'}"
USAGE = "metadata {'usage': …}"


def words(text: str) -> str:
    return f"contentBlockDelta {{'text': '{text}'}}"


RIGHT = [START, BEGIN, words("ab"), STOP, ENDED, USAGE]


def test_a_reply_in_fragments_is_the_same_reply() -> None:
    observed = [START, BEGIN, words("a"), words("b"), STOP, ENDED, USAGE]
    assert list(pairs(RIGHT, observed, None)) == [
        Pair("messageStart", "messageStart", "same"),
        Pair("blockStart", "blockStart", "same"),
        Pair("delta text", "delta text ×2", "same"),
        Pair("blockStop", "blockStop", "same"),
        Pair("messageStop end_turn", "messageStop end_turn", "same"),
        Pair("metadata", "metadata", "same"),
    ]


@pytest.mark.parametrize(
    ("observed", "index", "odd"),
    [
        ([*RIGHT[:4], *RIGHT[3:]], 4, [Pair("", "blockStop", "extra", marked=True)]),
        ([*RIGHT[:3], *RIGHT[4:]], None, [Pair("blockStop", "", "missing")]),
        ([*RIGHT[:4], CALLED, USAGE], 4, [Pair("messageStop end_turn", "messageStop tool_use", "other", marked=True)]),
        ([*RIGHT[:4], USAGE], 5, [Pair("messageStop end_turn", "", "missing"), Pair("", END, "extra", marked=True)]),
        ([START, CALL, *RIGHT[2:]], None, [Pair("", "blockStart toolUse", "extra")]),
    ],
)
def test_what_differs_is_told(observed: list[str], index: int | None, odd: list[Pair]) -> None:
    assert [pair for pair in pairs(RIGHT, observed, index) if pair.state != "same" or pair.marked] == odd


def test_no_begin_is_missed_where_it_may_be_left_out() -> None:
    observed = [START, *RIGHT[2:]]
    assert {pair.state for pair in pairs(RIGHT, observed, None)} == {"same"}
    called = [START, CALL, STOP, CALLED]
    assert [pair for pair in pairs(called, [START, STOP, CALLED], None) if pair.state != "same"] == [
        Pair("blockStart toolUse", "", "missing")
    ]


def test_the_marked_fragment_stands_alone() -> None:
    observed = [START, BEGIN, words("a"), words("b"), words("c"), STOP]
    told = [(pair.observed, pair.marked) for pair in pairs([], observed, 3)]
    assert told[2:5] == [("delta text", False), ("delta text", True), ("delta text", False)]


def texts(svg: str) -> list[tuple[str, str]]:
    return [(node.get("class") or "", node.text or "") for node in ElementTree.fromstring(svg).iter("text")]


def test_a_picture_has_a_lane_for_each_timeline() -> None:
    found = texts(picture(RIGHT, [*RIGHT[:3], *RIGHT[4:]], None))
    assert found[:2] == [("head", "expected"), ("head", "observed")]
    assert ("missing", "blockStop") in found
    assert [text for kind, text in texts(picture([], RIGHT, 1)) if kind == "head"] == ["observed"]
    assert ("bad", "blockStart") in texts(picture([], RIGHT, 1))


def test_a_long_timeline_is_cut_around_its_mark() -> None:
    observed = [START, *[BEGIN, words("a"), STOP] * 200, ENDED]
    found = texts(picture(RIGHT, observed, 301))
    assert ("bad", "blockStart") in found
    assert len(found) <= 2 * MOST_ROWS + 2
    assert any("more" in text for kind, text in found if kind == "gap")


@settings(deadline=None)
@given(
    st.lists(st.text(st.sampled_from("<>&\"'/ {}:ab") | st.characters(), max_size=30), max_size=20), st.integers(0, 25)
)
def test_whatever_an_adapter_tells_is_text(timeline: list[str], index: int) -> None:
    for expected in ([], timeline, RIGHT):
        root = ElementTree.fromstring(picture(expected, timeline, index))
        assert {node.tag for node in root.iter()} <= {"svg", "path", "text", "circle"}
        assert {name for node in root.iter() for name in node.attrib} <= {
            *("class", "viewBox", "role", "aria-label", "d", "x", "y", "cx", "cy")
        }
