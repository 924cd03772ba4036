import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.contract.expected import ExpectedFailure
from harness.contract.rules import RULES
from harness.reporting.events import (
    BrokenReportError,
    Event,
    GateInfo,
    ProviderInfo,
    RunFinished,
    RunStarted,
    ScenarioFinished,
    ViolationInfo,
)
from harness.reporting.html import ROOMS, SIGNS, groups, render_html, write_html
from harness.reporting.jsonl import RunWriter
from harness.reporting.verdicts import LABELS
from tests.reporting.large import ADAPTERS, MOST_BYTES, large_run
from tests.reporting.page import Page
from tests.reporting.runs import MAY, MUST, SHOULD, TOOLS, finished, provider, run, scenario, started

TEMPLATES = files("harness.reporting").joinpath("templates")
SCRIPT = TEMPLATES.joinpath("matrix.js").read_text(encoding="utf-8")

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)' autofocus='",
    "</style></title></textarea><svg onload=alert(1)>",
    "<!-- --><![CDATA[",
    "{{ 7 * 7 }}{% raw %}",
    "javascript:alert(1)",
    "\u202e\x00\x1b[2J\ud800",
    "&lt;b&gt; &#60;",
]


def everywhere(text: str) -> list[Event]:
    """A run with the text in every field that can hold one, each time with a number of its own."""
    numbers = count()

    def told() -> str:
        return f"{text}{next(numbers)}"

    def events() -> tuple[str, ...]:
        """Different ones, though pictures show only how they begin."""
        return tuple(f"{next(numbers)}{text}" for _ in range(2))

    name = told()
    listed, rule = (told().replace("-", "") for _ in range(2))  # a hyphen would put both into one family
    info = ProviderInfo(
        name,
        told(),
        ("core", told()),
        {told(): told(), "list": [told()], "none": None},
        {told(): told()},
        (ExpectedFailure(listed, told(), link=told()), ExpectedFailure(MUST, told())),
    )
    violations = tuple(
        ViolationInfo(broken, told(), told(), 1, f"{told()}\n{told()}", events(), told(), told(), events())
        for broken in (rule, listed, MUST)
    )
    return [
        RunStarted(told(), told(), told(), told(), told(), told(), (info,), GateInfo(("core", told()), True)),
        ScenarioFinished(name, told(), told(), "failed", (rule,), violations, 1, 1.0, told()),
        ScenarioFinished(name, told(), told(), "error", message=told()),
        ScenarioFinished(name, told(), told(), "skipped", message=told()),
        RunFinished(told(), 1, 1.0, True, told()),
    ]


@pytest.fixture(scope="module")
def harmless() -> Page:
    return Page(render_html(everywhere("harmless")))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_inert_in_every_field(harmless: Page, text: str) -> None:
    page = Page(render_html(everywhere(text)))
    assert page.tags == harmless.tags
    assert page.scripts == [SCRIPT]
    assert not {name for name, _ in page.attributes if name.startswith("on")}
    assert not {"src", "href", "action", "style", "srcdoc"} & {name for name, _ in page.attributes}


@settings(max_examples=40, deadline=None)
@given(text=st.text(st.sampled_from("<>\"'&/=!-;#{}%` \nxscript") | st.characters(), min_size=1, max_size=12))
def test_no_text_changes_the_page(harmless: Page, text: str) -> None:
    assert Page(render_html(everywhere(text))).tags == harmless.tags


def test_hostile_text_is_shown_as_it_is() -> None:
    text = "</script><b title=\"'&amp;"
    shown = "\n".join(Page(render_html(everywhere(text))).texts)
    numbers = {number for number in range(80) if f"{text}{number}" in shown}
    titles_and_messages_of_judged_scenarios, features_of_adapters, events = 4, 3, 12
    unseen = titles_and_messages_of_judged_scenarios + features_of_adapters + events
    assert len(numbers) >= max(numbers) + 1 - unseen
    assert len({number for number in range(80) if f"{number}{text}" in shown}) >= events // 2


def test_text_that_could_steer_a_reader_is_shown_as_escapes() -> None:
    page = render_html(everywhere("\u202e\x1b\ud800"))
    assert r"\u202e\x1b\ud800" in page
    assert page.encode("utf-8")
    assert "\x1b" not in page


def test_the_page_allows_no_script_or_style_but_its_own() -> None:
    page = Page(render_html(run()))
    policy = next(value for value in page.values("content") if "default-src" in value)
    style = TEMPLATES.joinpath("matrix.css").read_text(encoding="utf-8")
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, SCRIPT)]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; base-uri 'none'"
    )
    assert (page.styles, page.scripts) == ([style], [SCRIPT])
    assert "url(" not in style
    assert "@import" not in style


