"""``metrics``: the counters as a list of names, values and units."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from harness.dialects.reply import Usage

Options = Mapping[str, str]

INPUT: Final = "num_prompt_tokens"
OUTPUT: Final = "num_completion_tokens"
TOTAL: Final = "num_total_tokens"


def metrics(usage: Usage, options: Options) -> list[dict[str, Any]]:
    """The list that tells ``usage``."""
    rows = [(OUTPUT, usage.output), (INPUT, usage.input)]
    rows += [(TOTAL, _total(usage))] if options["metrics_total"] == "present" else []
    unit = {"unit": "tokens"} if options["metrics_unit"] == "present" else {}
    number = float if options["metrics_value"] == "float" else int
    return [{"metric": name, "value": number(value), **unit} for name, value in rows]


def told_usage(usage: Usage | None, options: Options) -> Usage | None:
    """What a reader knows of ``usage``."""
    if usage is None or options["metrics"] == "absent":
        return None
    return Usage(usage.input, usage.output, _total(usage) if options["metrics_total"] == "present" else None)


def read_metrics(rows: Iterable[Mapping[str, Any]] | None) -> Usage | None:
    """The usage that a list tells; None where it tells none."""
    told = {row["metric"]: int(row["value"]) for row in rows or ()}
    return Usage(told[INPUT], told[OUTPUT], told.get(TOTAL)) if INPUT in told and OUTPUT in told else None


def _total(usage: Usage) -> int:
    return usage.input + usage.output if usage.total is None else usage.total
