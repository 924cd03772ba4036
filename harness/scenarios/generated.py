"""Generated scenarios: what hypothesis draws, and the exchanges that are made of it.

One drawn reply is told in several styles and cuts: drawing costs more than calling, and every legal way of saying a
reply must give the same message.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from harness.contract.content import ContentBlock, Message
from harness.dialects.base import Dialect, ErrorClass, VendorError
from harness.dialects.reply import Reply
from harness.exchange import Answer, Call, Exchange, Listen
from harness.provider import Provider
from harness.scenarios.catalogue.samples import CLOCK, PDF, PNG, WEATHER, said
from harness.scenarios.error_words import with_numbers
from harness.scenarios.scenario import modes
from harness.scenarios.strategies import replies, tellings, texts
from harness.scenarios.styles import CUTS, style_count, style_of
from harness.wire.faults import Fault, FaultKind

#: how many ways one reply is told in: at least, at most; drawing a way costs far less than drawing a reply
_WAYS: Final = (6, 16)

Draw = st.SearchStrategy[list[Exchange]]


@dataclass(frozen=True, slots=True)
class Property:
    """Exchanges drawn for an adapter; each draw is a few exchanges that are run one after the other."""

    id: str
    title: str
    rules: tuple[str, ...]
    draw: Callable[[Provider, Dialect], Draw]
    needs: Callable[[Provider, Dialect], bool] = lambda provider, dialect: True


def telling(dialect: Dialect, reply: Reply, number: int, *, stream: bool, fault: Fault | None = None) -> Answer:
    """The reply, told in the style and cut with a number."""
    count = style_count(dialect, stream=stream)
    style = style_of(dialect, number % count, stream=stream)
    return Answer(reply, style, CUTS[number // count % len(CUTS)], fault)


def _told(dialect: Dialect, reply: Reply, numbers: list[int], *, stream: bool) -> list[Exchange]:
    call = Call(tool_specs=[WEATHER] if reply.tools else None)
    return [Exchange(call, telling(dialect, reply, number, stream=stream), stream) for number in numbers]


def _replies(stream: bool) -> Callable[[Provider, Dialect], Draw]:
    def draw(provider: Provider, dialect: Dialect) -> Draw:
        ways = st.lists(tellings, min_size=_WAYS[0], max_size=_WAYS[1])
        pairs = st.tuples(replies(dialect, provider.capabilities), ways)
        return pairs.map(lambda pair: _told(dialect, *pair, stream=stream))

    return draw


def _has(stream: bool) -> Callable[[Provider, Dialect], bool]:
    return lambda provider, dialect: stream in modes(provider)


_FAULT_KINDS: Final = (
    FaultKind.CLEAN_EOF,
    FaultKind.RESET,
    FaultKind.EOF_MID_FRAME,
    FaultKind.CORRUPT,
    FaultKind.EMPTY,
    FaultKind.NOT_JSON,
    FaultKind.HEADERS_THEN_RESET,
    FaultKind.REFUSED,
)


def _faults(provider: Provider, dialect: Dialect) -> Draw:
    places = st.integers(0, 20).map(lambda twentieths: twentieths / 20)
    faults = st.lists(st.builds(Fault, st.sampled_from(_FAULT_KINDS), places), min_size=1, max_size=4)
    mode = st.sampled_from(modes(provider))
    drawn = st.tuples(replies(dialect, provider.capabilities), faults, tellings, mode)
    return drawn.map(lambda parts: _spoiled(dialect, *parts))


def _spoiled(dialect: Dialect, reply: Reply, faults: list[Fault], number: int, stream: bool) -> list[Exchange]:
    answers = (telling(dialect, reply, number, stream=stream, fault=fault) for fault in faults)
    return [Exchange(answer=answer, stream=stream) for answer in answers]


def _early(provider: Provider, dialect: Dialect) -> Draw:
    listen = st.sampled_from((Listen.CLOSE, Listen.CANCEL))
    drawn = st.tuples(replies(dialect, provider.capabilities), tellings, listen, st.integers(1, 8))
    return drawn.map(lambda parts: _stopped(dialect, *parts))


def _stopped(dialect: Dialect, reply: Reply, number: int, listen: Listen, after: int) -> list[Exchange]:
    return [Exchange(answer=telling(dialect, reply, number, stream=True), listen=listen, listen_after=after)]


def _errors(provider: Provider, dialect: Dialect) -> Draw:
    """An in-stream error after any number of frames of any reply."""
    told = [error for error in dialect.errors if error.in_stream is not None]
    errors = st.builds(with_numbers, st.sampled_from(told), _FACTORS)
    drawn = st.tuples(replies(dialect, provider.capabilities), tellings, errors, st.integers(0, 12))
    return drawn.map(lambda parts: _broken_off(dialect, *parts))


def _broken_off(dialect: Dialect, reply: Reply, number: int, error: Any, keep: int) -> list[Exchange]:
    plain = telling(dialect, reply, number, stream=True)
    return [Exchange(answer=Answer(reply, plain.style, plain.cut, error=error, error_after=keep))]


#: what the numbers in an error's words are multiplied by
_FACTORS: Final = st.integers(1, 9)


def _refusals(provider: Provider, dialect: Dialect) -> Draw:
    """Errors at the call, with any numbers in their words."""
    errors = st.builds(with_numbers, st.sampled_from(dialect.errors), _FACTORS)
    drawn = st.tuples(st.lists(errors, min_size=1, max_size=4), st.sampled_from(modes(provider)))
    return drawn.map(lambda parts: [_refused(error, parts[1]) for error in parts[0]])


def _refused(error: VendorError, stream: bool) -> Exchange:
    tools = [WEATHER] if error.error_class is ErrorClass.TOOLS_UNSUPPORTED else None
    return Exchange(Call(tool_specs=tools), Answer(error=error), stream)


def _tells_errors(provider: Provider, dialect: Dialect) -> bool:
    return True in modes(provider) and any(error.in_stream is not None for error in dialect.errors)


# --- conversations ------------------------------------------------------------------------------------------------

_TEXTS: Final = texts.map(lambda text: ContentBlock(text=text))
_IMAGE: Final = st.just(ContentBlock(image={"format": "png", "source": {"bytes": PNG}}))
_DOCUMENT: Final = st.just(ContentBlock(document={"format": "pdf", "name": "report", "source": {"bytes": PDF}}))
_JSON: Final = st.sampled_from(({"a": 1}, {"é": ["日本", None]}, [1, 2.5], "text", 7, None, {}))
_ITEM: Final = st.one_of(texts.map(lambda text: {"text": text}), _JSON.map(lambda value: {"json": value}))
_INPUT: Final = st.sampled_from(({}, {"city": "Zürich"}, {"city": "日本", "days": 2}, {"title": "Mr"}))


def _conversations(provider: Provider, dialect: Dialect) -> Draw:
    turns = st.lists(_turns(provider), max_size=3)
    drawn = st.tuples(
        _user(provider), turns, st.sampled_from((None, "Be kind – 日本.")), st.sampled_from(modes(provider))
    )
    return drawn.map(lambda parts: [_asked(dialect, *parts)])


def _user(provider: Provider) -> st.SearchStrategy[Message]:
    media = {"image": _IMAGE, "document": _DOCUMENT}
    kinds = [_TEXTS, *(strategy for kind, strategy in media.items() if kind in provider.capabilities.media)]
    blocks = st.tuples(_TEXTS, st.lists(st.one_of(*kinds), max_size=2)).map(lambda parts: [parts[0], *parts[1]])
    return blocks.map(lambda content: Message(role="user", content=content))


def _turns(provider: Provider) -> st.SearchStrategy[list[Message]]:
    """A reply of the model and the user's answer to it: words, or the results of its calls."""
    talk = st.tuples(_TEXTS, _user(provider)).map(
        lambda parts: [Message(role="assistant", content=[parts[0]]), parts[1]]
    )
    if not provider.capabilities.tools:
        return talk
    results = st.lists(st.tuples(_INPUT, st.lists(_ITEM, min_size=1, max_size=2)), min_size=1, max_size=2)
    worked = st.tuples(st.lists(_TEXTS, max_size=1), results, st.lists(_TEXTS, max_size=1))
    return st.one_of(talk, worked.map(lambda parts: _worked(*parts)))


