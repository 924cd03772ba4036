"""What a recorded response means: the answer of an exchange, by the dialect's own reading of the recorded bytes."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError

from harness.cassettes.model import Cassette, End, Interaction
from harness.cassettes.recordable import Recordable
from harness.cassettes.scrub import Scrubber
from harness.dialects.base import DecodeError, Dialect, ErrorClass, VendorError, WireReply
from harness.dialects.reply import Reply, Text
from harness.exchange import Answer, Exchange
from harness.wire.faults import Fault, FaultKind

_THROTTLED = 429
_FIRST_FAILURE = 300


def answered(exchange: Exchange, one: Interaction, recordable: Recordable, dialect: Dialect) -> Exchange:
    """The exchange with its recorded answer."""
    answer = answer_of(one, dialect, recordable.error)
    model = exchange.call.output_model
    instance = instance_of(answer.reply, model) if model is not None else None
    return replace(exchange, answer=answer, instance=instance)


def answer_of(one: Interaction, dialect: Dialect, error: ErrorClass = ErrorClass.OTHER) -> Answer:
    """What a response says: a reply, an error, or something that was cut."""
    wire = WireReply(one.status, one.headers, one.chunks)
    if one.status >= _FIRST_FAILURE:
        meaning = ErrorClass.THROTTLE if one.status == _THROTTLED else error
        return Answer(error=VendorError("recorded", meaning, one.status, one.body, "a recording"), raw=wire)
    if one.end is not End.COMPLETE:
        return Answer(fault=Fault(FaultKind.RESET), raw=wire)
    try:
        return Answer(dialect.decode(one.body, stream=dialect.is_stream(one.request)), raw=wire)
    except DecodeError:
        told = VendorError("recorded", ErrorClass.OTHER, one.status, b"", "a recording", in_stream=one.body)
        return Answer(error=told, error_after=0, raw=wire)


def instance_of(reply: Reply, model: type[BaseModel]) -> BaseModel | None:
    """The instance that a reply gives, by a call or as its text; None where it gives none."""
    texts = [*(call.arguments for call in reply.tools), "".join(b.text for b in reply.blocks if isinstance(b, Text))]
    for text in texts:
        try:
            return model.model_validate_json(text)
        except ValidationError:
            continue
    return None


def tokens_of(one: Interaction, dialect: Dialect) -> int:
    """What an exchange has cost, as the service counts it; where it says nothing, one token for four bytes.

    Errors cost nothing.
    """
    answer = answer_of(one, dialect)
    if answer.error is not None:
        return 0
    usage: Any = answer.reply.usage
    return usage.input + usage.output if usage is not None else (len(one.request_body) + len(one.body)) // 4


def leaks(cassette: Cassette, scrubber: Scrubber) -> Iterator[str]:
    """Where a cassette holds what is to be taken out, in words that do not tell it."""
    for index, one in enumerate(cassette.interactions, 1):
        hidden = scrubber.interaction(one)
        for part in ("uri", "request_headers", "request_body", "headers", "chunks"):
            if getattr(one, part) != getattr(hidden, part):
                yield f"#{index}: {part.replace('_', ' ')} hold something that looks like a secret"


def untrue(cassette: Cassette, dialect: Dialect) -> Iterator[str]:
    """Why recorded responses cannot be what a service sent."""
    if not cassette.interactions:
        yield "it holds no exchange"
    for index, one in enumerate(cassette.interactions, 1):
        if not one.body and one.end is End.COMPLETE:
            yield f"#{index}: the response has no body"
        elif one.times and len(one.times) != len(one.chunks):
            yield f"#{index}: {len(one.chunks)} chunks came at {len(one.times)} times"
        elif (answer := answer_of(one, dialect)).error_after is not None and not _names_error(one.body):
            yield f"#{index}: {dialect.name} cannot read the response, HTTP {answer.raw.status if answer.raw else 0}"


def _names_error(body: bytes) -> bool:
    return any(word in body.lower() for word in (b"error", b"exception", b"fail"))
