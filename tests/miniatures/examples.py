"""The examples by which rules are explained, played by a miniature of each rule and by its base.

``python -m tests.miniatures.examples [RULE …]`` writes ``harness/reporting/examples.json`` anew.
"""

import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

from harness.bench import Bench
from harness.cassettes.model import Cassette
from harness.cassettes.storage import load, save
from harness.checks import Findings, Observation
from harness.checks.life import LONGEST_STALL
from harness.contract.rules import RULES
from harness.endpoint.network import no_network
from harness.laboratory import Laboratory
from harness.reporting.examples import Example
from harness.scenarios.describe import describe, timeline
from harness.suite.replay import replay_cases
from tests.miniatures.miniature import Miniature, play_broken, play_unbroken, provider
from tests.miniatures.readers import reading_by, right
from tests.miniatures.test_miniatures import MINIATURES
from tests.suite.test_replay import BREAKS

ROOT: Final = Path(__file__).resolve().parents[2]
FILE: Final = ROOT / "harness" / "reporting" / "examples.json"
#: lines of a timeline
LONGEST: Final = 40
_CASSETTE: Final = ROOT / "cassettes" / "openai" / "text.yaml"


@dataclass(frozen=True)
class Sight:
    """One exchange that put a rule to the test."""

    seen: Observation
    holds: bool
    #: what came after the events, taken down at once: connections that were left open are closed later
    ending: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """What was asked and answered."""
        return tuple(describe(self.seen.exchange, self.seen.dialect))

    @property
    def timeline(self) -> tuple[str, ...]:
        """What came of it."""
        return (*_before(self.seen), *_events(self.seen), *self.ending)


@dataclass
class Witness(Bench):
    """A bench that keeps what it saw of every rule."""

    sights: dict[str, list[Sight]] = field(default_factory=dict)

    def _keep(self, found: Findings, seen: Observation, *, alone: bool) -> None:
        ending = tuple(_after(seen))
        for rule in found.exercised:
            self.sights.setdefault(rule, []).append(Sight(seen, rule not in found.broken, ending))
        super()._keep(found, seen, alone=alone)


def _before(seen: Observation) -> Iterator[str]:
    """The requests, as the server saw them."""
    for request in seen.requests:
        yield f"request {request.method} {request.path} {_shown(_body(request.body), 600)}"


def _body(body: bytes) -> str:
    """A body without the spaces that JSON may have, which differ by who made it; escapes stay as they are."""
    text = body.decode(errors="replace")
    try:
        return text if "\\u" in text else json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":"))
    except ValueError:
        return text


def _events(seen: Observation) -> Iterator[str]:
    if seen.run:
        yield from timeline([*seen.run])
        return
    for event in seen.events:
        ((key, body),) = event.items() if isinstance(event, dict) and len(event) == 1 else (("event", event),)
        yield f"{key} {_shown(body.get('delta', body) if isinstance(body, dict) else body)}"


def _after(seen: Observation) -> Iterator[str]:
    """What the caller got beside events, and what the call left behind."""
    if seen.output is not None:
        yield f"returned {_shown(seen.output)}, as result {seen.outputs}"
    yield from (f"warned {_shown(warning)}" for warning in seen.warnings)
    yield from _raised(seen.error) if seen.error is not None else ()
    if seen.reading is not None:
        yield f"read as {_shown(seen.reading.message['content'])}"
    if seen.reading_error is not None:
        yield f"read as {type(seen.reading_error).__name__}"
    yield from (f"left {what}" for what in (f"the task {name}" for name in seen.tasks))
    yield from (f"changed {name}" for name in seen.changed)
    if seen.stall >= LONGEST_STALL:
        yield f"blocked the loop for {seen.stall * 1000:.0f} ms"
    for log in seen.log.exchanges:
        state = "let go" if log.released else "still open"
        silence = f", given up after {log.silence:g} s of silence" if log.silence else ""
        yield f"connection {state}{silence}"


def _raised(error: BaseException) -> Iterator[str]:
    cause = f" from {type(error.__cause__).__name__}" if error.__cause__ is not None else ""
    wait = getattr(error, "retry_after", None)
    later = "" if wait is None else f", retry_after={wait:g}"
    yield f"raised {type(error).__name__}{cause}{later}: {_shown(' '.join(str(error).split()), 160)}"


def _shown(value: object, limit: int = 240) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def example(rule: str, laboratory: Laboratory) -> Example:
    """A rule's example, played now."""
    if RULES[rule].family == "CASSETTE":
        return _of_cassette(rule, laboratory)
    miniature = next(each for each in MINIATURES if each.rule == rule)
    base = miniature.on[0]
    with _limits(miniature.limits or {}):
        broken = play_broken(laboratory, base, miniature, Witness)
    unbroken = _unbroken(laboratory, base, miniature)
    if rule not in unbroken.sights:  # the unbroken adapter does not play the scenario: it is given the same exchange
        laboratory.run(unbroken.run(next(sight.seen.exchange for sight in broken.sights[rule] if not sight.holds)))
    return _told(rule, base, miniature.scenario, miniature.title, broken, unbroken)


