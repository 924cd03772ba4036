"""``conformance explain``: why a rule is there, how it looks broken and kept, and how to fix what breaks it."""

import argparse
import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Final

from harness.contract.findings import FINDINGS
from harness.contract.rules import RULES, Rule
from harness.reporting.examples import Example, examples
from harness.reporting.text import cut, printable
from harness.reporting.timeline import rows

WIDTH: Final = 100
_LABEL: Final = 12
#: lines of a timeline
_HEIGHT: Final = 14
#: what two runs never share
_TIMES: Final = re.compile(r"(?<=Ms': )[\d.]+")


def add(commands: Any) -> None:
    """Add the parser."""
    parser = commands.add_parser("explain", help="why a rule is there, how it looks broken and kept, and how to fix it")
    parser.add_argument("rule", metavar="RULE", type=rule_id)
    parser.set_defaults(command=_explain)


def rule_id(text: str) -> str:
    """The rule's id, however it is spelt. Raises ArgumentTypeError with the nearest ones."""
    wanted = text.upper().replace("_", "-")
    if wanted in RULES:
        return wanted
    family = [rule for rule in RULES if rule.startswith(f"{wanted.partition('-')[0]}-")]
    near = list(dict.fromkeys([*get_close_matches(wanted, RULES, 3), *family]))
    there = f"Near it: {', '.join(near)}" if near else "`conformance rules` lists them"
    raise argparse.ArgumentTypeError(f"there is no rule {text!r}. {there}")


def _explain(options: argparse.Namespace) -> None:
    rule = RULES[options.rule]
    for line in explanation(rule, examples()[rule.id]):
        print(line)


def explanation(rule: Rule, example: Example) -> Iterator[str]:
    """Everything that is known of a rule, in lines of at most 100 columns."""
    yield f"{rule.id} ({rule.level}, profile {rule.profile})"
    yield from _labelled("must hold", rule.title)
    yield from _labelled("otherwise", rule.why)
    yield from _labelled("evidence", rule.evidence)
    yield from _labelled("answers", "; ".join(f"{each}, {FINDINGS[each].name}" for each in rule.answers))
    yield from _labelled("how to fix", rule.fix)
    yield ""
    yield from _exchange(example)
    place = example.index if example.index is not None else _difference(example)
    yield ""
    yield from _wrapped(f"broken ({example.broken}):", "")
    yield from _timeline(example.failing, place)
    yield from _labelled("met", example.met)
    yield from _labelled("wanted", example.wanted or "")
    yield ""
    yield "kept:"
    yield from _timeline(example.passing, _difference(example))
    yield ""
    yield f"try it: pytest --provider={example.adapter} --scenario={example.scenario}"


def _exchange(example: Example) -> Iterator[str]:
    yield f"an exchange with the adapter {example.adapter}:"
    for line in example.exchange:
        yield from _wrapped(line, "  ")


def _difference(example: Example) -> int | None:
    """Where the failing timeline leaves the passing one; None where they are the same."""
    failing, passing = ([_TIMES.sub("", line) for line in told] for told in (example.failing, example.passing))
    pairs = zip_longest(failing, passing)
    return next((place for place, (bad, good) in enumerate(pairs) if bad != good), None)


def _timeline(timeline: tuple[str, ...], place: int | None) -> Iterator[str]:
    """The rows that fit, the one that matters in full."""
    if not timeline:
        yield "      (nothing was asked)"
    for row in rows(timeline, place, _HEIGHT):
        head = f"{'>' if row.marked else ' ':>3} {'   ' if row.place is None else f'{row.place:>3}'} "
        text = printable(row.text)
        lines = wrap(text, WIDTH - len(head)) if row.marked else [cut(text, WIDTH - len(head))]
        yield from (f"{' ' * len(head) if number else head}{line}" for number, line in enumerate(lines))


def _labelled(label: str, text: str) -> Iterator[str]:
    """A text beside its label, in as many lines as it takes; nothing where there is no text."""
    lines = wrap(printable(text), WIDTH - _LABEL - 2)
    yield from (f"  {f'{label}:' if not number else '':<{_LABEL}}{line}" for number, line in enumerate(lines))


def _wrapped(text: str, indent: str) -> Iterator[str]:
    yield from wrap(printable(text), WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")
