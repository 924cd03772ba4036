"""The services that hold a model to a schema, and what each of them refuses in one."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.dialects.base import RequestFault
from harness.dialects.schemas.places import places
from harness.dialects.schemas.rules import (
    Document,
    Limits,
    Rule,
    all_required,
    closed,
    local_references,
    lone_references,
    no_keywords,
    no_keywords_of,
    no_recursion,
    root_object,
    values,
)


@dataclass(frozen=True, slots=True)
class Target:
    """One service's strict mode, or what holds its models to a grammar."""

    name: str
    rules: tuple[Rule, ...]


def schema_faults(target: Target, schema: Any, path: str, owner: str = "schema") -> Iterator[RequestFault]:
    """Why the service would refuse a schema that stands at ``path``; ``owner`` is what its messages call the schema."""
    if isinstance(schema, dict):
        document = Document(schema, path, owner)
        for rule in target.rules:
            yield from rule(document)


# --- OpenAI ---------------------------------------------------------------------------------------------------------

_OPENAI: Final = "OpenAI 400: Invalid schema for {owner}: "
_OPENAI_GUIDE: Final = "OpenAI, Structured outputs: Supported schemas"
_OPENAI_FORMATS: Final = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)

OPENAI: Final = Target(
    "openai",
    (
        root_object(_OPENAI + "schema must be a JSON Schema of 'type: \"object\"', got '{met}'.", ("anyOf",)),
        closed(_OPENAI + "'additionalProperties' is required to be supplied and to be false."),
        all_required(
            _OPENAI + "'required' is required to be supplied and to be an array including every key in properties. "
            "Missing '{key}'."
        ),
        no_keywords(
            _OPENAI + "'{key}' is not permitted.",
            *("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"),
            *("patternProperties", "propertyNames"),
        ),
        local_references(_OPENAI + "reference '{met}' does not point at a definition"),
        lone_references(_OPENAI + "$ref cannot have keywords {met} (langchainjs#11382, hindsight#3944)"),
        values(_OPENAI + "'{met}' is not a valid format. (oh-my-pi#206)", "format", lambda met: met in _OPENAI_FORMATS),
        Limits(_OPENAI_GUIDE, properties=5000, levels=10, enum_values=1000, characters=120_000),
    ),
)

# --- Claude, behind both of its doors -------------------------------------------------------------------------------

_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_CLAUDE_REFUSED: Final[Mapping[str, tuple[str, ...]]] = {
    "integer": _BOUNDS,
    "number": _BOUNDS,
    "string": ("minLength", "maxLength"),
    "array": ("maxItems", "uniqueItems"),
    "object": ("minProperties", "maxProperties", "patternProperties"),
}
_CLAUDE_FORMATS: Final = _OPENAI_FORMATS | {"uri"}


def _scalar(met: Any) -> bool:
    return not isinstance(met, dict | list)


def _claude(said: str, documents: str) -> tuple[Rule, ...]:
    """The rules of Claude's grammar; ``said`` begins the service's messages, ``documents`` lists what it takes."""
    return (
        closed(f"{said}For 'object' type, 'additionalProperties' must be explicitly set to false"),
        no_keywords_of(f"{said}For '{{kind}}' type, properties {{key}} are not supported", _CLAUDE_REFUSED),
        no_keywords(f"{said}{{key}} is unsupported ({documents})", "oneOf", "not", "if", "then", "else"),
        values(
            f"{said}For 'array' type, 'minItems' values other than 0 or 1 are not supported (Roo-Code#10551)",
            "minItems",
            lambda met: met in (0, 1),
        ),
        values(f"{said}format {{met}} ({documents})", "format", lambda met: met in _CLAUDE_FORMATS),
        values(
            f"{said}enum takes strings, numbers, booleans and nulls ({documents})",
            "enum",
            lambda met: all(map(_scalar, met)),
        ),
        values(
            f"{said}allOf with $ref is not supported ({documents})",
            "allOf",
            lambda met: not any(isinstance(part, dict) and "$ref" in part for part in met),
        ),
        local_references(f"{said}external $ref {{met}} ({documents})"),
        no_recursion(
            f"{said}Circular reference detected in schema definitions: {{met}}. Self-referencing or "
            "mutually-referencing definitions are not supported. (agency-lang#487)"
        ),
    )


ANTHROPIC: Final = Target(
    "anthropic",
    _claude("400 invalid_request_error: ", "Anthropic, Structured outputs: JSON Schema limitations"),
)
BEDROCK: Final = Target(
    "bedrock",
    _claude("ValidationException: ", "Amazon Bedrock, Get validated JSON results: supported JSON Schema features"),
)

# --- the others -----------------------------------------------------------------------------------------------------

GEMINI: Final = Target(
    "gemini",
    (
        lone_references(
            "GenerationConfig reference: if $ref is set, no other properties, except those starting as a $, may be set",
            lambda key: key.startswith("$"),
        ),
        local_references("GenerationConfig reference: $ref to $defs ({met})"),
    ),
)

#: what is said of references is said of response schemas alone
GEMINI_TOOLS: Final = Target("gemini_tools", (local_references("JSON Schema 2020-12: {met} must resolve"),))

#: the service publishes no list of what it refuses
MISTRAL: Final = Target("mistral", (local_references("JSON Schema 2020-12: {met} must resolve"),))

_GRAMMAR: Final = "llama.cpp: JSON schema conversion failed: "
_WITH_MEANING: Final = frozenset(
    {"$ref", "oneOf", "anyOf", "allOf", "const", "enum", "properties", "items", "prefixItems", "pattern", "format"}
)
#: keywords that the converter does not look at
_PASSED_OVER: Final = frozenset({"not", "if", "then", "else", "contains", "propertyNames", "dependentSchemas"})
_KINDS: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})


def _is_known(schema: Mapping[str, Any]) -> bool:
    """Whether the converter finds a rule for a schema: an empty one stands for anything, a mere note for nothing."""
    told = schema.get("type")
    if isinstance(told, list):
        return all(kind in _KINDS for kind in told)
    if told is not None:
        return told in _KINDS
    return not schema or bool(_WITH_MEANING & schema.keys()) or isinstance(schema.get("additionalProperties"), dict)


def _recognized(document: Document) -> Iterator[RequestFault]:
    for place in places(document.schema, document.path, _PASSED_OVER):
        if not _is_known(place.schema):
            words = _GRAMMAR + "Unrecognized schema (llama.cpp#19716, goose#4815)"
            yield document.fault(place.path, str(place.schema)[:80], words)


_ANCHORED: Final = re.compile(r"\^.*\$", re.DOTALL)

#: llama.cpp's own converter to grammars
GRAMMAR: Final = Target(
    "grammar",
    (
        _recognized,
        values(
            _GRAMMAR + "Pattern must start with '^' and end with '$' (openclaw#107430)",
            "pattern",
            lambda met: not isinstance(met, str) or _ANCHORED.fullmatch(met) is not None,
        ),
        local_references(_GRAMMAR + "Error resolving ref {met}"),
    ),
)

#: what every server with grammars refuses; builds with llguidance take what llama.cpp's own converter does not know
ANY_GRAMMAR: Final = Target("any_grammar", (local_references(_GRAMMAR + "Error resolving ref {met}"),))

TARGETS: Final[Mapping[str, Target]] = {
    target.name: target for target in (OPENAI, ANTHROPIC, BEDROCK, GEMINI, GEMINI_TOOLS, MISTRAL, GRAMMAR, ANY_GRAMMAR)
}
