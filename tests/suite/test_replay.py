"""Cassettes as cases: each rule about recordings is broken by one cassette, and by no whole one."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.cassettes.budget import Budget
from harness.cassettes.model import Cassette, End, Interaction
from harness.cassettes.scrub import Scrubber
from harness.cassettes.storage import load, save
from harness.contract.rules import RULES
from harness.discovery import find
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.suite.record_options import emulated
from harness.suite.recording import Recording, RecordMode
from harness.suite.replay import replay_cases

(OPENAI,) = find(["openai"])
BASES = find(["openai", "bedrock", "ollama"])


@pytest.fixture(scope="module")
def folder(laboratory: Laboratory, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cassettes of the stand-in."""
    made = tmp_path_factory.mktemp("cassettes")
    recording = emulated(RecordMode.REWRITE, made, BASES, Budget())
    for provider in BASES:
        record(laboratory, recording, provider, "cassette-text")
        record(laboratory, recording, provider, "cassette-error-model")
    recording.close()
    return made


def record(laboratory: Laboratory, recording: Recording, provider: Provider, case_id: str) -> None:
    (case,) = [case for case in recording.cases(provider) if case.id == case_id]
    bench = laboratory.bench(provider)
    case.run(laboratory, bench)
    assert bench.findings == {}


def findings(laboratory: Laboratory, provider: Provider, folder: Path) -> dict[str, str]:
    """What the suite finds in a folder's cassettes, by rule."""
    found: dict[str, str] = {}
    cases = list(replay_cases(replace(provider, cassettes=folder)))
    assert cases
    for case in cases:
        bench = laboratory.bench(provider)
        case.run(laboratory, bench)
        found.update({rule: finding.violation.met for rule, finding in bench.findings.items()})
    return found


@pytest.mark.parametrize("provider", BASES, ids=lambda provider: provider.name)
def test_what_was_recorded_is_replayed(provider: Provider, laboratory: Laboratory, folder: Path) -> None:
    assert findings(laboratory, provider, folder / provider.name) == {}


def _another_question(one: Interaction) -> tuple[Interaction, ...]:
    return (replace(one, request_body=one.request_body.replace(b"five", b"nine")),)


def _empty(one: Interaction) -> tuple[Interaction, ...]:
    return (replace(one, chunks=()),)


def _no_protocol(one: Interaction) -> tuple[Interaction, ...]:
    return (replace(one, chunks=(b"data: {}\n\n",)),)


def _secret(one: Interaction) -> tuple[Interaction, ...]:
    return (replace(one, headers=(*one.headers, ("x-request-id", "req_011CSabcdefghijkLMNOP"))),)


def _twice(one: Interaction) -> tuple[Interaction, ...]:
    return (one, one)


def _half_read(one: Interaction) -> tuple[Interaction, ...]:
    return (one, replace(one, request_body=b'{"stream": true}'))


BREAKS: dict[str, tuple[str, Callable[[Interaction], tuple[Interaction, ...]], str]] = {
    "another question": ("CASSETTE-MATCH", _another_question, "body.messages[0].content"),
    "no body": ("CASSETTE-WIRE", _empty, "no body"),
    "no protocol": ("CASSETTE-WIRE", _no_protocol, "cannot read"),
    "a request id": ("CASSETTE-SECRETS", _secret, "secret"),
    "recorded twice": ("CASSETTE-PLAYED", _twice, "#2 POST /v1/chat/completions was recorded and not asked for"),
    "another request": ("CASSETTE-PLAYED", _half_read, "#2"),
}


@pytest.mark.parametrize(("rule", "change", "told"), BREAKS.values(), ids=BREAKS)
def test_a_broken_cassette_breaks_its_rule(
    rule: str,
    change: Callable[[Interaction], tuple[Interaction, ...]],
    told: str,
    laboratory: Laboratory,
    folder: Path,
    tmp_path: Path,
) -> None:
    whole = load(folder / "openai" / "text.yaml")
    save(tmp_path / "text.yaml", Cassette(whole.provenance, change(whole.interactions[0])))
    found = findings(laboratory, OPENAI, tmp_path)
    assert told in found[rule]
    assert {name for name in found if name.startswith("CASSETTE")} <= {rule, "CASSETTE-PLAYED"}


