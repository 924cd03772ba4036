import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from harness.contract.rules import RULES
from harness.reporting.failure import HEIGHT, WIDTH, failure_text
from tests.reporting.runs import MUST

WILD = st.text(st.characters(), max_size=400)


def test_the_text_of_a_failure() -> None:
    text = failure_text(
        MUST,
        met="a second messageStop",
        wanted="one messageStop",
        index=8,
        timeline=["messageStart", *(f"delta {i}" for i in range(6)), "messageStop", "messageStop", "metadata"],
        exchange=["call: stream('hi')", "reply: 'ab', end_turn"],
        command="pytest --provider=a -k s1",
        others=["STOP-MAP"],
    )
    assert text.splitlines() == [
        "STREAM-STOP-ONCE MUST: messageStop comes exactly once",
        "  met:    a second messageStop",
        "  wanted: one messageStop",
        "      0 messageStart",
        "      1 delta 0",
        "        … 4 more",
        "      6 delta 5",
        "      7 messageStop",
        "  >   8 messageStop",
        "      9 metadata",
        "  call: stream('hi')",
        "  reply: 'ab', end_turn",
        "  also violated: STOP-MAP",
        "  run again: pytest --provider=a -k s1",
    ]


def test_what_is_not_there_takes_no_line() -> None:
    assert failure_text(MUST, "met", None, None, [], [], "again").splitlines() == [
        "STREAM-STOP-ONCE MUST: messageStop comes exactly once",
        "  met:    met",
        "  run again: again",
    ]


@settings(deadline=None)
@given(
    st.sampled_from([*RULES, "NEW-RULE"]),
    WILD,
    st.none() | WILD,
    st.none() | st.integers(0, 30),
    st.lists(WILD, max_size=30),
    st.lists(WILD, max_size=6),
    st.lists(st.sampled_from([*RULES]), max_size=40),
)
def test_a_failure_fits_one_screen(
    rule: str,
    met: str,
    wanted: str | None,
    index: int | None,
    timeline: list[str],
    exchange: list[str],
    others: list[str],
) -> None:
    lines = failure_text(rule, met, wanted, index, timeline, exchange, "again", others).split("\n")
    assert len(lines) <= HEIGHT
    assert all(cell_len(line) <= WIDTH and line.isprintable() for line in lines)
    assert sum(line.startswith("  >") for line in lines) >= (index is not None)


def test_the_longest_failure_fills_one_screen_and_keeps_its_mark() -> None:
    rule = max(RULES.values(), key=lambda rule: len(rule.id) + len(rule.title)).id
    text = failure_text(rule, "m " * 300, "w " * 300, 15, ["event"] * 30, ["call"] * 9, "again", [MUST] * 30, "a.yaml")
    lines = text.splitlines()
    assert len(lines) == HEIGHT
    assert lines[-2:] == ["  run again: again", "  repro file: a.yaml"]
    assert "  >  15 event" in lines


@pytest.mark.parametrize("length", [10, 500])
def test_the_command_is_never_cut(length: int) -> None:
    command = f"pytest {'x' * length}"
    assert failure_text(MUST, "met", None, None, [], [], command).endswith(f"  run again: {command}")
