"""Witness: the recordings of llama.cpp's server."""

import json
from functools import cache

from harness.dialects.llamacpp_chat import DIALECT
from tests.dialects.llamacpp_chat.samples import SAMPLES
from tests.dialects.openai_chat.recorded import is_stream, request_of
from tests.dialects.relatives import emitted, said, uncovered
from tests.recordings.corpus import CorpusExchange, exchanges
from tests.shared import needs_shared

pytestmark = needs_shared

_FUTURE = "a field that does not exist yet"
_CACHED = "builds of 2026 tell how much of the prompt was cached; those of the recordings did not"
_NULLS = "fields sent as null by gateways in front of the server"

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
    "chunk.usage.prompt_tokens_details": _CACHED,
    "whole.usage.prompt_tokens_details": _CACHED,
    "chunk.choices[].delta.refusal": _NULLS,
    "chunk.usage": _NULLS,
}


@cache
def recorded() -> tuple[CorpusExchange, ...]:
    return tuple(exchanges(["llama-cpp-chat"]))


def recorded_paths() -> set[str]:
    return {path for found in recorded() for path in said(found.exchange.response.body, stream=is_stream(found))}


def test_every_path_that_is_said_was_recorded() -> None:
    assert uncovered(emitted(DIALECT, SAMPLES) - recorded_paths(), NOT_RECORDED) == ([], [])


def test_every_recorded_path_is_said() -> None:
    assert recorded_paths() - emitted(DIALECT, SAMPLES) == set()


def test_every_answer_is_read_as_the_manifest_counts_it() -> None:
    assert len(recorded()) == 9
    for found in recorded():
        reply = DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        assert len(reply.tools) == found.entry.tool_calls, found.name
        assert reply.usage is not None, found.name


def test_requests_that_were_answered_are_accepted_and_read() -> None:
    for found in recorded():
        request = request_of(found)
        assert request is not None
        assert DIALECT.check_request(request) == [], found.name
        view, body = DIALECT.read_request(request), json.loads(request.body)
        said_roles = [message["role"] for message in body["messages"] if message["role"] != "system"]
        assert [turn.role for turn in view.turns] == said_roles, found.name
        assert view.system == ("You are a helpful assistant",), found.name
