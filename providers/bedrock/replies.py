"""Calls of the SDK: replies as Converse stream events, whichever way they were asked for."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from botocore.eventstream import ParserError

from harness.contract.exceptions import ModelResponseError
from providers._shared.bridge import Source, close_in_thread
from providers._shared.content import json_text
from providers.bedrock.errors import Target, vendor_errors

VendorEvent = Mapping[str, Any]


class ReplyStream:
    """The events of one ConverseStream reply. Opening and reading block."""

    def __init__(self, client: Any, request: Mapping[str, Any], target: Target) -> None:
        self._target = target
        with vendor_errors(target):
            self._stream = client.converse_stream(**request)["stream"]

    def __iter__(self) -> Iterator[VendorEvent]:
        events = iter(self._stream)
        with vendor_errors(self._target):
            try:
                first = next(events, None)
            except ParserError as error:
                raise ModelResponseError("the answer is no event stream") from error
            if first is not None:
                yield first
                yield from events

    def close(self) -> None:
        """Free the connection, or end it when the reply was not read to its end."""
        self._stream.close()

    def shut_down(self) -> bool:
        """Make a read that is under way in another thread end; whether that was possible.

        Closing would not: it waits for the lock that the reader holds.
        """
        shutdown = getattr(getattr(self._stream, "_raw_stream", None), "shutdown", None)
        if shutdown is None:
            return False
        # urllib3 refuses when the connection has gone back to its pool, the system when it is gone
        with contextlib.suppress(ValueError, RuntimeError, OSError):
            shutdown()
        return True


def interrupt(source: Source[Any]) -> None:
    """Make the reader of a stream end, without blocking."""
    if not (isinstance(source, ReplyStream) and source.shut_down()):
        close_in_thread(source)


def whole_reply(client: Any, request: Mapping[str, Any], target: Target) -> Mapping[str, Any]:
    """The answer of Converse. Blocks. Raises ModelResponseError when there is no message in it."""
    with vendor_errors(target):
        answer: Mapping[str, Any] = client.converse(**request)
    if not isinstance((answer.get("output") or {}).get("message"), Mapping):
        status = answer.get("ResponseMetadata", {}).get("HTTPStatusCode")
        raise ModelResponseError(f"the answer (HTTP {status}) holds no message")
    return answer


def expand(answer: Mapping[str, Any]) -> Iterator[VendorEvent]:
    """A whole answer as the events that ConverseStream would have sent."""
    message = answer["output"]["message"]
    yield {"messageStart": {"role": message.get("role", "assistant")}}
    for index, block in enumerate(message.get("content") or ()):
        start, deltas = _expand_block(block)
        if start:
            yield {"contentBlockStart": {"contentBlockIndex": index, "start": start}}
        for delta in deltas:
            yield {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}
        yield {"contentBlockStop": {"contentBlockIndex": index}}
    yield {"messageStop": {key: answer[key] for key in ("stopReason", _ADDITIONAL) if key in answer}}
    yield {"metadata": {key: answer[key] for key in ("usage", "metrics", "trace") if key in answer}}


_ADDITIONAL: Final = "additionalModelResponseFields"

_Delta = dict[str, Any]
_Parts = tuple[_Delta, list[_Delta]]


def _expand_block(block: Mapping[str, Any]) -> _Parts:
    parts = (_EXPANSIONS[key](body) for key, body in block.items() if key in _EXPANSIONS)
    return next(parts, ({}, []))


def _tool_use(body: Mapping[str, Any]) -> _Parts:
    start = {key: body[key] for key in ("toolUseId", "name", "type") if key in body}
    text = json_text(body.get("input") or {})
    return {"toolUse": start}, [{"toolUse": {"input": text}}]


def _reasoning(body: Mapping[str, Any]) -> _Parts:
    text = body.get("reasoningText") or {}
    parts = [{key: text[key]} for key in ("text", "signature") if text.get(key)]
    parts += [{"redactedContent": body["redactedContent"]}] if body.get("redactedContent") else []
    return {}, [{"reasoningContent": part} for part in parts]


def _citations(body: Mapping[str, Any]) -> _Parts:
    texts = [{"text": item["text"]} for item in body.get("content") or () if "text" in item]
    return {}, [*texts, *({"citation": citation} for citation in body.get("citations") or ())]


_EXPANSIONS: Final[Mapping[str, Callable[[Any], _Parts]]] = {
    "text": lambda text: ({}, [{"text": text}]),
    "toolUse": _tool_use,
    "reasoningContent": _reasoning,
    "citationsContent": _citations,
    "image": lambda body: ({"image": body}, []),
}
