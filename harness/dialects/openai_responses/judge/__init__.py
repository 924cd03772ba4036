"""Why the real service would refuse a request.

The rules are OpenAI's own wherever compatible servers share them. Where these take more, so do the rules: fields that a
vendor of the family documents are known, and what a recording shows to be accepted by OpenAI is not refused. Each rule
cites the service's own words. Paths are written as OpenAI writes ``param``: ``input[1].content[0].text``.
"""

from collections.abc import Mapping
from typing import Any

from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, WireRequest
from harness.dialects.openai_chat.requests import body_object
from harness.dialects.openai_responses.judge.items import item_faults
from harness.dialects.openai_responses.judge.parameters import parameter_faults
from harness.dialects.openai_responses.judge.tools import tool_faults

__all__ = ["check_body", "check_request"]


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults of a request; none when the service would accept it."""
    try:
        body = body_object(request.body)
    except DecodeError as fault:
        what = "We could not parse the JSON body of your request. (HINT: the request body must be a JSON object)"
        return [RequestFault(RequestFaultKind.FORM, "", str(fault), f"OpenAI 400: {what}")]
    named_by_path = "/deployments/" in request.path  # Azure's older form names the model in the path
    return check_body(body, needs_model=not named_by_path)


def check_body(body: Mapping[str, Any], *, needs_model: bool = True) -> list[RequestFault]:
    """Faults of a request's body, for servers that have another path."""
    return [*parameter_faults(body, needs_model=needs_model), *item_faults(body), *tool_faults(body)]
