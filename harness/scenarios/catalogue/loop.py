"""The tool loop through an adapter: native, refused and gone on in text, taught, cut, shortened, and stopped."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from harness.agent.settings import Settings
from harness.agent.transcript import render_action
from harness.contract.content import Messages
from harness.dialects.base import Dialect, ErrorClass, VendorError
from harness.exchange import Answer, Call, Exchange, Goal, Operation
from harness.provider import Provider
from harness.scenarios.catalogue.samples import CLOCK, WEATHER, call, called, said
from harness.scenarios.scenario import Scenario, exchanges, modes

_QUESTION: Final[Messages] = [{"role": "user", "content": [{"text": "What is the weather in Zürich?"}]}]
#: a question that is worth a summary, in two parts
_LONG: Final[Messages] = [
    {"role": "user", "content": [{"text": "What is the weather in Zürich? " + "I ask because I go there. " * 150}]}
]
_SYSTEM: Final = "You are brief."
_FINAL: Final = "It is sunny."
_ACTION: Final = render_action("get_weather", {"city": "Zürich"}, "I must look.")
_IN_TEXT: Final = Settings(native=False)
#: replies of which no call can be made and that are no answer
_MALFORMED: Final = (
    "I will look at the weather.",
    "Thought: I must look.\nAction: get_weather",
    "Action: get_weather\nAction Input: {}\nFinal Answer: sunny",
)
_INVENTED: Final = f"{_ACTION}\nObservation: It snows.\nThought: I know.\nFinal Answer: It snows."
_MARKUP: Final = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Zürich"}}\n</tool_call>'
_SUMMARY: Final = "<summary>They ask for the weather in Zürich.</summary>"

Turns = Callable[[Provider, Dialect], Iterator[Goal]]


def stop_refusals(dialect: Dialect) -> list[VendorError]:
    """The vendor's errors by which an endpoint refuses stop words."""
    return [error for error in dialect.errors if error.id.endswith("stop_unsupported")]


def _of(dialect: Dialect, error_class: ErrorClass) -> list[VendorError]:
    return [error for error in dialect.errors if error.error_class is error_class]


def _says(dialect: Dialect, *texts: str) -> list[Answer]:
    return [Answer(said(dialect, text)) for text in texts]


def _answers(dialect: Dialect, text: str = _FINAL) -> list[Answer]:
    return _says(dialect, f"Thought: I know.\nFinal Answer: {text}")


def _native_call(dialect: Dialect) -> Answer:
    return Answer(called(dialect, call(dialect, 1, city="Zürich")))


def _goal(rule: str, answers: Sequence[Answer], *ran: str, settings: Settings | None = None) -> Goal:
    return Goal(rule, tuple(answers), _FINAL, ran, settings or Settings())


