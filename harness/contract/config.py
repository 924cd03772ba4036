"""Configuration of models: what users may set, and the warnings that tell them what was not understood."""

import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

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


_SETTERS: Final = ("__init__", "update_config")


class UnknownConfigWarning(UserWarning):
    """A configuration key that the adapter does not know."""


class UnsupportedToolChoiceWarning(UserWarning):
    """A tool choice that the adapter cannot send, and therefore ignores."""


class UnsupportedContentWarning(UserWarning):
    """A content block that the vendor cannot take, and that was therefore left out."""


class NotStrictWarning(UserWarning):
    """A schema that has no strict form, and that was therefore sent as it is."""


class UnknownStopReasonWarning(UserWarning):
    """A stop reason that no table row names."""


def warn_unknown_keys(config: Mapping[str, Any], known: type) -> None:
    """Warn of keys in ``config`` that the TypedDict ``known`` does not declare, and name those it does.

    The warning points at the line that constructs the model or calls ``update_config``.
    """
    declared: Any = known
    names = declared.__required_keys__ | declared.__optional_keys__
    unknown = sorted(set(config) - names)
    if unknown:
        warnings.warn(
            f"unknown configuration keys are ignored: {', '.join(unknown)}. Known keys: {', '.join(sorted(names))}",
            UnknownConfigWarning,
            stacklevel=_level_of_setter(),
        )


def _level_of_setter() -> int:
    """The stack level, seen from our caller, of the first frame that is neither a constructor nor update_config."""
    level, frame = 2, sys._getframe(2)
    while frame.f_back is not None and frame.f_code.co_name in _SETTERS:
        level, frame = level + 1, frame.f_back
    return level


def warn_tool_choice(tool_choice: ToolChoice | None, supported: frozenset[str] = frozenset()) -> ToolChoice | None:
    """``tool_choice`` when its kind is supported; else None, with a warning unless it was empty or ``auto``."""
    if not tool_choice:
        return None
    if supported.intersection(tool_choice):
        return tool_choice
    if "auto" not in tool_choice:
        warnings.warn(
            f"tool_choice {'/'.join(tool_choice)} is not supported by this provider and is ignored",
            UnsupportedToolChoiceWarning,
            stacklevel=3,
        )
    return None
