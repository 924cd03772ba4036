import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from providers._shared.wire_names import UNLIMITED, Alphabet

USUAL = "a-zA-Z0-9_-"

ALPHABETS = (
    Alphabet(USUAL, 64),
    Alphabet(USUAL),
    Alphabet("a-zA-Z0-9_.:-", 64),
    Alphabet("a-zA-Z0-9", 9),  # the ids of Mistral: no joint, and no room but for a digest
    Alphabet("a-zA-Z0-9_.-", 64, first="a-zA-Z_"),
    Alphabet(r"\s\S", 40),  # anything, but not too long
)


@pytest.mark.parametrize("alphabet", ALPHABETS)
@given(st.lists(st.text(max_size=80), unique=True, max_size=6))
def test_every_name_is_legal_and_unique_and_comes_back(alphabet: Alphabet, names: list[str]) -> None:
    wire = [alphabet.wire(name) for name in names]
    assert all(re.fullmatch(f"[{alphabet.letters}]+", name) for name in wire)
    assert all(re.match(f"[{alphabet.first or alphabet.letters}]", name) for name in wire)
    assert all(1 <= len(name) <= alphabet.longest for name in wire)
    assert len(set(wire)) == len(names)
    own = alphabet.own(names)
    assert [own.get(name, name) for name in wire] == names


@pytest.mark.parametrize("alphabet", ALPHABETS)
@given(st.text(max_size=80))
def test_a_legal_name_stays_as_it_is(alphabet: Alphabet, name: str) -> None:
    once = alphabet.wire(name)
    assert alphabet.wire(once) == once
    assert alphabet.own([once]) == {}


@pytest.mark.parametrize(
    ("name", "beginning", "length"),
    [
        ("math.add", "math_add_", 19),
        ("x" * 65, "x" * 53 + "_", 64),
        ("wetter-für-ulm", "wetter-f_r-ulm_", 25),
        ("", "", 10),
    ],
)
def test_what_is_not_legal_stays_readable(name: str, beginning: str, length: int) -> None:
    wire = Alphabet(USUAL, 64).wire(name)
    assert wire.startswith(beginning)
    assert len(wire) == length


def test_names_that_differ_in_foreign_letters_only_stay_apart() -> None:
    alphabet = Alphabet(USUAL, 64)
    assert len({alphabet.wire(name) for name in ("a.b", "a:b", "a_b", "a b")}) == 4


def test_a_name_that_begins_with_a_letter_that_may_not_be_first() -> None:
    alphabet = Alphabet("a-zA-Z0-9_.-", 64, first="a-zA-Z_")
    assert alphabet.wire("_2fa") == "_2fa"
    assert re.fullmatch("_2fa_[0-9a-f]{10}", alphabet.wire("2fa"))


def test_an_alphabet_without_a_limit_shortens_nothing() -> None:
    assert len(Alphabet(USUAL).wire("x" * 5000 + ".")) == 5000 + 1 + 11
    assert Alphabet(USUAL).longest == UNLIMITED


def test_a_lone_surrogate_is_a_name_too() -> None:
    assert Alphabet(USUAL, 64).wire("\ud800") != Alphabet(USUAL, 64).wire("\ud801")
