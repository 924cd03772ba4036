"""Errors: every error of the vendor, at the call and in the stream, through every method."""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from harness.dialects.base import Dialect, ErrorClass, VendorError
from harness.exchange import Answer, Call, Exchange, Operation
from harness.provider import Provider
from harness.scenarios.catalogue.output_models import Answered
from harness.scenarios.catalogue.samples import WEATHER, said
from harness.scenarios.error_words import with_innocent_words
from harness.scenarios.scenario import Scenario, capable, exchanges, modes


def _of(dialect: Dialect, *classes: ErrorClass) -> Iterator[VendorError]:
    return (error for error in dialect.errors if error.error_class in classes)


def _class(error: VendorError) -> str:
    return error.error_class


def _call(error: VendorError) -> Call:
    return Call(tool_specs=[WEATHER] if error.error_class is ErrorClass.TOOLS_UNSUPPORTED else None)


def _at_call(provider: Provider, dialect: Dialect, *classes: ErrorClass) -> Iterator[Exchange]:
    for error in _of(dialect, *classes):
        for stream in modes(provider):
            yield Exchange(_call(error), Answer(error=error), stream=stream)


def _in_stream(provider: Provider, dialect: Dialect, *classes: ErrorClass) -> Iterator[Exchange]:
    """The error as the first thing in the stream, after the start, and after content."""
    if provider.stream_config is None:
        return
    for error in _of(dialect, *classes):
        for keep in (0, 1, 4) if error.in_stream is not None else ():
            yield Exchange(_call(error), Answer(said(dialect), error=error, error_after=keep))


def _through_structured(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Every error at the call, and one of each class in the stream, met by structured output."""
    call, stream = Call(operation=Operation.STRUCTURED, output_model=Answered), modes(provider)[0]
    for error in dialect.errors:
        yield Exchange(call, Answer(error=error), stream=stream)
    told = [error for error in dialect.errors if error.in_stream is not None] if stream else []
    for _, same in groupby(sorted(told, key=_class), _class):
        yield Exchange(call, Answer(said(dialect), error=next(same), error_after=1))


#: statuses that mean rate limits or overload by themselves
_BUSY: Final = frozenset({408, 429, 503, 529})


def _innocent(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """One error of each status, told in words that hold those of other errors."""
    others = (error for error in _of(dialect, ErrorClass.OTHER) if error.status not in _BUSY and not error.again)
    told = {error.status: innocent for error in others if (innocent := with_innocent_words(error))}
    for error in told.values():
        for stream in modes(provider):
            yield Exchange(answer=Answer(error=error), stream=stream)


def _family(name: str, title: str, rule: str, evidence: str, *classes: ErrorClass) -> tuple[Scenario, Scenario]:
    """The scenarios of a class of errors: at the call, and in the stream."""

    def at_call(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
        return _at_call(provider, dialect, *classes)

    def in_stream(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
        return _in_stream(provider, dialect, *classes)

    return (
        Scenario(f"error-{name}", f"{title}, at the call", (rule, "ERROR-SWALLOWED"), exchanges(at_call), evidence),
        Scenario(
            f"error-{name}-in-stream",
            f"{title}, in the stream after HTTP 200",
            (rule, "ERROR-NO-STOP"),
            exchanges(in_stream),
            evidence,
        ),
    )


ERRORS = (
    *_family(
        "throttle", "rate limits and overload", "ERROR-THROTTLE", "strands-1.62:anthropic-529", ErrorClass.THROTTLE
    ),
    *_family("overflow", "prompts that do not fit", "ERROR-OVERFLOW", "strands#1137", ErrorClass.OVERFLOW),
    *_family("tools", "refused tools", "ERROR-TOOLS", "Groq and OpenRouter recordings", ErrorClass.TOOLS_UNSUPPORTED),
    *_family("other", "every other error", "ERROR-OTHER", "strands-1.62:openai-quota", ErrorClass.OTHER),
    Scenario(
        "error-words",
        "errors whose words only look like rate limits or overflow",
        ("ERROR-OTHER",),
        exchanges(_innocent),
        "strands-1.62:mistral-rate-substring; strands-1.62:llamacpp-429-and-overflow-words",
    ),
    Scenario(
        "error-structured",
        "errors at the call and in the stream, met by structured output",
        ("STRUCT-ERROR",),
        exchanges(_through_structured),
        "langchainjs#10741",
        capable("structured"),
    ),
)
