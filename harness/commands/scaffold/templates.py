"""The files of a new adapter, from the templates beside this module."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from string import Template
from typing import Final

_PACKAGE: Final = "harness.commands.scaffold"
#: parts refer to other parts, this deep at most
_DEPTH: Final = 4


@cache
def parts() -> Mapping[str, Mapping[str, str]]:
    """What fills the templates, by dialect."""
    families = _table("families.toml")
    return {name: _with_family(row, families) for name, row in _table("dialects.toml").items()}


def _with_family(row: Mapping[str, str], families: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    family = families[row["family"]] if "family" in row else {}
    inherited = _with_family(family, families) if family else {}
    return {**inherited, **{key: _edges(text) for key, text in row.items()}}


def _edges(text: str) -> str:
    """A part without the line ends by which TOML sets it apart."""
    return text.removesuffix("\n")


def _table(name: str) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(_text(name))


def _text(name: str) -> str:
    return files(_PACKAGE).joinpath(name).read_text(encoding="utf-8")


def adapter(name: str, dialect: str) -> dict[str, str]:
    """The files of an adapter's package, by their names."""
    fill = {**parts()[dialect], "name": name, "dialect": dialect, "class_name": class_name(name)}
    return {file: _filled(_text(template), fill) for file, template in _TEMPLATES.items()}


_TEMPLATES: Final = {"__init__.py": "record.py.in", "model.py": "model.py.in"}


def _filled(text: str, fill: Mapping[str, str]) -> str:
    for _ in range(_DEPTH):
        text = Template(text).substitute(fill)
    return text


def class_name(name: str) -> str:
    """The class of an adapter, e.g. ``MyOpenaiModel`` for ``my_openai``."""
    return f"{''.join(part.capitalize() for part in name.split('_'))}Model"


def workflow(name: str, dialect: str) -> str:
    """A GitHub Actions workflow that holds the adapter to the profile ``core``."""
    return _filled(_text("workflow.yml.in"), {"name": name, "extra": parts()[dialect]["extra"]})
