import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from harness.reporting.text import cut, cut_front, folded, printable
from harness.reporting.timeline import END, rows

ANY_TEXT = st.text(st.characters(), max_size=120)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 漢", "plain é 漢"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("a\nb\u2028c", r"a\nb\u2028c"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\ud800", r"\ud800"),
    ],
)
def test_unprintable_characters_are_shown_as_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(ANY_TEXT, st.integers(2, 40))
def test_cut_text_fits(text: str, width: int) -> None:
    line = cut(text, width)
    assert line.isprintable()
    assert cell_len(line) <= width
    if cell_len(printable(text)) <= width:
        assert line == printable(text)
    else:
        assert line.endswith("…")


@given(ANY_TEXT, st.integers(2, 40))
def test_a_path_keeps_its_end(text: str, width: int) -> None:
    line = cut_front(text, width)
    assert cell_len(line) <= width
    assert printable(text).endswith(line.removeprefix("…"))


@given(ANY_TEXT, st.integers(4, 40), st.integers(1, 4))
def test_folded_text_fits_and_loses_spaces_only(text: str, width: int, lines: int) -> None:
    found = folded(text, width, lines)
    assert 1 <= len(found) <= lines
    assert all(cell_len(line) <= width for line in found)
    joined, whole = "".join(found).replace(" ", ""), printable(text).replace(" ", "")
    assert joined == whole or whole.startswith(joined.removesuffix("…"))


def test_text_folds_at_spaces() -> None:
    assert folded("one two three four", 9, 3) == ["one two", "three", "four"]


def test_a_short_timeline_is_whole() -> None:
    assert [(row.place, row.text, row.marked) for row in rows(["a", "b"], 1, 4)] == [(0, "a", False), (1, "b", True)]


def test_the_end_of_the_stream_is_a_place() -> None:
    assert [(row.text, row.marked) for row in rows(["a"], 1, 4)] == [("a", False), (END, True)]


@given(st.integers(0, 60), st.none() | st.integers(0, 60), st.integers(4, 12))
def test_an_elided_timeline_keeps_the_mark_and_accounts_for_the_rest(count: int, index: int | None, limit: int) -> None:
    lines = [f"e{place}" for place in range(count)]
    index = None if index is None else min(index, count)
    shown = rows(lines, index, limit)
    assert len(shown) <= limit
    assert [row.place for row in shown if row.marked] == ([] if index is None else [index])
    left_out = sum(int(row.text.split()[1]) for row in shown if row.place is None)
    kept = [row for row in shown if row.place is not None]
    assert left_out + len(kept) == count + (index == count)
    assert all(row.text == f"e{row.place}" or row.text == END for row in kept)
    assert [row.place for row in kept] == sorted(row.place for row in kept if row.place is not None)
