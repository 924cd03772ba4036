"""What no adapter is blamed for: a choice that can be defended, or what its SDK does."""

from dataclasses import replace
from typing import Any, Final, cast

import pytest

from harness.checks.content import check_content, check_reasoning
from harness.checks.failure import check_errors, check_faults, vendor_words
from harness.checks.findings import Findings
from harness.checks.life import check_life
from harness.checks.observation import Observation
from harness.checks.requests import refused
from harness.dialects import load_dialect
from harness.dialects.base import ErrorClass, RequestFault, RequestFaultKind, WireRequest
from harness.dialects.reply import Reasoning, Reply, Text
from harness.endpoint.base import EndpointLog
from harness.exchange import Answer, Call, Exchange, Operation
from harness.wire.faults import Fault, FaultKind
from tests.miniatures.miniature import provider

SIGNATURE: Final = [
    {"contentBlockDelta": {"delta": {"reasoningContent": {"signature": "c2ln"}}}},
    {"contentBlockStop": {}},
]
WORDS: Final = [{"contentBlockDelta": {"delta": {"text": "Hello."}}}, {"contentBlockStop": {}}]
START: Final = {"messageStart": {"role": "assistant"}}
STOP: Final = {"messageStop": {"stopReason": "end_turn"}}


def observation(exchange: Exchange, *requests: bytes) -> Observation:
    record, log = provider("gemini"), EndpointLog()
    for body in requests:
        log.exchanges.append(cast("Any", _Logged(WireRequest("POST", "/v1", (), body))))
    return Observation(record, load_dialect(record.dialect), exchange, log)


class _Logged:
    """An exchange of the endpoint's log that was let go of."""

    released = True

    def __init__(self, request: WireRequest) -> None:
        self.request = request


def said(reply: Reply, *events: Any) -> Observation:
    seen = observation(Exchange(answer=Answer(reply)))
    seen.expected = reply
    for event in (START, *events, STOP):
        seen.take(event)
    return seen


def broken(check: Any, seen: Observation) -> set[str]:
    found = Findings()
    check(seen, found)
    return set(found.broken)


@pytest.mark.parametrize("events", [(*SIGNATURE, *WORDS), (*WORDS, *SIGNATURE)], ids=["before", "behind"])
def test_a_block_may_keep_the_signature_of_a_text(events: Any) -> None:
    seen = said(Reply((Text("Hello."),)), *events)
    assert broken(check_content, seen) == set()
    assert broken(check_reasoning, seen) == set()


def test_a_signature_does_not_stand_for_a_thought() -> None:
    seen = said(Reply((Reasoning("Hm.", "c2ln"), Text("Hello."))), *SIGNATURE, *WORDS)
    assert broken(check_reasoning, seen) == {"REASON-TEXT", "REASON-SIGNATURE"}
    assert broken(check_content, seen) == {"CONTENT-BLOCKS"}


def test_a_thought_without_words_is_kept() -> None:
    reply = Reply((Reasoning("", "c2ln"), Text("Hello.")))
    assert broken(check_reasoning, said(reply, *SIGNATURE, *WORDS)) == set()
    assert broken(check_reasoning, said(reply, *WORDS)) == {"REASON-TEXT", "REASON-SIGNATURE"}


@pytest.mark.parametrize(("error", "rule"), [(KeyError("choices"), "FAULT-TYPED"), (b"\xff", "FAULT-DECODE")])
def test_errors_of_decoding_are_told_apart_from_slips(error: Any, rule: str) -> None:
    seen = observation(Exchange(answer=Answer(fault=Fault(FaultKind.EOF_MID_CHARACTER, 0.5))))
    seen.error = error if isinstance(error, Exception) else UnicodeDecodeError("utf-8", error, 0, 1, "invalid start")
    assert broken(check_faults, seen) == {rule}


@pytest.mark.parametrize(("kind", "rules"), [(FaultKind.SILENCE, set()), (FaultKind.CLEAN_EOF, {"LIFE-ENDS"})])
def test_a_silent_service_is_the_matter_of_another_rule(kind: FaultKind, rules: set[str]) -> None:
    seen = observation(Exchange(answer=Answer(fault=Fault(kind, 0.5))))
    seen.timed_out = True
    assert broken(check_life, seen) == rules


@pytest.mark.parametrize(("pause", "rules"), [(0.0, {"LIFE-LOOP"}), (0.1, set())])
def test_pieces_that_waited_for_the_caller_may_be_read_at_one_go(pause: float, rules: set[str]) -> None:
    seen = observation(Exchange(answer=Answer(Reply((Text("Hello."),))), pause=pause))
    seen.stall = 0.06
    assert broken(check_life, seen) == rules


@pytest.mark.parametrize(
    ("operation", "bodies", "rules"),
    [
        (Operation.STRUCTURED, (b"forced", b"asked"), set()),
        (Operation.STRUCTURED, (b"forced", b"forced"), {"ERROR-ONE-REQUEST"}),
        (Operation.STREAM, (b"forced", b"asked"), {"ERROR-ONE-REQUEST"}),
    ],
)
def test_structured_output_may_be_asked_for_in_another_way(
    operation: Operation, bodies: tuple[bytes, ...], rules: set[str]
) -> None:
    error = next(each for each in load_dialect("gemini_generate").errors if each.error_class is ErrorClass.OTHER)
    seen = observation(Exchange(Call(operation=operation), Answer(error=error)), *bodies)
    seen.error = OSError(error.body.decode())
    assert broken(check_errors, seen) & {"ERROR-ONE-REQUEST"} == rules


def test_a_run_is_held_to_what_every_service_minds() -> None:
    seen = observation(Exchange())
    minded, advised = (RequestFault(kind, "", "", "") for kind in (RequestFaultKind.FORM, RequestFaultKind.NO_TOOLS))
    seen.faults = [minded, advised]
    assert refused(seen) == [minded]


def test_the_words_of_an_error_are_no_address() -> None:
    body = b'{"error": "unauthorized", "signin_url": "https://ollama.com/connect?name=a"}'
    error = replace(load_dialect("ollama_chat").errors[0], body=body)
    assert vendor_words(error) == "unauthorized"
