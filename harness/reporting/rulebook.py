"""The rules as a Markdown document, for people who look one up."""

from collections.abc import Iterable, Iterator, Sequence

from harness.contract.findings import FINDINGS, Finding
from harness.contract.rules import FAMILIES, RULES, Rule

_OPENING = """# Rules

What an adapter owes its caller, and which findings from the field each rule answers. This file is written by
`conformance rules --markdown`; the tables themselves are `harness/contract/rules.toml` and `findings.toml`.

MUST rules fail a run, SHOULD rules warn, MAY rules are only reported. A rule is owed by adapters that claim its profile
and have every feature that it needs (`harness/features.py`)."""

_COLUMNS = ("rule", "level", "profile", "what must hold", "why", "how to fix it", "evidence")

_FINDINGS = """## Findings

The findings XR01 to XR60 are about adapters at large; each is answered by the rules named beside it."""


def rulebook() -> str:
    """The whole document."""
    families = "\n\n".join(_family(name) for name in FAMILIES)
    return f"{_OPENING}\n\n{families}\n\n{_FINDINGS}\n\n{_findings()}\n"


def _family(name: str) -> str:
    rules = (_rule(rule) for rule in RULES.values() if rule.family == name)
    return f"## {name}\n\n{_table(_COLUMNS, rules)}"


def _rule(rule: Rule) -> tuple[str, ...]:
    needs = f" with {', '.join(rule.needs)}" if rule.needs else ""
    return f"`{rule.id}`", rule.level, f"{rule.profile}{needs}", rule.title, rule.why, rule.fix, rule.evidence


def _findings() -> str:
    rows = ((finding.id, finding.name, _answer(finding)) for finding in FINDINGS.values())
    return _table(("finding", "name", "answered by"), rows)


def _answer(finding: Finding) -> str:
    return ", ".join(f"`{rule.id}`" for rule in finding.answered_by)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(_lines(head, rows))


def _lines(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield _line(head)
    yield _line(["---"] * len(head))
    yield from map(_line, rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
