"""The ReAct text format, read: what a model's reply asks for.

    Thought: what to do next
    Action: the tool's name
    Action Input: {"its": "arguments"}

or ``Final Answer:`` with the answer behind it. One pass, in time that grows with the length of the text; no IO.

Labels count at the start of a line only, in any case, with a colon of ASCII or of full width, decorated by Markdown or
not. Reasoning between tags is dropped. An action ends the reply where an observation follows, since that can only be
invented; of several actions the first counts. JSON strings, code fences and the final answer are opaque: labels in them
are data. An action and an answer in one reply are a mistake. Prose without labels is never taken for an answer.
"""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from harness.agent.arguments import Bounds, read_input, without_stray_fence
from harness.agent.labels import INLINE_INPUT, LABEL, LABELS, MARK, REASONING_END, Kind, kind_of
from harness.agent.problems import Met, ParseProblem, judge_prose
from harness.agent.tool_names import is_no_tool, tool_name
from harness.contract.content import Json

__all__ = ["Action", "FinalAnswer", "ParseProblem", "Reply", "parse"]


@dataclass(frozen=True, slots=True)
class Action:
    """A call: the tool's name without decoration, and its input as it was given.

    The input is a JSON value or plain text, ``""`` where the label stood alone. ``end`` is the offset in the reply, in
    characters, at which the action ends: what follows is an invented observation, another action, or prose.
    """

    tool: str
    input: Json
    thought: str = ""
    end: int = 0


@dataclass(frozen=True, slots=True)
class FinalAnswer:
    """The answer's text, never empty."""

    text: str
    thought: str = ""


Reply = Action | FinalAnswer | ParseProblem

#: how often a value is looked for beyond the next label; more would cost time that grows with the square of the length
_LONG_LOOKS: Final = 4
_INPUT_ENDS: Final = LABELS | {Kind.REASONING_END}


def parse(text: str, names: Collection[str] = ()) -> Reply:
    """What a reply asks for. ``names`` are the tools there are: these are recognised before anything is cut off them.

    Never raises; whatever cannot be read is a :class:`ParseProblem`, whose message can be sent to the model.
    """
    return _Reading(text, names).reply()


class _Reading:
    """One pass over a reply. ``at`` only grows."""

    def __init__(self, text: str, names: Collection[str]) -> None:
        self.text, self.names = text, names
        self.at = 0
        self.fresh = True  # nothing that matters stands before ``at`` on its line
        self.closings = True  # whether a tag that closes reasoning is left
        self.looks = _LONG_LOOKS
        self.forget()

    def forget(self) -> None:
        """Begin again: all that was read was reasoning."""
        self.thought: list[str] = []
        self.name: str | None = None
        self.stray_input = self.labelled = False
        self.action: Action | None = None
        self.cut = False  # what follows was invented by the model
        self.answer: _Answer | None = None
        self.fences = 0

    def reply(self) -> Reply:
        while mark := self.next_mark():
            kind = kind_of(mark)
            if self.answer is None:
                self.feed(mark.start())
            self.at, self.fresh = mark.end(), False
            if not self.cut or kind is Kind.REASONING_END:
                handlers = _OUTSIDE if self.answer is None else _IN_ANSWER
                handlers.get(kind, _pass)(self, mark)
        if self.answer is None:
            self.feed(len(self.text))
        return self.verdict()

    def next_mark(self) -> re.Match[str] | None:
        label = LABEL.match(self.text, self.at) if self.fresh else None
        return label or MARK.search(self.text, self.at)

    def feed(self, end: int) -> None:
        """Take the text up to ``end`` for what is awaited: the tool's name, or else the thought."""
        if self.action or self.cut:
            return
        content = self.text[self.at : end].strip()
        if self.name is None:
            self.thought.append(content)
        elif not self.name and content:
            self.name = tool_name(content.splitlines()[0], self.names)

    def verdict(self) -> Reply:
        if self.answer is not None:
            return self._answered(self.answer)
        no_tool = self.name is not None and is_no_tool(self.name) and self.name not in self.names
        if no_tool:
            return ParseProblem(Met.NO_TOOL)
        if self.action:
            return self.action
        if self.name or self.stray_input:
            return ParseProblem(Met.NO_INPUT if self.name and not self.stray_input else Met.NO_ACTION)
        return ParseProblem(judge_prose(self.text, self.said(), labelled=self.labelled))

    def _answered(self, answer: "_Answer") -> Reply:
        asked = self.name is not None and (self.name in self.names or not is_no_tool(self.name))
        if asked or answer.acted:
            return ParseProblem(Met.BOTH)
        text = answer.text(self.text)
        return FinalAnswer(text, self.said()) if text else ParseProblem(Met.NO_ANSWER)

    def said(self) -> str:
        """The thought so far."""
        return "\n".join(filter(None, self.thought))


