"""What an adapter and its protocol can show at all: the ground on which a rule is applicable.

An adapter's features are its capability flags; a protocol's are read off its dialect, so that no list has to be kept.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Final, get_args

from harness.checks.failure import retry_after_of
from harness.contract.capabilities import MediaKind
from harness.dialects.base import Dialect, ErrorClass
from harness.dialects.reply import Refusal, Reply, Text, ToolUse, Usage
from harness.provider import Provider
from harness.scenarios.catalogue.faults import over_event_streams
from harness.scenarios.catalogue.loop import stop_refusals
from harness.scenarios.scenario import modes
from harness.scenarios.strategies import make_id
from harness.scenarios.styles import single_styles


def features(provider: Provider, dialect: Dialect) -> tuple[str, ...]:
    """Names of what can be shown, sorted: capability flags, and ``wire-…`` for what the protocol can say."""
    declared = (name for name, flag in asdict(provider.capabilities).items() if flag)
    wire = (name for name, shows in _WIRE.items() if shows(provider, dialect))
    return tuple(sorted((*declared, *wire)))


def _sometimes(shows: Callable[[Reply], bool]) -> Callable[[Provider, Dialect], bool]:
    """Whether some style lets a plain reply with a call through in a certain way."""

    def anyhow(provider: Provider, dialect: Dialect) -> bool:
        call = ToolUse.of(make_id(dialect.shape.tool_id_pattern, 1), "f", {"a": 1})
        total = 5 if dialect.shape.total else None
        reply = Reply((Text("x"), call), "tool_use", usage=Usage(3, 2, total))
        return any(
            shows(dialect.expected(reply, style, stream=stream))
            for stream in modes(provider)
            for style in single_styles(dialect, stream=stream)
        )

    return anyhow


_WIRE: Final[Mapping[str, Callable[[Provider, Dialect], bool]]] = {
    "wire-refusal": lambda provider, dialect: Refusal in dialect.shape.blocks,
    "wire-unknown-stop": lambda provider, dialect: any(not row.known for row in dialect.stops),
    "wire-tools-error": lambda provider, dialect: any(
        error.error_class is ErrorClass.TOOLS_UNSUPPORTED for error in dialect.errors
    ),
    "wire-overflow-error": lambda provider, dialect: any(
        error.error_class is ErrorClass.OVERFLOW for error in dialect.errors
    ),
    "wire-retry-after": lambda provider, dialect: (
        provider.exceptions is None and any(retry_after_of(error) is not None for error in dialect.errors)
    ),
    "wire-stop-error": lambda provider, dialect: bool(stop_refusals(dialect)),
    "wire-no-usage": _sometimes(lambda reply: reply.usage is None),
    "wire-no-id": _sometimes(lambda reply: any(not call.id for call in reply.tools)),
    "wire-signed-calls": lambda provider, dialect: dialect.shape.signed_calls,
    "wire-cut-arguments": lambda provider, dialect: any(dialect.shape.cut_arguments),
    "wire-cache-usage": lambda provider, dialect: dialect.shape.cache_read or dialect.shape.cache_write,
    "wire-checksums": over_event_streams,
    "undeclared-media": lambda provider, dialect: len(provider.capabilities.media) < len(get_args(MediaKind)),
    "cassettes": lambda provider, dialect: provider.cassettes is not None,
    "ignored-choice": lambda provider, dialect: bool(
        provider.capabilities.tools and {"any", "tool"} - provider.capabilities.tool_choice
    ),
    "settings": lambda provider, dialect: bool(provider.settings),
    "framework-reading": lambda provider, dialect: provider.assemble is not None,
    "both-modes": lambda provider, dialect: len(modes(provider)) == 2,
}
