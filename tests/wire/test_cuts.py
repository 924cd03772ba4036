"""Cuts: the same bytes in other chunks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.wire.cuts import BYTES_LIMIT, LONG_CHUNK, Cut, CutKind, apply
from tests.wire.strategies import cuts, steady, texts

FRAMES = [b"abcd", b"efgh", b"ij"]


@steady
@given(cuts, st.lists(st.binary(max_size=30) | texts.map(str.encode)))
def test_the_bytes_stay_and_no_chunk_is_empty(cut: Cut, frames: list[bytes]) -> None:
    chunks = apply(cut, frames)
    assert b"".join(chunks) == b"".join(frames)
    assert all(chunks)
    assert apply(cut, frames) == chunks


@pytest.mark.parametrize(
    ("cut", "chunks"),
    [
        (Cut(CutKind.FRAMES), (b"abcd", b"efgh", b"ij")),
        (Cut(CutKind.WHOLE), (b"abcdefghij",)),
        (Cut(CutKind.BYTES), (b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h", b"i", b"j")),
        (Cut(CutKind.FIXED, 3), (b"abc", b"def", b"ghi", b"j")),
        (Cut(CutKind.FIXED, 100), (b"abcdefghij",)),
        (Cut(CutKind.PAIRS), (b"abcdef", b"gh", b"ij")),
        (Cut(CutKind.INSIDE_CHARACTER), (b"abcd", b"efgh", b"ij")),
    ],
    ids=str,
)
def test_each_kind(cut: Cut, chunks: tuple[bytes, ...]) -> None:
    assert apply(cut, FRAMES) == chunks


@pytest.mark.parametrize(
    ("seed", "chunks"),
    [
        (0, (b"a\xc3", b"\xa9\xe2", b"\x82\xac", b"b\xf0", b"\x9f\x98\x80")),
        (1, (b"a\xc3", b"\xa9\xe2\x82", b"\xac", b"b\xf0\x9f", b"\x98\x80")),
        (2, (b"a\xc3", b"\xa9\xe2", b"\x82\xac", b"b\xf0\x9f\x98", b"\x80")),
    ],
)
def test_inside_character_cuts_each_character_once(seed: int, chunks: tuple[bytes, ...]) -> None:
    assert apply(Cut(CutKind.INSIDE_CHARACTER, seed), ["aé€".encode(), "b😀".encode()]) == chunks


def is_text(chunk: bytes) -> bool:
    try:
        chunk.decode()
    except UnicodeDecodeError:
        return False
    return True


@steady
@given(st.text(st.characters(codec="utf-8", min_codepoint=0x80), min_size=1), st.integers(0, 5))
def test_no_chunk_cut_inside_characters_is_text(text: str, seed: int) -> None:
    assert not any(map(is_text, apply(Cut(CutKind.INSIDE_CHARACTER, seed), [text.encode()])))


def test_bytes_goes_on_in_longer_chunks() -> None:
    sizes = [len(chunk) for chunk in apply(Cut(CutKind.BYTES), [bytes(BYTES_LIMIT), bytes(2 * LONG_CHUNK + 1)])]
    assert sizes == [1] * BYTES_LIMIT + [LONG_CHUNK, LONG_CHUNK, 1]


def test_random_seeds_give_other_cuts_with_small_and_large_chunks() -> None:
    body = [bytes(10_000)]
    seen = {apply(Cut(CutKind.RANDOM, seed), body) for seed in range(10)}
    sizes = {len(chunk) for chunks in seen for chunk in chunks}
    assert len(seen) == 10
    assert min(sizes) == 1
    assert 256 < max(sizes) < 512


@pytest.mark.parametrize("size", [0, -1])
def test_a_fixed_cut_needs_a_size(size: int) -> None:
    with pytest.raises(ValueError, match="at least one byte"):
        Cut(CutKind.FIXED, size)
