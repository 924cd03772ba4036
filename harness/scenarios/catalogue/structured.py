"""Structured output: the ways in which it succeeds, and those in which it must fail visibly."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic import BaseModel

from harness.contract.capabilities import StructuredMode
from harness.contract.content import Messages
from harness.dialects.base import Dialect
from harness.dialects.reply import Block, Refusal, Reply, Text, ToolUse, json_text
from harness.exchange import Answer, Call, Exchange, Operation, Samples
from harness.provider import Provider
from harness.scenarios.catalogue.output_models import GENERIC, INSTANCES, Answered, Counts
from harness.scenarios.catalogue.samples import call, usage
from harness.scenarios.scenario import Scenario, Stage, capable, exchanges, modes

_RIGHT: Final = Answered(output="Zürich – 日本", confidence=0.5)
_OTHER: Final = Answered(output="Rome", confidence=1.0)
_VALUE: Final[dict[str, Any]] = _RIGHT.model_dump()
_PROMPT: Final[Messages] = [{"role": "user", "content": [{"text": "Which city? 日本"}]}]

#: a way in which an adapter asks for an instance, and the settings that choose it
Way = tuple[StructuredMode, Mapping[str, Any]]


def _ways(provider: Provider) -> Iterator[Way]:
    """The adapter's own way, and the other one where a setting leads to it."""
    if provider.capabilities.structured:
        yield provider.capabilities.structured, {}
    if other := provider.config_for.get("forced_tool"):
        yield "forced_tool", other


def _ask(config: Mapping[str, Any], instance: BaseModel = _RIGHT, system_prompt: str | None = None) -> Call:
    """A call for an instance of the model of ``instance``; any schema but that of a plain answer may be refused."""
    return Call(
        _PROMPT,
        system_prompt=system_prompt,
        operation=Operation.STRUCTURED,
        output_model=type(instance),
        config=config,
        samples={} if type(instance) is Answered else {type(instance).__name__: _samples(instance)},
    )


def _samples(instance: BaseModel) -> Samples:
    value = instance.model_dump(mode="json", by_alias=True)
    needed = {name: held for name, held in value.items() if held is not None}
    if isinstance(instance, Counts):
        return Samples(maps=((value, {name: {} for name in value}),))
    return Samples((needed, value), ({}, *({**needed, name: [[]]} for name in needed)))


def _use(dialect: Dialect, arguments: str, name: str = Answered.__name__, number: int = 1) -> ToolUse:
    return replace(call(dialect, number, name), arguments=arguments)


def _answer(way: Way, dialect: Dialect, instance: BaseModel, *, name: str | None = None, beside: str = "") -> Reply:
    """A reply that gives an instance as the adapter's mode wants it: in a forced call, or as the text."""
    text = instance.model_dump_json(by_alias=True)
    arguments = json_text(instance.model_dump(mode="json", by_alias=True))
    use = _use(dialect, arguments, name or type(instance).__name__)
    return _given(way, dialect, text, use, beside=beside)


def _given(way: Way, dialect: Dialect, text: str, use: ToolUse, *, beside: str = "") -> Reply:
    if way[0] == "native":
        return Reply((Text(text),), usage=usage(dialect))
    said: tuple[Block, ...] = (Text(beside),) if beside else ()
    return Reply((*said, use), "tool_use", usage=usage(dialect))


