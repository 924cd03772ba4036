"""Judging many observations: what is to be said of those that are alike is found out once.

One reply is told in many styles and cuts, most of which must come to the very same events. Where they do, only what a
call does to others, and leaves behind, has to be looked at again.
"""

from dataclasses import dataclass
from typing import Final

from harness.checks import CHECKS, judge
from harness.checks.findings import Findings
from harness.checks.life import check_life
from harness.checks.observation import Observation
from harness.checks.taken import joined, without_times
from harness.dialects.base import WireRequest
from harness.dialects.reply import Reply
from harness.exchange import Operation

_SHARED: Final = tuple(check for check in CHECKS if check is not check_life)
#: kinds of observations that are remembered; those that are alike come soon after each other
_REMEMBERED: Final = 64


@dataclass(frozen=True, slots=True)
class _Likeness:
    """What observations of legal replies that arrived without a word of warning are alike in.

    ``events`` are without measured times, unless the service told them.
    """

    asked: bytes
    stream: bool
    request: WireRequest
    events: bytes


@dataclass(frozen=True, slots=True)
class _Judged:
    reply: Reply
    expected: Reply | None
    findings: Findings


class Judge:
    """Judges observations of one adapter. :func:`harness.checks.judge` says the same of each."""

    def __init__(self) -> None:
        self._known: dict[_Likeness, list[_Judged]] = {}

    def judge(self, seen: Observation) -> Findings:
        """All that the checks find on an observation."""
        likeness = _likeness(seen)
        if likeness is None:
            return judge(seen)
        shared = self._shared(likeness, seen)
        findings = Findings(set(shared.exercised), list(shared.violations))
        check_life(seen, findings)
        return findings

    def _shared(self, likeness: _Likeness, seen: Observation) -> Findings:
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        alike = self._known.setdefault(likeness, [])
        reply = seen.exchange.answer.reply
        for known in alike:
            if known.reply == reply and known.expected == seen.expected:
                return known.findings
        findings = Findings()
        for check in _SHARED:
            check(seen, findings)
        alike.append(_Judged(reply, seen.expected, findings))
        return findings


def _likeness(seen: Observation) -> _Likeness | None:
    """None for observations that are judged by what the likeness does not hold."""
    reply, call = seen.expected, seen.exchange.call
    if reply is None or not seen.whole or not seen.asked or seen.warnings or seen.exchange.gated:
        return None
    if call.operation is not Operation.STREAM or call.samples or seen.read_by_framework or len(seen.log.exchanges) != 1:
        return None
    events = seen.taken if reply.latency_ms is not None else [*seen.taken[:-1], *map(without_times, seen.taken[-1:])]
    told = joined(events)
    return None if told is None else _Likeness(seen.asked, seen.exchange.stream, seen.requests[0], told)
