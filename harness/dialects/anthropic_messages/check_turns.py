"""What the turns of a request must be together: their order, their text, and calls beside their results."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from harness.dialects.anthropic_messages.rules import Faults, fault
from harness.dialects.base import RequestFaultKind as Kind

Wire = Mapping[str, Any]
Placed = tuple[str, Wire]


def blocks_of(content: str | Sequence[Wire], path: str) -> Iterator[Placed]:
    """The blocks of content with their paths; bare text as a block."""
    if isinstance(content, str):
        yield path, {"type": "text", "text": content}
    else:
        yield from ((f"{path}[{index}]", block) for index, block in enumerate(content))


@dataclass(slots=True)
class Turn:
    """Messages of one role in a row, which the service joins."""

    role: str
    blocks: list[Placed] = field(default_factory=list)


@dataclass(slots=True)
class Conversation:
    """A request whose form is right, laid out once for all rules.

    ``blocks`` are those of all messages; ``inner`` those of each tool result; ``turns`` leave out system messages.
    """

    body: Wire
    blocks: list[Placed] = field(default_factory=list)
    inner: list[tuple[Wire, list[Placed]]] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)

    def of_type(self, kind: str) -> Iterator[Placed]:
        """The messages' blocks of one type."""
        return (placed for placed in self.blocks if placed[1]["type"] == kind)


def conversation(body: Wire) -> Conversation:
    """Lay a request out."""
    laid = Conversation(body)
    for index, message in enumerate(body["messages"]):
        blocks = list(blocks_of(message["content"], f"messages[{index}].content"))
        laid.blocks += blocks
        if message["role"] != "system":
            if not laid.turns or laid.turns[-1].role != message["role"]:
                laid.turns.append(Turn(message["role"]))
            laid.turns[-1].blocks += blocks
    for path, block in laid.of_type("tool_result"):
        laid.inner.append((block, list(blocks_of(block.get("content") or [], f"{path}.content"))))
    return laid


# --- order ------------------------------------------------------------------------------------------------------


def _first(talk: Conversation) -> Faults:
    messages = talk.body["messages"]
    if not messages:
        yield fault(Kind.ROLES, "messages", "no messages", "messages: at least one message is required")
    elif messages[0]["role"] != "user":
        role = messages[0]["role"]
        yield fault(Kind.ROLES, "messages[0].role", role, 'messages: first message must use the "user" role')


def _last_block(talk: Conversation) -> Faults:
    words = "The final block in an assistant message cannot be `thinking`"
    for turn in talk.turns:
        if turn.role == "assistant" and turn.blocks and turn.blocks[-1][1]["type"] in _THOUGHTS:
            yield fault(Kind.REASONING, turn.blocks[-1][0], "reasoning at the end of the turn", words)


_THOUGHTS: Final = ("thinking", "redacted_thinking")

# --- text -------------------------------------------------------------------------------------------------------


def _empty_content(talk: Conversation) -> Faults:
    words = "all messages must have non-empty content except for the optional final assistant message"
    last = len(talk.body["messages"]) - 1
    for index, message in enumerate(talk.body["messages"]):
        if not message["content"] and (index, message["role"]) != (last, "assistant"):
            yield fault(Kind.EMPTY_TEXT, f"messages[{index}].content", "no content", words)


def _blank_text(talk: Conversation) -> Faults:
    for path, block in talk.of_type("text"):
        if not block["text"].strip() and not _bare(path, block):
            words = (
                "messages: text content blocks must contain non-whitespace text"
                if block["text"]
                else "messages: text content blocks must be non-empty"
            )
            yield fault(Kind.EMPTY_TEXT, path, repr(block["text"]), words)


def _bare(path: str, block: Wire) -> bool:
    """Whether this is empty content given as bare text, which has its own rule."""
    return not block["text"] and path.endswith("content")


def _empty_parts(talk: Conversation) -> Faults:
    """Empty text, blank text being let through, in the system prompt and in tool results."""
    parts = [("system", *placed) for placed in blocks_of(talk.body.get("system") or [], "system")]
    parts += [("messages", *placed) for _, inner in talk.inner for placed in inner]
    for where, path, block in parts:
        if block["type"] == "text" and not block["text"]:
            yield fault(Kind.EMPTY_TEXT, path, "''", f"{where}: text content blocks must be non-empty")


def _trailing_space(talk: Conversation) -> Faults:
    turn = talk.turns[-1] if talk.turns else None
    if turn and turn.role == "assistant" and turn.blocks:
        path, block = turn.blocks[-1]
        if block["type"] == "text" and block["text"] != block["text"].rstrip():
            words = "messages: final assistant content cannot end with trailing whitespace"
            yield fault(Kind.EMPTY_TEXT, path, repr(block["text"][-10:]), words)


# --- calls and results ------------------------------------------------------------------------------------------


def _unique_ids(talk: Conversation) -> Faults:
    calls = [(path, block["id"]) for path, block in talk.of_type("tool_use")]
    counts = Counter(call for _, call in calls)
    for path, call in calls:
        if counts[call] > 1:
            yield fault(Kind.TOOL_ID, f"{path}.id", call, "messages: `tool_use` ids must be unique")


def _pairs(talk: Conversation) -> Faults:
    turns = [Turn("user"), *talk.turns, Turn("user")]
    for turn, following in pairwise(turns):
        if turn.role == "assistant":
            yield from _answers(_of_type(turn, "tool_use"), following)
    for before, turn in pairwise(turns):
        if turn.role == "user":
            yield from _questions(before, turn)


def _of_type(turn: Turn, kind: str) -> list[Placed]:
    return [(path, block) for path, block in turn.blocks if block["type"] == kind]


def _answers(calls: list[Placed], following: Turn) -> Faults:
    """Each call has its result in the turn that follows."""
    answered = {block["tool_use_id"] for _, block in _of_type(following, "tool_result")}
    words = "`tool_use` ids were found without `tool_result` blocks immediately after"
    for path, block in calls:
        if block["id"] not in answered:
            yield fault(Kind.PAIRING, path, f"no result of {block['id']}", words)


def _questions(before: Turn, turn: Turn) -> Faults:
    """Each result has its call in the turn before, once, and nothing stands before the results."""
    asked = {block["id"] for _, block in _of_type(before, "tool_use")}
    seen: set[str] = set()
    for place, (path, block) in enumerate(turn.blocks):
        if block["type"] != "tool_result":
            continue
        call = block["tool_use_id"]
        if call not in asked:
            yield fault(Kind.PAIRING, path, f"no call {call}", "unexpected `tool_use_id` found in `tool_result` blocks")
        elif call in seen:
            yield fault(Kind.PAIRING, path, f"a second result of {call}", "each tool_use must have a single result")
        elif place > len(seen):
            yield fault(Kind.PAIRING, path, "a result behind other content", _RESULTS_FIRST)
        seen.add(call)


_RESULTS_FIRST: Final = "Handle tool calls: tool_result blocks must come first in the content array"

TURN_RULES: Final[tuple[Callable[[Conversation], Faults], ...]] = (
    _first,
    _last_block,
    _empty_content,
    _blank_text,
    _empty_parts,
    _trailing_space,
    _unique_ids,
    _pairs,
)
