"""Badges in the form of shields.io's endpoint: https://shields.io/badges/endpoint-badge."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from harness.reporting.jsonl import replace_file
from harness.reporting.text import cut
from harness.reporting.verdicts import Label, ProviderReport, RunReport

_WIDTH: Final = 60
#: what is told of first, and its colour
_COLOURS: Final[Mapping[Label, str]] = {"fail": "red", "expected": "orange", "warn": "yellow"}
_CLEAN: Final = "brightgreen"


def badge(report: RunReport, provider: ProviderReport) -> dict[str, Any]:
    """The badge of an adapter.

    The rules it passes, of those that it owes; then what is broken, in the colour of the worst of it.
    """
    counts, gate = provider.counts, report.started.gate
    owed = counts.total() - counts["not_applicable"] - counts["unscored"]
    told = {label: f"{counts[label]} {label}" for label in _COLOURS if counts[label]}
    crashed = len(provider.crashes)
    words = [f"{counts['pass']}/{owed} rules", *told.values(), *([f"{crashed} crashed"] if crashed else [])]
    asked = ", ".join(filter(None, (gate.requirements, *gate.profiles)))
    worst = next(iter(told), None)
    return {
        "schemaVersion": 1,
        "label": cut(" ".join(filter(None, ("conformance", provider.info.name, asked))), _WIDTH),
        "message": ", ".join(words),
        "color": "red" if crashed else _CLEAN if worst is None else _COLOURS[worst],
        "isError": "fail" in told or bool(crashed),
    }


def write_badges(report: RunReport, folder: Path) -> Iterator[Path]:
    """A file for each adapter of a whole run; what was found by a part of the suite is no badge. Raises OSError."""
    for provider in report.providers if report.complete else ():
        path = folder / f"{provider.info.name.replace('/', '_')}.json"
        replace_file(path, json.dumps(badge(report, provider), indent=2).encode() + b"\n")
        yield path
