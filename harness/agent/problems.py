"""What is wrong with a reply that asks for nothing that can be done, in words that teach."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

#: the format of a reply: of one with an action, and of one with an answer
FORMAT: Final = """\
Thought: what you think about what to do next
Action: the name of one tool, nothing else
Action Input: the arguments, as one JSON object

or, when you know the answer:

Thought: why you know the answer
Final Answer: the answer"""


class Met(Enum):
    """What was met instead of an action or an answer."""

    EMPTY = "The reply was empty."
    PROSE = "The reply had neither an 'Action:' line nor a 'Final Answer:' line."
    NO_COLON = "The labels of the reply had no colon behind them."
    NOT_AT_START = "A label stood in the middle of a line; labels count at the start of a line only."
    ONLY_REASONING = "The reply ended after the reasoning."
    ONLY_THOUGHT = "The reply ended after the thought, without an 'Action:' line or a 'Final Answer:' line."
    NO_INPUT = "The action had no 'Action Input:' line behind its 'Action:' line; an action without arguments has {}."
    NO_ACTION = "There was an 'Action Input:' line, but no 'Action:' line before it."
    NO_TOOL = "The action named no tool. Without a tool, give the final answer."
    BOTH = "The reply had both an action and a final answer. Give one of them: the action, if you need its result."
    NO_ANSWER = "There was nothing behind 'Final Answer:'."
    CALL_MARKUP = "The reply had a call in a markup of its own; calls are written in lines here."


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """A reply that asks for nothing that can be done. ``met`` says why."""

    met: Met

    @property
    def message(self) -> str:
        """What to tell the model: what was met, and the format that is wanted."""
        return f"{self.met.value}\nUse exactly this format:\n\n{FORMAT}"


_MARKUP: Final = re.compile(
    r"<\|?/?(?:tool_call|tool_use|function_call|function=|invoke|tool▁call|python_tag|action_input)|\[TOOL_CALLS\]"
    r"|^\W{0,12}\"?(?:name|tool|function|action|action_input)\"\s{0,8}:",
    re.IGNORECASE | re.MULTILINE,
)
_COLONLESS: Final = re.compile(
    r"^[\W_]{0,8}(?:action(?: input)?|final answer)[\W_]{0,8}$", re.IGNORECASE | re.MULTILINE
)
_INSIDE: Final = re.compile(r"\b(?:action|final answer)[*_]{0,2}[:：]", re.IGNORECASE)
_INVISIBLE: Final = " \t\r\n\u200b\u200c\u200d\u2060\ufeff"

#: the first that is found in a reply without labels says what is wrong with it
_SIGNS: Final = ((_MARKUP, Met.CALL_MARKUP), (_COLONLESS, Met.NO_COLON), (_INSIDE, Met.NOT_AT_START))


def judge_prose(reply: str, said: str, *, labelled: bool) -> Met:
    """What is wrong with a reply that has no label of an action or an answer.

    ``said`` is what it holds beside reasoning; ``labelled`` whether that was called a thought.
    """
    if not reply.strip(_INVISIBLE):
        return Met.EMPTY
    found = next((met for sign, met in _SIGNS if sign.search(said)), None)
    if found:
        return found
    if labelled:
        return Met.ONLY_THOUGHT
    return Met.PROSE if said.strip(_INVISIBLE) else Met.ONLY_REASONING
