"""From the service's events to the contract's: one table of handlers, for streamed and whole responses alike.

Events and responses are plain dictionaries as the service sent them. One reader reads one response.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.contract.events import StreamEvent
from harness.contract.exceptions import ModelResponseError
from providers._shared.blocks import BlockWriter
from providers._shared.openai_chat.errors import error_in
from providers._shared.openai_chat.usage import usage_of
from providers._shared.timing import Stopwatch
from providers.openai_responses.items import Call, Item, Message, Reasoning
from providers.openai_responses.output import Output
from providers.openai_responses.parts import Kind, told_part
from providers.openai_responses.stops import stop_reason

_UNEXPLAINED: Final = "the response failed, and the service does not say why"


class FailedResponseError(Exception):
    """The service told an error in place of a response, or of its rest; ``error`` is what it told."""

    def __init__(self, error: Any) -> None:
        super().__init__(error)
        self.error = error


class ResponseReader:
    """Reads one response. ``names`` maps tool names on the wire to the caller's where they differ.

    ``finished`` is true once the terminal event was read; ``response_id`` is the service's name for the response.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self.finished = False
        self.response_id: str | None = None
        self.output = Output(writer := BlockWriter(), names or {})
        self._writer = writer
        self._usage: dict[str, Any] = {}
        self._clock = Stopwatch()

    def feed(self, event: Any) -> list[StreamEvent]:
        """The events of the next event; none for those of types not known. Raises FailedResponseError for an error."""
        if not isinstance(event, Mapping):
            raise ModelResponseError(f"an event is no JSON object: {str(event)[:200]!r}")
        if (handler := _EVENTS.get(event.get("type"))) is not None:
            handler(self, event)
        return self._writer.take()

    def whole(self, body: Any) -> list[StreamEvent]:
        """All events of a whole response. Raises FailedResponseError, or ModelResponseError for what is no response."""
        if not isinstance(body, Mapping):
            raise ModelResponseError(f"the answer is no JSON object: {str(body)[:200]!r}")
        if (error := error_in(body)) is not None:
            raise FailedResponseError(error)
        if not isinstance(body.get("output"), list):
            raise ModelResponseError(f"the answer has no output: {str(dict(body))[:200]}")
        self.finish(body)
        return self._writer.take()

    def begin(self, response: Any) -> None:
        """The response begins, or goes on."""
        self._note(response)
        self._writer.begin()

    def finish(self, response: Mapping[str, Any]) -> None:
        """The response is over: the rest, ``messageStop`` and ``metadata``. Raises FailedResponseError."""
        self._note(response)
        if response.get("status") == "failed":
            raise FailedResponseError(response.get("error") or _UNEXPLAINED)
        self._writer.begin()
        self.output.final(response.get("output") or ())
        self._writer.close()
        stop = stop_reason(response, self.output.calls, refused=self.output.refused)
        self.finished = True
        self._writer.events += [{"messageStop": {"stopReason": stop}}, *self._metadata()]

    def _note(self, response: Any) -> None:
        """Keep the id, and the last usage that is not null."""
        if isinstance(response, Mapping):
            self.response_id = response.get("id") or self.response_id
            usage = response.get("usage")
            self._usage.update({key: value for key, value in (usage or {}).items() if value is not None})

    def _metadata(self) -> list[StreamEvent]:
        """Usage when the service told it; the time since the request is the adapter's own measure."""
        usage = usage_of(self._usage)
        return [{"metadata": {"usage": usage, "metrics": self._clock.metrics()}}] if usage else []


Handler = Callable[[ResponseReader, Mapping[str, Any]], None]


def _delta(kind: type[Item], said: Kind, key: str) -> Handler:
    def handle(reader: ResponseReader, event: Mapping[str, Any]) -> None:
        text = event.get("delta")
        if isinstance(text, str) and text:
            reader.output.of(event, kind).say(said, event.get(key), text)

    return handle


def _whole(kind: type[Item], said: Kind, key: str, name: str) -> Handler:
    def handle(reader: ResponseReader, event: Mapping[str, Any]) -> None:
        text = event.get(name)
        if isinstance(text, str) and text:
            reader.output.of(event, kind).complete(said, event.get(key), text)

    return handle


def _annotation(reader: ResponseReader, event: Mapping[str, Any]) -> None:
    reader.output.of(event, Message).cite(event.get("content_index"), event.get("annotation"))


def _part(reader: ResponseReader, event: Mapping[str, Any]) -> None:
    """A part of a message is done; those of reasoning have events of their own that say the same."""
    if (told := told_part(event.get("part"))) is not None:
        reader.output.of(event, Message).complete_part(event.get("content_index"), told)


def _error(_: ResponseReader, event: Mapping[str, Any]) -> None:
    raise FailedResponseError(error_in(event))


def _begins(reader: ResponseReader, event: Mapping[str, Any]) -> None:
    reader.begin(event.get("response"))


def _finishes(status: str) -> Handler:
    """The terminal event. What it is called says more than a status in it that was forgotten, and less than others."""

    def handle(reader: ResponseReader, event: Mapping[str, Any]) -> None:
        response = event.get("response")
        found = response if isinstance(response, Mapping) else {}
        told = found.get("status")
        reader.finish({**found, "status": status if status != "completed" or told in _NOT_OVER else told})

    return handle


#: statuses that no response has when it is over
_NOT_OVER: Final = frozenset({None, "", "in_progress", "queued"})

_EVENTS: Final[Mapping[Any, Handler]] = {
    "response.created": _begins,
    "response.in_progress": _begins,
    "response.output_item.added": lambda reader, event: reader.output.added(event),
    "response.output_text.delta": _delta(Message, "text", "content_index"),
    "response.output_text.done": _whole(Message, "text", "content_index", "text"),
    "response.output_text.annotation.added": _annotation,
    "response.refusal.delta": _delta(Message, "refusal", "content_index"),
    "response.refusal.done": _whole(Message, "refusal", "content_index", "refusal"),
    "response.reasoning_summary_text.delta": _delta(Reasoning, "summary", "summary_index"),
    "response.reasoning_summary_text.done": _whole(Reasoning, "summary", "summary_index", "text"),
    "response.reasoning_text.delta": _delta(Reasoning, "reasoning", "content_index"),
    "response.reasoning_text.done": _whole(Reasoning, "reasoning", "content_index", "text"),
    "response.function_call_arguments.delta": _delta(Call, "arguments", "output_index"),
    "response.function_call_arguments.done": _whole(Call, "arguments", "output_index", "arguments"),
    "response.content_part.done": _part,
    "response.output_item.done": lambda reader, event: reader.output.done(event),
    "response.completed": _finishes("completed"),
    "response.incomplete": _finishes("incomplete"),
    "response.failed": _finishes("failed"),
    "error": _error,
}
