"""A framework's own reader of events, met without any adapter: what it makes of streams that adapters may tell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast

from harness.checks.failure import told
from harness.contract.assembler import Assembled
from harness.contract.events import StreamEvent
from harness.dialects.base import Dialect
from harness.exchange import Answer, Exchange
from harness.provider import Provider
from harness.scenarios.catalogue.samples import said
from harness.scenarios.scenario import Scenario, Stage, modes

Event = dict[str, Any]

_START: Final[Event] = {"messageStart": {"role": "assistant"}}
_TOKENS: Final = {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}


def _delta(index: int = 0, **delta: Any) -> Event:
    return {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}


def _end(index: int = 0) -> Event:
    return {"contentBlockStop": {"contentBlockIndex": index}}


def _thought(index: int, *deltas: Mapping[str, Any]) -> list[Event]:
    return [*(_delta(index, reasoningContent=dict(delta)) for delta in deltas), _end(index)]


def _text(text: str, index: int = 0) -> list[Event]:
    return [_delta(index, text=text), _end(index)]


def _begun(name: str, index: int = 0) -> Event:
    start = {"toolUse": {"toolUseId": f"call_{name}", "name": name}}
    return {"contentBlockStart": {"contentBlockIndex": index, "start": start}}


def _input(*pieces: str, index: int = 0) -> list[Event]:
    return [_delta(index, toolUse={"input": piece}) for piece in pieces]


def _stop(reason: str = "end_turn") -> Event:
    return {"messageStop": {"stopReason": reason}}


def _metadata(**body: Any) -> Event:
    return {"metadata": body}


@dataclass(frozen=True, slots=True)
class Told:
    """Events between the start and the end of a message, and what they say: blocks, in :func:`said_by`'s words."""

    title: str
    events: Sequence[Event]
    says: Sequence[Any]
    stop: str = "end_turn"
    #: the stop reason that the events have, where a reader must know better
    wire_stop: str | None = None
    metadata: Sequence[Event] = field(
        default_factory=lambda: [_metadata(usage=dict(_TOKENS), metrics={"latencyMs": 1})]
    )

    @property
    def stream(self) -> list[StreamEvent]:
        """All the events."""
        events = [_START, *self.events, _stop(self.wire_stop or self.stop), *self.metadata]
        return cast("list[StreamEvent]", events)


_HELLO: Final = _text("Hello.")
_CITED: Final = {"title": "T", "location": {"documentChar": {"documentIndex": 0, "start": 0, "end": 2}}}

STREAMS: Final = (
    Told("text without a start", _HELLO, [("text", "Hello.")]),
    Told("an answer that the length limit cut", _text("Hel"), [("text", "Hel")], "max_tokens"),
    Told(
        "a text and two calls",
        [
            *_text("So."),
            _begun("a", 1),
            *_input('{"x"', ": 1}", index=1),
            _end(1),
            _begun("b", 2),
            _end(2),
        ],
        [("text", "So."), ("call", "call_a", "a", {"x": 1}), ("call", "call_b", "b", {})],
        "tool_use",
    ),
    Told(
        "calls that end as an answer does",
        [_begun("a"), *_input("{}"), _end()],
        [("call", "call_a", "a", {})],
        "tool_use",
        "end_turn",
    ),
    Told(
        "a call whose id and name come with its input",
        [_delta(toolUse={"toolUseId": "call_a", "name": "a", "input": '{"x": 1}'}), _end()],
        [("call", "call_a", "a", {"x": 1})],
        "tool_use",
    ),
    Told(
        "two thoughts, each signed",
        [
            *_thought(0, {"text": "One."}, {"signature": "S1"}),
            *_thought(1, {"text": "Two."}, {"signature": "S2"}),
            *_text("Done.", 2),
        ],
        [("thought", "One.", "S1"), ("thought", "Two.", "S2"), ("text", "Done.")],
    ),
    Told(
        "a thought that is a signature alone",
        [*_thought(0, {"signature": "S1"}), *_text("Done.", 1)],
        [("thought", "", "S1"), ("text", "Done.")],
    ),
    Told(
        "a hidden thought",
        [*_thought(0, {"redactedContent": b"\x00\xff"}), *_text("Done.", 1)],
        [("hidden", b"\x00\xff"), ("text", "Done.")],
    ),
    Told(
        "a text with its source, and one without",
        [_delta(0, text="So they say."), _delta(0, citation=_CITED), _end(0), *_text("And so.", 1)],
        [("cited", "So they say.", ("T",)), ("text", "And so.")],
    ),
    Told("metadata with nothing in it", _HELLO, [("text", "Hello.")], metadata=[_metadata()]),
    Told("metadata without times", _HELLO, [("text", "Hello.")], metadata=[_metadata(usage=dict(_TOKENS))]),
    Told("metadata without counts", _HELLO, [("text", "Hello.")], metadata=[_metadata(metrics={"latencyMs": 1})]),
    Told("no metadata", _HELLO, [("text", "Hello.")], metadata=[]),
)

