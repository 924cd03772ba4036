"""Witness: the recordings. What the dialect says was said by the service, and what it said is said or named here."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from harness.dialects.mistral_chat import DIALECT
from harness.wire.sse import SseDecoder
from tests.dialects.mistral_chat.recorded import answered, is_stream, recorded
from tests.dialects.mistral_chat.samples import SAMPLES, single_styles
from tests.shared import needs_shared

pytestmark = needs_shared

_FUTURE = "a field that does not exist yet"
_ARGUMENTS = "arguments as an object: Mistral API reference, FunctionCall.arguments"

#: Paths that no recording has, by their beginning, and why the dialect says them all the same. ``chunk`` is a streamed
#: one, ``whole`` a body.
NOT_RECORDED = {
    "chunk.x_future": _FUTURE,
    "chunk.choices[].delta.x_future": _FUTURE,
    "chunk.usage.x_future": _FUTURE,
    "whole.x_future": _FUTURE,
    "whole.choices[].message.x_future": _FUTURE,
    "whole.usage.x_future": _FUTURE,
    "chunk.choices[].delta.tool_calls[].function.arguments.": _ARGUMENTS,
    "whole.choices[].message.tool_calls[].function.arguments.": _ARGUMENTS,
    "chunk.usage.num_cached_tokens": "recorded in whole replies, whose usage is the same object",
}


def paths(value: Any, path: str) -> Iterator[str]:
    """The paths of every value; lists collapse."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths(inner, f"{path}.{name}")
    elif isinstance(value, list):
        yield path
        for inner in value:
            yield from paths(inner, f"{path}[]")
    else:
        yield path


def said(body: bytes, *, stream: bool) -> Iterator[str]:
    """Paths and event names of an answer."""
    if not stream:
        yield from paths(json.loads(body), "whole")
        return
    decoder = SseDecoder()
    for event in (*decoder.feed(body), *decoder.finish()):
        if event.event:
            yield f"event {event.event}"
        if event.data != "[DONE]":
            yield from paths(json.loads(event.data), "chunk")


@cache
def recorded_paths() -> frozenset[str]:
    return frozenset(
        path for found in recorded() for path in said(found.exchange.response.body, stream=is_stream(found))
    )


@cache
def emitted_paths() -> frozenset[str]:
    found: set[str] = set()
    for reply in SAMPLES:
        for style in single_styles():
            for stream in (True, False):
                found.update(said(DIALECT.encode(reply, style, stream=stream).body, stream=stream))
    for error in DIALECT.errors:
        told = DIALECT.encode_stream_error(error, SAMPLES[0], {}, keep=2)
        found.update(said(told.body, stream=True) if told else ())
        if error.id == "invalid_key":
            found.update(said(DIALECT.encode_error(error).body, stream=False))
    return frozenset(found)


def test_every_path_that_is_said_was_recorded() -> None:
    unheard = emitted_paths() - recorded_paths()
    assert sorted(path for path in unheard if not path.startswith(tuple(NOT_RECORDED))) == []
    assert [start for start in NOT_RECORDED if not any(path.startswith(start) for path in unheard)] == []


def test_every_recorded_path_is_said() -> None:
    assert recorded_paths() - emitted_paths() == set()


def test_every_answer_is_read_as_the_manifest_counts_it() -> None:
    """The manifest was counted by another program: number of calls, and how the reply ended."""
    read = 0
    for found in answered():
        reply = DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        assert len(reply.tools) == found.entry.tool_calls, found.name
        assert found.entry.finish == (wire_end(reply.stop, reply.wire_stop),), found.name
        assert reply.blocks, found.name
        assert reply.usage is not None, found.name
        read += 1
    assert read > 40


def wire_end(stop: str, wire_stop: str | None) -> str:
    return wire_stop or {"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length"}[stop]


def test_ids_of_recorded_calls_are_of_the_pattern_that_requests_must_keep() -> None:
    replies = [DIALECT.decode(found.exchange.response.body, stream=is_stream(found)) for found in answered()]
    ids = [call.id for reply in replies for call in reply.tools]
    assert len(ids) > 10
    assert all(len(call_id) == 9 and call_id.isalnum() for call_id in ids)
    assert DIALECT.shape.tool_id_pattern == "[a-zA-Z0-9]{9}"


def test_the_recorded_error_is_what_the_dialect_says() -> None:
    (found,) = [found for found in recorded() if found.exchange.response.status == 401]
    error = next(error for error in DIALECT.errors if error.evidence == found.row.path)
    assert DIALECT.encode_error(error).body == found.exchange.response.body.strip()
