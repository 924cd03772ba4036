"""The bench, from a file of bugs to its figures, over two fabricated versions."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.detection.__main__ import main
from tests.detection.fabricated import BAD, GOOD, fabricate

_CACHED = {
    "id": "cached",
    "provider": "openai",
    "category": "usage",
    "title": "cached tokens dropped",
    "observed": "no cacheReadInputTokens in the usage",
    "last_bad": BAD,
    "first_fixed": GOOD,
}
_ROWS = (
    _CACHED,
    {**_CACHED, "id": "present", "first_fixed": None},
    {**_CACHED, "id": "other", "title": "tool ids", "observed": "two calls of one id", "category": "missing-id"},
    {**_CACHED, "id": "wide", "title": "ids mixed up", "observed": ""},  # words that lead elsewhere
    {"id": "bare"},
    {**_CACHED, "id": "unknown", "provider": "parrot"},
)


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the bench says of the rows, and of a line that is none."""
    folder = tmp_path_factory.mktemp("bench")
    file, out = folder / "bugs.jsonl", folder / "out.json"
    file.write_text("\n".join([*map(json.dumps, _ROWS), "{broken"]), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        fabricate(folder / "versions")
        page = folder / "page.md"
        assert main(["--bugs", str(file), "--json", str(out), "--markdown", str(page)]) == 0
    return {**json.loads(out.read_text(encoding="utf-8")), "page": page.read_text(encoding="utf-8")}


def test_a_bug_that_one_version_has_and_the_other_has_not_is_detected(result: Any) -> None:
    found = result["rows"]["cached"]
    assert found["outcome"] == "detected"
    assert {sign["rule"] for sign in found["signs"]} == {"USAGE-CACHE"}
    assert found["signs"][0]["examples"] > 0


def test_a_bug_without_a_mended_version_is_detected_by_the_rules_that_its_words_lead_to(result: Any) -> None:
    assert result["present"] == {"rows": 1, "detected": 1, "missed": []}


def test_where_a_bugs_words_lead_nowhere_all_that_its_kind_may_break_is_played(result: Any) -> None:
    assert result["rows"]["wide"]["outcome"] == "detected"


def test_a_bug_of_another_kind_is_missed(result: Any) -> None:
    assert result["missed"] == ["other"]


def test_rows_that_cannot_be_tried_say_why(result: Any) -> None:
    why = result["not_runnable"]
    assert why["bare"] == "the row names no provider"
    assert why["unknown"].startswith("Strands has no model class parrot. There are: ")
    assert why["line 7"].startswith("the line is no JSON")


def test_pairs_are_rows_with_two_versions(result: Any) -> None:
    assert (result["pairs"], result["detected"]) == (4, 2)


def test_the_page_has_the_rate_of_each_category(result: Any) -> None:
    assert "| usage | 2 of 2 | 100.0 % | 1 of 1 | 100.0 % | 1 |" in result["page"]


def test_a_file_without_rows_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bugs.jsonl").write_text("\n")
    assert main(["--bugs", str(tmp_path / "bugs.jsonl")]) == 2
    assert "no bugs in the file" in capsys.readouterr().err
