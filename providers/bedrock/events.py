"""From Converse stream events to the contract's events.

The service sends no start for text and reasoning blocks, numbers blocks with gaps, and sends blocks of tools that it
runs itself; the contract's reply has a start for every block, no gaps, and only calls that the caller must run. Should
blocks be interleaved, the one that is open is passed on at once and the others wait until it has stopped.
"""

import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from harness.contract.config import UnsupportedContentWarning
from harness.contract.events import StreamEvent
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from providers._shared.blocks import Block, KeyedWriter, ToolBlock
from providers._shared.call_ids import CallIds
from providers._shared.stops import read_stop, with_calls
from providers._shared.timing import Stopwatch
from providers.bedrock.guardrails import redactions
from providers.bedrock.stops import STOPS

#: kinds of block; SKIPPED ones are not passed on
_TEXT, _TOOL, _REASONING, _REDACTED, _SKIPPED = "text", "tool", "reasoning", "redacted", "skipped"

_CITATION_MEMBERS: Final = ("location", "sourceContent", "title")
_USAGE_MEMBERS: Final = (
    "inputTokens",
    "outputTokens",
    "totalTokens",
    "cacheReadInputTokens",
    "cacheWriteInputTokens",
)


@dataclass(eq=False, slots=True)
class _Call(ToolBlock):
    """A tool call of the reply, with its input so far."""

    fragments: list[str] = field(default_factory=list)

    def is_whole(self) -> bool:
        """Whether the service said that the call is over, and its input is an object or nothing."""
        text = "".join(self.fragments)
        try:
            return self.stopped and (not text.strip() or isinstance(json.loads(text), dict))
        except ValueError:
            return False


class Translator:
    """Translates one reply: feed it the service's events, then say that they ended.

    ``names`` maps tool names on the wire to the caller's where they differ.
    """

    def __init__(self, config: Mapping[str, Any], names: Mapping[str, str] | None = None) -> None:
        self._config = config
        self._names = names or {}
        self._clock = Stopwatch()
        self._writer = KeyedWriter()
        self._stopped = False
        self._vendor_stop: str | None = None
        self._metadata: dict[str, Any] = {}
        self._calls: list[_Call] = []
        self._ids = CallIds()

    def feed(self, event: Mapping[str, Any]) -> list[StreamEvent]:
        """The contract's events for one of the service's. Unknown ones give none."""
        for key, body in event.items():
            if handler := _EVENTS.get(key):
                handler(self, body)
        return self._writer.take()

    def finish(self) -> list[StreamEvent]:
        """The last events. Raises IncompleteStreamError when the reply is not finished."""
        if not self._stopped:
            raise IncompleteStreamError("the stream ended before messageStop")
        trace = self._metadata.get("trace")
        last = redactions(self._config, self._vendor_stop, trace)
        if self._metadata:
            told = {"latencyMs": self._metadata.get("metrics", {}).get("latencyMs")}
            metadata: Any = {"metrics": self._clock.metrics() if told["latencyMs"] is None else told}
            if usage := _usage(self._metadata.get("usage", {})):
                metadata["usage"] = usage
            last.append({"metadata": {**metadata, **({"trace": trace} if trace else {})}})
        return last

    # --- the reply

    def _message_start(self, body: Mapping[str, Any]) -> None:
        self._writer.begin()

    def _message_stop(self, body: Mapping[str, Any]) -> None:
        if self._stopped:
            return
        self._writer.begin()
        self._writer.close()
        self._stopped = True
        self._vendor_stop = body.get("stopReason")
        whole = all(call.is_whole() for call in self._calls)
        reason = with_calls(read_stop(STOPS, self._vendor_stop), called=bool(self._calls), complete=whole)
        stop: Any = {"stopReason": reason}
        if body.get("additionalModelResponseFields") is not None:
            stop["additionalModelResponseFields"] = body["additionalModelResponseFields"]
        self._writer.events.append({"messageStop": stop})

    def _merge_metadata(self, body: Mapping[str, Any]) -> None:
        for key in ("usage", "metrics"):
            known = {name: value for name, value in (body.get(key) or {}).items() if value is not None}
            if known:
                self._metadata[key] = {**self._metadata.get(key, {}), **known}
        if body.get("trace"):
            self._metadata["trace"] = body["trace"]

    # --- its blocks, as the service numbers them

    def _block_start(self, body: Mapping[str, Any]) -> None:
        for key, start in (body.get("start") or {}).items():
            if handler := _STARTS.get(key):
                self._writer.open(_index(body), handler(self, start))

    def _block_delta(self, body: Mapping[str, Any]) -> None:
        for key, value in (body.get("delta") or {}).items():
            if handler := _DELTAS.get(key):
                handler(self, _index(body), value)

    def _block_stop(self, body: Mapping[str, Any]) -> None:
        self._writer.end(_index(body))

    # --- starts and deltas

    def _tool_start(self, start: Mapping[str, Any]) -> Block:
        if start.get("type") == "server_tool_use":  # the service runs it itself
            return Block(_SKIPPED)
        name, call_id = start.get("name") or "", self._ids.unique(start.get("toolUseId"))
        self._calls.append(_Call(_TOOL, tool={"name": self._names.get(name, name), "toolUseId": call_id}))
        return self._calls[-1]

    def _tool_result_start(self, start: Any) -> Block:
        return Block(_SKIPPED)

    def _image_start(self, start: Any) -> Block:
        warnings.warn("an image in the reply is left out", UnsupportedContentWarning, stacklevel=2)
        return Block(_SKIPPED)

    def _text_delta(self, index: int, text: str) -> None:
        if text:
            self._delta(index, _TEXT, {"text": text})

    def _citation_delta(self, index: int, citation: Mapping[str, Any]) -> None:
        known = {name: citation[name] for name in _CITATION_MEMBERS if citation.get(name) is not None}
        if known:
            self._delta(index, _TEXT, {"citation": known})

    def _tool_delta(self, index: int, delta: Mapping[str, Any]) -> None:
        text, block = delta.get("input"), self._writer.at(index)
        if not text or (block and block.kind == _SKIPPED):
            return
        if not isinstance(block, _Call):
            raise ModelResponseError("the reply holds input of a tool that was not named")
        block.fragments.append(text)
        self._writer.write(block, {"toolUse": {"input": text}})

    def _reasoning_delta(self, index: int, delta: Mapping[str, Any]) -> None:
        for key in ("text", "signature"):
            if delta.get(key):
                self._delta(index, _REASONING, {"reasoningContent": {key: delta[key]}})
        if redacted := delta.get("redactedContent"):
            self._delta(index, _REDACTED, {"reasoningContent": {"redactedContent": redacted}})

    def _delta(self, index: int, kind: str, delta: Any) -> None:
        """Add to the block at ``index``; what is of another kind is a block of its own in the contract."""
        block = self._writer.at(index)
        if block is None or block.kind not in (kind, _SKIPPED):
            block = self._writer.open(index, Block(kind))
        if block.kind != _SKIPPED:
            self._writer.write(block, delta)


