"""Failures as files: what the suite writes, what commands make of it, and what is not in it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.bench import Bench, Finding
from harness.checks.observation import Observation
from harness.cli import main
from harness.contract.violations import Violation
from harness.dialects import load_dialect
from harness.dialects.base import WireRequest
from harness.dialects.reply import Reply, Text
from harness.endpoint.base import Delivery, EndpointLog, ExchangeLog
from harness.exchange import Answer, Call, Exchange
from harness.laboratory import Laboratory
from harness.provider import Provider
from harness.repro.making import repro_of
from harness.repro.model import Repro
from harness.repro.storage import dump, load
from harness.suite.case import Case
from harness.suite.cases import cases
from harness.suite.repros import write_files
from tests.suite.records import FORGETFUL, SURPRISING

_ROOT = Path(__file__).resolve().parents[2]
_RECORD = "--provider=tests.suite.records:SURPRISING"


@pytest.fixture(scope="module")
def laboratory() -> Iterator[Laboratory]:
    made = Laboratory()
    yield made
    made.close()


def failed(laboratory: Laboratory, provider: Provider, scenario: str) -> tuple[Case, Bench]:
    (case,) = (case for case in cases(provider) if case.id == scenario)
    bench = laboratory.bench(provider)
    case.run(laboratory, bench)
    return case, bench


@pytest.fixture(scope="module")
def file(laboratory: Laboratory, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The failure that a scenario of a faulty adapter comes to."""
    case, bench = failed(laboratory, SURPRISING, "tool")
    folder = tmp_path_factory.mktemp("repros")
    return write_files(folder, case, bench, bench.findings.values(), laboratory)["STOP-TOOLS"]


