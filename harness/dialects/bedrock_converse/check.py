"""Why Bedrock would refuse a request: first the form of each value, then what values mean to each other."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, WireRequest
from harness.dialects.bedrock_converse import caching, media, tools, turns
from harness.dialects.bedrock_converse.asked import Asked
from harness.dialects.bedrock_converse.model import STREAM_REQUEST, WHOLE_REQUEST
from harness.dialects.bedrock_converse.requests import read_body, read_path

RULES: Final[tuple[Callable[[Asked], Iterable[RequestFault]], ...]] = (
    turns.roles,
    turns.pairing,
    turns.ids,
    turns.results,
    tools.names,
    tools.choice,
    tools.schemas,
    media.documents,
    media.placement,
    media.refusals,
    caching.points,
    caching.reasoning,
)


def check(request: WireRequest) -> Sequence[RequestFault]:
    """All faults of the form; where there is none, all others. The service looks in this order too."""
    try:
        model, stream = read_path(request)
        body = read_body(request)
    except DecodeError as cause:
        return [RequestFault(RequestFaultKind.FORM, "", str(cause), "Amazon Bedrock API reference, Converse")]
    faults: list[RequestFault] = []
    (STREAM_REQUEST if stream else WHOLE_REQUEST).check(body, "", faults)
    if not faults:
        asked = Asked.of(model, body)
        for rule in RULES:
            faults.extend(rule(asked))
    return faults
