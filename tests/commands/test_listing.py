from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from harness import discovery
from harness.cli import main
from harness.commands import listing
from harness.discovery import GROUP, find, frameworks

(OPENAI,) = find(["openai"])


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two packages that announce adapters, of which one cannot be imported."""
    entries = [
        EntryPoint("theirs", "tests.commands.test_listing:THEIRS", GROUP),
        EntryPoint("wrecked", "tests.commands.no_such_module:PROVIDER", GROUP),
    ]
    monkeypatch.setattr(discovery, "entry_points", lambda group: entries)


THEIRS = replace(OPENAI, name="theirs", requires=("no-such-sdk",), extra=None)


def listed(capsys: pytest.CaptureFixture[str], *names: str) -> str:
    assert main(["list", *names]) == 0
    return " ".join(capsys.readouterr().out.split())


def test_an_adapter_is_told_with_its_protocol_its_claims_and_its_sdk(capsys: pytest.CaptureFixture[str]) -> None:
    told = listed(capsys, "bedrock")
    assert told.startswith("bedrock bedrock_converse boto3 1.")
    assert "profiles: core, tools, structured" in told
    assert "tool_choice any/auto/tool" in told
    assert "guardrails" in told
    assert "openai" not in told


def test_what_is_missing_is_told_with_the_extra_that_brings_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "_installed", lambda distribution: None)
    told = listed(capsys, "bedrock")
    assert "boto3 is not installed" in told
    assert "pip install 'provider-conformance[bedrock]'" in told


@pytest.mark.usefixtures("plugged")
def test_adapters_of_other_packages_are_listed_and_a_broken_one_hides_no_other(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = listed(capsys)
    assert "theirs openai_chat no-such-sdk is not installed to install: pip install no-such-sdk" in told
    assert "announced by: a package" in told
    assert "wrecked broken: provider 'wrecked'" in told
    assert "ModuleNotFoundError" in told
    assert "writer writer_chat" in told


def test_the_adapters_of_frameworks_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    told = listed(capsys)
    assert all(f"{framework}/… adapters: " in told for framework in frameworks())
    assert listed(capsys, "strands/bedrock").startswith("strands/bedrock bedrock_converse")


def test_an_unknown_adapter_is_a_line_that_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "bedrok"]) == 4
    (told,) = capsys.readouterr().err.splitlines()
    assert "'bedrok' (did you mean bedrock?)" in told


def test_nothing_is_wider_than_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= listing.WIDTH
