"""``python -m tests.mutation wrappers|code``: how many faults, put into our adapters, does the suite find?"""

import argparse
import json
import random
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from harness.discovery import shipped
from tests.mutation import code, wrappers
from tests.mutation.catalogue import MUTANTS
from tests.mutation.report import argued, rates, rows, wrong
from tests.mutation.results import Result, as_json


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a bench. The status is 1 where an argument for a survivor is wrong, and 0 else: a bench measures."""
    asked = _parser().parse_args(arguments)
    told, results = argued(asked.bench), []
    for result in asked.run(asked):
        results.append(result)
        sys.stderr.write(f"{len(results)} {result.provider} {result.outcome}: {result.mutant} {result.rule}\n")
    sys.stdout.writelines(f"{line}\n" for line in (*rows(told, results), "", *rates(told, results)))
    if asked.json:
        asked.json.write_text(json.dumps(as_json(results), ensure_ascii=True, indent=1) + "\n", encoding="utf-8")
    faults = [*wrong(told, results, asked.every)]
    sys.stderr.writelines(f"{fault}\n" for fault in faults)
    return 1 if faults else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    benches = parser.add_subparsers(required=True, metavar="BENCH", dest="bench")
    _wrappers(benches.add_parser("wrappers", help="faults of events, requests and errors, by wrappers"))
    _code(benches.add_parser("code", help="faults of the code under providers/, by mutmut"))
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--provider", action="append", metavar="NAME", help="this adapter only; repeatable")
    parser.add_argument("--only", action="append", metavar="ID", help="this mutant only; repeatable")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which ones of a sample (default: 1)")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the results here")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="mutants at a time (default: 2)")


def _wrappers(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--sample", type=int, metavar="N", help="mutants of each adapter (default: all)")
    parser.set_defaults(run=_run_wrappers, every=_every_wrapper)


def _run_wrappers(asked: argparse.Namespace) -> Iterator[Result]:
    named = [mutant for mutant in MUTANTS if not asked.only or mutant.id in asked.only]
    for provider in asked.provider or shipped():
        drawn = random.Random(f"{asked.seed}-{provider}").sample(named, min(asked.sample or len(named), len(named)))
        yield from wrappers.bench(provider, drawn, asked.jobs)


def _every_wrapper(provider: str) -> Collection[str]:
    return {mutant.id for mutant in MUTANTS}


def _code(parser: argparse.ArgumentParser) -> None:
    _common(parser)
    parser.add_argument("--sample", type=int, default=40, metavar="N", help="mutants of each adapter (default: 40)")
    parser.set_defaults(run=_run_code, every=_every_code)


def _run_code(asked: argparse.Namespace) -> Iterator[Result]:
    # what several adapters share is a part of its own: a mutant of it is tried on those that load it
    for part in asked.provider or (*shipped(), code.SHARED):
        named = [each for each in code.mutants(part) if each.id in (asked.only or ())]
        yield from code.bench(part, named or code.sample(part, asked.sample, asked.seed), asked.jobs)


def _every_code(part: str) -> Collection[str]:
    return {mutant.id for mutant in code.mutants(part)}


if __name__ == "__main__":
    sys.exit(main())
