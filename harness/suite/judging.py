"""What a case's findings come to: which of them count, which fail the case, and how that is told."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from harness.bench import Finding
from harness.contract.rules import RULES
from harness.reporting.events import ViolationInfo
from harness.reporting.failure import failure_text
from harness.scenarios.describe import timeline
from harness.scenarios.telling import faultless
from harness.suite.case import Case
from harness.suite.gate import Gate

ORDER: Final = {rule: place for place, rule in enumerate(RULES)}


@dataclass(frozen=True)
class Judgement:
    """A case's findings under a gate. ``command`` runs the case again, ``files`` are the repro files, by rule."""

    case: Case
    gate: Gate
    command: str
    findings: tuple[Finding, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def claimed(self) -> list[Finding]:
        """Findings about rules that the adapter can show, of the profiles that it claims; that of the origin first."""
        provider = self.case.provider
        found = [each for each in self.findings if self._is_origin(each) or self.gate.judges(provider, _rule(each))]
        return sorted(found, key=lambda finding: (not self._is_origin(finding), ORDER[_rule(finding)]))

    @property
    def binding(self) -> list[Finding]:
        """Findings that fail the case: about rules that bind, but for failures that are expected.

        A failure that is run again fails the case, whatever it weighs elsewhere.
        """
        return [each for each in self.surprising if self._is_origin(each) or self.gate.binds(_rule(each))]

    @property
    def surprising(self) -> list[Finding]:
        """The claimed findings that are not expected failures."""
        provider, scenario = self.case.provider, self.case.id
        return [
            each
            for each in self.claimed
            if self._is_origin(each) or not self.gate.excused(provider, _rule(each), scenario)
        ]

    def _is_origin(self, finding: Finding) -> bool:
        return self.case.origin is not None and self.case.origin.rule == _rule(finding)

    def infos(self) -> tuple[ViolationInfo, ...]:
        """The claimed findings, as reports tell them."""
        return tuple(self._info(finding) for finding in self.claimed)

    def _info(self, finding: Finding) -> ViolationInfo:
        met = finding.violation
        return ViolationInfo(
            met.rule,
            met.met,
            met.wanted,
            met.index,
            exchange="\n".join(finding.exchange),
            timeline=finding.timeline,
            repro=self.command,
            file=self.files.get(met.rule, ""),
            expected=self._expected(finding),
        )

    def _expected(self, finding: Finding) -> tuple[str, ...]:
        """The timeline of a faultless telling of the reply, where there is one that must arrive."""
        reply = finding.seen.expected
        return () if reply is None else tuple(timeline([*faultless(reply, self.case.provider.capabilities)]))

    def text(self) -> str:
        """The failure of the case, for people; there must be one."""
        first, *others = self.binding
        met = first.violation
        return failure_text(
            met.rule,
            met.met,
            met.wanted,
            met.index,
            first.timeline,
            first.exchange,
            self.command,
            [_rule(finding) for finding in others],
            self.files.get(met.rule, ""),
        )


def _rule(finding: Finding) -> str:
    return finding.violation.rule


def command(name: str, case: Case, *options: str) -> str:
    """The command that runs a scenario again; ``name`` is that by which the adapter is found."""
    return shlex.join(["pytest", f"--provider={name}", f"--scenario={case.scenario}", *options])
