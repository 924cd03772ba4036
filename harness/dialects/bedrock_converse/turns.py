"""Rules about turns: their order, and calls with their results."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from harness.dialects.base import RequestFault
from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.bedrock_converse.asked import GUIDE, Asked

_FREE_ORDER: Final = ("amazon.titan",)


def roles(asked: Asked) -> Iterator[RequestFault]:
    """A user begins, and the roles alternate."""
    named = [(at, turn["role"]) for at, turn in enumerate(asked.turns) if turn["role"] != "system"]
    if not named and ":prompt/" not in asked.model:
        yield RequestFault(
            Kind.ROLES, "messages", "no turn", "A conversation must start with a user message (litellm#8247)"
        )
    if named and named[0][1] != "user":
        yield RequestFault(
            Kind.ROLES,
            f"messages[{named[0][0]}].role",
            f"{named[0][1]} begins",
            "ValidationException: A conversation must start with a user message",
        )
    for (_, before), (at, role) in pairwise(named):
        if role == before and not asked.is_of(_FREE_ORDER):
            yield RequestFault(
                Kind.ROLES,
                f"messages[{at}].role",
                f"{role} follows {before}",
                "ValidationException: A conversation must alternate between user and assistant roles "
                "(langchain-aws#130, gateway#748)",
            )


def pairing(asked: Asked) -> Iterator[RequestFault]:
    """Every call is answered in the next turn, and nothing else is answered."""
    expected: set[str] = set()
    for at, turn in enumerate(asked.turns):
        uses = [block["toolUse"] for block in turn["content"] if "toolUse" in block]
        served = {use["toolUseId"] for use in uses if use.get("type")}
        answered = [block["toolResult"]["toolUseId"] for block in turn["content"] if "toolResult" in block]
        yield from _answers(at, expected, [answer for answer in answered if answer not in served])
        expected = {use["toolUseId"] for use in uses} - served
        if turn["role"] == "user" and uses:
            yield RequestFault(Kind.PAIRING, f"messages[{at}].content", "a toolUse of the user", f"{GUIDE}: tool use")
    yield from _answers(len(asked.turns), expected, [])


def _answers(at: int, expected: set[str], answered: list[str]) -> Iterator[RequestFault]:
    path = f"messages[{at}].content"
    if missing := expected - set(answered):
        yield RequestFault(
            Kind.PAIRING,
            path,
            f"no result for {', '.join(sorted(missing))}",
            "ValidationException: Expected toolResult blocks at messages.N.content for the following Ids",
        )
    if extra := [answer for answer in answered if answer not in expected]:
        yield RequestFault(
            Kind.PAIRING,
            path,
            f"results of {', '.join(extra)}, which the turn before did not call",
            "ValidationException: The number of toolResult blocks at messages.N.content exceeds the number of "
            "toolUse blocks of previous turn",
        )


def ids(asked: Asked) -> Iterator[RequestFault]:
    """An id occurs once in the calls of a turn, and once in its results."""
    tools = (block for kind in ("toolUse", "toolResult") for block in asked.of_kind(kind))
    seen = Counter((block.turn, block.kind, block.value["toolUseId"]) for block in tools)
    for (turn, kind, name), count in seen.items():
        if count > 1:
            yield RequestFault(
                Kind.TOOL_ID,
                f"messages[{turn}].content",
                f"{count} {kind} blocks have the id {name}",
                "ValidationException: The toolUse blocks at messages.N.content contain duplicate Ids",
            )


def results(asked: Asked) -> Iterator[RequestFault]:
    """A failure says something."""
    for block in asked.of_kind("toolResult"):
        if block.value.get("status") == "error" and not block.value["content"]:
            yield RequestFault(
                Kind.EMPTY_TEXT,
                f"{block.path}.content",
                "empty",
                "ValidationException: The content field at messages.N.content.N.toolResult cannot be empty when status "
                "value is error (sample-multi-agent-orchestration-chat-on-agentcore#15)",
            )
