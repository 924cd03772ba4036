"""Witness: everything that is sent parses under the vendor SDK's own types, strictly, and its client reads the same."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic
from anthropic.types import Message, RawMessageStreamEvent
from anthropic.types.beta import BetaMessage, BetaRawMessageStreamEvent
from pydantic import BaseModel, TypeAdapter, ValidationError

from harness.dialects.anthropic_messages import DIALECT
from harness.dialects.base import StopRow, Style, WireReply
from harness.dialects.reply import Reply, Text, Usage
from harness.wire.sse import SseDecoder
from tests.dialects.anthropic_messages.replies import RICH, STYLES

STABLE: tuple[TypeAdapter[Any], TypeAdapter[Any]] = (TypeAdapter(RawMessageStreamEvent), TypeAdapter(Message))
BETA: tuple[TypeAdapter[Any], TypeAdapter[Any]] = (TypeAdapter(BetaRawMessageStreamEvent), TypeAdapter(BetaMessage))

#: options that only the SDK's beta types know
BETA_ONLY = {("fields", "beta"), ("unknown", "block"), ("server_tool", "advisor")}
#: events that no type of the SDK describes, by design: it drops pings by their name, and newer ones are unheard of
UNTYPED_EVENTS = frozenset({"ping", "unheard_of"})
#: members beyond the SDK's types, by the option that adds them
EXTRA_MEMBERS = {("fields", "unknown"): {"unheard_of", "pydantic_ai_gateway"}}
#: options whose unknown delta is by design none of the SDK's
UNKNOWN_DELTA = ("unknown", "delta")


def payloads(wire: WireReply, stream: bool) -> Iterator[tuple[str | None, str]]:
    if not stream:
        yield None, wire.body.decode()
        return
    for event in SseDecoder().feed(wire.body):
        if event.event not in UNTYPED_EVENTS:
            yield event.event, event.data


def extras(value: object) -> Iterator[str]:
    """Names of members that the SDK's models do not declare."""
    if isinstance(value, BaseModel):
        yield from value.model_extra or {}
        for name in type(value).model_fields:
            yield from extras(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from extras(item)


@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_every_option_parses_strictly(style: Style, stream: bool) -> None:
    option = next(iter(style.items()), ("", ""))
    adapter = (BETA if option in BETA_ONLY else STABLE)[0 if stream else 1]
    for _, data in payloads(DIALECT.encode(RICH, style, stream=stream), stream):
        if option == UNKNOWN_DELTA and "unheard_of_delta" in data:
            with pytest.raises(ValidationError):
                adapter.validate_json(data, strict=True)
            continue
        parsed = adapter.validate_json(data, strict=True)
        assert set(extras(parsed)) <= EXTRA_MEMBERS.get(option, set())


#: stop values that the SDK's stable types do not have
STOPS_ELSEWHERE = {"compaction": "a beta value", "unheard_of": "a value of the future"}


@pytest.mark.parametrize("row", DIALECT.stops, ids=lambda row: row.wire)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_every_stop_value_parses_strictly(row: StopRow, stream: bool) -> None:
    reply = Reply((Text("x"),), row.means, row.wire, Usage(1, 2))
    adapter = STABLE[0 if stream else 1]
    for name, data in payloads(DIALECT.encode(reply, {}, stream=stream), stream):
        if row.wire in STOPS_ELSEWHERE and name in (None, "message_delta"):
            with pytest.raises(ValidationError):
                adapter.validate_json(data, strict=True)
        else:
            adapter.validate_json(data, strict=True)


def test_the_sdk_has_no_stop_value_that_the_table_lacks() -> None:
    from anthropic.types.beta.beta_stop_reason import BetaStopReason
    from anthropic.types.stop_reason import StopReason

    known = {*StopReason.__args__, *BetaStopReason.__args__}  # type: ignore[attr-defined]
    assert known == {row.wire for row in DIALECT.stops} - {"unheard_of"}


# --- the SDK's client as a second reader ------------------------------------------------------------------------


class Server:
    """Answers every request of one client with the reply that is set."""

    def __init__(self) -> None:
        self.wire = WireReply(500, (), ())
        transport = httpx2.MockTransport(self._answer)
        self.client = Anthropic(api_key="key", max_retries=0, http_client=httpx2.Client(transport=transport))

    def _answer(self, _: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(self.wire.status, headers=list(self.wire.headers), content=self.wire.body)

    def ask(self, wire: WireReply, stream: bool) -> Message:
        self.wire = wire
        question: Mapping[str, Any] = {
            "model": "claude-opus-5",
            "max_tokens": 10,
            "messages": [{"role": "user", "content": "?"}],
        }
        if not stream:
            whole: Message = self.client.messages.create(**question)
            return whole
        with self.client.messages.stream(**question) as events:
            message: Message = events.get_final_message()
            return message


@pytest.fixture(scope="module")
def server() -> Server:
    return Server()


#: what the SDK's own accumulation loses, by option
LOST_BY_SDK = {("message_delta", "stop_first"): "a later message_delta without a reason resets it to null"}
#: members of blocks that the reply does not have, or holds elsewhere
_BLOCK_MEMBERS = ("type", "text", "thinking", "signature", "data", "id", "name", "input")
_OURS = ("text", "thinking", "redacted_thinking", "tool_use")


def told(message: Message) -> list[dict[str, Any]]:
    blocks = (block.model_dump() for block in message.content)
    return [{key: block[key] for key in _BLOCK_MEMBERS if key in block} for block in blocks if block["type"] in _OURS]


#: RICH in the SDK's words
RICH_TOLD = [
    {"type": "thinking", "thinking": "Think of é, 😀 and \u2028.", "signature": "c2lnbmF0dXJl"},
    {"type": "redacted_thinking", "data": "AP9lbmNyeXB0ZWQ="},
    {"type": "text", "text": 'Hello "wörld"\n\\ and \u2029 😀'},
    {"type": "text", "text": "cited"},
    {"type": "thinking", "thinking": "", "signature": "b21pdHRlZA=="},
    {
        "type": "tool_use",
        "id": "toolu_01A",
        "name": "weather",
        "input": {"city": "Zürich", "days": [1, 2.5, None, True]},
    },
    {"type": "tool_use", "id": "toolu_01B", "name": "now", "input": {}},
]


#: the citations of RICH in the SDK's words: type, the name of the title, and the place
RICH_CITED: list[tuple[str, str, dict[str, Any]]] = [
    ("char_location", "document_title", {"document_index": 0, "start_char_index": 3, "end_char_index": 9}),
    ("page_location", "document_title", {"document_index": 1, "start_page_number": 1, "end_page_number": 2}),
    ("content_block_location", "document_title", {"document_index": 2, "start_block_index": 0, "end_block_index": 1}),
    (
        "search_result_location",
        "title",
        {
            "search_result_index": 0,
            "start_block_index": 0,
            "end_block_index": 1,
            "source": "https://example.com/handbook",
        },
    ),
    ("web_search_result_location", "title", {"url": "https://example.com/a", "encrypted_index": "RW5jcnlwdGVk"}),
]


@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_the_sdk_reads_the_same_reply(server: Server, style: Style, stream: bool) -> None:
    message = server.ask(DIALECT.encode(RICH, style, stream=stream), stream)
    assert told(message) == RICH_TOLD
    usage = message.usage
    assert (usage.input_tokens, usage.output_tokens) == (21, 9)
    assert (usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (4, 6)
    option = next(iter(style.items()), ("", ""))
    assert message.stop_reason == (None if stream and option in LOST_BY_SDK else "tool_use")


@pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])
def test_the_sdk_reads_the_same_citations(server: Server, stream: bool) -> None:
    message = server.ask(DIALECT.encode(RICH, {"citations": "between"}, stream=stream), stream)
    (cited,) = [block for block in message.content if block.type == "text" and block.citations]
    told = [each.model_dump(exclude_none=True) for each in cited.citations or ()]
    assert told == [
        {"cited_text": "quoted", "type": kind, title: "Title", **place} for kind, title, place in RICH_CITED
    ]


def test_the_sdk_reads_replies_without_content(server: Server) -> None:
    for stream in (True, False):
        message = server.ask(DIALECT.encode(replace(RICH, blocks=(), stop="end_turn"), {}, stream=stream), stream)
        assert message.content == []
        assert message.stop_reason == "end_turn"
