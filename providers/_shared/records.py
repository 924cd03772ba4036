"""Pieces of the records by which adapters present themselves."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from harness.contract.capabilities import Capabilities, ToolChoiceKind

TOOL_CHOICES: Final[frozenset[ToolChoiceKind]] = frozenset({"auto", "any", "tool"})

_CHAT: Final = Capabilities(
    streaming_key="stream",
    tools=True,
    tool_choice=TOOL_CHOICES,
    reasoning=True,
    media=frozenset({"image", "document"}),
    tool_result_media=frozenset({"image", "document"}),
)

#: what Chat Completions can carry; services of the family take away from it
OPENAI_CHAT: Final = replace(_CHAT, structured="native")

#: what Claude can do behind any door
CLAUDE: Final = replace(
    _CHAT,
    structured="forced_tool",
    reasoning_replay=True,
    signatures=True,
    redacted=True,
    citations=True,
    caching=True,
    native_count_tokens=True,
)


def with_client_args(settings: Mapping[str, Any], **own: Any) -> dict[str, Any]:
    """Settings whose ``client_args``, if there are any, stand on top of the adapter's ``own``."""
    return {**settings, "client_args": {**own, **settings.get("client_args", {})}}
