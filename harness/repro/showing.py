"""A repro file for people: what failed, what went over the wire, and what the adapter made of it."""

from collections.abc import Iterator

from harness.cassettes.model import End, Interaction
from harness.cassettes.showing import exchange_lines
from harness.contract.rules import RULES
from harness.repro.model import Repro, Told
from harness.wire.faults import Terminal


def show(repro: Repro) -> Iterator[str]:
    """The lines: the failure, then each exchange as a time line, then the adapter's events, the broken one marked."""
    met = repro.violation
    yield f"{met.rule} {RULES[met.rule].level}: {RULES[met.rule].title}"
    yield f"  met      {met.met}"
    if met.wanted:
        yield f"  wanted   {met.wanted}"
    yield f"  adapter  {repro.provider}; {', '.join(f'{name} {version}' for name, version in repro.versions.items())}"
    yield f"  scenario {repro.scenario}: {repro.title}{'' if repro.exchange else ' (run whole)'}"
    yield from (f"  {line}" for line in repro.words)
    for number, told in enumerate(repro.told, 1):
        yield ""
        yield from exchange_lines(number, _interaction(told))
    yield ""
    yield "events:" if repro.timeline else "no events"
    for place, line in enumerate(repro.timeline):
        yield f"{'>' if place == met.index else ' ':>3} {place:>3} {line}"
    if met.index == len(repro.timeline):
        yield f"{'>':>3} {met.index:>3} end of the stream"


_ENDS = {Terminal.COMPLETE: End.COMPLETE, Terminal.RESET: End.CUT, Terminal.SILENCE: End.ERROR}


def _interaction(told: Told) -> Interaction:
    asked, delivery = told.request, told.delivery
    return Interaction(
        asked.method,
        asked.path,
        asked.headers,
        asked.body,
        delivery.status,
        delivery.headers,
        delivery.chunks,
        end=_ENDS[delivery.terminal],
    )
