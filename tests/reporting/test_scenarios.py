from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from harness.reporting.events import Event
from harness.reporting.grid import scenario_lines
from harness.reporting.html import render_html
from harness.reporting.scenarios import ScenarioRow, fault_rows, loop_rows
from harness.reporting.terminal import WIDTH, summary
from harness.reporting.verdicts import LABELS, Label, aggregate
from harness.scenarios.catalogue.faults import FAULTS
from harness.scenarios.catalogue.loop import LOOP
from tests.reporting.page import Page
from tests.reporting.runs import MUST, SHOULD, finished, provider, run, scenario, started


def labels(events: list[Event]) -> dict[tuple[str, str], Label]:
    return {(row.name, name): label for row in fault_rows(aggregate(events)) for name, label in row.labels.items()}


def test_a_row_a_fault_in_the_order_of_the_catalogue() -> None:
    rows = fault_rows(aggregate(run(scenario(name="fault-cut"))))
    assert [f"fault-{row.name}" for row in rows] == [each.id for each in FAULTS]


def test_a_run_without_faults_has_no_matrix() -> None:
    assert fault_rows(aggregate(run(scenario()))) == []
    assert not any(line.text.startswith("fault") for line in summary(aggregate(run(scenario()))))
    assert "Faults" not in Page(render_html(run(scenario()))).texts


def test_the_worst_violation_counts() -> None:
    met = labels(
        run(
            scenario(name="fault-cut"),
            scenario(name="fault-eof", violated=(SHOULD,)),
            scenario(name="fault-html", violated=(SHOULD, MUST), outcome="failed"),
            scenario(name="fault-empty", violated=("USAGE-TOTAL",)),
            scenario(name="fault-gzip", outcome="error"),
            scenario(name="fault-corrupt", outcome="skipped"),
            scenario(name="fault-refused", violated=("FROM-ANOTHER-VERSION",), outcome="failed"),
            info=provider(expected=("USAGE-TOTAL",)),
        )
    )
    told = {name: met[name, "a"] for name in ("cut", "eof", "html", "empty", "gzip", "corrupt", "refused")}
    assert list(told.values()) == ["pass", "warn", "fail", "expected", "fail", "not_exercised", "fail"]


def test_what_was_not_tried_is_not_applicable_in_a_complete_run_only() -> None:
    assert labels(run(scenario(name="fault-cut")))["checksum", "a"] == "not_applicable"
    assert labels(run(scenario(name="fault-cut"), complete=False))["checksum", "a"] == "not_exercised"


def test_an_adapter_that_was_not_run_has_no_reason() -> None:
    events: list[Event] = [started(provider("a"), provider("b")), scenario(name="fault-cut"), finished()]
    assert {labels(events)[row.name, "b"] for row in fault_rows(aggregate(events))} == {"not_exercised"}


def test_runs_of_the_loop_have_a_matrix_of_their_own() -> None:
    report = aggregate(run(scenario(name="loop-native"), scenario(name="loop-limit", violated=(MUST,))))
    rows = {row.name: row.labels["a"] for row in loop_rows(report)}
    assert [f"loop-{name}" for name in rows] == [each.id for each in LOOP]
    assert (rows["native"], rows["limit"], fault_rows(report)) == ("pass", "fail", [])
    assert any(line.text.startswith("run of the loop") for line in summary(report))
    assert "Tool loop" in Page(render_html(run(scenario(name="loop-native")))).texts


def test_lines_for_a_few_adapters() -> None:
    rows = [
        ScenarioRow("cut", "t", {"one": "pass", "two": "fail"}, ""),
        ScenarioRow("checksum", "t", {"one": "not_applicable", "two": "warn"}, "no checksums"),
    ]
    assert list(scenario_lines(rows, 40, "fault")) == [
        ("fault                one   two", None),
        ("  cut                 ok  FAIL", "fail"),
        ("  checksum           n/a  warn", "warn"),
        ("  n/a  checksum: no checksums", None),
    ]


def test_many_adapters_have_letters() -> None:
    rows = [ScenarioRow("cut", "t", {f"adapter-{number}": "pass" for number in range(14)}, "")]
    told = [text for text, _ in scenario_lines(rows, WIDTH, "fault")]
    assert told[0].startswith("a adapter-0  b adapter-1")
    heads = [line.split()[1:] for line in told if line.startswith("fault")]
    assert heads == [list("abcdefghijkl"), ["a", "b"]]


wild = st.text(st.characters(), min_size=1, max_size=90)


@given(st.lists(st.tuples(wild, st.sampled_from(LABELS)), min_size=1, max_size=40), wild)
def test_no_line_is_too_wide(cells: list[tuple[str, Label]], words: str) -> None:
    for text, _ in scenario_lines([ScenarioRow(words, words, dict(cells), words)], WIDTH, words):
        assert cell_len(text) <= WIDTH
        assert text.isprintable()


def test_the_summary_and_the_page_show_it() -> None:
    events = run(scenario(name="fault-cut", violated=(MUST,), outcome="failed"))
    (line,) = (line for line in summary(aggregate(events)) if line.text.startswith("  cut "))
    assert line == ("  cut               FAIL", {"red": True})
    assert {"Faults", "cut", "checksum"} <= set(Page(render_html(events)).texts)
