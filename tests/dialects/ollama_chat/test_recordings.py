"""Witness: the recordings. What the dialect says was said by a server, and what servers said it says or names."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from harness.dialects.ollama_chat import DIALECT
from tests.dialects.ollama_chat.recorded import answered, is_stream, recorded
from tests.dialects.ollama_chat.samples import SAMPLES, single_styles
from tests.recordings.corpus import CorpusExchange
from tests.shared import needs_shared

pytestmark = needs_shared

_TYPES = "Ollama's api/types.go has it"
_NO_STREAM = "no stream with thinking or calls was recorded; api/types.go has one Message for both forms"

#: Paths that no recording has, by their beginning, and why the dialect says them all the same. ``chunk`` is an object
#: of a stream, ``whole`` a body.
NOT_RECORDED = {
    "chunk.message.thinking": _NO_STREAM,
    "chunk.message.tool_calls": _NO_STREAM,
    "chunk.x_future": "a field that does not exist yet",
    "whole.x_future": "a field that does not exist yet",
    "chunk.remote_": _TYPES,
    "whole.remote_": _TYPES,
    "chunk.logprobs": _TYPES,
    "whole.logprobs": _TYPES,
    "chunk.error": "Ollama API, errors: errors that occur while streaming",
}


def paths(value: Any, path: str) -> Iterator[str]:
    """The paths of every value; lists collapse, and arguments, whose names are the caller's, end the path."""
    if isinstance(value, dict) and not path.endswith(".arguments"):
        for name, inner in value.items():
            yield from paths(inner, f"{path}.{name}")
    elif isinstance(value, list):
        yield path
        for inner in value:
            yield from paths(inner, f"{path}[]")
    else:
        yield path


def said(body: bytes, *, stream: bool) -> Iterator[str]:
    """Paths of an answer."""
    for line in body.splitlines() if stream else [body]:
        yield from paths(json.loads(line), "chunk" if stream else "whole")


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
        if error.id == "model_not_found":
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
        assert found.entry.finish in ((), (wire_end(reply.stop, reply.wire_stop),)), found.name
        assert reply.blocks, found.name
        read += 1
    assert read > 15


def wire_end(stop: str, wire_stop: str | None) -> str:
    return wire_stop or {"end_turn": "stop", "tool_use": "stop", "max_tokens": "length"}[stop]


def test_answers_hold_what_the_last_object_counts() -> None:
    for found in answered():
        reply = DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        last = last_object(found)
        assert reply.usage is not None
        assert (reply.usage.input, reply.usage.output) == (last.get("prompt_eval_count", 0), last["eval_count"])
        assert reply.latency_ms == last["total_duration"] // 1_000_000


def last_object(found: CorpusExchange) -> dict[str, Any]:
    body = found.exchange.response.body
    told: dict[str, Any] = json.loads(body.strip().split(b"\n")[-1] if is_stream(found) else body)
    return told


def test_the_recorded_error_is_told_byte_for_byte() -> None:
    (found,) = [found for found in recorded() if found.exchange.response.status == 404]
    error = next(error for error in DIALECT.errors if error.evidence == found.row.path)
    assert DIALECT.encode_error(error).body == found.exchange.response.body
