"""The file of expected failures, rewritten after a run: new failures added at its end, stale ones taken out.

All else in the file stays as it is, comments too.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from harness.contract.expected import ANY, ExpectedFailure, read_expected
from harness.discovery import every_name
from harness.reporting.jsonl import replace_file
from harness.reporting.verdicts import ProviderReport, RunReport, is_expected
from harness.suite.gate import PRUNE, UPDATE, Gate

_HEADER: Final = re.compile(r"^\s*\[\[\s*expected\s*\]\]", re.MULTILINE)


def rewrite(config: pytest.Config, gate: Gate, report: RunReport) -> Iterator[str]:
    """Rewrite the file as the options ask for; the lines tell what was done."""
    if gate.file is None:
        return
    if config.getoption(PRUNE):
        gone = [*prunable(gate, report), *gate.expired]
        prune(gate.file, gone)
        yield from (f"taken out of {gate.file}: {entry.what}" for entry in gone)
        kept = (entry for entry in gate.listed if entry not in gone and any(entry in p.stale for p in report.providers))
        yield from (f"left in {gate.file}: {entry.what}: not all adapters that it names passed" for entry in kept)
    if config.getoption(UPDATE):
        new = list(unexpected(report))
        append(gate.file, new)
        yield from (f"added to {gate.file}: {entry.what} ({entry.provider})" for entry in new)


def prunable(gate: Gate, report: RunReport) -> list[ExpectedFailure]:
    """The entries of the file that did not come in any adapter that they name.

    An entry that also names an adapter that still fails, or that was not run, is for its owner to change. One that
    names none is about the adapters of the run.
    """
    run = {provider.info.name: provider for provider in report.providers}
    return [entry for entry in gate.listed if all(_is_stale(entry, run.get(name)) for name in _named(entry, run))]


def _named(entry: ExpectedFailure, run: Iterable[str]) -> list[str]:
    names = dict.fromkeys(run if entry.provider == ANY else (*run, *every_name()))
    return [name for name in names if entry.of(name)]


def _is_stale(entry: ExpectedFailure, provider: ProviderReport | None) -> bool:
    return provider is not None and entry in provider.stale


def unexpected(report: RunReport) -> Iterator[ExpectedFailure]:
    """An entry for each binding breach that no entry covers."""
    reason = f"met on {report.started.started[:10]}, not looked into yet"
    for provider in report.providers:
        for verdict in provider.verdicts.values():
            scenarios = dict.fromkeys(breach.scenario for breach in verdict.breaches if verdict.weight == "fail")
            for scenario in scenarios:
                if not is_expected(provider.info, verdict.rule.id, scenario):
                    yield ExpectedFailure(verdict.rule.id, reason, provider.info.name, scenario)


def append(path: Path, entries: Iterable[ExpectedFailure]) -> None:
    """Add entries at the end of a file, which is made where there is none."""
    blocks = [_block(entry) for entry in entries]
    if blocks or not path.exists():
        before = path.read_text(encoding="utf-8").rstrip() if path.exists() else ""
        replace_file(path, "\n\n".join(filter(None, (before, *blocks))).encode() + b"\n")


def _block(entry: ExpectedFailure) -> str:
    values = {"rule": entry.rule, "provider": entry.provider, "scenario": entry.scenario, "reason": entry.reason}
    # JSON's strings are TOML's basic strings
    return "\n".join(["[[expected]]", *(f"{name} = {json.dumps(value)}" for name, value in values.items())])


def prune(path: Path, entries: Collection[ExpectedFailure]) -> None:
    """Take entries out of a file, each with the comment right above it."""
    if not entries:
        return
    text = path.read_text(encoding="utf-8")
    starts = [_above(text, found.start()) for found in _HEADER.finditer(text)]
    blocks = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    there = read_expected(path)
    kept = [block for block, entry in zip(blocks, there, strict=True) if entry not in entries]
    head = text[: starts[0]] if starts else text
    replace_file(path, (head + "".join(kept)).rstrip().encode() + b"\n")


def _above(text: str, start: int) -> int:
    """Where the comment right above a header begins; the header's own start where there is none."""
    while (before := text.rfind("\n", 0, max(0, start - 1)) + 1) < start and text[before:start].startswith("#"):
        start = before
    return start
