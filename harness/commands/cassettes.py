"""``conformance cassettes`` and ``conformance show``: recorded exchanges, checked, imported, and read."""

import argparse
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from harness.cassettes.checking import Checked, check_folder
from harness.cassettes.importing import imported
from harness.cassettes.model import CassetteError, Origin
from harness.cassettes.showing import show
from harness.cassettes.storage import SUFFIX, load, save
from harness.discovery import find
from harness.reporting.text import printable
from harness.repro.model import ReproError
from harness.repro.showing import show as show_repro
from harness.repro.storage import is_repro
from harness.repro.storage import load as load_repro


def add(commands: Any) -> None:
    """Add the parsers."""
    family = commands.add_parser("cassettes", help="recorded exchanges: check them, import other people's")
    actions = family.add_subparsers(required=True, metavar="ACTION")
    checking = actions.add_parser("check", help="look for secrets, and for what no service sent")
    checking.add_argument("folder", metavar="DIR", nargs="?", type=Path, default=Path("cassettes"))
    checking.add_argument("--max-age", metavar="DAYS", type=_days, help="tell of cassettes that are older")
    checking.set_defaults(command=_check)
    importing = actions.add_parser("import", help="make cassettes of recordings in other formats")
    importing.add_argument("files", metavar="FILE", nargs="+", type=Path)
    importing.add_argument("--provider", metavar="NAME", required=True, help="whose adapter speaks to that service")
    importing.add_argument("--to", metavar="DIR", type=Path, default=Path("cassettes"))
    importing.set_defaults(command=_guarded(_import))
    showing = commands.add_parser("show", help="a cassette or repro file as a time line, binary event streams included")
    showing.add_argument("file", metavar="FILE", type=Path)
    showing.set_defaults(command=_guarded(_show))


def _days(text: str) -> timedelta:
    return timedelta(days=float(text))


def _guarded(command: Callable[[argparse.Namespace], None]) -> Callable[[argparse.Namespace], None]:
    """The command, with what is wrong with a file told in a line."""

    def guarded(options: argparse.Namespace) -> None:
        try:
            command(options)
        except (CassetteError, ReproError) as error:
            print(f"conformance: {error}", file=sys.stderr)
            raise SystemExit(4) from None

    return guarded


def _check(options: argparse.Namespace) -> None:
    found = list(check_folder(options.folder, options.max_age))
    for each in found:
        for problem in each.problems:
            _say(f"{each.path}: {problem}")
        if each.old:
            _say(f"{each.path}: recorded more than {options.max_age.days} days ago")
    _say(_summary(found))
    if any(each.problems for each in found):
        raise SystemExit(1)


def _summary(found: list[Checked]) -> str:
    read = [each.cassette for each in found if each.cassette is not None]
    counts = {origin: sum(one.provenance.origin is origin for one in read) for origin in Origin}
    exchanges = sum(len(one.interactions) for one in read)
    size = sum(each.path.stat().st_size for each in found) / 1e6
    told = ", ".join(f"{count} {origin}" for origin, count in counts.items())
    bad = sum(bool(each.problems) for each in found)
    old = sum(each.old for each in found)
    return f"{len(found)} cassettes ({told}), {exchanges} exchanges, {size:.2f} MB: {bad} with problems, {old} old"


def _import(options: argparse.Namespace) -> None:
    (provider,) = find([options.provider])
    for path in options.files:
        target = options.to / provider.name / f"{path.name.partition('.')[0]}{SUFFIX}"
        if target.exists():
            raise CassetteError(f"{target} is there already; give --to another folder")
        cassette = imported(path, provider)
        save(target, cassette)
        _say(f"{target}: {len(cassette.interactions)} exchanges")


def _show(options: argparse.Namespace) -> None:
    lines = show_repro(load_repro(options.file)) if is_repro(options.file) else show(load(options.file))
    for line in lines:
        _say(printable(line))


def _say(line: str) -> None:
    print(line)
