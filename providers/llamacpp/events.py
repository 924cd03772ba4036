"""Replies, with the times and counts that the server adds to those of Chat Completions."""

from collections.abc import Mapping
from typing import Any, Final

from harness.contract.events import Metadata, StreamEvent
from providers._shared.openai_chat.reply import ChatReader

#: the server's measures of a reply: time for the prompt and for what was said, in milliseconds
_TIMES: Final = ("prompt_ms", "predicted_ms")


class LlamaCppReader(ChatReader):
    """Reads one reply. The latency is the server's own where it tells ``timings``."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(names)
        self._timings: dict[str, Any] = {}

    def feed(self, chunk: Any) -> list[StreamEvent]:
        """The events of the next chunk."""
        self._note(chunk)
        return super().feed(chunk)

    def whole(self, body: Any) -> list[StreamEvent]:
        """All events of a whole reply."""
        self._note(body)
        return super().whole(body)

    def finish(self, *, done: bool) -> list[StreamEvent]:
        """The last events."""
        return [_timed(event, self._timings) for event in super().finish(done=done)]

    def _note(self, chunk: Any) -> None:
        timings = chunk.get("timings") if isinstance(chunk, dict) else None
        if isinstance(timings, dict):
            self._timings.update(timings)


def _timed(event: StreamEvent, timings: Mapping[str, Any]) -> StreamEvent:
    if "metadata" not in event or not all(isinstance(timings.get(name), int | float) for name in _TIMES):
        return event
    metadata: Metadata = event["metadata"]
    took = round(sum(timings[name] for name in _TIMES))
    return {"metadata": {**metadata, "metrics": {**metadata["metrics"], "latencyMs": took}}}
