"""What became of each tool for each service."""

from dataclasses import dataclass
from typing import Literal

from harness.contract.strict_schema import TARGETS, SchemaNotStrict, convert
from tests.contract.strict_schema.keywords import KEYWORDS
from tests.contract.strict_schema.schemas import MCP, TOOLS, Schema


@dataclass(frozen=True, slots=True)
class Outcome:
    """``yes``, ``weaker`` with what is not checked, or ``no`` with the reason."""

    word: Literal["yes", "weaker", "no"]
    reasons: tuple[str, ...] = ()
    schema: Schema | None = None


def outcome(schema: Schema, target: str) -> Outcome:
    """The outcome for one schema and one service."""
    try:
        made = convert(schema, target)
    except SchemaNotStrict as error:
        return Outcome("no", (str(error),))
    return Outcome("weaker" if made.weakenings else "yes", tuple(map(str, made.weakenings)), made.schema)


def outcomes() -> dict[str, dict[str, Outcome]]:
    """All outcomes, by tool and service."""
    tools = {**MCP, **TOOLS, **KEYWORDS}
    return {tool: {target: outcome(schema, target) for target in TARGETS} for tool, schema in tools.items()}