@dataclass(slots=True)
class _Answer:
    """Where the final answer stands. ``fences`` counts those that are open: ``outer`` were before it began."""

    start: int
    emphasis: str
    outer: int
    fences: int
    end: int | None = None
    named: bool = False
    acted: bool = False

    def text(self, reply: str) -> str:
        text = without_stray_fence(reply[self.start : self.end].strip())
        if self.emphasis and text.endswith(self.emphasis) and text.count(self.emphasis) % 2:
            text = text.removesuffix(self.emphasis).rstrip()
        return text

    @property
    def fenced(self) -> bool:
        """Whether a fence of its own is open: what it holds is data."""
        return self.fences > self.outer


def _pass(reading: _Reading, mark: re.Match[str]) -> None:
    """Nothing: the mark is data here."""


def _thought(reading: _Reading, mark: re.Match[str]) -> None:
    reading.fresh = reading.labelled = True


def _named(reading: _Reading, mark: re.Match[str]) -> None:
    """An ``Action:`` line. Its input may stand on the same line."""
    if reading.action:
        return
    reading.name = ""
    after = MARK.search(reading.text, reading.at)
    line = reading.text[reading.at : after.start() if after else len(reading.text)].partition("\n")[0]
    inline = INLINE_INPUT.search(line)
    if inline:
        reading.name = tool_name(line[: inline.start()], reading.names)
        reading.at += inline.end()
        _given(reading, inline)


def _given(reading: _Reading, mark: re.Match[str]) -> None:
    """An ``Action Input:`` line. What it holds is read even if no action awaits it, since labels in it are data."""
    start = _after_reasoning(reading)
    found = read_input(reading.text, start, _bounds(reading, start))
    reading.at = found.end
    if reading.name is None:
        reading.stray_input = True
    elif not reading.action:
        reading.action = Action(reading.name, found.value, reading.said(), found.end)


def _after_reasoning(reading: _Reading) -> int:
    """Where an input begins: behind the reasoning, if there is some between its label and it."""
    opening = MARK.search(reading.text, reading.at)
    if opening and kind_of(opening) is Kind.REASONING and not reading.text[reading.at : opening.start()].strip():
        return _closed(reading, opening.end()) or reading.at
    return reading.at


def _bounds(reading: _Reading, start: int) -> Bounds:
    """An invented observation often holds quotes and brackets, so that what is not JSON may seem to end in it."""
    end = len(reading.text)
    mark = next((mark for mark in MARK.finditer(reading.text, start) if kind_of(mark) in _INPUT_ENDS), None)
    if mark is None:
        return Bounds(end, end, end)
    label = mark.start()
    reading.looks -= 1
    if reading.looks < 0:
        return Bounds(label, label, label)
    return Bounds(label, end, label if kind_of(mark) is Kind.OBSERVATION else end)


def _observed(reading: _Reading, mark: re.Match[str]) -> None:
    """After an action it is invented. Before one it is an echo of what the model was told."""
    reading.cut = reading.name is not None


def _answered(reading: _Reading, mark: re.Match[str]) -> None:
    outer = reading.fences
    opens = _FENCE_HERE.match(reading.text, reading.at) is not None
    emphasis = "" if mark["closed"] or mark["late"] else mark["mark"] or ""
    reading.answer = _Answer(_behind_label(reading), emphasis, outer, outer + opens)