def _usage(known: Mapping[str, int]) -> dict[str, int]:
    """The counts that the contract has. Cached input is not part of the input; the total is the sum of all."""
    usage = {name: known[name] for name in _USAGE_MEMBERS if name in known}
    if usage:
        parts = sum(count for name, count in usage.items() if name != "totalTokens")
        usage = {"inputTokens": 0, "outputTokens": 0, "totalTokens": parts, **usage}
    return usage


_Handler = Callable[[Translator, Any], None]


def _index(body: Mapping[str, Any]) -> int:
    index: int = body.get("contentBlockIndex", 0)
    return index


def _before_stop(handler: _Handler) -> _Handler:
    """Blocks that come after messageStop are no part of the reply."""
    return lambda translator, body: None if translator._stopped else handler(translator, body)


_EVENTS: Final[Mapping[str, _Handler]] = {
    "messageStart": Translator._message_start,
    "contentBlockStart": _before_stop(Translator._block_start),
    "contentBlockDelta": _before_stop(Translator._block_delta),
    "contentBlockStop": _before_stop(Translator._block_stop),
    "messageStop": Translator._message_stop,
    "metadata": Translator._merge_metadata,
}

_STARTS: Final[Mapping[str, Callable[[Translator, Any], Block]]] = {
    "toolUse": Translator._tool_start,
    "toolResult": Translator._tool_result_start,
    "image": Translator._image_start,
}

_DELTAS: Final[Mapping[str, Callable[[Translator, int, Any], None]]] = {
    "text": Translator._text_delta,
    "citation": Translator._citation_delta,
    "toolUse": Translator._tool_delta,
    "reasoningContent": Translator._reasoning_delta,
}
