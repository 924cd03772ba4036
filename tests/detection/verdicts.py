"""What trials say about a bug: detected, by which rules; missed; or not runnable, and why."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from harness.contract.rules import RULES
from tests.detection.bugs import Bug, Run
from tests.detection.kinds import closer_rules, rules_of
from tests.detection.trials import Trial

Outcome = Literal["detected", "missed", "not_runnable"]
Trials = Mapping[Run, Trial]

_LEVELS: Final = ("MUST", "SHOULD", "MAY")

_NO_MODULE: Final = re.compile(r"No module named 'strands\.models|not installed: strands")


@dataclass(frozen=True, slots=True)
class Sign:
    """A rule by which a bug shows: the scenario, the count of exchanges, and the first of them in words.

    ``close`` says that the row's own words lead to the rule, and for a bug without a fixed version also that a word of
    its trigger or symptom was met in the exchange or in the breach.
    """

    provider: str
    rule: str
    scenario: str
    examples: int
    met: str
    exchange: tuple[str, ...]
    close: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one bug. ``others`` are rules that tell the versions apart, but are not of its category."""

    bug: Bug
    outcome: Outcome
    signs: tuple[Sign, ...] = ()
    why: str = ""
    others: tuple[str, ...] = ()
    tried: tuple[str, ...] = field(default=())

    @property
    def too_early(self) -> bool:
        """Whether the version has no such model class yet."""
        return not self.tried and bool(_NO_MODULE.search(self.why))

    @property
    def seen_at(self) -> tuple[str, ...]:
        """The adapters that showed the bug."""
        return tuple(dict.fromkeys(sign.provider for sign in self.signs))


_NO_ADAPTER: Final = Trial("no such model class", {})


def verdict(bug: Bug, trials: Trials) -> Verdict:
    """The verdict about one bug. One of several adapters is enough."""
    if bug.unusable:
        return Verdict(bug, "not_runnable", why=bug.unusable)
    failures: dict[str, str] = {}
    found: list[Sign] = []
    for provider in bug.providers:
        made = [trials.get(Run(version, provider), _NO_ADAPTER) for version in bug.versions]
        why = "; ".join(
            f"{version}: {trial.failure}" for version, trial in zip(bug.versions, made, strict=True) if trial.failure
        )
        if why:
            failures[provider] = why
        else:
            found += _differences(bug, provider, *made) if bug.pair else _present(bug, provider, *made)
    tried = tuple(provider for provider in bug.providers if provider not in failures)
    if not tried:
        return Verdict(bug, "not_runnable", why=next(iter(failures.values())))
    wanted = rules_of(bug.category)
    signs = tuple(sorted((sign for sign in found if sign.rule in wanted), key=_strength))
    others = tuple(sorted({sign.rule for sign in found} - wanted))
    return Verdict(bug, "detected" if signs else "missed", signs, others=others, tried=tried)


def _strength(sign: Sign) -> tuple[bool, int, int]:
    return not sign.close, _LEVELS.index(RULES[sign.rule].level), -sign.examples


def _differences(bug: Bug, provider: str, bad: Trial, good: Trial) -> Iterator[Sign]:
    """Breaches of the bad version where the good one keeps the rule: of the same exchange, else of the scenario."""

    def mended(rule: str, scenario: str, key: str) -> Sequence[str]:
        breaches = bad.broken[rule, scenario, key]
        if (rule, scenario) not in good.exercised:
            return ()
        if (scenario, key) in good.judged:
            return _gone(breaches, good.broken.get((rule, scenario, key), ()))
        return breaches if (rule, scenario) not in good.broken_in else ()

    close = closer_rules(bug)
    yield from _signs(provider, bad, mended, lambda rule, words: rule in close)


def _gone(earlier: Sequence[str], later: Sequence[str]) -> Sequence[str]:
    """The breaches that are no more; none where others have come, since then nothing says that any was mended."""
    still = {_NUMBER.sub("#", words) for words in later}
    before = {_NUMBER.sub("#", words): words for words in earlier}
    return [words for plain, words in before.items() if plain not in still] if still <= before.keys() else ()


#: ports, times and the like differ from run to run
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


def _present(bug: Bug, provider: str, bad: Trial) -> Iterator[Sign]:
    """Breaches of rules that the row's words lead to."""
    rules, words = closer_rules(bug), _telling(bug)

    def broken(rule: str, scenario: str, key: str) -> Sequence[str]:
        return bad.broken[rule, scenario, key] if rule in rules else ()

    yield from _signs(provider, bad, broken, lambda rule, told: bool(words & _tokens(told)))


def _signs(
    provider: str,
    bad: Trial,
    counting: Callable[[str, str, str], Sequence[str]],
    close: Callable[[str, str], bool],
) -> Iterator[Sign]:
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for rule, scenario, key in bad.broken:
        if counted := counting(rule, scenario, key):
            groups.setdefault((rule, scenario), []).append((key, counted[0]))
    for (rule, scenario), breaches in groups.items():
        told = [(met, tuple(bad.exchange(scenario, key))) for key, met in breaches]
        near = [each for each in told if close(rule, " ".join((each[0], *each[1])))]
        met, exchange = (near or told)[0]
        yield Sign(provider, rule, scenario, len(breaches), met, exchange, bool(near))


#: words that every exchange has say nothing of a bug
_USUAL: Final = frozenset(
    re.findall(
        r"\w+",
        "absent answer call content dropped end_turn error event false http message model none null present stop "
        "stream streamed text tool tool_use true usage wanted whole with",
    )
)


def _telling(bug: Bug) -> frozenset[str]:
    return _tokens(f"{bug.trigger} {bug.observed}") - _USUAL


def _tokens(text: str) -> frozenset[str]:
    """Words that can tell one exchange from another: numbers of three digits, and words of four letters or more."""
    return frozenset(re.findall(r"[a-z_]{4,}|\d{3,}", text.lower()))


def verdicts(bugs: Iterable[Bug], trials: Trials) -> list[Verdict]:
    """The verdict about each bug."""
    return [verdict(bug, trials) for bug in bugs]
