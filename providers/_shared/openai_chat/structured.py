"""Structured output as the protocol's own: the answer is JSON of a schema."""

from typing import Any

from pydantic import BaseModel

from providers._shared.openai_chat.names import NAMES
from providers._shared.strict import strict_schema


def response_format(output_model: type[BaseModel]) -> dict[str, Any]:
    """The request's ``response_format`` for an instance of ``output_model``; strict where its schema allows that."""
    schema = output_model.model_json_schema()
    strict = strict_schema(schema, "openai")
    form = {"name": NAMES.wire(output_model.__name__), "schema": strict or schema, "strict": strict is not None}
    return {"type": "json_schema", "json_schema": form}


def response_fields(output_model: type[BaseModel] | None) -> dict[str, Any]:
    """What a request has beside the others' fields when its answer is to be an instance of ``output_model``."""
    return {} if output_model is None else {"response_format": response_format(output_model)}