def _right(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    for way in _ways(provider):
        for stream in modes(provider):
            for system in (None, "Be brief. Ünï."):
                reply = _answer(way, dialect, _RIGHT, beside="Here it is:")
                asked = _ask(way[1], system_prompt=system)
                yield Exchange(asked, Answer(reply), stream=stream, instance=_RIGHT)


def _models(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    for way in _ways(provider):
        for instance in INSTANCES:
            reply = _answer(way, dialect, instance)
            yield Exchange(_ask(way[1], instance), Answer(reply), stream=modes(provider)[0], instance=instance)


async def _generic(stage: Stage) -> None:
    """A name that services refuse: the reply calls the tool by the name that it arrived with."""
    provider, dialect = stage.subject.provider, stage.subject.dialect
    for way in _ways(provider):
        asked, stream = _ask(way[1], GENERIC), modes(provider)[0]
        seen = await stage.run(Exchange(asked, Answer(Reply((Text("No."),), usage=usage(dialect))), stream=stream))
        if seen.log.exchanges:
            name = seen.views[0].tools[0].name if seen.views[0].tools else None
            reply = _answer(way, dialect, GENERIC, name=name)
            await stage.run(Exchange(asked, Answer(reply), stream=stream, instance=GENERIC))


def _several(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Several calls: of another tool first, of the output tool twice. Which one counts is the adapter's to say."""
    first, second = _use(dialect, json_text(_VALUE)), _use(dialect, json_text(_OTHER.model_dump()), number=2)
    for mode, config in _ways(provider):
        for stream in modes(provider) if mode == "forced_tool" else ():
            for calls in ((call(dialect, 2, "another_tool", a=1), first), (first, second)):
                reply = Reply(calls, "tool_use", usage=usage(dialect))
                yield Exchange(_ask(config), Answer(reply), stream=stream, instance=_RIGHT, instances=(_RIGHT, _OTHER))


def _wrong(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Replies without a valid instance: another shape, no JSON, no words at all, a refusal, the wrong tool."""
    for way in _ways(provider):
        for stream in modes(provider):
            for reply in _wrong_replies(way, dialect):
                yield Exchange(_ask(way[1]), Answer(reply), stream=stream)


def _wrong_replies(way: Way, dialect: Dialect) -> Iterator[Reply]:
    for value in ({"output": "x"}, {"output": 7, "confidence": "high"}):
        yield _given(way, dialect, json_text(value), _use(dialect, json_text(value)))
    yield Reply((Text("I would rather talk."),), usage=usage(dialect))
    yield Reply((), usage=usage(dialect))
    if Refusal in dialect.shape.blocks:
        yield Reply((Refusal("I cannot help with that."),), usage=usage(dialect))
    if way[0] == "forced_tool":
        yield Reply((call(dialect, name="another_tool", a=1),), "tool_use", usage=usage(dialect))
    else:
        yield from (Reply((Text(text),), usage=usage(dialect)) for text in (json_text(_VALUE)[:-20], "null", "[1]"))


def _limited(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    cut = json_text(_VALUE)[:-20]
    for way in _ways(provider):
        reply = Reply(_given(way, dialect, cut, _use(dialect, cut)).blocks, "max_tokens", usage=usage(dialect))
        for stream in modes(provider):
            if way[0] == "native" or dialect.shape.cut_arguments[0 if stream else 1]:
                yield Exchange(_ask(way[1]), Answer(reply), stream=stream)


def _thinking(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Models that think refuse to be forced."""
    config = provider.config_for.get("thinking", {})
    for stream in modes(provider):
        reply = _answer(("forced_tool", config), dialect, _RIGHT)
        yield Exchange(_ask(config), Answer(reply), stream=stream, instance=_RIGHT)


def _thinks(provider: Provider, dialect: Dialect) -> bool:
    return provider.capabilities.structured == "forced_tool" and "thinking" in provider.config_for


def _forces(provider: Provider, dialect: Dialect) -> bool:
    return any(mode == "forced_tool" for mode, _ in _ways(provider))


STRUCTURED = (
    Scenario(
        "structured",
        "structured output, with and without a system prompt",
        ("STRUCT-OUTPUT", "STRUCT-EVENTS", "STRUCT-PROMPT"),
        exchanges(_right),
        "strands#466",
        capable("structured"),
    ),
    Scenario(
        "structured-models",
        "models in models, in themselves, by aliases, with maps, choices and limits",
        ("STRUCT-OUTPUT", "SCHEMA-COMPLETE", "SCHEMA-MAP", "REQUEST-SCHEMA"),
        exchanges(_models),
        "openai-python#3805",
        capable("structured"),
    ),
    Scenario(
        "structured-generic",
        "a model whose name services refuse",
        ("STRUCT-OUTPUT", "REQUEST-TOOL-NAME"),
        _generic,
        "pydantic generic models",
        capable("structured"),
    ),
    Scenario(
        "structured-calls",
        "several calls where one was asked for",
        ("STRUCT-OUTPUT",),
        exchanges(_several),
        "Strands Model.structured_output",
        _forces,
    ),
    Scenario(
        "structured-invalid",
        "replies without a valid instance",
        ("STRUCT-INVALID",),
        exchanges(_wrong),
        "pydantic-ai#4310",
        capable("structured"),
    ),
    Scenario(
        "structured-cut",
        "the length limit cuts the instance",
        ("STRUCT-INVALID",),
        exchanges(_limited),
        "litellm#37710",
        capable("structured"),
    ),
    Scenario(
        "structured-thinking",
        "a forced call of a model that is set to think",
        ("STRUCT-OUTPUT", "REQUEST-TOOL-CHOICE"),
        exchanges(_thinking),
        "vercel-ai#11227",
        _thinks,
    ),
)
