"""Structured output as the protocol's own: the answer is JSON of a schema."""

import json
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel

from harness.contract.assembler import Assembler
from harness.contract.events import StreamEvent
from harness.contract.exceptions import StructuredOutputException
from providers._shared.openai_chat.strict import strict_schema
from providers._shared.openai_chat.wire_names import wire_name
from providers._shared.structured import validated

T = TypeVar("T", bound=BaseModel)

#: stop reasons of replies that hold no answer, or half of one
_NO_ANSWER: Final = {"content_filtered": "the model refused", "max_tokens": "the reply was cut by the token limit"}


def response_format(output_model: type[BaseModel]) -> dict[str, Any]:
    """The request's ``response_format`` for an instance of ``output_model``; strict where its schema allows that."""
    schema = output_model.model_json_schema()
    strict = strict_schema(schema)
    form = {"name": wire_name(output_model.__name__), "schema": strict or schema, "strict": strict is not None}
    return {"type": "json_schema", "json_schema": form}


async def from_json_reply(
    output_model: type[T], events: AsyncIterable[StreamEvent]
) -> AsyncGenerator[dict[str, T | Any], None]:
    """Pass the events of a reply on and, last, yield ``{"output": instance}`` made from its text.

    Raises StructuredOutputException when the model refused, was cut, or answered with anything else.
    """
    assembler = Assembler()
    async for event in events:
        assembler.feed(event)
        yield cast("dict[str, Any]", event)
    yield {"output": _instance(output_model, assembler)}


def _instance(output_model: type[T], assembler: Assembler) -> T:
    text = "".join(block.get("text", "") for block in assembler.message["content"])
    if problem := _NO_ANSWER.get(assembler.stop_reason or ""):
        raise StructuredOutputException(f"{problem}: {text}")
    try:
        value = json.loads(text)
    except ValueError as error:
        raise StructuredOutputException(f"the reply is no JSON: {text[:200]!r}") from error
    return validated(output_model, value)
