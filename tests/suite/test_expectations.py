"""The file of expected failures, rewritten: what a run settles, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest

from harness.contract.expected import ExpectedFailure, read_expected
from harness.reporting.events import GateInfo
from harness.reporting.verdicts import RunReport, Scoring, aggregate
from harness.suite.expectations import append, prunable, prune, unexpected
from harness.suite.gate import Gate
from tests.reporting.runs import MUST, SHOULD, finished, provider, scenario, started

FILE = """\
# our adapters

# was reported
[[expected]]
rule = "STOP-TOOLS"
reason = "a report"

[[expected]]   # the tools again
rule = "TOOL-ID"
reason = "ids are made anew"
link = "https://example.org/1"

# not ours
[[expected]]
rule = "TOOL-NAME"
reason = "another report"
"""


def known(rule: str = MUST, **names: str) -> ExpectedFailure:
    return ExpectedFailure(rule, "known", **names)


def report(entry: ExpectedFailure, *, broken: str, adapters: str = "ab", complete: bool = True) -> RunReport:
    infos = [replace(provider(name), expected=(entry,) if entry.of(name) else ()) for name in adapters]
    met = [scenario((MUST,), (MUST,) if n in broken else (), "passed", "s1", n) for n in adapters]
    return aggregate([started(*infos), *met, finished(complete)])


@pytest.mark.parametrize(
    ("entry", "adapters", "broken", "pruned"),
    [
        (known(), "a", "", True),
        (known(), "a", "a", False),
        (known(), "ab", "", True),
        (known(), "ab", "b", False),
        (known(provider="a,b"), "ab", "b", False),
        (known(provider="a"), "ab", "b", True),
        (known(provider="a,openai"), "a", "", False),
        (known(provider="?"), "ab", "", True),
        (known(scenario="s2"), "a", "", False),
        (known(SHOULD), "a", "", False),
    ],
)
def test_an_entry_goes_when_all_that_it_names_passed(
    entry: ExpectedFailure, adapters: str, broken: str, pruned: bool
) -> None:
    gate = Gate(Scoring(GateInfo(), None), Path("known.toml"), (entry,))
    assert prunable(gate, report(entry, broken=broken, adapters=adapters)) == ([entry] if pruned else [])


def test_a_part_of_the_suite_settles_only_what_names_one_scenario() -> None:
    gates = {entry: Gate(Scoring(GateInfo(), None), Path("f"), (entry,)) for entry in (known(), known(scenario="s1"))}
    part = {
        entry: prunable(gate, report(entry, broken="", adapters="a", complete=False)) for entry, gate in gates.items()
    }
    assert part == {known(): [], known(scenario="s1"): [known(scenario="s1")]}


def test_what_is_taken_out_takes_its_comment_along(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(FILE, encoding="utf-8")
    first, second, third = read_expected(path)
    prune(path, [second])
    assert read_expected(path) == (first, third)
    assert "# the tools again" not in path.read_text(encoding="utf-8")
    prune(path, [third])
    assert path.read_text(encoding="utf-8") == FILE.partition("\n\n[[expected]]   #")[0] + "\n"
    prune(path, [first])
    assert path.read_text(encoding="utf-8") == "# our adapters\n"


def test_what_is_added_is_read_back_and_leaves_the_rest_alone(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(FILE, encoding="utf-8")
    before = read_expected(path)
    new = [ExpectedFailure("TOOL-ID", 'a "reason"\nwith \\ and é', "a/b", "s[1]")]
    append(path, new)
    assert read_expected(path) == (*before, *new)
    assert path.read_text(encoding="utf-8").startswith(FILE)


def test_a_file_that_was_asked_for_is_there_when_nothing_failed(tmp_path: Path) -> None:
    path = tmp_path / "expected.toml"
    append(path, [])
    assert read_expected(path) == ()


def test_only_binding_breaches_that_nothing_covers_are_new() -> None:
    info = provider(expected=("TOOL-ID",))
    met = scenario((MUST, SHOULD, "TOOL-ID"), (MUST, SHOULD, "TOOL-ID"), "failed")
    found = list(unexpected(aggregate([started(info), met, finished()])))
    assert [(entry.rule, entry.provider, entry.scenario) for entry in found] == [(MUST, "a", "s1")]
    assert "2025-01-01" in found[0].reason
