"""Answers into events: the lines of a stream and a whole body take the same way."""

from collections.abc import Mapping
from typing import Any, Final

from harness.contract.events import DeltaBody, Metadata, Metrics, StreamEvent, Usage
from harness.contract.exceptions import ModelResponseError
from providers._shared.blocks import BlockWriter, Saying, ToolBlock
from providers._shared.call_ids import CallIds
from providers._shared.content import json_text
from providers._shared.stops import read_stop, with_calls
from providers._shared.timing import Stopwatch
from providers.ollama.stops import STOPS

_NANOSECONDS: Final = 1_000_000


class Translator:
    """The state of one reply. ``finished`` is true once the service said that it is done."""

    def __init__(self) -> None:
        self.finished = False
        self._writer = BlockWriter()
        self._ids = CallIds()
        self._called = False
        self._clock = Stopwatch()

    def feed(self, answer: Mapping[str, Any]) -> list[StreamEvent]:
        """The events of the next object."""
        self._clock.note_answer()
        message = answer.get("message")
        if isinstance(message, Mapping):
            self._take(message)
        if answer.get("done"):
            self._finish(answer)
        return self._writer.take()

    def whole(self, answer: Mapping[str, Any]) -> list[StreamEvent]:
        """The events of a reply that came in one piece."""
        events = self.feed(answer)
        if not self.finished:
            raise ModelResponseError(f"the answer is no finished reply: {str(answer)[:200]}")
        return events

    def _take(self, message: Mapping[str, Any]) -> None:
        """What a message says, in the order in which a model says it."""
        self._writer.begin()
        if thinking := message.get("thinking"):
            self._say("reasoning", {"reasoningContent": {"text": thinking}})
        if content := message.get("content"):
            self._say("text", {"text": content})
        for call in message.get("tool_calls") or ():
            self._call(call)

    def _say(self, kind: str, delta: DeltaBody) -> None:
        block = self._writer.last
        if block is None or block.kind != kind:
            block = Saying(kind)
            self._writer.add(block)
        self._writer.write(block, delta)

    def _call(self, call: Mapping[str, Any]) -> None:
        """A call, which is always whole. Older servers give no ids."""
        function = call.get("function") or {}
        name, arguments = function.get("name"), function.get("arguments")
        if not name:
            raise ModelResponseError(f"the reply has a tool call without a name: {str(call)[:200]}")
        text = arguments if isinstance(arguments, str) else json_text(arguments or {})
        self._called = True
        self._writer.add(
            ToolBlock(
                "tool",
                [{"toolUse": {"input": text}}],
                stopped=True,
                tool={"name": name, "toolUseId": self._ids.unique(call.get("id"))},
            )
        )
        self._writer.advance()

    def _finish(self, answer: Mapping[str, Any]) -> None:
        stop = with_calls(read_stop(STOPS, answer.get("done_reason")), called=self._called, complete=True)
        self._writer.begin()
        self._writer.close()
        self.finished = True
        self._writer.events += [{"messageStop": {"stopReason": stop}}, {"metadata": self._metadata(answer)}]

    def _metadata(self, answer: Mapping[str, Any]) -> Metadata:
        metadata: Metadata = {"metrics": self._metrics(answer.get("total_duration"))}
        if usage := _usage(answer):
            metadata["usage"] = usage
        return metadata

    def _metrics(self, nanoseconds: int | None) -> Metrics:
        """The time that the service measured, else the adapter's own measure."""
        metrics = self._clock.metrics()
        if nanoseconds is not None:
            metrics["latencyMs"] = nanoseconds // _NANOSECONDS
        return metrics


def _usage(answer: Mapping[str, Any]) -> Usage | None:
    """The counts; servers leave one out that is 0, which older ones also say of a prompt that was cached."""
    given, made = answer.get("prompt_eval_count"), answer.get("eval_count")
    if given is None and made is None:
        return None
    given, made = given or 0, made or 0
    return {"inputTokens": given, "outputTokens": made, "totalTokens": given + made}
