"""Replies into events: streamed chunks and whole bodies take the same way.

Chunks and bodies are plain dictionaries as the service sent them. One reader reads one reply.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal

from harness.contract.events import DeltaBody, StreamEvent
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from providers._shared.blocks import BlockWriter, Saying
from providers._shared.openai_chat.calls import CallTable
from providers._shared.openai_chat.errors import error_in, reply_error
from providers._shared.openai_chat.finish import stop_reason
from providers._shared.openai_chat.usage import reports, usage_of
from providers._shared.timing import Stopwatch

Kind = Literal["text", "reasoning", "refusal"]
Piece = tuple[Kind, str]

#: names of the reasoning text, best first: services that send several put the same text under each
_REASONING: Final = ("reasoning_content", "reasoning")


class ChatReader:
    """Reads one reply. ``names`` maps tool names on the wire to the caller's where they differ."""

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self._writer = BlockWriter()
        self._calls = CallTable(self._writer, names or {})
        self._finish_reason: str | None = None
        self._usage: dict[str, Any] = {}
        self._refused = False
        self._choice: Any = None
        self._clock = Stopwatch()

    def feed(self, chunk: Any) -> list[StreamEvent]:
        """The events of the next chunk. Raises the classified error that a chunk holds."""
        for choice in self._choices(chunk):
            if self._is_ours(choice):
                self._take_choice(choice, choice.get("delta"), self._calls.take)
        return self._writer.take()

    def whole(self, body: Any) -> list[StreamEvent]:
        """All events of a whole reply. Raises ModelResponseError when the body holds none."""
        choice = next((choice for choice in self._choices(body) if _has_reply(choice)), None)
        if choice is not None:
            self._take_choice(choice, choice.get("message"), self._calls.take_whole)
        return self.finish(done=True)

    def finish(self, *, done: bool) -> list[StreamEvent]:
        """The last events, once the answer has ended. ``done`` says that the service said so (``[DONE]``).

        Raises IncompleteStreamError when neither a finish reason nor ``done`` ended the reply, ModelResponseError when
        there was no reply.
        """
        if self._finish_reason is None and not done:
            raise IncompleteStreamError("the stream ended without a finish_reason and without [DONE]")
        if not self._writer.begun:
            raise ModelResponseError("the answer has no choices")
        stop = stop_reason(self._finish_reason, self._calls.calls, refused=self._refused)
        self._writer.close()
        return [*self._writer.take(), {"messageStop": {"stopReason": stop}}, *self._metadata()]

    def _choices(self, chunk: Any) -> Iterable[Mapping[str, Any]]:
        if not isinstance(chunk, Mapping):
            raise ModelResponseError(f"the answer is no JSON object: {str(chunk)[:200]!r}")
        if (error := error_in(chunk)) is not None:
            raise reply_error(error)
        for usage in reports(chunk):
            self._usage.update((key, value) for key, value in usage.items() if value is not None)
        return (choice for choice in chunk.get("choices") or () if isinstance(choice, Mapping))

    def _is_ours(self, choice: Mapping[str, Any]) -> bool:
        """Only one choice is read when ``n`` asked for several: the first that comes."""
        index = choice.get("index")
        self._choice = index if self._choice is None else self._choice
        return index is None or bool(index == self._choice)

    def _take_choice(
        self, choice: Mapping[str, Any], message: Any, take_calls: Callable[[Iterable[Any]], None]
    ) -> None:
        self._writer.begin()
        self._finish_reason = choice.get("finish_reason") or self._finish_reason
        if isinstance(message, Mapping):
            for kind, text in _pieces(message):
                self._say(kind, text)
            take_calls(message.get("tool_calls") or ())
            take_calls(_function_call(message))

    def _say(self, kind: Kind, text: str) -> None:
        if not text:
            return
        self._refused = self._refused or kind == "refusal"
        block = self._writer.last
        if block is None or block.kind != kind:
            block = Saying(kind)
            self._writer.add(block)
        self._writer.write(block, _DELTAS[kind](text))

    def _metadata(self) -> list[StreamEvent]:
        """Usage when the service told it; the time since the request is the adapter's own measure."""
        usage = usage_of(self._usage)
        return [{"metadata": {"usage": usage, "metrics": self._clock.metrics()}}] if usage else []


_DELTAS: Final[Mapping[Kind, Callable[[str], DeltaBody]]] = {
    "text": lambda text: {"text": text},
    "refusal": lambda text: {"text": text},
    "reasoning": lambda text: {"reasoningContent": {"text": text}},
}


def _has_reply(choice: Mapping[str, Any]) -> bool:
    return isinstance(choice.get("message"), Mapping) or bool(choice.get("finish_reason"))


def _pieces(message: Mapping[str, Any]) -> list[Piece]:
    """What a delta or message says apart from its calls, in the order in which a model says it."""
    pieces: list[Piece] = [("reasoning", _reasoning(message))]
    content = message.get("content")
    pieces += [("text", content)] if isinstance(content, str) else _parts(content)
    refusal = message.get("refusal")
    return [*pieces, ("refusal", refusal)] if isinstance(refusal, str) else pieces


def _reasoning(message: Mapping[str, Any]) -> str:
    for name in _REASONING:
        if isinstance(text := message.get(name), str) and text:
            return text
    return "".join(map(_detail, message.get("reasoning_details") or ()))


def _detail(detail: Any) -> str:
    """The text of one of OpenRouter's ``reasoning_details``, which are text, summaries or encrypted."""
    return str(detail.get("text") or detail.get("summary") or "") if isinstance(detail, Mapping) else ""


def _parts(content: Any) -> list[Piece]:
    """Content as a list of parts; a part of a kind that carries no text is passed over."""
    parts = content if isinstance(content, list) else ()
    return [_PARTS[part["type"]](part) for part in parts if isinstance(part, Mapping) and part.get("type") in _PARTS]


def _thinking(part: Mapping[str, Any]) -> Piece:
    """Mistral's thinking: a text, or a list of text parts."""
    inner = part.get("thinking")
    return "reasoning", inner if isinstance(inner, str) else "".join(text for _, text in _parts(inner))


_PARTS: Final[Mapping[str, Callable[[Mapping[str, Any]], Piece]]] = {
    "text": lambda part: ("text", part.get("text") or ""),
    "output_text": lambda part: ("text", part.get("text") or ""),
    "refusal": lambda part: ("refusal", part.get("refusal") or ""),
    "thinking": _thinking,
}


def _function_call(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """``function_call``, which the protocol had before ``tool_calls``, as an entry of those: one a reply, no id."""
    function = message.get("function_call")
    return [{"index": "function_call", "function": function}] if function else []
