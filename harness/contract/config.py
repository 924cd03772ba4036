"""Configuration of models: what users may set, and the warnings that tell them what was not understood."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from harness.contract.content import ToolChoice


@dataclass(frozen=True, slots=True)
class CacheConfig:
    """Prompt caching. ``auto`` places cache points only for models known to support them."""

    strategy: Literal["auto", "anthropic"] = "auto"
    ttl: str | None = None


@dataclass(frozen=True, slots=True)
class CacheToolsConfig:
    """A cache point after the tool definitions; ``ttl`` such as ``5m`` or ``1h``."""

    type: str = "default"
    ttl: str | None = None


class UnknownConfigWarning(UserWarning):
    """A configuration key that the adapter does not know."""


class UnsupportedToolChoiceWarning(UserWarning):
    """A tool choice that the adapter cannot send, and therefore ignores."""


class UnsupportedContentWarning(UserWarning):
    """A content block that the vendor cannot take, and that was therefore left out."""


class UnknownStopReasonWarning(UserWarning):
    """A stop reason that no table row names."""


def warn_unknown_keys(config: Mapping[str, Any], known: type) -> None:
    """Warn of keys in ``config`` that the TypedDict ``known`` does not declare, and name those it does."""
    names = set(known.__annotations__).union(*(base.__annotations__ for base in _bases(known)))
    unknown = sorted(set(config) - names)
    if unknown:
        warnings.warn(
            f"unknown configuration keys are ignored: {', '.join(unknown)}. Known keys: {', '.join(sorted(names))}",
            UnknownConfigWarning,
            stacklevel=4,
        )


def _bases(known: type) -> tuple[type, ...]:
    return tuple(base for base in getattr(known, "__orig_bases__", ()) if hasattr(base, "__annotations__"))


def warn_tool_choice(tool_choice: ToolChoice | None, supported: frozenset[str] = frozenset()) -> ToolChoice | None:
    """``tool_choice`` when its kind is supported; else None, with a warning unless it was None or ``auto``."""
    if tool_choice is None or supported.intersection(tool_choice):
        return tool_choice
    if "auto" not in tool_choice:
        warnings.warn(
            f"tool_choice {'/'.join(tool_choice)} is not supported by this provider and is ignored",
            UnsupportedToolChoiceWarning,
            stacklevel=3,
        )
    return None
