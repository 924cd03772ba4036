"""Print which tools each service takes in strict form: ``python -m tests.contract.strict_schema``."""

from collections import Counter

from rich.console import Console
from rich.table import Table

from harness.contract.strict_schema import TARGETS
from tests.contract.strict_schema.outcomes import Outcome, outcomes


def main() -> None:
    """Print the table, then each refusal with its reason."""
    table = Table("tool", *TARGETS, title="strict: yes, weaker (a demand is left to the reader), no (refused)")
    found = outcomes()
    for tool, row in found.items():
        table.add_row(tool, *(outcome.word for outcome in row.values()))
    console = Console(width=120)
    console.print(table)
    for tool, row in found.items():
        for reason, targets in _reasons(row).items():
            console.print(f"{tool} ({', '.join(targets)}): {reason}", markup=False, highlight=False)
    counts = Counter(outcome.word for row in found.values() for outcome in row.values())
    console.print(", ".join(f"{count} {word}" for word, count in counts.items()))


def _reasons(row: dict[str, Outcome]) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for target, outcome in row.items():
        for reason in outcome.reasons:
            reasons.setdefault(reason, []).append(target)
    return reasons


main()
