"""A conversation that no longer fits its window, told shorter.

It is cut at the borders of messages into chunks that fit, a call and its result always in one; each chunk is summarised
by the model; the summaries, and the last exchange where there is room for it, become the new conversation. The system
prompt is not part of it and stays as it is. The number of calls is bounded, and the result is shorter or an error.
"""

import re
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Final

from harness.agent.transcript import as_text
from harness.contract.content import ContentBlock, Message, Messages
from harness.contract.exceptions import ContextWindowOverflowException
from harness.contract.tokens import count_tokens

#: asks the model for a summary of what it is given, and returns its words
Summarise = Callable[[str], Awaitable[str]]
#: tokens of messages
Count = Callable[[Messages], int]

PROMPT: Final = """\
Summarise the part of a conversation below, so that it can go on from your summary alone. Keep what was asked for, \
what was decided, what tools answered, and every name, number and identifier that may still be needed. Put the \
summary between <summary> and </summary>.

"""
_INTRODUCTION: Final = "Summary of the conversation so far:\n\n"
_SUMMARY: Final = re.compile(r"<summary>(.*?)(?:</summary>|\Z)", re.DOTALL | re.IGNORECASE)
#: of the usable window, what the last exchange may have to be kept word for word
_KEPT_PART: Final = 4
_PART_MARK: Final = "[Part {part}/{parts}]\n"
#: tokens that the mark of a part takes at most
_MARK_TOKENS: Final = 16
MAX_CALLS: Final = 32


@dataclass(frozen=True, slots=True)
class Budget:
    """What one call may hold, in tokens.

    ``window`` is what may be used of the model's window (:func:`harness.agent.windows.usable_tokens`); ``reserved`` is
    what each call of the conversation holds besides messages: system prompt and tools.
    """

    window: int
    reserved: int = 0
    max_calls: int = MAX_CALLS


async def shorten(messages: Messages, budget: Budget, summarise: Summarise, count: Count = count_tokens) -> Messages:
    """A shorter conversation that says the same, as far as the model's summaries do.

    Raises ContextWindowOverflowException where it cannot be shorter, or would take more than ``max_calls`` calls.
    """
    older, kept = _divided(units(messages), budget, count)
    chunks = list(_chunks(older, budget, count))
    if not chunks or len(chunks) > budget.max_calls:
        raise ContextWindowOverflowException(f"a conversation of {len(chunks)} chunks cannot be summarised")
    summaries = [summary_of(await summarise(PROMPT + chunk)) for chunk in chunks]
    limit = min(count(messages) - 1, max(budget.window - budget.reserved, 1))
    return _fitted("\n\n".join(filter(None, summaries)), kept, limit, count)


def units(messages: Messages) -> list[Messages]:
    """Messages in groups that belong together: a turn with calls, and the turn with their results."""
    found: list[Messages] = []
    for message in messages:
        answers = found and _has(message, "toolResult") and _has(found[-1][-1], "toolUse")
        if answers:
            found[-1].append(message)
        else:
            found.append([message])
    return found


def _has(message: Message, key: str) -> bool:
    return any(key in block for block in message["content"])


def _divided(groups: list[Messages], budget: Budget, count: Count) -> tuple[list[Messages], Messages]:
    """What is summarised, and the last exchange where it is small enough to be kept."""
    if len(groups) > 1 and count(groups[-1]) * _KEPT_PART <= budget.window - budget.reserved:
        return groups[:-1], groups[-1]
    return groups, []


def _chunks(groups: list[Messages], budget: Budget, count: Count) -> Iterator[str]:
    """Texts that fit a call beside its prompt; what is too long on its own is split and marked."""
    room = budget.window - _tokens(PROMPT, count)
    if room <= 2 * _MARK_TOKENS:
        raise ContextWindowOverflowException(f"a window of {budget.window} tokens has no room for a summary")
    chunk = ""
    for piece in (piece for group in groups for piece in _pieces(_told(group), room, count)):
        longer = f"{chunk}\n\n{piece}" if chunk else piece
        if chunk and _tokens(longer, count) > room:
            yield chunk
            longer = piece
        chunk = longer
    if chunk:
        yield chunk


def _tokens(text: str, count: Count) -> int:
    return count([{"role": "user", "content": [{"text": text}]}])


def _pieces(text: str, room: int, count: Count) -> list[str]:
    if _tokens(text, count) <= room:
        return [text]
    parts = split(text, room - _MARK_TOKENS, count)
    return [_PART_MARK.format(part=part, parts=len(parts)) + piece for part, piece in enumerate(parts, 1)]


def split(text: str, room: int, count: Count) -> list[str]:
    """A text in parts of about one length that have at most ``room`` tokens each, or one character."""
    parts = max(-(-_tokens(text, count) // max(room, 1)), 1)
    while True:
        size = max(-(-len(text) // parts), 1)
        pieces = [text[start : start + size] for start in range(0, len(text), size)]
        if size == 1 or all(_tokens(piece, count) <= room for piece in pieces):
            return pieces
        parts *= 2


def _told(group: Messages) -> str:
    """A group as text, each turn under the name of who spoke."""
    turns = as_text(group)
    return "\n\n".join(f"[{turn['role']}]\n" + "\n".join(map(_words, turn["content"])) for turn in turns)


def _words(block: ContentBlock) -> str:
    """A block's text; what has none is named."""
    if "text" in block:
        return block["text"]
    if "reasoningContent" in block:
        return block["reasoningContent"].get("reasoningText", {}).get("text", "")
    if "citationsContent" in block:
        return "".join(item.get("text", "") for item in block["citationsContent"].get("content", []))
    if "guardContent" in block:
        return block["guardContent"]["text"]["text"]
    return "".join(f"[{kind}]" for kind in block if kind != "cachePoint")


def summary_of(reply: str) -> str:
    """What stands between the tags, else the whole reply."""
    tagged = [content.strip() for content in _SUMMARY.findall(reply)]
    return next(filter(None, reversed(tagged)), reply.strip())


def _fitted(summary: str, kept: Messages, limit: int, count: Count) -> Messages:
    """The new conversation with as much of the summary as the limit has room for."""
    found = _conversation(summary, kept)
    while summary and count(found) > limit:
        summary = summary[: len(summary) // 2].rstrip()
        found = _conversation(summary, kept)
    if not summary or count(found) > limit:
        raise ContextWindowOverflowException("the conversation cannot be made shorter")
    return found


def _conversation(summary: str, kept: Messages) -> Messages:
    """The summary as the user's turn; what is kept follows, joined to it where it is the user's turn as well."""
    told: ContentBlock = {"text": _INTRODUCTION + summary}
    if kept and kept[0]["role"] == "user":
        return [{"role": "user", "content": [told, *kept[0]["content"]]}, *kept[1:]]
    return [{"role": "user", "content": [told]}, *kept]