def _worked(before: list[ContentBlock], results: list[Any], after: list[ContentBlock]) -> list[Message]:
    uses: list[ContentBlock] = []
    answers: list[ContentBlock] = []
    for place, (value, items) in enumerate(results):
        uses.append({"toolUse": {"toolUseId": f"call_{place}", "name": "get_weather", "input": value}})
        answers.append({"toolResult": {"toolUseId": f"call_{place}", "status": "success", "content": items}})
    return [Message(role="assistant", content=[*before, *uses]), Message(role="user", content=[*answers, *after])]


def _asked(dialect: Dialect, first: Message, turns: list[list[Message]], system: str | None, stream: bool) -> Exchange:
    messages = _numbered([first, *(message for turn in turns for message in turn)])
    tools = any("toolUse" in block for message in messages for block in message["content"])
    call = Call(messages, [WEATHER, CLOCK] if tools else None, system)
    return Exchange(call, Answer(said(dialect)), stream)


def _numbered(messages: list[Message]) -> list[Message]:
    """The messages with call ids that are unique in the whole conversation."""
    return [
        Message(role=message["role"], content=[_with_id(block, place // 2) for block in message["content"]])
        for place, message in enumerate(messages, 1)
    ]


def _with_id(block: ContentBlock, turn: int) -> ContentBlock:
    renamed: Any = {
        key: {**value, "toolUseId": f"{value['toolUseId']}_{turn}"} if key in ("toolUse", "toolResult") else value
        for key, value in dict[str, Any](block).items()
    }
    made: ContentBlock = renamed
    return made


PROPERTIES: Final = (
    Property(
        "any-reply-streamed",
        "any reply, told in any style and cut, streamed",
        ("CONTENT-DELIVERED", "CONTENT-TEXT", "TOOL-INPUT"),
        _replies(stream=True),
        _has(stream=True),
    ),
    Property(
        "any-reply-whole",
        "any reply, told in any style and cut, whole",
        ("CONTENT-DELIVERED", "CONTENT-TEXT", "TOOL-INPUT"),
        _replies(stream=False),
        _has(stream=False),
    ),
    Property("any-fault", "any fault at any place of any reply", ("FAULT-EOF", "FAULT-CUT", "FAULT-PREFIX"), _faults),
    Property(
        "any-error",
        "any error of the vendor, with any numbers in its words",
        ("ERROR-THROTTLE", "ERROR-OVERFLOW", "ERROR-OTHER", "ERROR-MESSAGE"),
        _refusals,
    ),
    Property(
        "any-error-in-stream",
        "any error of the vendor at any place of any reply",
        ("ERROR-SWALLOWED", "ERROR-NO-STOP"),
        _errors,
        _tells_errors,
    ),
    Property(
        "any-early-end",
        "any reply that is closed or cancelled at any place",
        ("LIFE-CLOSE", "LIFE-CANCEL"),
        _early,
        _has(stream=True),
    ),
    Property(
        "any-conversation",
        "any conversation",
        ("REQUEST-FORM", "REQUEST-TEXT", "REQUEST-PAIRING"),
        _conversations,
    ),
)