def test_each_rule_about_recordings_is_broken() -> None:
    assert {rule for rule, _, _ in BREAKS.values()} == {id_ for id_, r in RULES.items() if r.family == "CASSETTE"}


def test_a_file_that_is_no_cassette_is_a_finding(laboratory: Laboratory, tmp_path: Path) -> None:
    (tmp_path / "text.yaml").write_text("interactions: [", encoding="utf-8")
    assert set(findings(laboratory, OPENAI, tmp_path)) == {"CASSETTE-WIRE"}


def test_a_recorded_reply_is_judged_like_any_other(laboratory: Laboratory, folder: Path, tmp_path: Path) -> None:
    """An adapter that drops what comes after some text, shown by a recording alone."""
    whole = load(folder / "openai" / "text.yaml")
    save(tmp_path / "text.yaml", whole)
    deaf = replace(OPENAI, name="deaf", build=lambda endpoint, settings: _Deaf(OPENAI.build(endpoint, settings)))
    assert "CONTENT-TEXT" in findings(laboratory, deaf, tmp_path)


class _Deaf:
    def __init__(self, inner: object) -> None:
        self.inner = inner

    async def stream(self, *arguments: object, **options: object) -> object:
        first = True
        async for event in self.inner.stream(*arguments, **options):  # type: ignore[attr-defined]
            if "contentBlockDelta" not in event or first:
                yield event
            first = first and "contentBlockDelta" not in event


def test_a_cut_stream_must_be_an_error(laboratory: Laboratory, folder: Path, tmp_path: Path) -> None:
    whole = load(folder / "openai" / "text.yaml")
    (one,) = whole.interactions
    save(tmp_path / "text.yaml", replace(whole, interactions=(replace(one, chunks=one.chunks[:4], end=End.CUT),)))
    assert findings(laboratory, OPENAI, tmp_path) == {}


def test_modes_call_when_they_say(laboratory: Laboratory, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "openai" / "text.yaml"
    old = load(folder / "openai" / "text.yaml")
    changed = replace(old, interactions=(replace(old.interactions[0], times=(0.5,) * len(old.interactions[0].chunks)),))
    calls = {}
    for mode in (RecordMode.ONCE, RecordMode.NEW_EPISODES, RecordMode.ALL, RecordMode.REWRITE):
        save(path, changed)
        budget = Budget()
        recording = emulated(mode, tmp_path, [OPENAI], budget)
        before = budget.calls
        record(laboratory, recording, OPENAI, "cassette-text")
        recording.close()
        calls[mode] = before - budget.calls, load(path) == changed
    assert calls == {
        RecordMode.ONCE: (0, True),
        RecordMode.NEW_EPISODES: (0, True),
        RecordMode.ALL: (1, False),
        RecordMode.REWRITE: (1, False),
    }


def test_new_episodes_records_what_is_new(laboratory: Laboratory, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "openai" / "text.yaml"
    old = load(folder / "openai" / "text.yaml")
    other = replace(old.interactions[0], request_body=json.dumps({"old": True}).encode())
    save(path, replace(old, interactions=(other,)))
    recording = emulated(RecordMode.NEW_EPISODES, tmp_path, [OPENAI], Budget())
    record(laboratory, recording, OPENAI, "cassette-text")
    recording.close()
    assert [one.request_body for one in load(path).interactions] == [old.interactions[0].request_body]


def test_nothing_that_was_recorded_needs_scrubbing(folder: Path) -> None:
    paths = sorted(folder.rglob("*.yaml"))
    assert len(paths) == 2 * len(BASES)
    for path in paths:
        assert all(Scrubber().interaction(one) == one for one in load(path).interactions)
