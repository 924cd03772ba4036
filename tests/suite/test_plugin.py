"""The plugin as its users meet it: a process of its own, in a folder that knows nothing of this project."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

RECORD = """
from dataclasses import replace

from providers.openai import PROVIDER as SHIPPED
from harness.contract.model import Model


class Wrapped(Model):
    def __init__(self, inner):
        self.inner = inner

    def update_config(self, **config):
        self.inner.update_config(**config)

    def get_config(self):
        return self.inner.get_config()

    def structured_output(self, *args, **options):
        return self.inner.structured_output(*args, **options)

    def stream(self, *args, **options):
        return self.change(self.inner.stream(*args, **options))

{change}


def build(endpoint, config):
    return Wrapped(SHIPPED.build(endpoint, config))


PROVIDER = replace(SHIPPED, name="mine", build=build)
"""

LATE = """
    async def change(self, events):
        async for event in events:
            if "metadata" not in event:
                yield event
            else:
                yield {"contentBlockDelta": {"delta": {"text": "late"}}}
"""

ENDLESS = """
    async def change(self, events):
        import asyncio
        await asyncio.Event().wait()
        yield {}
"""

HARMLESS = """
    def change(self, events):
        return events
"""


def write(pytester: pytest.Pytester, change: str) -> None:
    pytester.makepyfile(my_adapter=RECORD.replace("{change}", change))


def run(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--provider=bedrok"], "unknown provider 'bedrok' (did you mean bedrock?). There are: anthropic, bedrock"),
        (["--provider=bedrock", "--scenario=nothing"], "unknown scenario nothing. There are: any-conversation"),
        (["--scenario=text"], "--scenario needs --provider"),
        (["--provider=nowhere:PROVIDER"], "cannot import 'nowhere': ModuleNotFoundError"),
        (["--provider=json:dumps"], "expected a harness.provider.Provider, met <function dumps"),
        (["--provider=broken:PROVIDER"], "cannot import 'broken': SyntaxError"),
        (["--provider=json:absent"], "module 'json' has no attribute 'absent'"),
        (["--provider=,"], "--provider names no provider"),
    ],
)
def test_what_was_misspelt_is_one_clear_usage_error(pytester: pytest.Pytester, options: list[str], words: str) -> None:
    pytester.makepyfile(broken="PROVIDER = =")
    result = run(pytester, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str() + result.stdout.str()
    assert "Traceback" not in result.stderr.str()


def test_a_shipped_adapter_is_tried_in_any_folder(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--provider=openai", "--scenario=text,tool", "-v", "--junitxml=out.xml")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["openai-text PASSED*", "openai-tool PASSED*", "report: reports/*.html"])
    properties = ElementTree.parse(pytester.path / "out.xml").iter("property")
    assert ("rule", "TOOL-COUNT") in {(node.get("name"), node.get("value")) for node in properties}
    (page,) = Path(pytester.path, "reports").glob("*.html")
    assert "openai" in page.read_text(encoding="utf-8")


def test_a_package_of_the_same_name_that_hides_the_shipped_ones_is_named(pytester: pytest.Pytester) -> None:
    pytester.mkpydir("providers")
    result = run(pytester, "--provider=openai")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "another package of that name comes first" in result.stderr.str()


OWN = """
from harness.provider import Provider
from providers.model import Silent

PROVIDER = Provider("silent", "openai_chat", lambda endpoint, config: Silent())
"""

SILENT = """
class Silent:
    async def stream(self, *args, **options):
        yield {"messageStart": {"role": "assistant"}}
