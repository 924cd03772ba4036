"""A stand-in for services that cannot be reached: a dialect on a loopback socket. It says nothing about a real one."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from harness.cassettes.recordable import Place
from harness.dialects.base import Dialect, ErrorClass, VendorError, WireRequest
from harness.dialects.reply import Reply, Text, ToolUse, json_text
from harness.endpoint.base import Delivery
from harness.endpoint.loopback import LoopbackEndpoint
from harness.exchange import Answer
from harness.provider import Provider
from harness.scenarios.catalogue.samples import call, called, said, usage

_PLACE: Final = {"city": "Zürich – 日本", "country": "Switzerland"}
_NOT_FOUND: Final = 404


class Emulator(LoopbackEndpoint):
    """Answers the requests of a recordable scenario as the provider's dialect does."""

    def play(self, scenario: str, provider: Provider, dialect: Dialect) -> None:
        """Answer by that scenario from now on."""
        answer = _ANSWERS.get(scenario, _text)(provider, dialect)

        def respond(request: WireRequest) -> Delivery:
            return answer.delivery(dialect, stream=dialect.is_stream(request))

        self.reset(respond)


def _text(provider: Provider, dialect: Dialect) -> Answer:
    return Answer(said(dialect, "Hello there, wörld 🙂, my friend – 日本!"))


def _tool(provider: Provider, dialect: Dialect) -> Answer:
    return Answer(called(dialect, call(dialect, 1, city="Zürich", days=2)))


def _tools(provider: Provider, dialect: Dialect) -> Answer:
    calls = (call(dialect, 1, city="Zürich"), call(dialect, 2, city="Bern"), call(dialect, 3, name="clock"))
    return Answer(called(dialect, *calls, text=""))


def _limit(provider: Provider, dialect: Dialect) -> Answer:
    return Answer(replace(said(dialect, "One, two, three, four, fi"), stop="max_tokens"))


def _structured(provider: Provider, dialect: Dialect) -> Answer:
    text = json_text(_PLACE)
    if provider.capabilities.structured == "native":
        return Answer(Reply((Text(text),), usage=usage(dialect)))
    use = ToolUse(call(dialect).id, Place.__name__, text)
    return Answer(Reply((use,), "tool_use", usage=usage(dialect)))


def _overflow(provider: Provider, dialect: Dialect) -> Answer:
    return Answer(error=_error(dialect, lambda error: error.error_class is ErrorClass.OVERFLOW))


def _no_model(provider: Provider, dialect: Dialect) -> Answer:
    return Answer(error=_error(dialect, lambda error: error.status == _NOT_FOUND))


def _error(dialect: Dialect, wanted: Callable[[VendorError], bool]) -> VendorError:
    """The first such error, or any that means nothing in particular."""
    other = (error for error in dialect.errors if error.error_class is ErrorClass.OTHER)
    return next((error for error in dialect.errors if wanted(error)), None) or next(other)


_ANSWERS: Final[Mapping[str, Callable[[Provider, Dialect], Answer]]] = {
    "tool": _tool,
    "tool-whole": _tool,
    "tools": _tools,
    "limit": _limit,
    "structured": _structured,
    "error-overflow": _overflow,
    "error-model": _no_model,
}
