"""Rules about cache points and reasoning."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from harness.dialects.base import RequestFault
from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.bedrock_converse.asked import CLAUDE, NOVA, Asked
from harness.dialects.bedrock_converse.requests import cache_points

_DEEPSEEK: Final = ("deepseek",)
_NO_CACHE: Final = ("meta.", "mistral.", "cohere.", "ai21.", "deepseek.", "amazon.titan", "writer.")
_CACHING: Final = "Amazon Bedrock user guide, Prompt caching"


def points(asked: Asked) -> Iterator[RequestFault]:
    """At most four cache points, at places and to models that have them, the longest-lived first."""
    placed = list(cache_points(asked.body))
    if len(placed) > 4:
        yield RequestFault(Kind.CACHE, placed[4], f"{len(placed)} cache points", f"{_CACHING}: at most 4 a request")
    if placed and asked.is_of(_NO_CACHE):
        yield RequestFault(
            Kind.CACHE, placed[0], f"{asked.model} has no prompt caching", f"{_CACHING}: supported models"
        )
    if placed and placed[0].startswith("toolConfig") and asked.is_of(NOVA):
        yield RequestFault(Kind.CACHE, placed[0], "Nova caches no tools", f"{_CACHING}: supported models")
    lives = [_life(asked.body, point) for point in placed]
    for at, (before, after) in enumerate(pairwise(lives)):
        if before == "5m" and after == "1h":
            yield RequestFault(Kind.CACHE, placed[at + 1], "1h after 5m", f"{_CACHING}: longer TTL come first")
    for neighbour, block in pairwise(asked.blocks):
        document = neighbour.kind == "document" and "text" in neighbour.value["source"]
        if document and block.kind == "cachePoint" and block.turn == neighbour.turn:
            yield RequestFault(Kind.CACHE, block.path, "right after a text document", "pizza-bot#6: 400 field required")


def _life(body: Mapping[str, Any], path: str) -> str:
    value: Any = body
    for step in path.replace("[", ".").replace("]", "").split("."):
        value = value[int(step)] if step.isdigit() else value[step]
    return str(value.get("ttl", "5m"))


def reasoning(asked: Asked) -> Iterator[RequestFault]:
    """Reasoning is the assistant's, signed for Claude, never DeepSeek's, and comes first while thinking is on."""
    for block in asked.of_kind("reasoningContent"):
        if block.role != "assistant":
            evidence = "ValidationException: User messages cannot contain reasoning content"
            yield RequestFault(Kind.REASONING, block.path, "reasoning of the user", evidence)
        if asked.is_of(_DEEPSEEK):
            yield RequestFault(Kind.REASONING, block.path, "DeepSeek takes no reasoning back", "strands#652")
        if asked.is_of(CLAUDE) and not block.value.get("reasoningText", {"signature": "-"}).get("signature"):
            evidence = "thinking.signature: Field required (strands:bedrock-unsigned-reasoning)"
            yield RequestFault(Kind.REASONING, block.path, "no signature", evidence)
    if asked.thinks:
        yield from _thinking_first(asked)


def _thinking_first(asked: Asked) -> Iterator[RequestFault]:
    if len(asked.turns) < 2 or not any("toolResult" in block for block in asked.turns[-1]["content"]):
        return
    if "reasoningContent" not in asked.turns[-2]["content"][0]:
        yield RequestFault(
            Kind.REASONING,
            f"messages[{len(asked.turns) - 2}].content[0]",
            "the turn that called does not begin with its reasoning",
            "When thinking is enabled, a final assistant message must start with a thinking block",
        )
