"""Tools whose schemas are hard to send, each with instances by which it is known again."""

from collections.abc import Iterator
from typing import Any, Final

from harness.contract.content import ToolSpec
from harness.dialects.base import Dialect
from harness.exchange import Answer, Call, Exchange, Samples
from harness.provider import Provider
from harness.scenarios.catalogue.samples import said
from harness.scenarios.scenario import Scenario, capable, exchanges, modes

Schema = dict[str, Any]
_TEXT: Final[Schema] = {"type": "string"}


def _object(required: list[str] | None = None, **properties: Any) -> Schema:
    """An object schema; all properties are required unless said otherwise."""
    return {"type": "object", "properties": properties, "required": [*properties] if required is None else required}


def _named(*names: str) -> Any:
    """Texts by names, which may be any."""
    return dict.fromkeys(names, _TEXT)


_OPTIONAL: Final = (
    _object(["city"], city=_TEXT, days={"type": "integer"}, unit={"type": "string", "enum": ["c", "f"]}),
    Samples(({"city": "Rome"}, {"city": "Rome", "days": 2, "unit": "c"}), ({"days": 2}, {"city": 1}, {"city": None})),
)
_NULLABLE: Final = (
    _object(
        listed={"type": ["string", "null"]},
        either={"anyOf": [_TEXT, {"type": "null", "description": "Not known."}]},
        chosen={"type": ["string", "null"], "enum": ["a", "b", None]},
        rows={"type": ["array", "null"], "items": {"type": "integer"}},
    ),
    Samples(
        (
            {"listed": "x", "either": None, "chosen": "a", "rows": [1]},
            {"listed": None, "either": "x", "chosen": None, "rows": None},
        ),
        (
            {"listed": 1, "either": "x", "chosen": "a", "rows": []},
            {"listed": "x", "either": "x", "chosen": "c", "rows": []},
            {"listed": "x", "either": "x", "chosen": "a", "rows": ["x"]},
        ),
    ),
)
_RECURSIVE: Final = (
    {
        **_object(root={"$ref": "#/$defs/Node", "description": "Where the tree begins."}),
        "$defs": {
            "Node": _object(
                ["label"],
                label=_TEXT,
                left={"$ref": "#/$defs/Node", "description": "What comes before."},
                children={"type": "array", "items": {"$ref": "#/$defs/Node"}},
            )
        },
    },
    Samples(
        ({"root": {"label": "a"}}, {"root": {"label": "a", "left": {"label": "b"}, "children": [{"label": "c"}]}}),
        ({"root": {}}, {"root": "a"}),
    ),
)
_SIBLINGS: Final = (
    {
        **_object(item={"$ref": "#/$defs/Item", "required": ["size"], "description": "The thing to weigh."}),
        "$defs": {"Item": _object(["name"], name=_TEXT, size={"type": "integer"})},
    },
    Samples(({"item": {"name": "a", "size": 1}},), ({"item": {"name": "a"}}, {"item": {"size": 1}})),
)
_POINTERS: Final = (
    {
        **_object(one={"$ref": "#/$defs/a~1b~0c"}, two={"$ref": "#/$defs/with%20space/$defs/inner"}),
        "$defs": {
            "a/b~c": {"type": "integer"},
            "with space": {"type": "object", "$defs": {"inner": {"type": "boolean"}}},
        },
    },
    Samples(({"one": 1, "two": True},), ({"one": "x", "two": True}, {"one": 1, "two": 2})),
)
_UNTYPED: Final = (
    {"type": "object", "properties": {"where": {"properties": {"city": _TEXT}, "required": ["city"]}}},
    Samples(({"where": {"city": "Rome"}}, {}), ({"where": {}}, {"where": {"city": 1}})),
)
_MAPS: Final = (
    _object(
        counts={"type": "object", "additionalProperties": {"type": "integer"}},
        anything={"type": "object"},
        open={"type": "object", "additionalProperties": True},
    ),
    Samples(
        ({"counts": {}, "anything": {}, "open": {}},),
        ({"counts": 1, "anything": {}, "open": {}},),
        (
            ({"counts": {"a": 1}, "anything": {}, "open": {}}, {"counts": {}, "anything": {}, "open": {}}),
            ({"counts": {}, "anything": {"a": 1}, "open": {}}, {"counts": {}, "anything": {}, "open": {}}),
            ({"counts": {}, "anything": {}, "open": {"a": [1]}}, {"counts": {}, "anything": {}, "open": {}}),
        ),
    ),
)
_KEYWORDS: Final = ("title", "default", "properties", "pattern", "type", "items", "enum")
_NAMES: Final = (
    _object(["title", "inner"], **_named(*_KEYWORDS), inner=_object(**_named("$ref", "format"))),
    Samples(
        ({"title": "a", "inner": {"$ref": "b", "format": "c"}},),
        ({"inner": {"$ref": "b", "format": "c"}}, {"title": 1, "inner": {"$ref": "b", "format": "c"}}, {"title": "a"}),
    ),
)
_LITERALS: Final = (
    _object(
        ["kind", "level"],
        kind={"const": "weather"},
        level={"enum": [1, 2, "high", None, True]},
        tags={"type": "array", "items": _TEXT, "default": ["read", "write"]},
    ),
    Samples(
        ({"kind": "weather", "level": "high"}, {"kind": "weather", "level": 1, "tags": ["a"]}),
        ({"kind": "other", "level": 1}, {"kind": "weather", "level": 7}),
    ),
)
_TUPLES: Final = (
    _object(pair={"type": "array", "prefixItems": [_TEXT, {"type": "integer"}], "items": False, "minItems": 2}),
    Samples(({"pair": ["a", 1]},), ({"pair": "a"},)),
)
_CHOICES: Final = (
    _object(
        shape={
            "oneOf": [_object(radius={"type": "number"}), _object(width={"type": "number"}, height={"type": "number"})]
        }
    ),
    Samples(({"shape": {"radius": 1.5}}, {"shape": {"width": 1, "height": 2}}), ({"shape": {}}, {"shape": 1})),
)
_PARTS: Final = (
    {
        **_object(whole={"allOf": [{"$ref": "#/$defs/Named"}, _object(size={"type": "integer"})]}),
        "$defs": {"Named": _object(name=_TEXT)},
    },
    Samples(({"whole": {"name": "a", "size": 1}},), ({"whole": {"name": 1, "size": 1}},)),
)
_CONDITIONS: Final = (
    {
        **_object(["kind"], kind={"type": "string", "enum": ["card", "cash"]}, number=_TEXT),
        "if": {"properties": {"kind": {"const": "card"}}},
        "then": {"required": ["number"]},
    },
    Samples(({"kind": "cash"}, {"kind": "card", "number": "1"}), ({"kind": "coin"}, {})),
)
_EMPTY: Final = ({"type": "object", "properties": {}}, Samples(({},)))
#: as pydantic writes models: titles, defaults, optional fields, limits, formats
_PYDANTIC: Final = (
    {
        **_object(
            ["id", "when"],
            id={"type": "string", "format": "uuid", "title": "Id"},
            when={"type": "string", "format": "date-time", "title": "When"},
            count={"type": "integer", "minimum": 1, "maximum": 9, "default": 3, "title": "Count"},
            name={"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}], "default": None, "title": "Name"},
            unit={"$ref": "#/$defs/Unit", "default": "c", "description": "The unit, e.g. °C."},
            tags={"type": "array", "items": _TEXT, "maxItems": 4, "uniqueItems": True, "title": "Tags"},
        ),
        "$defs": {"Unit": {"enum": ["c", "f"], "title": "Unit", "type": "string"}},
        "title": "Query",
    },
    Samples(
        (
            {"id": "7b0c4b0e-6f0e-4c5e-9d0a-0b8f6f5d2f3a", "when": "2026-01-01T00:00:00Z"},
            {"id": "7b0c4b0e-6f0e-4c5e-9d0a-0b8f6f5d2f3a", "when": "2026-01-01T00:00:00Z", "count": 2, "unit": "f"},
        ),
        ({"id": "x"}, {"id": "x", "when": "y", "count": "2"}, {"id": "x", "when": "y", "unit": "k"}),
    ),
)

SCHEMAS_BY_NAME: Final[dict[str, tuple[Schema, Samples]]] = {
    "optional": _OPTIONAL,
    "nullable": _NULLABLE,
    "recursive": _RECURSIVE,
    "siblings": _SIBLINGS,
    "pointers": _POINTERS,
    "untyped": _UNTYPED,
    "maps": _MAPS,
    "names": _NAMES,
    "literals": _LITERALS,
    "tuples": _TUPLES,
    "choices": _CHOICES,
    "parts": _PARTS,
    "conditions": _CONDITIONS,
    "empty": _EMPTY,
    "pydantic": _PYDANTIC,
}


def asked(name: str, config: Any) -> Call:
    """A call with the one tool of a name in the table."""
    schema, samples = SCHEMAS_BY_NAME[name]
    spec: ToolSpec = {"name": name, "description": f"Takes {name}.", "inputSchema": {"json": schema}}
    return Call(tool_specs=[spec], samples={name: samples}, config=config)


def _hard(provider: Provider, dialect: Dialect) -> Iterator[Exchange]:
    """Each schema by itself, as it is, and strict where the adapter has a setting for that."""
    strict = provider.config_for.get("strict")
    for config in ({}, *([strict] if strict else [])):
        for name in SCHEMAS_BY_NAME:
            yield Exchange(asked(name, config), Answer(said(dialect)), stream=modes(provider)[0])


SCHEMAS: Final = (
    Scenario(
        "schemas",
        "tools whose schemas are hard to send",
        ("SCHEMA-HANDLED", "SCHEMA-COMPLETE", "SCHEMA-SOUND", "SCHEMA-MAP", "SCHEMA-WORDS", "REQUEST-SCHEMA"),
        exchanges(_hard),
        "pydantic-ai#1598; openai-python#3805",
        capable("tools"),
    ),
)
