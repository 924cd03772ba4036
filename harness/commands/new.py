"""``conformance new``: an adapter in a project of the user's own that passes the profile ``core`` at once."""

import argparse
import keyword
import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from harness.commands.problems import UsageError, unknown
from harness.commands.scaffold.templates import adapter, parts, workflow
from harness.dialects import dialect_names
from harness.discovery import shipped

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


def add(commands: Any) -> None:
    """Add the parser."""
    parser = commands.add_parser("new", help="write an adapter that passes the profile core at once, and a workflow")
    parser.add_argument("name", metavar="NAME", help="of the package, e.g. my_adapter")
    parser.add_argument("--dialect", required=True, metavar="NAME", help=f"one of {', '.join(parts())}")
    parser.add_argument("--into", type=Path, default=Path(), metavar="DIR", help="the project (default: this folder)")
    parser.set_defaults(command=_new)


def _new(options: argparse.Namespace) -> None:
    _check_dialect(options.dialect)
    _check_name(options.name, options.into)
    made = _files(options.name, options.dialect)
    there = [str(options.into / path) for path in made if (options.into / path).exists()]
    if there:
        raise UsageError(f"{', '.join(there)}: there already, and nothing is overwritten. Choose another name")
    for path, text in made.items():
        place = options.into / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        _say(f"wrote {place}")
    _say(f"try it: pytest --provider={options.name}:PROVIDER --profile=core")


def _files(name: str, dialect: str) -> Mapping[Path, str]:
    """The texts, by their places in the project."""
    package = {Path(name) / file: text for file, text in adapter(name, dialect).items()}
    return {**package, Path(".github", "workflows", f"conformance-{name}.yml"): workflow(name, dialect)}


def _check_dialect(dialect: str) -> None:
    if dialect in parts():
        return
    if dialect in dialect_names():
        raise UsageError(f"no adapter for {dialect} can be written yet. There are templates for: {', '.join(parts())}")
    raise unknown("dialect", dialect, parts())


def _check_name(name: str, into: Path) -> None:
    """A name that can be imported, and that hides nothing: an adapter called openai would hide the SDK."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise UsageError(f"{name!r} is no name for a package: small letters, digits and underscores, e.g. my_adapter")
    spec = None if (into / name).is_dir() else find_spec(name)
    if spec is not None or name in shipped():
        where = spec.origin if spec is not None and spec.origin else "the harness"
        raise UsageError(f"{name!r} is taken by {where}, which the adapter would hide. Choose another name: my_{name}")


def _say(line: str) -> None:
    print(line)
