"""The survivors, and the rates: by adapter, by kind, and in all."""

import tomllib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from tests.mutation.catalogue import MUTANTS
from tests.mutation.results import Result

#: in place of a provider's name: in every provider
ANY: Final = "any"

#: why survivors are no faults: by provider, or ``any``, then by mutant
Argued = Mapping[str, Mapping[str, str]]


@cache
def argued(bench: str) -> Argued:
    """The arguments about one bench's survivors."""
    told: Mapping[str, Argued] = tomllib.loads(files("tests.mutation").joinpath("survivors.toml").read_text("utf-8"))
    return told.get(bench, {})


def reason(told: Argued, result: Result) -> str:
    """Why a survivor is no fault; empty where nobody has said so."""
    return next(
        (told[part][result.mutant] for part in (result.provider, ANY) if result.mutant in told.get(part, {})), ""
    )


def wrong(told: Argued, results: Iterable[Result], every: Callable[[str], Collection[str]]) -> Iterator[str]:
    """What is not so about the arguments: that there is such a mutant, and that it survives.

    ``every`` gives the ids of all mutants of a provider that was tried.
    """
    outcomes: dict[str, dict[str, str]] = {}
    for each in results:
        outcomes.setdefault(each.provider, {})[each.mutant] = each.outcome
    for provider, met in sorted(outcomes.items()):
        known = every(provider)
        for name in {**told.get(ANY, {}), **told.get(provider, {})}:
            if name not in known:
                yield f"argued, and there is no such mutant: {provider}: {name}"
            if met.get(name) == "killed" or (met.get(name) == "no_effect" and name in told.get(provider, {})):
                yield f"argued, and {met[name]}: {provider}: {name}"


def rows(told: Argued, results: Sequence[Result]) -> Iterator[str]:
    """A line for each survivor, and what never had an effect, by mutant."""
    for each in sorted(results, key=lambda each: (each.provider, each.mutant)):
        if each.outcome == "survived":
            yield f"survived  {each.provider}  {each.mutant}"
            yield f"    {reason(told, each) or 'not argued'}"
    idle: dict[str, list[str]] = {}
    for each in results:
        if each.outcome == "no_effect":
            idle.setdefault(each.mutant, []).append(each.provider)
    for mutant, providers in sorted(idle.items()):
        yield f"no effect  {mutant}: {', '.join(sorted(providers))}"


def rates(told: Argued, results: Sequence[Result]) -> Iterator[str]:
    """The rates, as a table. What had no effect is no mutant, and counted apart."""
    peers = {mutant.id for mutant in MUTANTS if mutant.peers}
    groups = {
        **_groups(results, lambda each: each.provider),
        **_groups(results, lambda each: each.kind),
        **_groups(results, lambda each: "simple faults" if each.mutant in peers else ""),
        "in all": results,
    }
    yield "| | killed | of | rate | by advice alone | equivalent | not argued | no effect |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from (_rate(told, name, group) for name, group in groups.items() if name)


def _groups(results: Iterable[Result], key: Callable[[Result], str]) -> dict[str, list[Result]]:
    groups: dict[str, list[Result]] = {}
    for each in results:
        groups.setdefault(key(each), []).append(each)
    return dict(sorted(groups.items()))


def _rate(told: Argued, name: str, results: Sequence[Result]) -> str:
    """A row. The rate is that of mutants that are not argued to be equivalent."""
    counts = Counter[str](each.outcome for each in results)
    equivalent = sum(bool(reason(told, each)) for each in results if each.outcome == "survived")
    total = counts["killed"] + counts["survived"] - equivalent
    share = f"{counts['killed'] / total:.1%}" if total else "-"
    advised = sum(each.level == "SHOULD" for each in results)
    cells = (name, counts["killed"], total, share, advised, equivalent, total - counts["killed"], counts["no_effect"])
    return f"| {' | '.join(map(str, cells))} |"
