"""What an adapter claims."""

from typing import Any

import pytest

from harness.contract.capabilities import Capabilities

CLAIMS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "nothing": ({}, ("core",)),
    "tools": ({"tools": True}, ("core", "tools")),
    "a forced tool": ({"structured": "forced_tool"}, ("core", "structured")),
    "a native schema": ({"structured": "native"}, ("core", "structured")),
    "reasoning": ({"reasoning": True}, ("core", "reasoning")),
    "media": ({"media": frozenset({"image"})}, ("core", "multimodal")),
    "citations": ({"citations": True}, ("core", "citations")),
    "caching": ({"caching": True}, ("core", "caching")),
    "state": ({"stateful": True}, ("core", "stateful")),
    "what belongs to another claim": (
        {
            "streaming_key": "stream",
            "tool_choice": frozenset({"any"}),
            "reasoning_replay": True,
            "signatures": True,
            "redacted": True,
            "tool_result_media": frozenset({"image"}),
            "guardrails": True,
            "native_count_tokens": True,
        },
        ("core",),
    ),
    "two, in the order of reports": ({"caching": True, "tools": True}, ("core", "tools", "caching")),
}


@pytest.mark.parametrize(("flags", "profiles"), CLAIMS.values(), ids=CLAIMS)
def test_flags_claim_profiles(flags: dict[str, Any], profiles: tuple[str, ...]) -> None:
    assert Capabilities(**flags).profiles == profiles
