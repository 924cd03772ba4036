"""The suite of one provider, played until something shows that the unmutated adapter does not show.

Recorded exchanges are not played: what they find must be found without them. What a case finds counts if it finds it
twice, since a busy machine may disturb a case, but hardly twice in the same way.
"""

import contextlib
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hypothesis import settings

from harness import run
from harness.bench import Bench, CallNeverEnds, Finding
from harness.contract.rules import RULES
from harness.endpoint.network import no_network
from harness.laboratory import Laboratory
from harness.run import Subject
from harness.suite.case import Case
from harness.suite.cases import cases

ROOT: Final = Path(__file__).resolve().parents[2]
#: examples of each property: a tenth of what the suite draws by itself
EXAMPLES: Final = 10

#: a rule, and the case that found it broken
Sign = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Kill:
    """What gave a mutant away. ``rule`` is empty where a case could not be played to its end."""

    rule: str
    case: str
    level: str
    met: str

    @property
    def sign(self) -> Sign:
        """The rule, and the case."""
        return self.rule, self.case


def kills(laboratory: Laboratory, subject: Subject, first: Sequence[str] = ()) -> Iterator[Kill]:
    """What the cases find, case by case, binding rules before others; the cases in ``first`` come first, in order."""
    settings.register_profile("mutation", max_examples=EXAMPLES)
    settings.load_profile("mutation")
    places = {case: place for place, case in reversed(list(enumerate(first)))}
    for case in sorted(cases(subject.provider), key=lambda case: places.get(case.id, len(first))):
        if found := _tried(laboratory, Bench(subject), case):
            patient = replace(subject, patience=run.TIME_LIMIT)
            again = {kill.sign for kill in _tried(laboratory, Bench(patient), case)}
            yield from (kill for kill in found if kill.sign in again)


def _tried(laboratory: Laboratory, bench: Bench, case: Case) -> list[Kill]:
    """What one case finds."""
    crash: Exception | None = None
    with warnings.catch_warnings(), no_network():
        warnings.simplefilter("ignore")
        try:
            with contextlib.suppress(CallNeverEnds):  # it is among the findings
                case.run(laboratory, bench)
        except Exception as error:
            crash = error
    found = [
        Kill(rule, case.id, RULES[rule].level, finding.violation.met[:300])
        for rule, finding in bench.findings.items()
        if _counts(subject=bench.subject, finding=finding)
    ]
    crashed = [Kill("", case.id, "MUST", f"{type(crash).__name__}: {crash}"[:300])] if crash is not None else []
    return sorted([*found, *crashed], key=lambda kill: kill.level != "MUST")


def sound(name: str, signs: Collection[Sign]) -> frozenset[Sign]:
    """What an adapter shows without a fault. Raises RuntimeError where cases cannot be played."""
    if crashed := [case for rule, case in signs if not rule]:
        raise RuntimeError(f"{name}: without a fault, {', '.join(crashed)} cannot be played")
    return frozenset((rule, case) for rule, case in signs)


def _counts(subject: Subject, finding: Finding) -> bool:
    """Whether a finding is about a rule of weight, which the adapter claims and is not excused from."""
    provider, rule = subject.provider, RULES[finding.violation.rule]
    excused = rule.id in provider.expected or rule.id in provider.cannot_show
    return rule.level in ("MUST", "SHOULD") and rule.profile in provider.capabilities.profiles and not excused
