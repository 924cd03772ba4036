"""How the suite draws: always the same without a seed, in parts that differ, and a hundred times as long at night."""

from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from harness.bench import Bench
from harness.discovery import find
from harness.laboratory import Laboratory
from harness.scenarios.generated import Property
from harness.suite.cases import search
from harness.suite.nightly import register


@pytest.fixture
def bench() -> Iterator[tuple[Laboratory, Bench]]:
    laboratory = Laboratory()
    (provider,) = find(["openai"])
    yield laboratory, laboratory.bench(provider)
    laboratory.close()


@pytest.fixture
def long_run() -> Iterator[None]:
    before = settings.get_current_profile_name()
    settings.register_profile("long", max_examples=1200)
    settings.load_profile("long")
    yield
    settings.load_profile(before)


@pytest.mark.usefixtures("long_run")
def test_the_parts_of_a_long_search_differ_and_are_the_same_every_time(bench: tuple[Laboratory, Bench]) -> None:
    first, second = _drawn(bench), _drawn(bench)
    assert len(first) == 1200
    assert first == second
    assert len(set(first[500:]) - set(first[:500])) > 600


def _drawn(bench: tuple[Laboratory, Bench]) -> list[int]:
    """The numbers that a search draws, which makes no exchanges of them."""
    numbers: list[int] = []

    def kept(number: int) -> list[object]:
        numbers.append(number)
        return []

    prop = Property("numbers", "", (), lambda provider, dialect: st.integers(0, 10**9).map(kept))  # type: ignore[arg-type]
    search(prop, *bench, set())
    return numbers


def test_nights_have_a_hundred_times_the_examples() -> None:
    register()
    assert settings.get_profile("nightly").max_examples == 100 * settings.get_profile("default").max_examples


def test_the_nightly_profile_is_there_in_any_folder(pytester: pytest.Pytester) -> None:
    ran = pytester.runpytest_subprocess(
        "-p", "no:cacheprovider", "--provider=openai", "--scenario=text", "--hypothesis-profile=nightly"
    )
    ran.assert_outcomes(passed=1)
