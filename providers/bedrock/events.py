"""From Converse stream events to the contract's events.

The service sends no start for text and reasoning blocks, numbers blocks with gaps, and sends blocks of tools that it
runs itself; the contract's reply has a start for every block, no gaps, and only calls that the caller must run. Should
blocks be interleaved, the one that is open is passed on at once and the others wait until it has stopped.
"""

import json
import time
import uuid
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from harness.contract.config import UnsupportedContentWarning
from harness.contract.events import StreamEvent
from harness.contract.exceptions import IncompleteStreamError, ModelResponseError
from providers.bedrock.guardrails import redactions
from providers.bedrock.names import ToolNames
from providers.bedrock.stops import stop_reason

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


@dataclass(slots=True)
class _Call:
    """A tool call of the reply: its input so far, and whether the service said that it is whole."""

    fragments: list[str] = field(default_factory=list)
    closed: bool = False

    def complete(self) -> bool:
        text = "".join(self.fragments)
        try:
            return self.closed and (not text.strip() or isinstance(json.loads(text), dict))
        except ValueError:
            return False


class Translator:
    """Translates one reply: feed it the service's events, then say that they ended."""

    def __init__(self, config: Mapping[str, Any], names: ToolNames) -> None:
        self._config = config
        self._names = names
        self._began = time.monotonic()
        self._out: list[StreamEvent] = []
        self._started = False
        self._stopped = False
        self._vendor_stop: str | None = None
        self._metadata: dict[str, Any] = {}
        self._calls: list[_Call] = []
        self._ids: set[str] = set()
        self._index = -1
        #: kind of the contract's block that is open
        self._kind: str | None = None
        #: the service's index of the block that is passed on, and the events of those that wait
        self._current: int | None = None
        self._waiting: dict[int, list[tuple[str, Mapping[str, Any]]]] = {}

    def feed(self, event: Mapping[str, Any]) -> list[StreamEvent]:
        """The contract's events for one of the service's. Unknown ones give none."""
        for key, body in event.items():
            if handler := _EVENTS.get(key):
                handler(self, body)
        out, self._out = self._out, []
        return out

    def finish(self) -> list[StreamEvent]:
        """The last events. Raises IncompleteStreamError when the reply is not finished."""
        if not self._stopped:
            raise IncompleteStreamError("the stream ended before messageStop")
        trace = self._metadata.get("trace")
        last = redactions(self._config, self._vendor_stop, trace)
        if self._metadata:
            latency = self._metadata.get("metrics", {}).get("latencyMs")
            measured = round((time.monotonic() - self._began) * 1000)
            metadata: Any = {"metrics": {"latencyMs": measured if latency is None else latency}}
            if usage := _usage(self._metadata.get("usage", {})):
                metadata["usage"] = usage
            last.append({"metadata": {**metadata, **({"trace": trace} if trace else {})}})
        return last

    # --- the reply

    def _message_start(self, body: Mapping[str, Any]) -> None:
        if not self._started:
            self._started = True
            self._out.append({"messageStart": {"role": "assistant"}})

    def _message_stop(self, body: Mapping[str, Any]) -> None:
        if self._stopped:
            return
        self._message_start(body)
        self._close()
        self._current = None
        while self._waiting:
            self._advance()
            self._close()
            self._current = None
        self._stopped = True
        self._vendor_stop = body.get("stopReason")
        stop: Any = {"stopReason": self._stop_reason()}
        if body.get("additionalModelResponseFields") is not None:
            stop["additionalModelResponseFields"] = body["additionalModelResponseFields"]
        self._out.append({"messageStop": stop})

    def _stop_reason(self) -> str:
        # A vendor that says tool_use is believed; only a reply without any call cannot have it.
        if self._vendor_stop == "tool_use" and not self._calls:
            return "end_turn"
        return stop_reason(self._vendor_stop, calls=bool(self._calls) and all(call.complete() for call in self._calls))

    def _merge_metadata(self, body: Mapping[str, Any]) -> None:
        for key in ("usage", "metrics"):
            known = {name: value for name, value in (body.get(key) or {}).items() if value is not None}
            if known:
                self._metadata[key] = {**self._metadata.get(key, {}), **known}
        if body.get("trace"):
            self._metadata["trace"] = body["trace"]

    # --- its blocks, as the service numbers them

    def _block_event(self, key: str, body: Mapping[str, Any]) -> None:
        if self._stopped:
            return
        if not self._started:
            self._message_start(body)
        index = body.get("contentBlockIndex", self._current or 0)
        if self._current is None:
            self._current = index
        if index == self._current:
            _BLOCK_STEPS[key](self, body)
            self._advance()
        else:
            self._waiting.setdefault(index, []).append((key, body))

    def _advance(self) -> None:
        """Pass on what waits, as far as a block that has not stopped yet."""
        while self._current is None and self._waiting:
            self._current = next(iter(self._waiting))
            for key, body in self._waiting.pop(self._current):
                _BLOCK_STEPS[key](self, body)

    def _block_start(self, body: Mapping[str, Any]) -> None:
        for key, start in (body.get("start") or {}).items():
            if handler := _STARTS.get(key):
                handler(self, start)

    def _block_delta(self, body: Mapping[str, Any]) -> None:
        for key, value in (body.get("delta") or {}).items():
            if handler := _DELTAS.get(key):
                handler(self, value)

    def _block_stop(self, body: Mapping[str, Any]) -> None:
        if self._kind == _TOOL:
            self._calls[-1].closed = True
        self._close()
        self._current = None

    # --- starts and deltas

    def _tool_start(self, start: Mapping[str, Any]) -> None:
        if start.get("type") == "server_tool_use":  # the service runs it itself
            self._skip(start)
            return
        self._calls.append(_Call())
        name = self._names.original(start.get("name") or "")
        self._open(_TOOL, {"toolUse": {"name": name, "toolUseId": self._unique_id(start.get("toolUseId"))}})

    def _unique_id(self, given: str | None) -> str:
        call_id = given if given and given not in self._ids else f"tooluse_{uuid.uuid4().hex}"
        self._ids.add(call_id)
        return call_id

    def _skip(self, start: Any) -> None:
        self._close()
        self._kind = _SKIPPED

    def _image_start(self, start: Any) -> None:
        warnings.warn("an image in the reply is left out", UnsupportedContentWarning, stacklevel=2)
        self._skip(start)

    def _text_delta(self, text: str) -> None:
        if text:
            self._delta(_TEXT, {"text": text})

    def _citation_delta(self, citation: Mapping[str, Any]) -> None:
        known = {name: citation[name] for name in _CITATION_MEMBERS if citation.get(name) is not None}
        if known:
            self._delta(_TEXT, {"citation": known})

    def _tool_delta(self, delta: Mapping[str, Any]) -> None:
        text = delta.get("input")
        if not text or self._kind == _SKIPPED:
            return
        if self._kind != _TOOL:
            raise ModelResponseError("the reply holds input of a tool that was not named")
        self._calls[-1].fragments.append(text)
        self._delta(_TOOL, {"toolUse": {"input": text}})

    def _reasoning_delta(self, delta: Mapping[str, Any]) -> None:
        for key in ("text", "signature"):
            if delta.get(key):
                self._delta(_REASONING, {"reasoningContent": {key: delta[key]}})
        if redacted := delta.get("redactedContent"):
            self._delta(_REDACTED, {"reasoningContent": {"redactedContent": redacted}})

    # --- the contract's blocks

    def _delta(self, kind: str, delta: Any) -> None:
        if self._kind != kind:
            if self._kind == _SKIPPED:
                return
            self._open(kind, {})
        self._out.append({"contentBlockDelta": {"contentBlockIndex": self._index, "delta": delta}})

    def _open(self, kind: str, start: Any) -> None:
        self._close()
        self._kind = kind
        self._index += 1
        self._out.append({"contentBlockStart": {"contentBlockIndex": self._index, "start": start}})

    def _close(self) -> None:
        if self._kind is not None and self._kind != _SKIPPED:
            self._out.append({"contentBlockStop": {"contentBlockIndex": self._index}})
        self._kind = None