def _unbroken(laboratory: Laboratory, base: str, miniature: Miniature) -> Witness:
    """The base, with the right reader where the rule is about readers."""
    if RULES[miniature.rule].family == "READ":
        return play_broken(laboratory, base, replace(miniature, provider=reading_by(right)), Witness)
    return play_unbroken(laboratory, base, miniature.scenario, Witness)


def _told(rule: str, adapter: str, scenario: str, title: str, broken: Witness, unbroken: Witness) -> Example:
    bad = next(sight for sight in broken.sights[rule] if not sight.holds)
    met = broken.findings[rule]
    index = None if met.violation.index is None else met.violation.index + _requests(bad)
    good = _like(bad, [sight for sight in unbroken.sights.get(rule, []) if sight.holds])
    return Example(
        adapter,
        scenario,
        title,
        bad.words,
        met.violation.met,
        met.violation.wanted,
        index,
        _short(bad.timeline),
        _short(good),
    )


def _requests(sight: Sight) -> int:
    """Lines of the timeline before its first event."""
    return len(sight.seen.requests)


def _like(bad: Sight, good: list[Sight]) -> tuple[str, ...]:
    """The timeline of the same exchange, else of the first that put the rule to the test."""
    return next((sight.timeline for sight in good if sight.words == bad.words), good[0].timeline)


def _short(timeline: tuple[str, ...]) -> tuple[str, ...]:
    """Both ends of what is too long to read."""
    if len(timeline) <= LONGEST:
        return timeline
    half = LONGEST // 2
    return (*timeline[:half], f"… {len(timeline) - 2 * half} more", *timeline[-half:])


def _of_cassette(rule: str, laboratory: Laboratory) -> Example:
    title, (_, change, _) = next((title, row) for title, row in BREAKS.items() if row[0] == rule)
    whole = load(_CASSETTE)
    broken = replace(whole, interactions=change(whole.interactions[0]))
    benches = [_replayed(laboratory, each) for each in (broken, whole)]
    return _told(rule, "openai", "cassette-text", title, *benches)


def _replayed(laboratory: Laboratory, cassette: Cassette) -> Witness:
    with TemporaryDirectory() as folder:
        save(Path(folder) / "text.yaml", cassette)
        record = replace(provider("openai"), cassettes=Path(folder))
        bench = Witness(laboratory.bench(record).subject)
        for case in replay_cases(record):
            case.run(laboratory, bench)
    return bench


@contextmanager
def _limits(limits: Mapping[str, float]) -> Iterator[None]:
    """Shorter time limits of the runner."""
    patches = [patch(name, seconds) for name, seconds in limits.items()]
    for each in patches:
        each.start()
    try:
        yield
    finally:
        for each in patches:
            each.stop()


@contextmanager
def stage() -> Iterator[Callable[[str], Example]]:
    """What plays a rule's example."""
    laboratory = Laboratory()
    with no_network(), warnings.catch_warnings(action="ignore"):
        yield partial(example, laboratory=laboratory)
    laboratory.close()


#: what no two runs have in common: times, made ids, addresses, and where the stack was full
_PASSING = re.compile(
    r"(?<=Ms': )\d+(?:\.\d+)?|(?<=Task-)\d+|(?<=recursion depth exceeded)[\w ]*"
    r"|\b\d+\.\d+(e-?\d+)?\b|\b\d+(?= ms\b)|0x[0-9a-f]+|(?<=127\.0\.0\.1:)\d+|(?<![0-9a-z])[0-9a-f]{24,}\b"
)


def lasting(row: Any) -> Any:
    """A row without what differs from run to run."""
    return json.loads(_PASSING.sub("~", json.dumps(row, ensure_ascii=False)))


def written(made: Mapping[str, Example], before: Mapping[str, Any]) -> str:
    """The file's text; rows that only differ from those before in what always differs stay as they are."""
    rows = {rule: json.loads(json.dumps(asdict(each))) for rule, each in made.items()}
    kept = {rule: before[rule] if lasting(before.get(rule)) == lasting(row) else row for rule, row in rows.items()}
    known = {**before, **kept}
    table = {rule: known[rule] for rule in RULES if rule in known}
    return json.dumps(table, ensure_ascii=False, indent=1) + "\n"


def main(rules: Sequence[str]) -> None:
    """Write the examples of these rules, or of all, into the file."""
    before = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    with stage() as play:
        made = {rule: play(rule) for rule in rules or RULES}
    text = written(made, before)
    if not FILE.exists() or text != FILE.read_text(encoding="utf-8"):
        FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import_module("tests.miniatures.examples").main(sys.argv[1:])
