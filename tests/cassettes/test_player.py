"""Requests are matched to recordings, and what does not match is told."""

from dataclasses import replace

import pytest

from harness.cassettes.model import End, Interaction
from harness.cassettes.player import Player
from harness.dialects.base import WireRequest
from harness.endpoint.base import EndpointLog, ExchangeLog
from harness.wire.cuts import Cut, CutKind
from harness.wire.faults import Terminal

FIRST = Interaction("POST", "https://a.example/v1/x?alt=sse", (), b'{"a": 1, "b": [1, 2]}', 200, (), (b"fir", b"st"))
SECOND = replace(FIRST, chunks=(b"second",))
OTHER = replace(FIRST, request_body=b'{"a": 2, "b": [1, 2]}', chunks=(b"other",))


def ask(body: bytes = FIRST.request_body, path: str = "/v1/x?alt=sse", method: str = "POST") -> WireRequest:
    return WireRequest(method, path, (("authorization", "Bearer x"),), body)


def test_spaces_and_order_of_members_say_nothing() -> None:
    player = Player([FIRST])
    assert player.respond(ask(b'{"b":[1,2],"a":1}')).chunks == (b"fir", b"st")
    assert (player.misses, player.unused()) == ([], [])


def test_like_requests_are_answered_in_recorded_order() -> None:
    player = Player([FIRST, OTHER, SECOND])
    told = [b"".join(player.respond(ask(body)).chunks) for body in (FIRST.request_body, FIRST.request_body)]
    assert told == [b"first", b"second"]
    assert player.unused() == ["#2 POST /v1/x?alt=sse was recorded and not asked for"]


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (ask(b'{"a": 1, "b": [1, 3]}'), "the nearest is #1, but body.b[1] is 3, recorded 2"),
        (ask(b'{"a": 2, "b": [1, 2, 3]}'), "the nearest is #2, but body.b[2] is 3, recorded nothing"),
        (ask(b'{"a": true, "b": []}'), "body.a is True, recorded 1 and 2 more"),
        (ask(path="/v1/y"), "path is '/v1/y', recorded '/v1/x?alt=sse'"),
        (ask(method="GET"), "method is 'GET', recorded 'POST'"),
        (ask(b"no json"), "body is b'no json', recorded {'a': 1, 'b': [1, 2]}"),
    ],
)
def test_a_miss_names_the_nearest_recording_and_where_it_differs(request_: WireRequest, told: str) -> None:
    player = Player([FIRST, OTHER])
    assert player.respond(request_).status == 501
    assert told in player.misses[0]


def test_a_request_that_is_used_up_is_a_miss() -> None:
    player = Player([FIRST])
    player.respond(ask())
    player.respond(ask())
    assert player.misses == ["POST /v1/x?alt=sse is not recorded once more: #1 has been played already"]


def test_secrets_of_the_request_do_not_matter() -> None:
    player = Player([replace(FIRST, request_body=b'{"api_key": "REDACTEDREDACTED"}')])
    player.respond(ask(b'{"api_key": "a-key-of-16-byte"}'))
    assert player.misses == []


def test_chunks_may_be_cut_anew() -> None:
    assert Player([FIRST], cut=Cut(CutKind.FIXED, 2)).respond(ask()).chunks == (b"fi", b"rs", b"t")


def test_the_longest_silence_may_be_kept() -> None:
    timed = replace(FIRST, times=(1.0, 3.5))
    assert Player([timed], timed=True).respond(ask()).gap == 2.5
    assert Player([timed]).respond(ask()).gap == 0


@pytest.mark.parametrize(("end", "terminal"), [(End.COMPLETE, Terminal.COMPLETE), (End.CUT, Terminal.RESET)])
def test_a_response_ends_as_it_did(end: End, terminal: Terminal) -> None:
    assert Player([replace(FIRST, end=end)]).respond(ask()).terminal is terminal


def test_what_was_not_read_is_told() -> None:
    delivery = Player([FIRST]).respond(ask())
    log = EndpointLog([ExchangeLog(ask(), delivery, delivered=1)])
    assert Player.partly_used(log) == ["/v1/x?alt=sse: 1 of 2 chunks were read"]
