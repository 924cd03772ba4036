"""Structured output: the ways in which it succeeds, and those in which it must fail visibly."""

from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel, Field

from harness.contract.content import Messages
from harness.dialects.base import Dialect
from harness.dialects.reply import Block, Reply, Text, ToolUse, json_text
from harness.exchange import Answer, Call, Exchange, Operation
from harness.provider import Provider
from harness.scenarios.catalogue.samples import call, usage
from harness.scenarios.scenario import Scenario, capable, exchanges, modes


class Answered(BaseModel):
    """An answer with a confidence."""

    output: str = Field(description="The answer, e.g. Zürich.")
    confidence: float


_VALUE: Final = {"output": "Zürich – 日本", "confidence": 0.5}
_PROMPT: Final[Messages] = [{"role": "user", "content": [{"text": "Which city? 日本"}]}]


def _ask(system_prompt: str | None = None) -> Call:
    return Call(_PROMPT, system_prompt=system_prompt, operation=Operation.STRUCTURED, output_model=Answered)


def _answer(provider: Provider, dialect: Dialect, arguments: str, *, beside: str = "") -> Reply:
    """A reply that gives ``arguments`` as the adapter's mode wants it: in a forced call, or as the text."""
    if provider.capabilities.structured == "native":
        return Reply((Text(arguments),), usage=usage(dialect))
    said: tuple[Block, ...] = (Text(beside),) if beside else ()
    use = ToolUse(call(dialect).id, Answered.__name__, arguments)
    return Reply((*said, use), "tool_use", usage=usage(dialect))


def _right(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    instance = Answered(**_VALUE)  # type: ignore[arg-type]  # a table of mixed values
    for stream in modes(provider):
        for system in (None, "Be brief. Ünï."):
            reply = _answer(provider, dialect, json_text(_VALUE), beside="Here it is:")
            yield Exchange(_ask(system), Answer(reply), stream=stream, instance=instance)


def _wrong(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Replies without a valid instance: another shape, no answer, the wrong tool, cut by the length limit."""
    other = Reply((call(dialect, name="another_tool", a=1),), "tool_use", usage=usage(dialect))
    replies = [
        _answer(provider, dialect, json_text({"output": "x"})),
        _answer(provider, dialect, json_text({"output": 7, "confidence": "high"})),
        Reply((Text("I would rather talk."),), usage=usage(dialect)),
        *([other] if provider.capabilities.structured == "forced_tool" else []),
    ]
    for stream in modes(provider):
        for reply in replies:
            yield Exchange(_ask(), Answer(reply), stream=stream)


def _limited(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    whole = _answer(provider, dialect, json_text(_VALUE)[:-20])
    reply = Reply(whole.blocks, "max_tokens", usage=usage(dialect))
    native = provider.capabilities.structured == "native"
    for stream in modes(provider):
        if native or dialect.shape.cut_arguments[0 if stream else 1]:
            yield Exchange(_ask(), Answer(reply), stream=stream)


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
)