def _native(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    yield _goal("REACT-NATIVE", [_native_call(dialect), *_says(dialect, _FINAL)], "get_weather")


def _parallel(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    both = called(dialect, call(dialect, 1, city="Zürich"), call(dialect, 2, "clock"))
    answers = [Answer(both), *_says(dialect, _FINAL)]
    yield _goal("REACT-NATIVE", answers, "get_weather", "clock")
    yield _goal("REACT-NATIVE", answers, "get_weather", settings=Settings(calls="first"))


def _refused(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    for error in _of(dialect, ErrorClass.TOOLS_UNSUPPORTED):
        answers = [Answer(error=error), *_says(dialect, _ACTION), *_answers(dialect)]
        yield _goal("REACT-FALLBACK", answers, "get_weather")


def _refused_in_stream(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    for error in _told_in_stream(dialect):
        for keep in (0, 1):
            broken = Answer(said(dialect), error=error, error_after=keep)
            yield _goal("REACT-FALLBACK", [broken, *_says(dialect, _ACTION), *_answers(dialect)], "get_weather")


def _told_in_stream(dialect: Dialect) -> list[VendorError]:
    return [error for error in _of(dialect, ErrorClass.TOOLS_UNSUPPORTED) if error.in_stream is not None]


def _refused_later(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    for error in _of(dialect, ErrorClass.TOOLS_UNSUPPORTED):
        answers = [_native_call(dialect), Answer(error=error), *_says(dialect, _ACTION), *_answers(dialect)]
        yield _goal("REACT-FALLBACK", answers, "get_weather", "get_weather")


def _stop_words(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    yield _goal("REACT-TEXT", [*_says(dialect, _ACTION), *_answers(dialect)], "get_weather", settings=_IN_TEXT)


def _stop_refused(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    for error in stop_refusals(dialect):
        answers = [Answer(error=error), *_says(dialect, _ACTION), *_answers(dialect)]
        yield _goal("REACT-STOP-REFUSED", answers, "get_weather", settings=_IN_TEXT)


def _malformed(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    for text in _MALFORMED:
        answers = [*_says(dialect, text, _ACTION), *_answers(dialect)]
        yield _goal("REACT-TEXT", answers, "get_weather", settings=_IN_TEXT)


def _invented(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    answers = [*_says(dialect, _INVENTED), *_answers(dialect)]
    yield _goal("REACT-TEXT", answers, "get_weather", settings=_IN_TEXT)


def _markup(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    answers = [*_says(dialect, _MARKUP), _native_call(dialect), *_says(dialect, _FINAL)]
    yield _goal("REACT-MARKUP", answers, "get_weather")


def _overflow(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    for error in _of(dialect, ErrorClass.OVERFLOW):
        yield _goal("REACT-OVERFLOW", [Answer(error=error), *_says(dialect, _SUMMARY, _SUMMARY, _FINAL)])


def _limit(provider: Provider, dialect: Dialect) -> Iterator[Goal]:
    once = Settings(max_iterations=1)
    first = _native_call(dialect)
    yield _goal("REACT-LIMIT", [first, *_says(dialect, _FINAL)], "get_weather", settings=once)
    yield _goal("REACT-LIMIT", [first, *_says(dialect, _ACTION, _FINAL)], "get_weather", settings=once)


def _runs(turns: Turns, messages: Messages, *, whole: bool) -> Callable[[Provider, Dialect], Iterator[Exchange]]:
    """The runs in each mode, with a system prompt and without one."""

    def make(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
        for goal in turns(provider, dialect):
            for stream in modes(provider) if whole else (True,):
                for system in (None, _SYSTEM):
                    asked = Call(messages, [WEATHER, CLOCK], system, operation=Operation.LOOP)
                    yield Exchange(asked, stream=stream, goal=goal)

    return make


Needs = Callable[[Provider, Dialect], bool]


def _always(provider: Provider, dialect: Dialect) -> bool:
    return True


def _tools(provider: Provider, dialect: Dialect) -> bool:
    return provider.capabilities.tools


def _refuses(provider: Provider, dialect: Dialect) -> bool:
    return _tools(provider, dialect) and bool(_of(dialect, ErrorClass.TOOLS_UNSUPPORTED))


def _refuses_in_stream(provider: Provider, dialect: Dialect) -> bool:
    return _tools(provider, dialect) and provider.stream_config is not None and bool(_told_in_stream(dialect))


def _refuses_stop(provider: Provider, dialect: Dialect) -> bool:
    return provider.capabilities.stop_words and bool(stop_refusals(dialect))


def _overflows(provider: Provider, dialect: Dialect) -> bool:
    return bool(_of(dialect, ErrorClass.OVERFLOW))


_NO_TOOLS: Final = "it has no tools, or its protocol no refusal of them"


def _row(
    name: str,
    title: str,
    rule: str,
    turns: Turns,
    evidence: str,
    needs: Needs = _always,
    otherwise: str = "",
    messages: Messages = _QUESTION,
    *,
    whole: bool = True,
) -> Scenario:
    play = exchanges(_runs(turns, messages, whole=whole))
    return Scenario(f"loop-{name}", title, (rule, "REACT-HISTORY"), play, evidence, needs, otherwise)


LOOP: Final = (
    _row("native", "tools called natively", "REACT-NATIVE", _native, "Strands event loop", _tools, _NO_TOOLS),
    _row(
        "parallel",
        "two calls in one turn",
        "REACT-NATIVE",
        _parallel,
        "CrewAI executors: all calls of a turn, or the first",
        _tools,
        _NO_TOOLS,
    ),
    _row("refused", "tools refused at the call", "REACT-FALLBACK", _refused, "crewAI#744", _refuses, _NO_TOOLS),
    _row(
        "refused-stream",
        "tools refused in the stream",
        "REACT-FALLBACK",
        _refused_in_stream,
        "crewAI#744",
        _refuses_in_stream,
        "its protocol has no refusal of tools in the stream",
        whole=False,
    ),
    _row(
        "refused-later",
        "tools refused on the second turn",
        "REACT-FALLBACK",
        _refused_later,
        "crewAI#744",
        _refuses,
        _NO_TOOLS,
    ),
    _row("text", "tools called in text", "REACT-TEXT", _stop_words, "crewAI#103"),
    _row(
        "stop-refused",
        "stop words refused",
        "REACT-STOP-REFUSED",
        _stop_refused,
        "smolagents#1893",
        _refuses_stop,
        "it takes no stop words, or no refusal of them is known",
    ),
    _row("malformed", "replies in no format, taught and corrected", "REACT-TEXT", _malformed, "crewAI#3771"),
    _row("invented", "an invented observation", "REACT-TEXT", _invented, "crewAI#3154"),
    _row("markup", "a call that was left in the text", "REACT-MARKUP", _markup, "crewAI#4036", _tools, _NO_TOOLS),
    _row(
        "overflow",
        "a conversation that does not fit, then does",
        "REACT-OVERFLOW",
        _overflow,
        "crewAI#4381",
        _overflows,
        "its protocol has no such error",
        _LONG,
    ),
    _row("limit", "no turns left", "REACT-LIMIT", _limit, "crewAI#1656", _tools, _NO_TOOLS),
)
