"""REACT: the tool loop through an adapter, over all of its turns."""

import json
from typing import Final

from harness.agent.events import EventKind
from harness.agent.run import Answer
from harness.checks.failure import told
from harness.checks.findings import Findings
from harness.checks.observation import Observation
from harness.checks.requests import refused
from harness.exchange import Goal

#: the words of the text format, by which a request in text is known
_STOP: Final = "Observation:"


def check_run(seen: Observation, findings: Findings) -> None:
    """A run comes to its end, and each of its requests would be accepted."""
    goal = seen.exchange.goal
    if goal is None:
        return
    findings.expect("LIFE-ENDS", not seen.timed_out, "the run did not end", "an answer or an error")
    if seen.log.exchanges:
        findings.exercise("REACT-HISTORY")
        for fault in refused(seen):
            findings.violate("REACT-HISTORY", f"{fault.path}: {fault.what}", fault.evidence)
    _check_goal(seen, goal, findings)
    _check_stop_words(seen, findings)


def _check_goal(seen: Observation, goal: Goal, findings: Findings) -> None:
    ran = tuple(event.data.name for event in seen.run if event.kind is EventKind.TOOL_STARTED)
    met = (_ending(seen), ran, len(seen.log.exchanges))
    wanted = (goal.answer, goal.ran, len(goal.answers))
    findings.expect(goal.rule, met == wanted, _shown(met), _shown(wanted))


def _ending(seen: Observation) -> str:
    return seen.output.text if isinstance(seen.output, Answer) else told(seen.error)


def _shown(run: tuple[str, tuple[str, ...], int]) -> str:
    ending, ran, requests = run
    return f"{ending!r} after {requests} requests, tools run: {', '.join(ran) or 'none'}"


def _check_stop_words(seen: Observation, findings: Findings) -> None:
    """Of a run in text, the first request has the stop word, where the adapter declares that it takes some."""
    in_text = any(event.kind is EventKind.CALLED and event.what.startswith("text") for event in seen.run)
    if not in_text or not seen.provider.capabilities.stop_words:
        return
    sent = [_STOP in json.dumps(dict(view.params), default=str) for view in seen.views]
    if sent:
        findings.expect("REACT-STOP-WORDS", any(sent), "no request has the stop word", f"{_STOP!r} as a parameter")
