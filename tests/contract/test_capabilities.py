"""What an adapter claims."""

from typing import Any

import pytest

from harness.contract.capabilities import Capabilities

CLAIMS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "nothing": ({}, ("core", "fallback")),
    "tools": ({"tools": True}, ("core", "tools", "fallback")),
    "a forced tool": ({"structured": "forced_tool"}, ("core", "structured", "fallback")),
    "a native schema": ({"structured": "native"}, ("core", "structured", "fallback")),
    "reasoning": ({"reasoning": True}, ("core", "reasoning", "fallback")),
    "media": ({"media": frozenset({"image"})}, ("core", "multimodal", "fallback")),
    "citations": ({"citations": True}, ("core", "citations", "fallback")),
    "caching": ({"caching": True}, ("core", "caching", "fallback")),
    "state": ({"stateful": True}, ("core", "stateful", "fallback")),
    "what belongs to another claim": (
        {
            "streaming_key": "stream",
            "stop_words": True,
            "tool_choice": frozenset({"any"}),
            "reasoning_replay": True,
            "signatures": True,
            "redacted": True,
            "tool_result_media": frozenset({"image"}),
            "guardrails": True,
            "native_count_tokens": True,
        },
        ("core", "fallback"),
    ),
    "two, in the order of reports": ({"caching": True, "tools": True}, ("core", "tools", "caching", "fallback")),
}


@pytest.mark.parametrize(("flags", "profiles"), CLAIMS.values(), ids=CLAIMS)
def test_flags_claim_profiles(flags: dict[str, Any], profiles: tuple[str, ...]) -> None:
    assert Capabilities(**flags).profiles == profiles
