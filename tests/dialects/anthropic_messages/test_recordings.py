"""Witness: the recordings. What is sent was recorded, what was recorded is sent, and all of it is read."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from urllib.parse import urlsplit

import pytest

from harness.dialects.anthropic_messages import DIALECT
from harness.dialects.base import DecodeError, WireRequest
from harness.dialects.base import RequestFaultKind as Kind
from tests.dialects.anthropic_messages.paths import stream_paths, whole_paths
from tests.dialects.anthropic_messages.replies import RICH, STYLES
from tests.recordings.corpus import CorpusExchange, exchanges
from tests.shared import needs_shared

pytestmark = needs_shared

PROTOCOLS = ("anthropic-messages", "vertex-anthropic", "pydantic-gateway-messages")

#: by what a path begins with: why it is sent although no recording has it
UNRECORDED = {
    "unheard_of.": "an event of the future",
    "content_block_delta.delta<unheard_of_delta>": "a delta of the future",
    **dict.fromkeys(
        (
            "message.content[text].citations[char_location]",
            "message.content[text].citations[page_location]",
            "message.content[text].citations[search_result_location]",
            "message.content[text].citations[web_search_result_location]",
            "content_block_delta.delta<citations_delta>.citation.start_page_number",
            "content_block_delta.delta<citations_delta>.citation.end_page_number",
            "content_block_delta.delta<citations_delta>.citation.search_result_index",
            "content_block_delta.delta<citations_delta>.citation.source",
            "content_block_delta.delta<citations_delta>.citation.title",
            "content_block_delta.delta<citations_delta>.citation.url",
            "content_block_delta.delta<citations_delta>.citation.encrypted_index",
        ),
        "locations that were not recorded; the SDK has CitationPageLocation and its like",
    ),
    "content_block_start.content_block<text>.citations": "null where a text has none: the SDK's TextBlock allows it",
    "message.content[text].citations": "null, as above",
    "message.content[advisor_tool_result].content.stop_reason": "recorded in a stream only",
    "message.content[web_search_tool_result]": "recorded in a stream only",
    "message.content[bash_code_execution_tool_result]": "recorded in a stream only",
    "message.container": "the SDK's Message allows null; recorded in message_delta only",
    "message_start.message.container": "the SDK's Message allows null; recorded in message_delta only",
    "message.stop_details.": "a refusal was recorded in a stream only",
    "message_start.message.usage.pydantic_ai_gateway": "the gateway was recorded without a stream only",
}

#: by what a path begins with: why it is not sent although it was recorded
UNSENT = {
    "content_block_start.content_block<text_editor_code_execution_tool_result>": "another tool's result",
    "content_block_start.content_block<advisor_tool_result>.content.encrypted_content": "an encrypted form of it",
    "content_block_start.content_block<compaction>.encrypted_content": "a variant of a block that is passed over",
    "content_block_delta.delta<compaction_delta>.encrypted_content": "a variant of a block that is passed over",
    "message_delta.delta.container.": "only replies of the code execution tool name a container",
    "message_delta.delta.stop_details.fallback_": "a beta's token; unknown members have an option of their own",
    "message_delta.usage.iterations[advisor_message]": "one kind of iteration stands for all",
    "message_delta.usage.iterations[compaction]": "one kind of iteration stands for all",
    "message.usage.iterations[advisor_message]": "one kind of iteration stands for all",
    "message.usage.iterations[compaction]": "one kind of iteration stands for all",
    "message.input_tokens": "the answer of count_tokens, which is no reply",
}

#: recordings that hold no reply
UNREAD = {
    "anthropic-messages/Arize-ai+openinference__redacted-thinking-non-streaming.json#0": "synthetic data, not base64",
    "anthropic-messages/crmne+ruby_llm__chat_rubyllm_count_tokens_counts_one_user_message.yml#0": "count_tokens",
    "anthropic-messages/pydantic+pydantic-ai__test_anthropic_test_anthropic_count_tokens_with_tool_search_replay"
    ".yaml#0": "count_tokens",
}

#: recorded 400s: the kind of the fault, or None where the request's form is right
REFUSED = {
    "anthropic-messages/DataDog+dd-trace-py__contrib_anthropic_anthropic_completion_error.yaml#0": Kind.FORM,
    # The prompt is too long for the model.
    "anthropic-messages/crmne+ruby_llm__chat_real_error_scenarios_anthropic_claude-haiku-4-5"
    "_handles_context_length_exceeded_errors.yml#0": None,
    # The model lacks one level of effort that others have.
    "anthropic-messages/pydantic+pydantic-ai__test_anthropic_test_anthropic_explicit_effort_xhigh_unsupported_model"
    "_errors.yaml#0": None,
}


@cache
def recorded() -> tuple[CorpusExchange, ...]:
    return tuple(exchanges(PROTOCOLS))


def answered() -> list[CorpusExchange]:
    return [found for found in recorded() if 200 <= found.exchange.response.status < 300]


def is_stream(found: CorpusExchange) -> bool:
    return found.entry.kind != "json"


def request_of(found: CorpusExchange) -> WireRequest:
    """The recorded request; recorders dropped some of the URLs and most headers."""
    asked = found.exchange.request
    url = urlsplit(asked.url or "https://api.anthropic.com/v1/messages")
    return WireRequest(asked.method or "POST", f"{url.path}?{url.query}", asked.headers, asked.body or b"")


@cache
def recorded_paths() -> frozenset[str]:
    bodies = ((found.exchange.response.body, is_stream(found)) for found in answered())
    return frozenset(path for body, stream in bodies for path in (stream_paths if stream else whole_paths)(body))


@cache
def sent_paths() -> frozenset[str]:
    replies = [RICH, replace(RICH, stop="content_filtered")]
    sent: set[str] = set()
    for reply in replies:
        for style in STYLES:
            sent |= stream_paths(DIALECT.encode(reply, style, stream=True).body)
            sent |= whole_paths(DIALECT.encode(reply, style, stream=False).body)
    return frozenset(sent)


def unexplained(found: Iterable[str], reasons: Mapping[str, str]) -> list[str]:
    return sorted(path for path in found if "unheard_of" not in path and not path.startswith(tuple(reasons)))


def test_the_corpus_has_what_these_tests_are_about() -> None:
    assert len(answered()) > 60
    assert sum(map(is_stream, answered())) > 30


def test_what_is_sent_was_recorded() -> None:
    assert unexplained(sent_paths() - recorded_paths(), UNRECORDED) == []


def test_what_was_recorded_is_sent() -> None:
    assert unexplained(recorded_paths() - sent_paths(), UNSENT) == []


@pytest.mark.parametrize("reasons", [UNRECORDED, UNSENT], ids=["unrecorded", "unsent"])
def test_every_reason_is_needed(reasons: Mapping[str, str]) -> None:
    differing = sent_paths() ^ recorded_paths()
    assert [prefix for prefix in reasons if not any(path.startswith(prefix) for path in differing)] == []


def test_event_names_are_the_recorded_ones() -> None:
    names = {path.partition(".")[0] for path in recorded_paths()} - {"message"}
    assert {path.partition(".")[0] for path in sent_paths()} - {"message"} == names | {"unheard_of"}


def test_every_recorded_reply_is_read() -> None:
    unread = {}
    for found in answered():
        try:
            reply = DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        except DecodeError as error:
            unread[found.name] = str(error)
        else:
            assert len(reply.tools) == found.entry.tool_calls, found.name
            assert {reply.wire_stop or wire_of(reply.stop)} == set(found.entry.finish), found.name
    assert set(unread) == set(UNREAD)


def wire_of(stop: str) -> str:
    return next(row.wire for row in DIALECT.stops if row.means == stop)


def test_every_recorded_reply_can_be_said_again() -> None:
    for found in answered():
        if found.name not in UNREAD:
            stream = is_stream(found)
            reply = DIALECT.decode(found.exchange.response.body, stream=stream)
            again = DIALECT.decode(DIALECT.encode(reply, {}, stream=stream).body, stream=stream)
            assert again == DIALECT.expected(reply, {}, stream=stream), found.name


# --- requests ---------------------------------------------------------------------------------------------------


def asked(statuses: range) -> list[CorpusExchange]:
    return [found for found in recorded() if found.exchange.request.body and found.exchange.response.status in statuses]


def test_every_request_that_was_answered_is_accepted_and_read() -> None:
    found = asked(range(200, 300))
    assert len(found) > 45
    for each in found:
        request = request_of(each)
        assert list(DIALECT.check_request(request)) == [], each.name
        view = DIALECT.read_request(request)
        assert view.turns, each.name
        assert view.stream == is_stream(each), each.name


def test_recorded_refusals_are_explained_where_they_are_about_form() -> None:
    refused = {found.name: DIALECT.check_request(request_of(found)) for found in asked(range(400, 401))}
    assert {name: faults[0].kind if faults else None for name, faults in refused.items()} == REFUSED


def test_what_a_request_says_is_all_in_its_view() -> None:
    """Every text of a recorded request is somewhere in the view, unchanged."""
    for found in asked(range(200, 300)):
        view = repr(DIALECT.read_request(request_of(found)))
        for text in texts_of(json.loads(found.exchange.request.body or b"")):
            assert repr(text)[1:-1] in view or repr(text.encode())[2:-1] in view, found.name


def texts_of(value: object, key: str = "") -> list[str]:
    if isinstance(value, dict):
        return [text for name, inner in value.items() if name != "citations" for text in texts_of(inner, name)]
    if isinstance(value, list):
        return [text for inner in value for text in texts_of(inner, key)]
    return [value] if isinstance(value, str) and key in ("text", "content", "title", "description") else []
