"""Answers into events, by way of what Chat Completions would say: the envelopes differ, what they hold does not."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from harness.contract.events import StreamEvent
from providers._shared.openai_chat.reply import ChatReader

Object = Mapping[str, Any]

#: metrics that count tokens, and the name that Chat Completions has for the count
_COUNTS: Final[Mapping[Any, str]] = {
    "num_prompt_tokens": "prompt_tokens",
    "num_completion_tokens": "completion_tokens",
    "num_total_tokens": "total_tokens",
}

#: deltas of a message, by the type of the event's
_DELTAS: Final[Mapping[Any, Callable[[Object], Object]]] = {
    "text": lambda delta: {"content": delta.get("text")},
    "tool_call": lambda delta: {"tool_calls": [delta]},
}


class EventReader:
    """Reads one reply, which is over with the event ``complete``; its stop reasons are words of Chat Completions.

    ``names`` maps tool names on the wire to the caller's where they differ.
    """

    def __init__(self, names: Mapping[str, str]) -> None:
        self._reader = ChatReader(names)
        self._complete = False

    def feed(self, chunk: Any) -> list[StreamEvent]:
        """The events of the next chunk. Raises the classified error that a chunk holds."""
        event = _object(chunk, "event")
        if event is None:
            return self._reader.feed(chunk)
        self._complete = self._complete or event.get("event_type") == "complete"
        delta = _object(event, "delta") or {}
        said = _DELTAS.get(delta.get("type"), _nothing)(delta)
        choice = {"delta": said, "finish_reason": event.get("stop_reason")}
        return self._reader.feed({"choices": [choice], "usage": _usage(event.get("metrics"))})

    def whole(self, body: Any) -> list[StreamEvent]:
        """All events of a whole reply. Raises ModelResponseError when the body holds none."""
        message = _object(body, "completion_message")
        if message is None:
            return self._reader.whole(body)
        content = message.get("content")
        said = {**message, "content": [content] if isinstance(content, Mapping) else content}
        choice = {"message": said, "finish_reason": message.get("stop_reason")}
        return self._reader.whole({"choices": [choice], "usage": _usage(body.get("metrics"))})

    def finish(self, *, done: bool) -> list[StreamEvent]:
        """The last events, once the answer has ended. Raises IncompleteStreamError when the reply had not."""
        return self._reader.finish(done=done or self._complete)


def _object(holder: Any, key: str) -> Object | None:
    inner = holder.get(key) if isinstance(holder, Mapping) else None
    return inner if isinstance(inner, Mapping) else None


def _usage(metrics: Any) -> Object:
    """The counts, which are whole numbers told as floats."""
    counted = (each for each in metrics or () if isinstance(each, Mapping) and each.get("metric") in _COUNTS)
    return {_COUNTS[each["metric"]]: each.get("value") for each in counted}


def _nothing(_: Object) -> Object:
    return {}
