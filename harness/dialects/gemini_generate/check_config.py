"""Faults of ``generationConfig``."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.gemini_generate.check_schema import schema_faults
from harness.dialects.gemini_generate.messages import items
from harness.dialects.gemini_generate.requests import declarations
from harness.dialects.schemas import TARGETS
from harness.dialects.schemas import schema_faults as json_schema_faults

Wire = Mapping[str, Any]

_JSON: Final = "application/json"
_MIME: Final = "GenerationConfig reference: responseSchema and responseJsonSchema want a compatible responseMimeType"
_BOTH: Final = "GenerationConfig reference: if responseJsonSchema is set, responseSchema must be omitted"
_WITH_TOOLS: Final = "Google 400: Function calling with a response mime type: 'application/json' is unsupported"
_NUMBER: Final = "Google 400: Invalid value at 'generation_config.{name}'"
_RANGE: Final = "GenerationConfig reference: {name}"

#: models of before Gemini 3, which answers in JSON beside functions
_EITHER_MODELS: Final = re.compile(r"gemini-[12]\b").match

#: numbers, and what they must be
_NUMBERS: Final[Mapping[str, Callable[[float], bool]]] = {
    "temperature": lambda value: 0 <= value <= 2,
    "topP": lambda value: 0 <= value <= 1,
    "topK": lambda value: value >= 0,
    "candidateCount": lambda value: value >= 1,
    "maxOutputTokens": lambda value: value >= 1,
    "presencePenalty": lambda value: -2 <= value <= 2,
    "frequencyPenalty": lambda value: -2 <= value <= 2,
    "seed": lambda value: True,
}
_MOST_STOPS: Final = 5


def config_faults(body: Wire, model: str) -> Iterator[RequestFault]:
    """Faults of the generation config, and of what it does not go with."""
    config = body.get("generationConfig") or {}
    yield from _numbers(config)
    stops = items(config.get("stopSequences"))
    if len(stops) > _MOST_STOPS:
        yield _fault("stopSequences", f"{len(stops)} of them", "GenerationConfig reference: up to 5 stopSequences")
    yield from _schemas(config)
    if _EITHER_MODELS(model) and config.get("responseMimeType") == _JSON and any(declarations(body)):
        yield _fault("responseMimeType", f"JSON beside functions for {model}", _WITH_TOOLS)


def _fault(name: str, what: str, evidence: str, kind: RequestFaultKind = RequestFaultKind.FORM) -> RequestFault:
    return RequestFault(kind, f"generationConfig.{name}", what, evidence)


def _numbers(config: Wire) -> Iterator[RequestFault]:
    for name, fits in _NUMBERS.items():
        value = config.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield _fault(name, f"{value!r} is no number", _NUMBER.format(name=name))
        elif not fits(value):
            yield _fault(name, repr(value), _RANGE.format(name=name))


def _schemas(config: Wire) -> Iterator[RequestFault]:
    schema, json_schema = config.get("responseSchema"), config.get("responseJsonSchema")
    if schema is None and json_schema is None:
        return
    if schema is not None and json_schema is not None:
        yield _fault("responseSchema", "two schemas of the response", _BOTH, RequestFaultKind.SCHEMA)
    if config.get("responseMimeType") not in (_JSON, "text/x.enum"):
        yield _fault("responseMimeType", repr(config.get("responseMimeType")), _MIME, RequestFaultKind.SCHEMA)
    if schema:
        yield from schema_faults(schema, "generationConfig.responseSchema", developer=False)
    yield from json_schema_faults(TARGETS["gemini"], json_schema, "generationConfig.responseJsonSchema")