def _usage(known: Mapping[str, int]) -> dict[str, int]:
    """The counts that the contract has. Cached input is not part of the input; the total is the sum of all."""
    usage = {name: known[name] for name in _USAGE_MEMBERS if name in known}
    if usage:
        parts = sum(count for name, count in usage.items() if name != "totalTokens")
        usage = {"inputTokens": 0, "outputTokens": 0, "totalTokens": parts, **usage}
    return usage


_Handler = Callable[[Translator, Any], None]

_BLOCK_STEPS: Final[Mapping[str, _Handler]] = {
    "contentBlockStart": Translator._block_start,
    "contentBlockDelta": Translator._block_delta,
    "contentBlockStop": Translator._block_stop,
}


def _in_block(key: str) -> _Handler:
    return lambda translator, body: translator._block_event(key, body)


_EVENTS: Final[Mapping[str, _Handler]] = {
    "messageStart": Translator._message_start,
    "messageStop": Translator._message_stop,
    "metadata": Translator._merge_metadata,
    **{key: _in_block(key) for key in _BLOCK_STEPS},
}

_STARTS: Final[Mapping[str, _Handler]] = {
    "toolUse": Translator._tool_start,
    "toolResult": Translator._skip,
    "image": Translator._image_start,
}

_DELTAS: Final[Mapping[str, _Handler]] = {
    "text": Translator._text_delta,
    "citation": Translator._citation_delta,
    "toolUse": Translator._tool_delta,
    "reasoningContent": Translator._reasoning_delta,
}
