"""The axes along which the Llama API's schema leaves a choice."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from harness.dialects.base import Axis, Option

_CHUNK: Final = "doc: Llama API reference, create chat completion response stream chunk: {}"
_REPLY: Final = "doc: Llama API reference, create chat completion response: {}"
_EXAMPLE: Final = "doc: llama-api-python, examples/tool_call.py"
_FIRST: Final = "strands-1.62:llamaapi-first-delta"
_STOP: Final = "strands-1.62:llamaapi-double-stop"

Choices = tuple[tuple[str, str], ...]


def _axis(name: str, options: Mapping[str, str], *, streamed: bool = True, whole: bool = True) -> Axis:
    return Axis(name, tuple(Option(*row) for row in options.items()), streamed, whole)


def _streamed(name: str, options: Mapping[str, str]) -> Axis:
    return _axis(name, options, whole=False)


def _whole(name: str, options: Mapping[str, str]) -> Axis:
    return _axis(name, options, streamed=False)


AXES: Final[tuple[Axis, ...]] = (
    _streamed(
        "space",
        {"after_colon": "doc: llama-api-client, SSEDecoder", "none": "doc: WHATWG HTML, 9.2.6: one leading space"},
    ),
    _streamed(
        "comments", {"none": "doc: llama-api-client, SSEDecoder", "between": "doc: llama-api-client, SSEDecoder"}
    ),
    _axis("escapes", {"raw": _REPLY.format("text"), "ascii": "doc: RFC 8259, section 7: any character may be escaped"}),
    _axis("id", {"present": _CHUNK.format("id"), "absent": _CHUNK.format("id is optional")}),
    _axis(
        "unknown_fields", {"none": _CHUNK.format("event"), "some": "doc: llama-api-client: models allow extra fields"}
    ),
    _streamed("start", {"empty_text": _CHUNK.format("event_type start"), "first_piece": _CHUNK.format("delta")}),
    _streamed("complete", {"empty_text": _STOP, "last_piece": _CHUNK.format("delta")}),
    _streamed("text_pieces", {"few": _CHUNK.format("delta"), "whole": _CHUNK.format("delta"), "characters": _EXAMPLE}),
    _streamed("blanks", {"none": _EXAMPLE, "between": _CHUNK.format("delta.text: a string")}),
    _streamed("nulls", {"none": _EXAMPLE, "null_fields": _CHUNK.format("stop_reason and metrics are optional")}),
    _streamed("arguments", {"name_then_pieces": _EXAMPLE, "pieces": _FIRST, "whole": _FIRST}),
    _streamed("argument_pieces", {"few": _EXAMPLE, "characters": _EXAMPLE}),
    _streamed(
        "later_fragments",
        {
            "absent": _EXAMPLE,
            "null": _CHUNK.format("delta.id and delta.function.name are optional"),
            "id_repeated": _CHUNK.format("delta.id"),
        },
    ),
    _axis(
        "metrics",
        {"present": _STOP, "absent": _REPLY.format("metrics is optional")},
    ),
    _streamed("metrics_event", {"own": _STOP, "complete": _CHUNK.format("event.metrics")}),
    _axis("metrics_total", {"present": _REPLY.format("num_total_tokens"), "absent": _REPLY.format("metrics: a list")}),
    _axis("metrics_unit", {"present": _REPLY.format("unit"), "absent": _REPLY.format("unit is optional")}),
    _axis("metrics_value", {"integer": _REPLY.format("metrics"), "float": _REPLY.format("value: a number")}),
    _whole("content", {"item": _REPLY.format("content"), "string": _REPLY.format("content: a string or an item")}),
    _whole(
        "no_text",
        {
            "empty_item": _EXAMPLE,
            "null": _REPLY.format("content is optional"),
            "missing": _REPLY.format("content is optional"),
        },
    ),
    _whole(
        "no_calls",
        {
            "empty_list": _REPLY.format("tool_calls"),
            "null": _REPLY.format("tool_calls is optional"),
            "missing": _REPLY.format("tool_calls is optional"),
        },
    ),
    _streamed(
        "error",
        {
            "bare_line": "doc: llama-api-client, SSEDecoder: custom patch to handle midstream errors",
            "event": "doc: llama-api-client, Stream: an event named error",
        },
    ),
)

_NAMES: Final = {axis.name: axis.names for axis in AXES}
_USUAL: Final = {axis.name: axis.names[0] for axis in AXES}


@lru_cache(maxsize=4096)
def resolve(chosen: Choices) -> Mapping[str, str]:
    """Every axis's option. Raises ValueError for an axis or an option that there is not."""
    for name, option in chosen:
        if option not in _NAMES.get(name, ()):
            raise ValueError(f"no style of the Llama API: {name}={option}")
    return _USUAL | dict(chosen)
