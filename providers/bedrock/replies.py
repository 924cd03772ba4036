"""Calls of the SDK: replies as Converse stream events, whichever way they were asked for."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.contract.exceptions import ModelResponseError
from providers._shared.boto import EventSource
from providers._shared.content import json_text
from providers.bedrock.errors import Target, vendor_errors

VendorEvent = Mapping[str, Any]


def reply_stream(client: Any, request: Mapping[str, Any], target: Target) -> EventSource:
    """The events of one ConverseStream reply. Blocks."""
    return EventSource(lambda: client.converse_stream(**request)["stream"], lambda: vendor_errors(target))


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
