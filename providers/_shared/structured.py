"""Structured output by a tool that the model is forced to call."""

from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from harness.contract.assembler import Assembler
from harness.contract.content import ToolSpec
from harness.contract.events import StreamEvent
from harness.contract.exceptions import StructuredOutputException

T = TypeVar("T", bound=BaseModel)


def tool_spec(output_model: type[BaseModel]) -> ToolSpec:
    """A tool whose input is an instance of ``output_model``."""
    description = (output_model.__doc__ or "").strip() or f"Gives the answer as {output_model.__name__}."
    return {
        "name": output_model.__name__,
        "description": description,
        "inputSchema": {"json": output_model.model_json_schema()},
    }


async def from_forced_tool(
    output_model: type[T], events: AsyncIterable[StreamEvent]
) -> AsyncGenerator[dict[str, T | Any], None]:
    """Pass the events of a reply on and, last, yield ``{"output": instance}`` from its call of the output tool.

    Raises StructuredOutputException when the reply has no such call, or its input is no valid instance.
    """
    assembler = Assembler()
    async for event in events:
        assembler.feed(event)
        yield cast("dict[str, Any]", event)
    yield {"output": _instance(output_model, assembler)}


def _instance(output_model: type[T], assembler: Assembler) -> T:
    uses = [block["toolUse"] for block in assembler.message["content"] if "toolUse" in block]
    use = next((use for use in uses if use.get("name") == output_model.__name__), None)
    if use is None:
        raise StructuredOutputException(
            f"the reply has no call of the tool {output_model.__name__} (stop reason {assembler.stop_reason})"
        )
    return validated(output_model, use["input"])


def validated(output_model: type[T], value: Any) -> T:
    """``value`` as an instance; StructuredOutputException when it is none."""
    try:
        return output_model.model_validate(value)
    except ValidationError as error:
        raise StructuredOutputException(f"the reply is no valid {output_model.__name__}: {error}") from error
