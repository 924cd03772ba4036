"""How long a prompt may be: context windows by model name, in tokens.

The table is ``windows.toml``. A name is compared without the prefixes by which routers, regions and vendors are named
(``openrouter/anthropic/``, ``us.anthropic.``, ``models/``); of the rows that it begins with the longest counts.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

#: what an unknown model is taken to have
DEFAULT: Final = 8192
#: the part of a window that a conversation may fill: estimates are off, and the answer needs room
USAGE_RATIO: Final = 0.85
#: no model has less, and none that is known more; a figure outside is a slip of the pen
SMALLEST: Final = 1024
LARGEST: Final = 2_097_152

#: region and vendor by dots, as Bedrock has them; a dot in a version is none
_DOTTED: Final = re.compile(r"[a-z][a-z-]*\.(?=[a-z])")
_VERSION_DOT: Final = re.compile(r"(?<=\d)\.(?=\d)")
_SEPARATORS: Final = re.compile(r"[/:]")


def context_window(model: str, overrides: Mapping[str, int] | None = None) -> int:
    """The window of a model in tokens, :data:`DEFAULT` where it is not known.

    ``overrides`` are rows of one's own, which win over the table's. Raises ValueError for one outside the bounds.
    """
    own = {_spelt(name): checked(name, tokens) for name, tokens in (overrides or {}).items()}
    names = [_spelt(name) for name in _names(model.strip().lower())]
    found = _longest(names, own)
    return _longest(names, table()) or DEFAULT if found is None else found


def usable_tokens(window: int) -> int:
    """The part of a window that a conversation may fill."""
    return int(window * USAGE_RATIO)


def _spelt(name: str) -> str:
    """One spelling of versions: routers write ``claude-3.5`` for Anthropic's ``claude-3-5``."""
    return _VERSION_DOT.sub("-", name.lower())


def _names(model: str) -> Iterator[str]:
    """The name, and what remains of it behind each prefix."""
    yield model
    starts = (match.end() for match in _SEPARATORS.finditer(model))
    for start in (0, *starts):
        name = model[start:]
        yield name
        while dotted := _DOTTED.match(name):
            name = name[dotted.end() :]
            yield name


def _longest(names: list[str], rows: Mapping[str, int]) -> int | None:
    fitting = (row for row in rows for name in names if _begins(name, row))
    best = max(fitting, key=len, default=None)
    return None if best is None else rows[best]


def _begins(name: str, row: str) -> bool:
    """``gpt-4`` begins ``gpt-4-0613``, but not ``gpt-4o``, which is another model."""
    return name.startswith(row) and not re.match(r"\w", name[len(row) :])


def checked(name: str, tokens: Any) -> int:
    """A row's figure. Raises ValueError where it cannot be a window."""
    if not isinstance(tokens, int) or isinstance(tokens, bool) or not SMALLEST <= tokens <= LARGEST:
        raise ValueError(f"{name}: {tokens!r} is no context window ({SMALLEST:,} to {LARGEST:,} tokens)")
    return tokens


def load(content: str) -> tuple[dict[str, int], dict[str, str]]:
    """Windows and their sources by the beginnings of names. Raises ValueError for a row that cannot be right."""
    windows: dict[str, int] = {}
    sources: dict[str, str] = {}
    for source in tomllib.loads(content)["source"]:
        for name, tokens in source["tokens"].items():
            row = _spelt(name)
            if row in windows:
                raise ValueError(f"{name}: there is a row for it already")
            windows[row], sources[row] = checked(name, tokens), source["title"]
    return windows, sources


@cache
def _loaded() -> tuple[dict[str, int], dict[str, str]]:
    return load((files("harness.agent") / "windows.toml").read_text(encoding="utf-8"))


def table() -> Mapping[str, int]:
    """All rows: beginning of the name, with hyphens in versions, to tokens."""
    return _loaded()[0]


def sources() -> Mapping[str, str]:
    """All rows: beginning of the name, as in :func:`table`, to whose figure it is."""
    return _loaded()[1]
