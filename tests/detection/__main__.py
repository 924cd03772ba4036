"""``python -m tests.detection --bugs FILE``: does the suite catch bugs that adapters had, and have?"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

from tests.detection.bugs import BadBugsError, Bug, Run, read_bugs, stand_ins
from tests.detection.environments import parsed
from tests.detection.kinds import closer_rules, every
from tests.detection.report import as_json, page, rates, table
from tests.detection.trials import Trial, fingerprint, trial_of
from tests.detection.verdicts import Verdict, verdicts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the bench. The status is 2 for a file that cannot be used, else 0: a bench measures."""
    parser = argparse.ArgumentParser(prog="python -m tests.detection", description=__doc__)
    parser.add_argument("--bugs", type=Path, required=True, metavar="FILE", help="JSON Lines, one bug a line")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="this bug only; repeatable")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the result here")
    parser.add_argument("--markdown", type=Path, metavar="OUT", help="write the rates here, as a page of documentation")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="trials at a time (default: 2)")
    parser.add_argument("--verbose", action="store_true", help="every rule that shows a bug, not the two clearest")
    asked = parser.parse_args(arguments)
    try:
        bugs = _chosen(asked.bugs, asked.only)
    except (OSError, BadBugsError) as error:
        sys.stderr.write(f"{asked.bugs}: {error}\n")
        return 2
    judged = _judged(bugs, asked.jobs)
    sys.stdout.writelines(f"{line}\n" for line in (*table(judged, verbose=asked.verbose), "", *rates(judged)))
    if asked.json:
        asked.json.write_text(json.dumps(as_json(judged), ensure_ascii=True, indent=1) + "\n", encoding="utf-8")
    if asked.markdown:
        lines = page(judged, datetime.now(UTC).date())
        asked.markdown.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return 0


def _chosen(path: Path, only: Sequence[str]) -> list[Bug]:
    bugs = read_bugs(path.read_text(encoding="utf-8").split("\n"))
    if unknown := set(only) - {bug.id for bug in bugs}:
        raise BadBugsError(f"no bug {', '.join(sorted(unknown))}")
    return [bug for bug in bugs if not only or bug.id in only]


def _judged(bugs: Sequence[Bug], jobs: int) -> list[Verdict]:
    """The verdicts: by what each bug's own words lead to, and where that shows nothing, by all that its kind may break.

    A bug of a model class that its version has not yet is looked for in others of its protocol.
    """
    found = {each.bug.id: each for each in verdicts(bugs, _trials(bugs, closer_rules, jobs))}
    missed = [each.bug for each in found.values() if each.outcome == "missed"]
    instead = [stand_ins(each.bug) for each in found.values() if each.too_early]
    later = verdicts([*missed, *instead], _trials([*missed, *instead], every, jobs))
    found |= {each.bug.id: each for each in later if not found[each.bug.id].too_early or each.outcome == "detected"}
    return [found[bug.id] for bug in bugs]


def _trials(bugs: Sequence[Bug], rules: Callable[[Bug], Set[str]], jobs: int) -> dict[Run, Trial]:
    """Every trial that the bugs want; those of the cache cost nothing, so that a bench that was stopped goes on."""
    wanted, harness = _wanted(bugs, rules), fingerprint()
    made: dict[Run, Trial] = {}
    with ThreadPoolExecutor(max(1, jobs)) as pool:
        found = pool.map(lambda run: trial_of(run, wanted[run], harness), wanted)
        for run, trial in zip(wanted, found, strict=True):
            made[run] = trial
            told = trial.failure or f"{len(trial.broken_in)} breaches of rules in {len(trial.scenarios)} scenarios"
            sys.stderr.write(f"{len(made)}/{len(wanted)} {run.version} {run.provider}: {told[:160]}\n")
    return made


def _wanted(bugs: Sequence[Bug], rules: Callable[[Bug], Set[str]]) -> dict[Run, Set[str]]:
    """What must be tried, each once, with the rules to look at; the newest version first."""
    wanted: dict[Run, Set[str]] = {}
    for bug in bugs:
        for run in [] if bug.unusable else bug.runs:
            wanted[run] = wanted.get(run, frozenset()) | rules(bug)
    newest = sorted(wanted, key=lambda run: ([-number for number in parsed(run.version)], run.provider))
    return {run: wanted[run] for run in newest}


if __name__ == "__main__":
    sys.exit(main())
