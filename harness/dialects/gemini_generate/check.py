"""Why Google would refuse a request.

Each rule cites the service's own words or the page that states it. Names that neither service knows are refused, as
ProtoJSON does; where the two services differ, the path tells which one is asked.
"""

from collections.abc import Iterator
from typing import Any

from harness.dialects.base import DecodeError, RequestFault, RequestFaultKind, WireRequest
from harness.dialects.gemini_generate.check_config import config_faults
from harness.dialects.gemini_generate.check_contents import content_faults
from harness.dialects.gemini_generate.check_parts import part_faults
from harness.dialects.gemini_generate.check_tools import tool_faults
from harness.dialects.gemini_generate.messages import Reader
from harness.dialects.gemini_generate.requests import endpoint, read_body

_UNKNOWN = "Google 400: Invalid JSON payload received. Unknown name \"{name}\" at '{path}': Cannot find field."
_MISPLACED = "Google 400: Invalid value at '{path}'"


def check_request(request: WireRequest) -> list[RequestFault]:
    """Faults of a request; none when the service would accept it."""
    try:
        match = endpoint(request)
        body, reader = read_body(request)
    except DecodeError as fault:
        return [RequestFault(RequestFaultKind.FORM, "", str(fault), "generateContent reference: HTTP request")]
    return [*_strays(reader), *_faults(body, match["model"], developer=not reader.vertex)]


def _strays(reader: Reader) -> Iterator[RequestFault]:
    for path, name in reader.unknown:
        kind = RequestFaultKind.SCHEMA if _in_schema(path) else RequestFaultKind.FORM
        place = f"{path}.{name}".removeprefix(".")
        yield RequestFault(kind, place, "an unknown name", _UNKNOWN.format(name=name, path=path))
    for path, value in reader.misplaced:
        kind = RequestFaultKind.SCHEMA if _in_schema(path) else RequestFaultKind.FORM
        yield RequestFault(kind, path, f"{value!r} where a message belongs", _MISPLACED.format(path=path))


def _in_schema(path: str) -> bool:
    return ".parameters" in path or "responseSchema" in path or ".response." in path


def _faults(body: dict[str, Any], model: str, *, developer: bool) -> Iterator[RequestFault]:
    yield from part_faults(body)
    yield from content_faults(body, model)
    yield from tool_faults(body, developer=developer)
    yield from config_faults(body, model)