def _behind_label(reading: _Reading) -> int:
    """Where the answer begins: behind reasoning, and behind the label said again."""
    opening = MARK.search(reading.text, reading.at)
    if opening and kind_of(opening) is Kind.REASONING and not reading.text[reading.at : opening.start()].strip():
        reading.at = _closed(reading, opening.end()) or reading.at
    while (again := LABEL.match(reading.text, reading.at)) and kind_of(again) is Kind.FINAL:
        reading.at = again.end()
    return reading.at


def _closed(reading: _Reading, start: int) -> int | None:
    """Where the reasoning that was opened before ``start`` is over; None when it is never closed."""
    closing = REASONING_END.search(reading.text, start) if reading.closings else None
    reading.closings = closing is not None
    return closing.end() if closing else None


def _reasoned(reading: _Reading, mark: re.Match[str]) -> None:
    """Reasoning that is never closed is read on: all that the reply holds is in it."""
    reading.at = _closed(reading, mark.end()) or mark.end()
    reading.fresh = True


def _reasoning_over(reading: _Reading, mark: re.Match[str]) -> None:
    """It was opened by the prompt: all before it was reasoning."""
    reading.forget()
    reading.fresh = True


def _fenced(reading: _Reading, mark: re.Match[str]) -> None:
    opens = bool(mark["info"].strip()) or not reading.fences
    reading.fences += 1 if opens else -1


_OUTSIDE: Final[Mapping[Kind, Callable[[_Reading, re.Match[str]], None]]] = {
    Kind.THOUGHT: _thought,
    Kind.ACTION: _named,
    Kind.INPUT: _given,
    Kind.OBSERVATION: _observed,
    Kind.FINAL: _answered,
    Kind.REASONING: _reasoned,
    Kind.REASONING_END: _reasoning_over,
    Kind.FENCE: _fenced,
}


def _named_in_answer(reading: _Reading, mark: re.Match[str]) -> None:
    assert reading.answer
    reading.answer.named = not reading.answer.fenced


def _given_in_answer(reading: _Reading, mark: re.Match[str]) -> None:
    assert reading.answer
    reading.answer.acted = reading.answer.acted or reading.answer.named


def _answered_again(reading: _Reading, mark: re.Match[str]) -> None:
    """The last answer counts, if it is one."""
    answer = reading.answer
    assert answer
    if answer.fenced or not _NOT_SPACE.search(reading.text, reading.at):
        answer.end = answer.end or mark.start()
        return
    _answered(reading, mark)
    reading.answer.acted = answer.acted  # type: ignore[union-attr]


def _fenced_in_answer(reading: _Reading, mark: re.Match[str]) -> None:
    answer = reading.answer
    assert answer
    opens = bool(mark["info"].strip()) or not answer.fences
    answer.fences += 1 if opens else -1
    if answer.fences < answer.outer and answer.end is None:
        answer.end = mark.start()


_NOT_SPACE: Final = re.compile(r"\S")
_LINE_END: Final = re.compile(r"[ \t\r]*(?:\n|\Z)")


def _tag_in_answer(reading: _Reading, mark: re.Match[str]) -> None:
    """On a line of its own it ends reasoning that the prompt opened; else the answer speaks of it."""
    assert reading.answer
    alone = reading.text[mark.start() - 1] == "\n" and _LINE_END.match(reading.text, mark.end())
    if alone and not reading.answer.fenced:
        _reasoning_over(reading, mark)


_FENCE_HERE: Final = re.compile(r"[ \t]*(?:`{3,}|~{3,})[^\n`]*$", re.MULTILINE)
_IN_ANSWER: Final[Mapping[Kind, Callable[[_Reading, re.Match[str]], None]]] = {
    Kind.ACTION: _named_in_answer,
    Kind.INPUT: _given_in_answer,
    Kind.FINAL: _answered_again,
    Kind.REASONING_END: _tag_in_answer,
    Kind.FENCE: _fenced_in_answer,
}
