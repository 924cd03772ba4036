"""The gate as its users meet it: what makes a run fail, and what does not."""

import datetime
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.contract.expected import read_expected

_ROOT = Path(__file__).resolve().parents[2]
_SURPRISING = "--provider=tests.suite.records:SURPRISING"
_BOTH = ("STOP-TOOLS", "STOP-MAPPED")


def run(tmp_path: Path, *options: str, provider: str = _SURPRISING) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", provider, f"--conformance-report={tmp_path / 'reports'}", *options]
    ran = subprocess.run(
        [*command, "-q", "-p", "no:cacheprovider"], cwd=_ROOT, capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stdout + ran.stderr


def listed(tmp_path: Path, *entries: str) -> Path:
    path = tmp_path / "known.toml"
    path.write_text("\n".join(f"[[expected]]\n{entry}\n" for entry in entries), encoding="utf-8")
    return path


def entries(rules: Sequence[str] = _BOTH, more: str = "") -> list[str]:
    return [f'rule = "{rule}"\nreason = "a report"\n{more}' for rule in rules]


@pytest.mark.parametrize(
    ("rules", "more", "code"),
    [
        (_BOTH, "", 0),
        (_BOTH, 'provider = "surpris*"\nscenario = "tool"', 0),
        (_BOTH[:1], "", 1),
        (_BOTH, 'scenario = "text"', 1),
        (_BOTH, 'provider = "openai"', 1),
        (_BOTH, f"expires = {datetime.date.max}", 0),
        (_BOTH, "expires = 2020-01-01", 1),
    ],
)
def test_a_listed_failure_lets_pass_what_it_names(tmp_path: Path, rules: Sequence[str], more: str, code: int) -> None:
    path = listed(tmp_path, *entries(rules, more))
    returned, out = run(tmp_path, "--scenario=tool", f"--expected-failures={path}")
    assert returned == code, out
    assert ("expired: STOP-TOOLS: a report" in out) == ("2020" in more)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('rule = "NO-RULE"\nreason = "r"', "there is no rule 'NO-RULE'"),
        ('rule = "TOOL-ID"\nreason = "r"\nscenario = "tols"', "there is no scenario 'tols'"),
        ('rule = "TOOL-ID"\nreason = "r"\nprovider = "opnai"', "there is no provider 'opnai'"),
        ('rule = "TOOL-ID"', "reason is missing"),
    ],
)
def test_a_name_that_nothing_answers_to_is_a_usage_error(tmp_path: Path, entry: str, told: str) -> None:
    returned, out = run(tmp_path, "--scenario=tool", f"--expected-failures={listed(tmp_path, entry)}")
    assert returned == pytest.ExitCode.USAGE_ERROR
    assert told in out


@pytest.mark.parametrize("workers", [(), ("-n2",)])
def test_a_listed_failure_that_passes_fails_the_run_until_it_is_taken_out(
    tmp_path: Path, workers: Sequence[str]
) -> None:
    mended = 'rule = "TOOL-INPUT"\nscenario = "tool"\nreason = "was mended"'
    path = listed(tmp_path, *entries(), mended, *entries(["TOOL-ID"], "expires = 2020-01-01"))
    options = ("--scenario=tool", f"--expected-failures={path}", *workers)
    returned, out = run(tmp_path, *options)
    assert returned == 1
    assert "stale  TOOL-INPUT in tool passes" in out
    returned, out = run(tmp_path, *options, "--expected-failures-prune")
    assert returned == 0, out
    assert [entry.rule for entry in read_expected(path)] == list(_BOTH)


def test_new_failures_are_added_and_then_expected(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    options = ("--scenario=tool,text", f"--expected-failures={path}")
    assert run(tmp_path, *options)[0] == pytest.ExitCode.USAGE_ERROR
    returned, out = run(tmp_path, *options, "--expected-failures-update")
    assert returned == 1
    assert f"added to {path}: STOP-TOOLS in tool (surprising)" in out
    assert {(entry.rule, entry.provider, entry.scenario) for entry in read_expected(path)} == {
        (rule, "surprising", "tool") for rule in _BOTH
    }
    assert run(tmp_path, *options)[0] == 0


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("--profile=core,tols", "unknown profile tols. There are: core, tools"),
        ("--requirements=2020-01", "There are: 2026-12"),
        ("--expected-failures-prune", "--expected-failures-prune needs --expected-failures FILE"),
        ("--expected-failures=nowhere.toml", "No such file"),
    ],
)
def test_a_misspelt_gate_is_a_usage_error(tmp_path: Path, option: str, told: str) -> None:
    returned, out = run(tmp_path, option)
    assert returned == pytest.ExitCode.USAGE_ERROR
    assert told in out


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--strict",), 1)])
def test_should_rules_bind_where_it_is_strict(tmp_path: Path, options: Sequence[str], code: int) -> None:
    returned, out = run(tmp_path, "--scenario=text", *options, provider="--provider=tests.suite.records:IMPOLITE")
    assert returned == code, out
    assert ("strict: SHOULD rules bind, too" in out) == bool(options)


def test_only_the_profiles_that_were_asked_for_are_judged(tmp_path: Path) -> None:
    returned, out = run(tmp_path, "--scenario=text,tool", "--profile=core")
    assert returned == 0, out
    assert "1 passed" in out
    (path,) = (tmp_path / "reports").glob("*.jsonl")
    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert first["gate"] == {"profiles": ["core"], "strict": False, "requirements": ""}


def test_a_frozen_set_names_itself_in_the_report(tmp_path: Path) -> None:
    returned, out = run(tmp_path, "--scenario=text", "--requirements=2026-12", "-v")
    assert returned == 0, out
    assert "requirements: 2026-12" in out
    assert "unscored" in out
