"""Recording as its users meet it: a process of its own, and a service on another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cassettes.emulator import Emulator
from harness.cassettes.storage import load
from harness.dialects import load_dialect
from harness.discovery import find

(OPENAI,) = find(["openai"])
KEY = "a-key-of-nobody-known"
ONE = ("--provider=openai", "--scenario=cassette-text")


@pytest.fixture
def service() -> Iterator[Emulator]:
    """A service that answers as the vendor does."""
    made = Emulator()
    made.play("text", OPENAI, load_dialect(OPENAI.dialect))
    yield made
    made.close()


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)


def cassette(pytester: pytest.Pytester) -> Path:
    return pytester.path / "cassettes" / "openai" / "text.yaml"


def pointed_at(monkeypatch: pytest.MonkeyPatch, service: Emulator) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{service.base_url}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def test_recorded_then_replayed_offline(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, service: Emulator
) -> None:
    pointed_at(monkeypatch, service)
    assert run(pytester, *ONE, "--record-mode=rewrite").ret == 0
    (asked,) = service.log.requests
    assert asked.header("authorization") == f"Bearer {KEY}"
    text = cassette(pytester).read_text(encoding="utf-8")
    assert "origin: live" in text
    assert "times: [" in text
    assert KEY not in text
    service.close()
    monkeypatch.delenv("OPENAI_API_KEY")
    replayed = run(pytester, *ONE)
    replayed.assert_outcomes(passed=1)
    assert cassette(pytester).read_text(encoding="utf-8") == text


def test_a_new_recording_tells_of_drift(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, service: Emulator
) -> None:
    pointed_at(monkeypatch, service)
    run(pytester, *ONE, "--record-mode=rewrite").stdout.no_fnmatch_line("drift *")
    text = cassette(pytester).read_text(encoding="utf-8")
    cassette(pytester).write_text(text.replace('"system_fingerprint"', '"system_thumbprints"'), encoding="utf-8")
    again = run(pytester, *ONE, "--record-mode=rewrite")
    again.stdout.fnmatch_lines(["drift openai-text: high: field vanished: system_thumbprints, text before, – now"])
    assert cassette(pytester).read_text(encoding="utf-8").count("system_thumbprints") == 0


def test_missing_keys_are_one_error_before_any_call(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    done = run(pytester, "--provider=openai,anthropic", "--record-mode=once")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    told = [line for line in done.errlines if line.startswith("ERROR")]
    assert len(told) == 1
    assert "OPENAI_API_KEY" in told[0]
    assert "ANTHROPIC_API_KEY" in told[0]


def test_the_limit_ends_a_recording(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, service: Emulator
) -> None:
    pointed_at(monkeypatch, service)
    options = ("--provider=openai", "--scenario=cassette-text,cassette-turns", "--record-mode=rewrite")
    done = run(pytester, *options, "--record-limit=1")
    done.assert_outcomes(passed=1, failed=1)
    done.stdout.fnmatch_lines(["*limit of calls is reached*"])
    assert len(service.log.requests) == 1


def test_a_limit_that_is_none_is_an_error(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    done = run(pytester, *ONE, "--record-mode=once", "--record-limit=much")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*CALLS or CALLS,TOKENS*"])


def test_a_service_that_cannot_be_reached_leaves_the_old_cassette(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, service: Emulator
) -> None:
    pointed_at(monkeypatch, service)
    assert run(pytester, *ONE, "--record-mode=once").ret == 0
    before = cassette(pytester).read_bytes()
    service.close()
    done = run(pytester, *ONE, "--record-mode=rewrite")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*NoAnswerError*ConnectionRefusedError*"])
    assert cassette(pytester).read_bytes() == before


PYTEST_RECORDING = """
def pytest_addoption(parser):
    group = parser.getgroup("recording")
    group.addoption("--record-mode", default=None, choices=("once", "new_episodes", "none", "all", "rewrite"))
"""


def _installed(pytester: pytest.Pytester) -> None:
    """Put a plugin where pytest finds it as it finds pytest-recording, with its option."""
    package = pytester.mkpydir("pytest_recording")
    (package / "plugin.py").write_text(PYTEST_RECORDING, encoding="utf-8")
    info = pytester.mkdir("pytest_recording-0.14.1.dist-info")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pytest-recording\nVersion: 0.14.1\n")
    (info / "entry_points.txt").write_text("[pytest11]\nrecording = pytest_recording.plugin\n")


@pytest.mark.parametrize("options", [(), ("-p", "no:recording")], ids=["loaded", "blocked"])
def test_beside_pytest_recording_the_option_is_there_once(
    options: tuple[str, ...], pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, service: Emulator
) -> None:
    _installed(pytester)
    monkeypatch.setenv("PYTHONPATH", str(pytester.path))
    pointed_at(monkeypatch, service)
    run(pytester, *options, *ONE, "--record-mode=rewrite").assert_outcomes(passed=1)
    assert load(cassette(pytester)).provenance.provider == "openai"


def test_only_the_recorded_host_is_reached() -> None:
    from harness.endpoint.network import NetworkBlockedError, no_network

    with no_network(frozenset({"api.allowed.invalid"})) as attempts:
        import socket

        with pytest.raises(socket.gaierror):
            socket.getaddrinfo("api.allowed.invalid", 443)
        with pytest.raises(NetworkBlockedError, match=r"other\.invalid"):
            socket.getaddrinfo("other.invalid", 443)
        attempts.learn("api.allowed.invalid", [(0, 0, 0, "", ("192.0.2.7", 443))])
        attempts.learn("other.invalid", [(0, 0, 0, "", ("192.0.2.8", 443))])
        assert (attempts.allows("192.0.2.7"), attempts.allows("192.0.2.8")) == (True, False)
        attempts.take()


def test_a_stand_in_is_never_called_live(pytester: pytest.Pytester) -> None:
    assert run(pytester, *ONE, "--record-mode=rewrite", "--record-emulated").ret == 0
    told = load(cassette(pytester)).provenance
    assert (str(told.origin), told.scenario) == ("emulated", "text")
    assert load(cassette(pytester)).interactions[0].uri == "https://api.openai.com/v1/chat/completions"
