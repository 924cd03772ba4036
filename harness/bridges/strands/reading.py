"""What Strands makes of events: its ``process_stream``, and the part of its loop that calls a model."""

import json
import re
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Final

from harness.bridges.strands.early import each, processed
from harness.contract.capabilities import Capabilities
from harness.contract.content import Message
from harness.contract.events import Metrics, StreamEvent, Usage
from harness.discovery import find
from harness.endpoint.base import Endpoint
from harness.provider import Provider

#: Strands has no name for refused tools
EXCEPTIONS: Final = {
    name: f"strands.types.exceptions:{name}" for name in ("ModelThrottledException", "ContextWindowOverflowException")
}


@dataclass(frozen=True, slots=True)
class Read:
    """A message as Strands assembled it, with its stop reason, usage and metrics."""

    message: Message
    stop_reason: str | None
    usage: Usage | None
    metrics: Metrics | None
    empty: int = 0


async def assemble(events: Sequence[StreamEvent]) -> Read:
    """The message that ``process_stream`` builds. It makes zeros of a usage that was not told, which counts as none."""
    from strands.event_loop.streaming import process_stream

    told = any("metadata" in event for event in events)
    async for event in processed(process_stream, events):
        if isinstance(event, Mapping) and "stop" in event:
            stop_reason, message, usage, metrics = event["stop"][:4]
            if stop_reason == "max_tokens":
                message = _without(message, _cut(events))
            return Read(message, stop_reason, usage if told else None, metrics if told else None)
    raise LookupError("process_stream told no end")


def _cut(events: Sequence[StreamEvent]) -> set[str]:
    """The ids of calls whose arguments end within: Strands' loop puts words in their place, once the limit is met."""
    pieces: dict[str, str] = {}
    for event in events:
        start = event.get("contentBlockStart", {}).get("start", {}).get("toolUse")
        if start:
            pieces[start["toolUseId"]] = ""
        piece = event.get("contentBlockDelta", {}).get("delta", {}).get("toolUse", {}).get("input", "")
        if piece and pieces:
            pieces[[*pieces][-1]] += piece
    return {call_id for call_id, arguments in pieces.items() if arguments and not _is_json(arguments)}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _without(message: Message, calls: Collection[str]) -> Message:
    kept = [block for block in message["content"] if block.get("toolUse", {}).get("toolUseId") not in calls]
    return {**message, "content": kept}


class EventLoop:
    """A model behind the part of Strands' loop that calls it: what goes out and what comes in passes through it."""

    def __init__(self, model: Any) -> None:
        self._model = model

    async def stream(
        self, messages: Any, tool_specs: Any = None, system_prompt: str | None = None, **arguments: Any
    ) -> AsyncIterator[StreamEvent]:
        """The events as the loop hands them on; it tells what it makes of them in between."""
        from strands.event_loop.streaming import stream_messages

        known = signature(stream_messages).parameters
        kept = {name: value for name, value in arguments.items() if name in known}
        async for told in each(stream_messages(self._model, system_prompt, messages, tool_specs or [], **kept)):
            if isinstance(told, Mapping) and "event" in told:
                yield told["event"]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


class _AsItStands:
    """A model that hands names of calls on as they stand, as many do: services refuse odd ones."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def stream(self, messages: Any, *arguments: Any, **named: Any) -> Any:
        """The events of a reply. Raises ValueError where the service would refuse the history."""
        called = (
            block["toolUse"]["name"] for message in messages for block in message["content"] if "toolUse" in block
        )
        if odd := next((name for name in called if not _NAME.fullmatch(name)), None):
            raise ValueError(f"toolUse.name: {odd!r} must satisfy the pattern {_NAME.pattern}")
        return self._model.stream(messages, *arguments, **named)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


#: Bedrock's pattern of names, which other services share
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def _event_loop(endpoint: Endpoint, settings: Mapping[str, Any]) -> Any:
    (trusted,) = find([_TRUSTED])
    return EventLoop(_AsItStands(trusted.build(endpoint, settings)))


#: the adapter of the harness's own whose events can hold all that a message can
_TRUSTED: Final = "bedrock"

EVENT_LOOP: Final = Provider(
    name="strands/event_loop",
    dialect="bedrock_converse",
    build=_event_loop,
    capabilities=Capabilities(
        tools=True,
        tool_choice=frozenset({"auto", "any", "tool"}),
        structured="forced_tool",
        reasoning=True,
        reasoning_replay=True,
        signatures=True,
        redacted=True,
        citations=True,
        media=frozenset({"image", "document", "video", "location"}),
        tool_result_media=frozenset({"image", "document", "video", "location"}),
        caching=True,
        guardrails=True,
        native_count_tokens=True,
    ),
    requires=("strands-agents", "boto3"),
    config_for={kind: {"model_id": "us.amazon.nova-pro-v1:0"} for kind in ("video", "location")},
    expected={
        "REQUEST-CALLS": "Strands renames calls of illegal names in the history, in _normalize_messages",
    },
    assemble=assemble,
)
