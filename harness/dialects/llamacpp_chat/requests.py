"""Read a request: as in Chat Completions, with the two other places where llama.cpp takes a schema."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from harness.contract.content import Json
from harness.dialects.base import RequestView, WireRequest
from harness.dialects.openai_chat import requests as openai


def read_request(request: WireRequest) -> RequestView:
    """The view of a request. Raises DecodeError when it is not one of this protocol."""
    view = openai.read_request(request)
    if view.response_schema is not None:
        return view
    name, schema = _schema(view.params)
    if schema is None:
        return view
    params = {key: value for key, value in view.params.items() if key != name}
    return replace(view, response_schema=schema, params=params)


def _schema(params: Mapping[str, Any]) -> tuple[str, Json]:
    """A parameter that holds a schema: ``json_schema`` itself, or ``schema`` in any response_format."""
    if params.get("json_schema"):
        return "json_schema", params["json_schema"]
    wanted = params.get("response_format")
    return "response_format", wanted.get("schema") if isinstance(wanted, dict) else None
