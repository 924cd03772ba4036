"""Witness: the recordings of Writer's chat."""

import json
from functools import cache

from harness.dialects.base import CallPart, ResultPart
from harness.dialects.writer_chat import DIALECT
from tests.dialects.openai_chat.recorded import is_stream, request_of
from tests.dialects.relatives import emitted, said, uncovered
from tests.dialects.writer_chat.samples import SAMPLES
from tests.recordings.corpus import CorpusExchange, exchanges
from tests.shared import needs_shared

pytestmark = needs_shared

_FUTURE = "a field that does not exist yet"

#: Paths that no recording has, and why the dialect says them.
NOT_RECORDED = {
    "chunk.choices[].delta.x_future": _FUTURE,
    "chunk.choices[].x_future": _FUTURE,
    "chunk.usage.x_future": _FUTURE,
    "chunk.x_future": _FUTURE,
    "whole.choices[].message.x_future": _FUTURE,
    "whole.choices[].x_future": _FUTURE,
    "whole.usage.x_future": _FUTURE,
    "whole.x_future": _FUTURE,
    "chunk.usage.prompt_token_details.": "streams were recorded without cached tokens; whole replies tell them",
    "chunk.usage.completion_tokens_details.": "the same",
    "whole.usage.completion_tokens_details.": "recorded under another name, completion_token_details",
}

#: Recorded paths that no style says, and why.
IGNORED = {
    "whole.usage.completion_token_details": "one recording's name for completion_tokens_details",
}

#: Requests kept with a comma that JSON does not allow.
NOT_JSON = {"writer-chat/traceloop+openllmetry__test_chat_test_writer_async_chat_tool_calls_legacy.yaml#0"}


@cache
def recorded() -> tuple[CorpusExchange, ...]:
    return tuple(exchanges(["writer-chat"]))


def recorded_paths() -> set[str]:
    return {path for found in recorded() for path in said(found.exchange.response.body, stream=is_stream(found))}


def test_every_path_that_is_said_was_recorded() -> None:
    assert uncovered(emitted(DIALECT, SAMPLES) - recorded_paths(), NOT_RECORDED) == ([], [])


def test_every_recorded_path_is_said_or_ignored_with_a_reason() -> None:
    assert uncovered(recorded_paths() - emitted(DIALECT, SAMPLES), IGNORED) == ([], [])


def test_every_answer_is_read_as_the_manifest_counts_it() -> None:
    assert len(recorded()) == 8
    for found in recorded():
        reply = DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        assert len(reply.tools) == found.entry.tool_calls, found.name
        assert reply.usage is not None, found.name
        assert reply.stop == ("tool_use" if reply.tools else "end_turn"), found.name


def test_requests_that_were_answered_are_accepted_and_read() -> None:
    for found in recorded():
        request = request_of(found)
        assert request is not None
        if found.name in NOT_JSON:
            continue
        assert DIALECT.check_request(request) == [], found.name
        view, body = DIALECT.read_request(request), json.loads(request.body)
        assert [turn.role for turn in view.turns] == [message["role"] for message in body["messages"]], found.name
        assert DIALECT.is_stream(request) is is_stream(found)


def test_a_result_without_id_belongs_to_the_call_at_its_place() -> None:
    [found] = [found for found in recorded() if "streaming_chat_tool_calls" in found.name]
    request = request_of(found)
    assert request is not None
    parts = [part for turn in DIALECT.read_request(request).turns for part in turn.parts]
    [call] = [part for part in parts if isinstance(part, CallPart)]
    [result] = [part for part in parts if isinstance(part, ResultPart)]
    assert call.id == result.id != ""
