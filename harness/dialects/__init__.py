"""Server side of each protocol: what a vendor says, and what it accepts."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from harness.dialects.base import Dialect


def dialect_names() -> tuple[str, ...]:
    """The names of all dialects; nothing is imported."""
    return tuple(sorted(path.parent.name for path in Path(__file__).parent.glob("*/dialect.py")))


def load_dialect(name: str) -> Dialect:
    """The dialect with a name, e.g. ``openai_chat``. Raises LookupError for one that does not exist."""
    module = f"{__name__}.{name}"
    if not name.isidentifier() or find_spec(module) is None:
        raise LookupError(f"there is no dialect {name!r}")
    dialect: Dialect = import_module(module).DIALECT
    return dialect
