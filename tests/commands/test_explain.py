import pytest

from harness.cli import main
from harness.commands.explain import WIDTH, explanation, rule_id
from harness.contract.rules import RULES, Rule
from harness.discovery import find
from harness.reporting.examples import examples
from harness.scenarios.catalogue import CATALOGUE

every_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


def test_every_rule_has_an_example_and_no_other_has() -> None:
    assert list(examples()) == list(RULES)


@every_rule
def test_a_rule_is_explained_by_an_exchange_that_breaks_it_and_one_that_keeps_it(rule: Rule) -> None:
    lines = list(explanation(rule, examples()[rule.id]))
    text = "".join("".join(lines).split())  # lines break anywhere
    assert all(
        "".join(part.split()) in text for part in (rule.id, rule.level, rule.title, rule.why, rule.evidence, rule.fix)
    )
    broken, kept = (
        next(place for place, line in enumerate(lines) if line.startswith(word)) for word in ("broken", "kept")
    )
    assert broken < kept
    assert any(line.startswith("  met:") for line in lines[broken:kept])
    assert [line for line in lines if len(line) > WIDTH and " " in line.strip()] == []


def _place(lines: list[str], word: str) -> int:
    return next(place for place, line in enumerate(lines) if line.startswith(word))


@every_rule
def test_what_it_advises_to_try_is_there(rule: Rule) -> None:
    example = examples()[rule.id]
    assert find([example.adapter])
    assert example.scenario.startswith("cassette-") or example.scenario in {each.id for each in CATALOGUE}


def test_the_breach_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "stream-start-once"]) == 0
    marked = [line for line in capsys.readouterr().out.splitlines() if line.lstrip().startswith(">")]
    assert "messageStart" in marked[0]
    assert "contentBlockStart" in marked[1]


@pytest.mark.parametrize("spelt", ["TOOL-ID", "tool-id", "Tool_Id"])
def test_a_rule_is_found_however_it_is_spelt(spelt: str) -> None:
    assert rule_id(spelt) == "TOOL-ID"


@pytest.mark.parametrize(
    ("wrong", "near"),
    [("TOOL-INPT", "TOOL-INPUT"), ("USAGE-NONSENSE", "USAGE-TOTAL"), ("nonsense", "conformance rules")],
)
def test_an_unknown_rule_is_told_in_a_line_with_what_is_near_it(
    wrong: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["explain", wrong])
    assert ended.value.code == 2
    told = capsys.readouterr().err.splitlines()[-1]
    assert repr(wrong) in told
    assert near in told
