"""The ways of asking: with tools of the vendor's own, in text, and for the final answer without tools."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from harness.agent.asking import ModelReply, Request
from harness.agent.native import CALL_AS_TEXT, EMPTY, is_markup, read_native
from harness.agent.problems import Met
from harness.agent.react import Action, FinalAnswer, parse
from harness.agent.tools import ToolCall, Toolset
from harness.agent.tools import text_of as words_of
from harness.agent.transcript import as_text, instruction, render_action, render_observation
from harness.agent.turns import Done, Turn, fresh_id
from harness.contract.content import ContentBlock, Messages

#: ends at which the words are the service's, and follow no format of ours
_DECLINED: Final = frozenset({"content_filtered", "guardrail_intervened"})
_CUT: Final = "Your reply was cut off, since it was too long, so nothing was run. Say it in fewer words."
_NO_OBJECT: Final = 'The Action Input must be one JSON object, such as {"name": "value"}; this is none: '
#: what words without labels may be taken for, though they are plain: an answer may speak of actions, or be JSON
_PLAIN: Final = frozenset({Met.PROSE, Met.NOT_AT_START, Met.CALL_MARKUP})


class Mode(Protocol):
    """A way of asking."""

    @property
    def native(self) -> bool:
        """Whether tools are called natively."""

    @property
    def stops(self) -> bool:
        """Whether the stop word is of use."""

    @property
    def name(self) -> str:
        """What it is called, for people."""

    def request(self, messages: Messages, system_prompt: str | None) -> Request:
        """What to send."""

    def read(self, reply: ModelReply, used: set[str]) -> Turn:
        """What the reply comes to; ``used`` are the ids of the calls before it."""

    def results(self, done: Sequence[Done]) -> list[ContentBlock]:
        """The user's turn that answers calls."""


@dataclass(frozen=True, slots=True)
class NativeMode:
    """Tools by the vendor's own interface; or no tools at all."""

    tools: Toolset
    native: bool = True
    stops: bool = False
    name: str = "native"

    def request(self, messages: Messages, system_prompt: str | None) -> Request:
        """The messages as they are, and the specifications of the tools, if there are any."""
        return Request(messages, self.tools.specs or None, system_prompt)

    def read(self, reply: ModelReply, used: set[str]) -> Turn:
        """Calls where there are any, else the answer."""
        return read_native(reply, self.tools, used)

    def results(self, done: Sequence[Done]) -> list[ContentBlock]:
        """One block a call."""
        return [{"toolResult": each.result} for each in done]


@dataclass(frozen=True, slots=True)
class TextMode:
    """Tools by the ReAct format."""

    tools: Toolset
    native: bool = False
    stops: bool = True
    name: str = "text"

    def request(self, messages: Messages, system_prompt: str | None) -> Request:
        """The format is explained in the system prompt; without one, in the first message, since not all have one."""
        words = instruction(self.tools.specs)
        if system_prompt:
            return Request(messages, None, f"{system_prompt}\n\n{words}")
        first, *rest = messages
        return Request([{**first, "content": [{"text": words}, *first["content"]]}, *rest], None, None)

    def read(self, reply: ModelReply, used: set[str]) -> Turn:
        """The first action, the final answer, or what was wrong."""
        text = reply.text
        if reply.stop_reason in _DECLINED and text.strip():
            return Turn(_said(text), answer=text)
        found = parse(text, tuple(self.tools))
        if isinstance(found, FinalAnswer):
            return Turn(_said(text), answer=found.text)
        if reply.cut:
            return Turn(_said(text), problem=_CUT)
        if isinstance(found, Action):
            return Turn(_said(text[: found.end]), (self._call(found, used),))
        return self._native_anyway(reply, used) or Turn(_said(text), problem=found.message)

    def _native_anyway(self, reply: ModelReply, used: set[str]) -> Turn | None:
        """Calls by the interface that was not offered: some servers make them of what looks like one."""
        turn = read_native(reply, self.tools, used)
        if not turn.calls:
            return None
        call = turn.calls[0]
        return Turn(_said(render_action(call.name, call.input, reply.text.strip())), (call,))

    def _call(self, action: Action, used: set[str]) -> ToolCall:
        value: Any = action.input
        problem = None
        if isinstance(value, str) and not value.strip():
            value = {}
        if not isinstance(value, dict):
            value, problem = {}, f"{_NO_OBJECT}{action.input!r}"
        if action.tool not in self.tools:
            problem = self.tools.unknown(action.tool)
        return ToolCall(fresh_id(None, used), action.tool, value, problem)

    def results(self, done: Sequence[Done]) -> list[ContentBlock]:
        """One observation a call; of the text format there is but one a turn."""
        return [{"text": render_observation(words_of(each.result))} for each in done]


@dataclass(frozen=True, slots=True)
class FinalMode:
    """No tools, and no calls in the history, which services refuse where there are no tools."""

    tools: Toolset
    native: bool = False
    stops: bool = False
    name: str = "final"

    def request(self, messages: Messages, system_prompt: str | None) -> Request:
        """The whole history as text."""
        return Request(as_text(messages), None, system_prompt)

    def read(self, reply: ModelReply, used: set[str]) -> Turn:
        """The answer, in the format or in plain words; a call in any form is none."""
        text = reply.text
        if not text.strip():
            return Turn(problem=EMPTY)
        if any("toolUse" in block for block in reply.message["content"]) or is_markup(text):
            return Turn(_said(text), problem=CALL_AS_TEXT)
        found = parse(text, tuple(self.tools))
        if isinstance(found, FinalAnswer):
            return Turn(_said(text), answer=found.text)
        if isinstance(found, Action):
            return Turn(_said(text[: found.end]), problem=CALL_AS_TEXT)
        return Turn(_said(text), answer=text) if found.met in _PLAIN else Turn(_said(text), problem=found.message)

    def results(self, done: Sequence[Done]) -> list[ContentBlock]:
        """There are none."""
        return []


def _said(text: str) -> tuple[ContentBlock, ...]:
    """The model's words as they enter the history: services take no blank text."""
    return ({"text": text},) if text.strip() else ()