"""


def install(pytester: pytest.Pytester, name: str, target: str) -> None:
    """Make a distribution with one entry point, as an installer would leave it on the path."""
    folder = pytester.mkdir("own_adapter-1.0.dist-info")
    Path(folder, "METADATA").write_text("Metadata-Version: 2.1\nName: own-adapter\nVersion: 1.0\n", encoding="utf-8")
    Path(folder, "entry_points.txt").write_text(f"[harness.providers]\n{name} = {target}\n", encoding="utf-8")


@pytest.mark.parametrize("provider", ["own:PROVIDER", "silent"])
def test_a_repository_with_its_own_providers_folder_tries_its_own_adapter(
    pytester: pytest.Pytester, provider: str
) -> None:
    package = pytester.mkpydir("providers")
    Path(package, "model.py").write_text(SILENT, encoding="utf-8")
    pytester.makepyfile(own=OWN)
    install(pytester, "silent", "own:PROVIDER")
    result = run(pytester, f"--provider={provider}", "--scenario=text")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["STREAM-STOP-MISSING MUST: *"])


def test_an_entry_point_is_a_name_like_any_other(pytester: pytest.Pytester) -> None:
    write(pytester, HARMLESS)
    install(pytester, "plugged", "my_adapter:PROVIDER")
    result = run(pytester, "--provider=plugged", "--scenario=text", "-v")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["mine-text PASSED*"])
    assert "There are: anthropic, " in (refused := run(pytester, "--provider=pluged").stderr.str())
    assert ", plugged," in refused


def test_a_new_folder_of_providers_is_all_that_a_new_adapter_needs(pytester: pytest.Pytester) -> None:
    for package in ("harness", "providers"):
        shutil.copytree(REPOSITORY / package, pytester.path / package, ignore=shutil.ignore_patterns("__pycache__"))
    scratch = pytester.path / "providers" / "scratch"
    shutil.copytree(pytester.path / "providers" / "openai", scratch)
    for module in scratch.glob("*.py"):
        text = module.read_text(encoding="utf-8")
        text = text.replace("providers.openai.", "providers.scratch.").replace('name="openai"', 'name="scratch"')
        module.write_text(text, encoding="utf-8")
    shutil.rmtree(pytester.path / "providers" / "openai")
    result = run(pytester, "--provider=scratch", "--scenario=text,tools-parallel", "-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["scratch-text PASSED*", "scratch-tools-parallel PASSED*"])


def test_an_adapter_of_ones_own_is_found_beside_its_tests(pytester: pytest.Pytester) -> None:
    write(pytester, HARMLESS)
    run(pytester, "--provider=my_adapter:PROVIDER", "--scenario=text").assert_outcomes(passed=1)


def test_a_failure_fits_one_screen_and_can_be_run_again(pytester: pytest.Pytester) -> None:
    write(pytester, LATE)
    result = run(pytester, "--provider=my_adapter:PROVIDER", "--scenario=text")
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    told = text.partition("STREAM-AFTER-STOP MUST: ")[2].partition("\nmine  ")[0].splitlines()
    assert 5 <= len(told) <= 15
    assert any(line.lstrip().startswith(">") and "late" in line for line in told)
    (command,) = (line.partition("run again: pytest ")[2] for line in told if "run again" in line)
    run(pytester, *command.split()).assert_outcomes(failed=1)


def test_a_call_that_never_ends_costs_its_case_and_not_the_run(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(pytester, ENDLESS)
    pytester.makeconftest("import harness.run\nharness.run.TIME_LIMIT = harness.run.IMPATIENCE = 0.2\n")
    result = run(pytester, "--provider=my_adapter:PROVIDER", "--scenario=text,styles,any-reply-streamed")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["LIFE-ENDS MUST: *", "LIFE-ENDS MUST: *", "LIFE-ENDS MUST: *"])


def test_a_missing_sdk_fails_and_names_the_remedy(pytester: pytest.Pytester) -> None:
    write(pytester, HARMLESS)
    with Path(pytester.path, "my_adapter.py").open("a", encoding="utf-8") as module:
        module.write('\nPROVIDER = replace(PROVIDER, requires=("no-such-sdk",))\n')
    result = run(pytester, "--provider=my_adapter:PROVIDER")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no-such-sdk is not installed. Remedy: pip install 'provider-conformance?openai?'*"])


def test_workers_report_as_one_process_does(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist", reason="pytest-xdist is not installed")
    alone, shared = (
        _events(
            pytester, f"--conformance-report=r{workers}", f"-n{workers}", "--provider=openai", "--scenario=text,stops"
        )
        for workers in (0, 2)
    )
    assert alone == shared
    assert len(alone) == 2


def _events(pytester: pytest.Pytester, folder: str, *options: str) -> list[tuple[str, list[str], int]]:
    run(pytester, folder, *options).assert_outcomes(passed=2)
    (path,) = Path(pytester.path, folder.partition("=")[2]).glob("*.jsonl")
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    finished = [event for event in events if event["event"] == "scenario_finished"]
    return sorted((event["scenario"], event["exercised"], event["exchanges"]) for event in finished)


def test_the_summary_fits_eighty_columns(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--provider=openai", "--scenario=text")
    summary = result.stdout.str().partition("openai  openai_chat")[2]
    assert re.search(r"^  STREAM +1\d ", summary, re.MULTILINE)
    assert max(map(len, summary.splitlines())) <= 80


def test_without_a_provider_nothing_is_added(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_one(): pass")
    result = run(pytester)
    result.assert_outcomes(passed=1)
    assert not Path(pytester.path, "reports").exists()
