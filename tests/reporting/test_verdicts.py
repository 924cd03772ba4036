import pytest

from harness.contract.expected import ExpectedFailure
from harness.contract.rules import RULES
from harness.reporting.events import BrokenReportError, Event, Outcome, ProviderInfo, RunFinished
from harness.reporting.verdicts import Label, ProviderReport, Status, aggregate
from tests.reporting.runs import MAY, MUST, SHOULD, TOOLS, finished, provider, run, scenario, started


def report(*events: Event) -> ProviderReport:
    return aggregate(events).providers[0]


@pytest.mark.parametrize("claimed", [True, False])
@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize(
    ("exercised", "violated", "if_claimed", "if_listed", "if_unclaimed"),
    [
        (False, False, "not_exercised", "not_exercised", "not_applicable"),
        (True, False, "pass", "pass", "not_applicable"),
        (True, True, "fail", "expected", "fail"),
        (False, True, "fail", "expected", "fail"),
    ],
)
def test_status(
    exercised: bool,
    violated: bool,
    listed: bool,
    claimed: bool,
    if_claimed: Status,
    if_listed: Status,
    if_unclaimed: Status,
) -> None:
    info = provider(expected=(TOOLS,) if listed else (), profiles=("core", "tools") if claimed else ("core",))
    met = scenario((TOOLS,) if exercised else (), (TOOLS,) if violated else (), "failed" if violated else "passed")
    wanted = if_listed if listed and (claimed or violated) else if_claimed if claimed else if_unclaimed
    assert report(*run(met, info=info)).verdicts[TOOLS].status == wanted


@pytest.mark.parametrize(
    ("outcome", "status"),
    [("passed", "pass"), ("failed", "pass"), ("error", "not_exercised"), ("skipped", "not_exercised")],
)
def test_what_was_not_judged_proves_nothing(outcome: Outcome, status: Status) -> None:
    assert report(*run(scenario((MUST,), outcome=outcome))).verdicts[MUST].status == status


@pytest.mark.parametrize("outcome", ["passed", "failed", "error", "skipped"])
def test_a_violation_counts_whatever_the_outcome(outcome: Outcome) -> None:
    assert report(*run(scenario((MUST,), (MUST,), outcome))).verdicts[MUST].status == "fail"


def test_one_violation_outweighs_any_number_of_passes() -> None:
    passes = [scenario((MUST,), name=f"s{i}") for i in range(5)]
    verdict = report(*run(*passes, scenario((MUST,), (MUST, MUST), "failed", "bad"))).verdicts[MUST]
    assert (verdict.status, verdict.exercised, verdict.broken_in) == ("fail", 6, 1)
    assert [breach.scenario for breach in verdict.breaches] == ["bad", "bad"]


@pytest.mark.parametrize(("rule", "label"), [(MUST, "fail"), (SHOULD, "warn"), (MAY, "note")])
def test_failures_weigh_as_their_rules(rule: str, label: Label) -> None:
    found = report(*run(scenario((rule,), (rule,), "failed")))
    assert found.verdicts[rule].status == "fail"
    assert found.counts[label] == 1
    assert [verdict.rule.id for verdict in found.broken(RULES[rule].level)] == [rule]


def test_every_rule_has_one_verdict_in_the_order_of_the_table() -> None:
    found = report(*run())
    assert list(found.verdicts) == list(RULES)
    assert sum(found.counts.values()) == len(RULES)
    assert sum(counts.total() for counts in found.families.values()) == len(RULES)
    assert found.families["STREAM"]["not_applicable"] == sum(
        rule.family == "STREAM" and rule.profile != "core" for rule in RULES.values()
    )


def test_adapters_do_not_share_verdicts() -> None:
    events: list[Event] = [
        started(provider("a"), provider("b")),
        scenario((MUST,), (MUST,), "failed", provider="b"),
        scenario((MUST,)),
    ]
    first, second = aggregate(events).providers
    assert (first.verdicts[MUST].status, second.verdicts[MUST].status) == ("pass", "fail")


@pytest.mark.parametrize(("complete", "stale"), [(True, (MUST,)), (False, ())])
def test_a_listed_failure_is_stale_once_a_complete_run_passes(complete: bool, stale: tuple[str, ...]) -> None:
    info = provider(expected=(MUST, SHOULD, TOOLS))
    met = scenario((MUST, SHOULD, TOOLS), (SHOULD,), "failed")
    assert report(*run(met, info=info, complete=complete)).stale == tuple(
        ExpectedFailure(rule, "why") for rule in stale
    )


def test_a_listed_failure_that_was_not_exercised_is_not_stale() -> None:
    assert report(*run(info=provider(expected=(MUST,)))).stale == ()


def test_scenarios_without_a_verdict_are_kept_apart() -> None:
    crashed = scenario(outcome="error", name="crashed", message="boom")
    asserted = scenario(outcome="failed", name="asserted")
    violated = scenario((), (MUST,), "failed", name="violated")
    skipped = scenario(outcome="skipped", name="skipped")
    found = report(*run(crashed, asserted, violated, skipped))
    assert [s.scenario for s in found.crashes] == ["crashed", "asserted"]
    assert [s.scenario for s in found.skipped] == ["skipped"]
    assert found.outcomes == {"error": 1, "failed": 2, "skipped": 1}


@pytest.mark.parametrize(
    ("end", "partial", "complete"),
    [([], True, False), ([finished(False)], False, False), ([finished(True)], False, True)],
)
def test_a_run_knows_whether_it_is_whole(end: list[RunFinished], partial: bool, complete: bool) -> None:
    found = aggregate([started(provider()), scenario((MUST,)), *end])
    assert (found.partial, found.complete) == (partial, complete)
    assert (found.exchanges, found.seconds) == (3, 1.5 if end else 0.5)


def test_a_rule_that_the_table_does_not_know_still_fails() -> None:
    found = aggregate(run(scenario((), ("NEW-RULE",), "failed")))
    assert found.providers[0].verdicts["NEW-RULE"].label == "fail"
    assert found.rules[-1].id == "NEW-RULE"


def test_a_listed_rule_that_the_table_does_not_know_is_not_a_pass() -> None:
    info = ProviderInfo("a", "openai_chat", ("core",), expected=(ExpectedFailure("OLD-RULE", "why"),))
    assert report(*run(info=info)).verdicts["OLD-RULE"].status == "not_exercised"


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([], "begins with run_started"),
        ([scenario()], "begins with run_started"),
        ([started(provider()), started()], "a second run begins: 'r1'"),
        ([started(), scenario(provider="b")], "'b', which the run did not begin"),
    ],
)
def test_events_of_no_single_run_are_refused(events: list[Event], message: str) -> None:
    with pytest.raises(BrokenReportError, match=message):
        aggregate(events)