#: blocks that are told in turns, as their indexes say
IN_TURNS: Final = Told(
    "two calls told in turns",
    [
        _begun("a", 0),
        _begun("b", 1),
        *_input('{"x"', index=0),
        *_input('{"y"', index=1),
        *_input(": 1}", index=0),
        *_input(": 2}", index=1),
        _end(0),
        _end(1),
    ],
    [("call", "call_a", "a", {"x": 1}), ("call", "call_b", "b", {"y": 2})],
    "tool_use",
)

#: streams that break off
CUT: Final[Mapping[str, list[Any]]] = {
    "nothing at all": [],
    "a start and no more": [_START],
    "a text that breaks off": [_START, _delta(text="Hel")],
    "a whole text and no end": [_START, *_HELLO],
    "a call that breaks off": [_START, _begun("a"), *_input('{"x"')],
}


def said_by(blocks: Sequence[Any]) -> list[Any]:
    """Blocks in short: kind and what counts."""
    return [next((brief(block[kind]) for kind, brief in _BRIEF.items() if kind in block), block) for block in blocks]


def _thought_of(body: Mapping[str, Any]) -> Any:
    if "redactedContent" in body:
        return ("hidden", body["redactedContent"])
    text = body.get("reasoningText", {})
    return ("thought", text.get("text"), text.get("signature"))


_BRIEF: Final[Mapping[str, Any]] = {
    "text": lambda text: ("text", text),
    "toolUse": lambda use: ("call", use.get("toolUseId"), use.get("name"), use.get("input")),
    "reasoningContent": _thought_of,
    "citationsContent": lambda body: (
        "cited",
        "".join(piece.get("text", "") for piece in body.get("content", ())),
        tuple(citation.get("title") for citation in body.get("citations", ())),
    ),
}


async def _reading(stage: Stage) -> None:
    for case in STREAMS:
        await _read(stage, "READ-EVENTS", case)
    await _read(stage, "READ-INDEX", IN_TURNS)


async def _read(stage: Stage, rule: str, case: Told) -> None:
    """Have the framework read a stream; the exchange to be shown is one of that name, with the stream's events."""
    seen = await stage.watch(_exchange(stage, case.title))
    read, error = await _assembled(stage.subject.provider, case.stream)
    met = told(error) if read is None else (read.stop_reason, said_by(read.message["content"]))
    wanted = (case.stop, [*case.says])
    stage.expect(rule, met == wanted, met, wanted, replace(seen, events=case.stream))


async def _cut(stage: Stage) -> None:
    for title, events in CUT.items():
        seen = await stage.watch(_exchange(stage, title))
        read, _ = await _assembled(stage.subject.provider, events)
        whole = read is not None and read.stop_reason in _WHOLE
        met = f"{title}, read as {read.stop_reason}" if read is not None else ""
        stage.expect("READ-CUT", not whole, met, "an error, or no stop reason", replace(seen, events=events))


#: the ends of replies that nothing is wrong with
_WHOLE: Final = frozenset({"end_turn", "tool_use", "stop_sequence"})


def _exchange(stage: Stage, title: str) -> Exchange:
    return Exchange(answer=Answer(said(stage.subject.dialect, title)), stream=modes(stage.subject.provider)[0])


async def _assembled(provider: Provider, events: list[StreamEvent]) -> tuple[Assembled | None, Exception | None]:
    assert provider.assemble is not None
    try:
        return await provider.assemble(events), None
    except Exception as error:
        return None, error


def _reads(provider: Provider, dialect: Dialect) -> bool:
    return provider.assemble is not None


READING: Final = (
    Scenario(
        "reading",
        "what the framework's own reader makes of events",
        ("READ-EVENTS", "READ-INDEX"),
        _reading,
        "strands#3425; strands#1187; strands#1827",
        _reads,
    ),
    Scenario(
        "reading-cut",
        "what the framework's own reader makes of streams that break off",
        ("READ-CUT",),
        _cut,
        "strands#4334",
        _reads,
    ),
)
