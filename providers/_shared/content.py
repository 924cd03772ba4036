"""Content blocks: what is read from them the same way for every service."""

import json
import warnings
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from harness.contract.config import UnsupportedContentWarning

W = TypeVar("W")


def warn_left_out(what: str) -> None:
    """Warn that something of the conversation is not sent."""
    warnings.warn(f"{what} cannot be sent and is left out", UnsupportedContentWarning, stacklevel=3)


def converted(table: Mapping[str, Callable[..., W | None]], block: Mapping[str, Any], *context: Any) -> W | None:
    """What the row for a block makes of its body and ``context``; None, with a warning, where no row takes it."""
    key = next((key for key in block if key in table), None)
    if key is None:
        warn_left_out(f"{'/'.join(block) or 'empty'} content")
        return None
    return table[key](block[key], *context)


def is_blank(text: str | None) -> bool:
    """Whether a service would refuse the text as empty."""
    return not text or text.isspace()


def cited_text(block: Mapping[str, Any]) -> str:
    """The text of a ``citationsContent`` block, without its sources."""
    return "".join(item.get("text") or "" for item in block.get("content") or ())


def guarded_text(block: Mapping[str, Any]) -> str:
    """The text of a ``guardContent`` block."""
    return (block.get("text") or {}).get("text") or ""


def json_text(value: Any) -> str:
    """JSON text with letters as they are; what JSON cannot say becomes a string."""
    return json.dumps(value, ensure_ascii=False, default=str)


def input_object(value: Any) -> dict[str, Any]:
    """A call's input as an object: a history may hold its JSON text, broken text, or nothing, which give ``{}``."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}
