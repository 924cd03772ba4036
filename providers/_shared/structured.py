"""Structured output: the ways to have a model answer with an instance of a pydantic model."""

import copy
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any, Final, cast

from pydantic import BaseModel, ValidationError

from harness.contract.assembler import Assembler
from harness.contract.content import ToolSpec
from harness.contract.events import StreamEvent
from harness.contract.exceptions import StructuredOutputException
from harness.contract.model import T

#: stop reasons of replies that hold no answer, or half of one
_NO_ANSWER: Final = {"content_filtered": "the model refused", "max_tokens": "the reply was cut by the token limit"}


def tool_spec(output_model: type[BaseModel]) -> ToolSpec:
    """A tool whose input is an instance of ``output_model``."""
    description = (output_model.__doc__ or "").strip() or f"Gives the answer as {output_model.__name__}."
    return {
        "name": output_model.__name__,
        "description": description,
        "inputSchema": {"json": _object_schema(output_model.model_json_schema())},
    }


def _object_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema whose root says that it is an object: that of a model which holds itself is a reference."""
    if "$ref" not in schema:
        return schema
    root = schema["$defs"][schema["$ref"].rpartition("/")[2]]
    return {**root, **{name: value for name, value in schema.items() if name != "$ref"}}


def from_forced_tool(
    output_model: type[T], events: AsyncGenerator[StreamEvent, None]
) -> AsyncGenerator[dict[str, T | Any], None]:
    """Pass the events of a reply on and, last, yield ``{"output": instance}`` from its call of the output tool.

    Raises StructuredOutputException when the reply has no such call, or its input is no valid instance.
    """
    return _with_output(output_model, events, _input_of_call)


def from_json_reply(
    output_model: type[T], events: AsyncGenerator[StreamEvent, None]
) -> AsyncGenerator[dict[str, T | Any], None]:
    """Pass the events of a reply on and, last, yield ``{"output": instance}`` from its text, which is to be JSON.

    Raises StructuredOutputException when the model refused, was cut, or answered with anything else.
    """
    return _with_output(output_model, events, _value_of_text)


async def _with_output(
    output_model: type[T],
    events: AsyncGenerator[StreamEvent, None],
    value_in: Callable[[type[BaseModel], Assembler], Any],
) -> AsyncGenerator[dict[str, T | Any], None]:
    assembler = Assembler()
    async with aclosing(events):
        async for event in events:
            assembler.feed(event)
            yield cast("dict[str, Any]", event)
    yield {"output": _validated(output_model, value_in(output_model, assembler))}


def _input_of_call(output_model: type[BaseModel], reply: Assembler) -> Any:
    uses = [block["toolUse"] for block in reply.message["content"] if "toolUse" in block]
    use = next((use for use in uses if use.get("name") == output_model.__name__), None)
    if use is None:
        raise StructuredOutputException(
            f"the reply has no call of the tool {output_model.__name__} (stop reason {reply.stop_reason})"
        )
    return use["input"]


def _value_of_text(_: type[BaseModel], reply: Assembler) -> Any:
    text = "".join(block.get("text", "") for block in reply.message["content"])
    if problem := _NO_ANSWER.get(reply.stop_reason or ""):
        raise StructuredOutputException(f"{problem}: {text}")
    try:
        return json.loads(text)
    except ValueError as error:
        raise StructuredOutputException(f"the reply is no JSON: {text[:200]!r}") from error


def _validated(output_model: type[T], value: Any) -> T:
    try:
        return _instance(output_model, value)
    except ValidationError as error:
        raise StructuredOutputException(f"the reply is no valid {output_model.__name__}: {error}") from error


def _instance(output_model: type[T], value: Any) -> T:
    """The instance; a null that a field does not take stands for a field left out, as in schemas that require all."""
    try:
        return output_model.model_validate(value)
    except ValidationError as error:
        nulls = [problem["loc"] for problem in error.errors() if problem["input"] is None]
        if not nulls:
            raise
        complete = copy.deepcopy(value)
        for place in nulls:
            _leave_out(complete, place)
        try:
            return output_model.model_validate(complete)
        except ValidationError:
            raise error from None


def _leave_out(value: Any, place: Sequence[Any]) -> None:
    """Remove the null at a place; the names of a union's members, which are among its steps, lead nowhere."""
    for step in place:
        if isinstance(value, dict) and value.get(step, value) is None:
            del value[step]
            return
        if (isinstance(value, dict) and step in value) or (isinstance(value, list) and isinstance(step, int)):
            value = value[step]