def test_every_button_opens_what_is_there() -> None:
    broken = (MUST, SHOULD, MAY, TOOLS)
    page = Page(render_html(run(scenario(broken, broken, "failed"), info=provider(expected=(TOOLS,)))))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    targets = set(page.values("popovertarget"))
    assert targets <= set(ids)
    assert {f"c0-{rule}" for rule in broken} | {f"r-{rule}" for rule in RULES} | {"a0"} == targets


def cell_classes(page: Page) -> Iterator[str]:
    return (kind for kind in page.cells if kind in LABELS)


def test_each_rule_has_one_cell_of_its_verdict() -> None:
    profiles = ("core", "tools")
    events = run(
        scenario((MUST, SHOULD, MAY, TOOLS, "USAGE-TOTAL"), (MUST, SHOULD, MAY, TOOLS), "failed"),
        info=provider(expected=(TOOLS,), profiles=profiles),
    )
    found = list(cell_classes(Page(render_html(events))))
    unclaimed = sum(not rule.applies(profiles, ()) for rule in RULES.values())
    assert {label: found.count(label) for label in LABELS} == {
        "pass": 1,
        "fail": 1,
        "warn": 1,
        "note": 1,
        "expected": 1,
        "unscored": 0,
        "not_applicable": unclaimed,
        "not_exercised": len(RULES) - 5 - unclaimed,
    }
    assert SIGNS.keys() == set(LABELS)


def test_a_cell_tells_the_whole_violation() -> None:
    texts = Page(render_html(run(scenario((MUST,), (MUST,), "failed", "s/1")))).texts
    told = "\n".join(texts)
    for part in ("s/1", "met this", "wanted that", "call: x", "again", "Violated in 1 of the 1 scenarios"):
        assert part in told
    assert '<li class="marked"><span>1</span> two</li>' in render_html(run(scenario((MUST,), (MUST,), "failed")))


MOST_BREACHES = next(iter(ROOMS.values())).breaches


def test_a_cell_shows_different_violations_once_each() -> None:
    violations = tuple(ViolationInfo(MUST, f"met {number // 2}") for number in range(2 * MOST_BREACHES + 2))
    page = render_html(run(ScenarioFinished("a", "s", "t", "failed", (MUST,), violations)))
    assert [page.count(f"<dd>met {number}</dd>") for number in range(MOST_BREACHES + 1)] == [1] * MOST_BREACHES + [0]
    assert f"{MOST_BREACHES} of {len(violations)} violations are shown." in page


def test_a_page_with_many_violations_shows_fewer_of_each_cell() -> None:
    infos = [provider(f"a{number}") for number in range(8)]
    violations = tuple(ViolationInfo(rule, f"met {number}") for rule in RULES for number in range(3))
    events: list[Event] = [
        started(*infos),
        *(ScenarioFinished(i.name, "s", "t", "failed", (), violations) for i in infos),
    ]
    page = render_html(events)
    assert page.count("<dd>met 0</dd>") == 8 * len(RULES)
    assert "<dd>met 1</dd>" not in page


def test_rules_are_grouped_by_family_and_profile() -> None:
    found = groups(RULES.values())
    assert len({(group.family, group.profile) for group in found}) == len(found)
    assert sorted(rule.id for group in found for rule in group.rules) == sorted(RULES)
    assert all((rule.family, rule.profile) == (group.family, group.profile) for group in found for rule in group.rules)
    families = [group.family for group in found]
    assert [family for family, before in zip(families, ["", *families], strict=False) if family != before] == list(
        dict.fromkeys(rule.family for rule in RULES.values())
    )


@pytest.mark.parametrize(
    ("end", "banner"), [([], "Partial run."), ([finished(False)], "Part of the suite."), ([finished()], None)]
)
def test_a_run_that_is_not_whole_says_so(end: list[Event], banner: str | None) -> None:
    texts = Page(render_html([started(provider()), *end])).texts
    assert [text for text in texts if text in ("Partial run.", "Part of the suite.")] == ([banner] if banner else [])


def test_a_large_run_stays_small() -> None:
    page = render_html(large_run())
    assert len(page.encode()) < MOST_BYTES
    assert len(list(cell_classes(Page(page)))) == ADAPTERS * len(RULES) >= 32 * 120


def test_a_page_is_made_from_a_file(tmp_path: Path) -> None:
    source, page = tmp_path / "run.jsonl", tmp_path / "pages" / "run.html"
    with RunWriter(source) as writer:
        for event in run(scenario((MUST,), (MUST,), "failed")):
            writer.write(event)
    write_html(source, page)
    assert page.read_text(encoding="utf-8") == render_html(run(scenario((MUST,), (MUST,), "failed")))
    assert [file.name for file in page.parent.iterdir()] == ["run.html"]


def test_a_broken_file_leaves_an_older_page_as_it_was(tmp_path: Path) -> None:
    source, page = tmp_path / "run.jsonl", tmp_path / "run.html"
    source.write_text("nothing\n")
    page.write_text("older")
    with pytest.raises(BrokenReportError, match=r"run\.jsonl:1: "):
        write_html(source, page)
    assert page.read_text() == "older"