def test_a_file_has_all_that_is_needed_and_is_small(file: Path) -> None:
    repro = load(file)
    assert file.name == "surprising-tool-STOP-TOOLS.yaml"
    assert (repro.violation.rule, repro.provider, repro.scenario) == ("STOP-TOOLS", "surprising", "tool")
    assert repro.versions.keys() == {"provider-conformance", "openai"}
    assert repro.exchange is not None
    ((told),) = repro.told
    assert told.delivery.chunks[-1] == b"data: [DONE]\n\n"
    assert json.loads(told.request.body)["stream"] is True
    assert file.stat().st_size < 64_000


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ([_RECORD], 1, "broken: STOP-TOOLS by surprising"),
        (["--provider=openai"], 0, "passes: STOP-TOOLS by openai"),
        (["--provider=openai", _RECORD], 1, "broken: STOP-TOOLS by surprising"),
        ([], 4, "there is no adapter 'surprising' here: name one by --provider"),
        (["--provider=bedrock"], 4, "holds bytes of openai_chat; bedrock speaks bedrock_converse"),
        (["--provider=nobody"], 4, "unknown provider 'nobody'"),
    ],
)
def test_a_failure_is_run_again(
    file: Path, options: list[str], code: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _exit([*options, str(file)]) == code
    shown = "".join(capsys.readouterr())
    assert told in shown
    assert ("STOP-TOOLS MUST: complete calls end in tool_use" in shown) == (code == 1)
    assert "Traceback" not in shown


def _exit(options: list[str]) -> int:
    try:
        return main(["replay", *options])
    except SystemExit as end:
        return int(str(end.code))


def test_the_very_bytes_of_the_file_are_told(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bytes that no dialect says: the adapter that passes meets what stands in the file."""
    changed = tmp_path / "changed.yaml"
    text = file.read_text(encoding="utf-8")
    changed.write_text(text.replace('\\"city', '\\"town'), encoding="utf-8")
    assert text.count('\\"city') == 1
    assert _exit(["--provider=openai", str(changed)]) == 1
    assert "TOOL-INPUT" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("stop: tool_use", "stop: no_reason", "exchange.answer.reply.stop: expected one of cancelled"),
        ("stop: tool_use", "stop: guardrail_intervened", "no answer of openai_chat"),
        ("ToolUse:", "RedactedReasoning: {data: x} #", "exchange.answer"),
        ("scenario: tool\n", "scenario: ../../etc\n", None),
        ("provider: surprising", "provider: 'os:system'", "there is no adapter 'os:system' here"),
        ("provider: surprising", "provider: all", "there is no adapter 'all' here"),
    ],
)
def test_what_a_file_asks_for_is_not_believed(
    file: Path, tmp_path: Path, old: str, new: str, told: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = tmp_path / "changed.yaml"
    changed.write_text(file.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    options = [] if told and "adapter" in told else ["--provider=openai"]
    assert _exit([*options, str(changed)]) == (4 if told else 0)
    assert (told or "passes") in "".join(capsys.readouterr())


def test_a_scenario_is_run_whole_where_no_exchange_fails_by_itself(
    laboratory: Laboratory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case, bench = failed(laboratory, FORGETFUL, "stops")
    (path,) = write_files(tmp_path, case, bench, bench.findings.values(), laboratory).values()
    assert load(path).exchange is None
    assert _exit(["--provider=tests.suite.records:FORGETFUL", str(path)]) == 1
    assert _exit(["--provider=openai", str(path)]) == 0
    assert main(["show", str(path)]) == 0
    assert "(run whole)" in capsys.readouterr().out


def test_a_file_is_shown_as_a_time_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("STOP-TOOLS MUST: ")
    assert "#1 POST /v1/chat/completions" in lines
    assert any("messageStop {'stopReason': 'end_turn'}" in line for line in lines)


def test_what_is_shown_cannot_steer_a_terminal(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hostile.yaml"
    met = replace(load(file).violation, met="\x1b[2J\u202e", wanted="a\nb")
    path.write_text(dump(replace(load(file), violation=met)), encoding="utf-8")
    assert main(["show", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "\\x1b[2J\\u202e" in shown
    assert all(line.isprintable() for line in shown.splitlines())


SECRET = "sk-proj-" + "a1B2c3D4" * 4


def _leaky() -> Repro:
    """The repro of an exchange in which everything tells the key."""
    request = WireRequest("POST", f"/v1/x?key={SECRET}", (("authorization", f"Bearer {SECRET}"),), SECRET.encode())
    log = EndpointLog(
        [ExchangeLog(request, Delivery(200, (("x-echo", SECRET),), (SECRET[:9].encode(), SECRET[9:].encode())))]
    )
    call = Call([{"role": "user", "content": [{"text": SECRET}]}], config={"api_key": "short1", "nested": [SECRET]})
    exchange = Exchange(call, Answer(Reply((Text(SECRET),))))
    seen = Observation(SURPRISING, load_dialect("openai_chat"), exchange, log)
    violation = Violation("TOOL-ID", f"met {SECRET}", None, f"wanted {SECRET}")
    return repro_of(Finding(violation, (SECRET,), (SECRET,), seen, alone=True), "tool", "title")


def test_secrets_are_taken_out_as_from_a_cassette() -> None:
    repro = _leaky()
    text = dump(repro)
    assert SECRET[8:] not in text
    assert "short1" not in text
    assert "sk-REDACTED" in text
    assert repro.exchange is not None
    assert len(b"".join(repro.told[0].delivery.chunks)) == len(SECRET)


def test_keys_of_the_environment_are_known_by_their_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "SECRET", "plain words that nobody would take for a key")
    assert SECRET in dump(_leaky())
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    assert SECRET not in dump(_leaky())


def test_the_suite_names_the_file_and_runs_it(tmp_path: Path) -> None:
    ran = _pytest(tmp_path, _RECORD, "--scenario=tool", "-n2")
    assert ran.returncode == 1, ran.stdout
    (folder,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert {path.name for path in folder.iterdir()} == {
        f"surprising-tool-STOP-{rule}.yaml" for rule in ("TOOLS", "MAPPED")
    }
    file = folder / "surprising-tool-STOP-MAPPED.yaml"
    assert f"  repro file: {file}" in ran.stdout
    assert str(file) in folder.with_suffix(".html").read_text(encoding="utf-8")
    again = _pytest(tmp_path, _RECORD, f"--repro={file}")
    assert again.returncode == 1
    assert _failure(again.stdout) == _failure(ran.stdout)
    assert "surprising-repro-surprising-tool-STOP-MAPPED" in again.stdout
    assert _pytest(tmp_path, "--provider=openai", "--repro", str(file)).returncode == 0


def _failure(shown: str) -> list[str]:
    lines = shown.splitlines()
    begin = next(place for place, line in enumerate(lines) if line.startswith("STOP-MAPPED MUST"))
    end = next(place for place, line in enumerate(lines) if line.startswith("  repro file: "))
    return lines[begin : end + 1]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--repro=nowhere.yaml"], "nowhere.yaml: cannot be read"),
        (["--repro=FILE"], "there is no adapter 'surprising' here"),
        (["--repro=FILE", "--provider=bedrock"], "holds bytes of openai_chat"),
        (["--repro=FILE", "--provider=openai", "--scenario=tool"], "leave out --scenario"),
    ],
)
def test_a_wrong_request_is_a_usage_error(file: Path, tmp_path: Path, options: list[str], told: str) -> None:
    ran = _pytest(tmp_path, *(option.replace("FILE", str(file)) for option in options))
    assert ran.returncode == pytest.ExitCode.USAGE_ERROR
    assert told in ran.stderr
    assert "Traceback" not in ran.stderr


def _pytest(reports: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--conformance-report={reports}",
        *options,
    ]
    return subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
