"""Schemas to convert: drawn ones, and those of tools that people use."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict

Schema = dict[str, Any]

_NAMES: Final = st.sampled_from(["a", "b", "title", "default", "$ref", "properties", "required", "type", "x/y~z"])
_SCALARS: Final = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "minLength": 1},
        {"type": "string", "format": "date"},
        {"type": "string", "pattern": "^[a-c]+$"},
        {"type": "integer"},
        {"type": "integer", "minimum": 0, "maximum": 9},
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "boolean"},
        {"type": "null"},
        {"type": ["string", "null"]},
        {"enum": ["r", "g"]},
        {"enum": ["r", 1, None]},
        {"const": "k"},
        {"type": "string", "default": "$ref", "title": "T", "description": "D", "examples": ["properties"]},
        {"$ref": "#/$defs/Leaf"},
        {"$ref": "#/$defs/Leaf", "description": "With a sibling"},
        {"$ref": "#/$defs/Text", "minLength": 2},
        {"$ref": "#/$defs/a~1b"},
    ]
)
_DEFINITIONS: Final[Schema] = {
    "Leaf": {"type": "object", "properties": {"v": {"type": "integer"}, "w": {"type": "string"}}, "required": ["v"]},
    "Text": {"type": "string"},
    "a/b": {"type": "array", "items": {"type": "boolean"}},
}


def _objects(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.builds(_object, st.dictionaries(_NAMES, inner, max_size=4), st.sets(_NAMES), st.booleans())


def _object(properties: Mapping[str, Any], required: set[str], typed: bool) -> Schema:
    needed = [name for name in properties if name in required]
    kind = {"type": "object"} if typed or not properties else {}
    return {**kind, "properties": dict(properties), **({"required": needed} if needed else {})}


def _lists(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=3)
    pairs = some.map(lambda parts: {"type": "array", "prefixItems": parts, "items": False})
    return st.one_of(
        inner.map(lambda part: {"type": "array", "items": part}),
        inner.map(lambda part: {"type": "array", "items": part, "minItems": 1}),
        pairs,
    )


def _unions(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        some.map(lambda parts: {"anyOf": parts}),
        some.map(lambda parts: {"oneOf": parts}),
        inner.map(lambda part: {"anyOf": [part, {"type": "null"}], "default": None}),
    )


def _open(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(lambda part: {"type": "object", "additionalProperties": part}),
        inner.map(lambda part: {"type": "object", "properties": {"a": part}, "additionalProperties": True}),
        st.sampled_from([{}, True, {"type": "object"}, {"type": "array"}]),
    )


def _both(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(_objects(inner), min_size=1, max_size=2).map(lambda parts: {"allOf": parts})


_NODES: Final = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(*(draw(inner) for draw in (_objects, _objects, _lists, _unions, _open, _both))),
    max_leaves=8,
)

#: schemas whose root is an object, as a tool's is
DRAWN: Final = _objects(_NODES).map(lambda root: {**root, "type": "object", "$defs": _DEFINITIONS})

#: no value passes both parts of `a`
IMPOSSIBLE: Final[Schema] = {
    "type": "object",
    "properties": {"a": {"allOf": [{"$ref": "#/$defs/Leaf"}, {"enum": ["r", "g"]}]}},
    "$defs": _DEFINITIONS,
}

RECURSIVE: Final[Schema] = {
    "type": "object",
    "properties": {"n": {"$ref": "#/$defs/N", "description": "A sibling", "minProperties": 1}},
    "$defs": {
        "N": {
            "type": "object",
            "properties": {
                "v": {"type": "integer"},
                "next": {"$ref": "#/$defs/N", "title": "The next", "required": ["v"]},
                "all": {"type": "array", "items": {"allOf": [{"$ref": "#/$defs/N"}, {"required": ["v"]}]}},
            },
        }
    },
}


# --- tools that people use ------------------------------------------------------------------------------------------


class _Colour(Enum):
    RED = "red"
    BLUE = "blue"


class _Address(BaseModel):
    street: str = Field(min_length=1)
    city: str
    postcode: str | None = None


class _User(BaseModel):
    id: int = Field(gt=0)
    name: str = "Jane"
    addresses: list[_Address] = []
    colour: _Colour = _Colour.RED


class _Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class _Dog(BaseModel):
    kind: Literal["dog"]
    good: bool = True


class _Owner(BaseModel):
    pet: Annotated[_Cat | _Dog, Field(discriminator="kind")]
    others: list[_Cat | _Dog] = []


class _Tree(BaseModel):
    value: int
    children: list["_Tree"] = []


class _Aliased(BaseModel):
    first: str = Field(alias="firstName")
    of_type: str = Field(alias="type", default="plain")


_Item = TypeVar("_Item")


class _Page(BaseModel, Generic[_Item]):
    items: list[_Item]
    next: str | None = None


class _Bag(BaseModel):
    counts: dict[str, int]


class _Pair(BaseModel):
    place: tuple[float, float]
    labels: tuple[str, ...] = ()


class _Loose(BaseModel):
    model_config = ConfigDict(extra="allow")
    name: str


class _Anything(BaseModel):
    value: Any


@dataclass
class _Point:
    x: float
    y: float = 0.0
    label: str | None = None


class _Filter(TypedDict, total=False):
    field: str
    op: Literal["eq", "lt", "gt"]
    value: str | int | float | bool


class _Query(TypedDict):
    table: str
    filters: list[_Filter]


_PYTHON: Final = (
    *(_User, _Owner, _Tree, _Aliased, _Page[_User], _Page[int], _Bag),
    *(_Pair, _Loose, _Anything, _Point, _Filter, _Query),
)


def _tool(required: tuple[str, ...] = (), **properties: Any) -> Schema:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


_TEXT: Final = {"type": "string"}
_PATHS: Final = {"type": "array", "items": _TEXT}
_EDIT: Final = {**_tool(("oldText", "newText"), oldText=_TEXT, newText=_TEXT), "additionalProperties": False}

#: the reference servers of the Model Context Protocol, tool by tool, from their documentation
MCP: Final[Mapping[str, Schema]] = {
    "filesystem.read_text_file": _tool(("path",), path=_TEXT, head={"type": "number"}, tail={"type": "number"}),
    "filesystem.read_multiple_files": _tool(("paths",), paths={**_PATHS, "minItems": 1}),
    "filesystem.edit_file": _tool(
        ("path", "edits"),
        path=_TEXT,
        edits={"type": "array", "items": _EDIT},
        dryRun={"type": "boolean", "default": False},
    ),
    "filesystem.list_allowed_directories": _tool(),
    "filesystem.search_files": _tool(
        ("path", "pattern"), path=_TEXT, pattern=_TEXT, excludePatterns={**_PATHS, "default": []}
    ),
    "git.status": _tool(("repo_path",), repo_path={"title": "Repo Path", **_TEXT}),
    "git.log": _tool(
        ("repo_path",),
        repo_path=_TEXT,
        max_count={"type": "integer", "default": 10},
        start_timestamp={"anyOf": [_TEXT, {"type": "null"}], "default": None},
    ),
    "git.add": _tool(("repo_path", "files"), repo_path=_TEXT, files=_PATHS),
    "memory.create_entities": _tool(
        ("entities",),
        entities={
            "type": "array",
            "items": _tool(("name", "entityType", "observations"), name=_TEXT, entityType=_TEXT, observations=_PATHS),
        },
    ),
    "memory.read_graph": _tool(),
    "fetch.fetch": _tool(
        ("url",),
        url={"type": "string", "format": "uri", "minLength": 1},
        max_length={"type": "integer", "default": 5000, "exclusiveMinimum": 0, "exclusiveMaximum": 1000000},
        start_index={"type": "integer", "default": 0, "minimum": 0},
        raw={"type": "boolean", "default": False},
    ),
    "time.convert_time": _tool(
        ("source_timezone", "time", "target_timezone"), source_timezone=_TEXT, time=_TEXT, target_timezone=_TEXT
    ),
    "sequentialthinking": _tool(
        ("thought", "nextThoughtNeeded", "thoughtNumber", "totalThoughts"),
        thought=_TEXT,
        nextThoughtNeeded={"type": "boolean"},
        thoughtNumber={"type": "integer", "minimum": 1},
        totalThoughts={"type": "integer", "minimum": 1},
        branchId=_TEXT,
    ),
    "everything.echo": _tool(("message",), message=_TEXT),
    "everything.annotatedMessage": _tool(
        ("messageType",),
        messageType={"type": "string", "enum": ["error", "success", "debug"]},
        includeImage={"type": "boolean", "default": False},
    ),
    "everything.elicit": {"type": "object"},
}

#: models, dataclasses and typed dictionaries, and tools written by hand
TOOLS: Final[Mapping[str, Schema]] = {
    **{getattr(kind, "__name__", str(kind)).strip("_"): TypeAdapter(kind).json_schema() for kind in _PYTHON},
    "weather": _tool(("city",), city=_TEXT, unit={"enum": ["c", "f"]}),
    "search": {**_tool(("q",), q=_TEXT, limit={"type": "integer", "minimum": 1, "maximum": 50}), "title": "search"},
    "email": _tool(
        ("to",), to={"type": "array", "items": {"type": "string", "format": "email"}}, cc=_PATHS, body=_TEXT
    ),
    "call_or_text": {
        **_tool((), phone=_TEXT, email=_TEXT),
        "anyOf": [{"required": ["phone"]}, {"required": ["email"]}],
    },
    "conditional": {
        **_tool(("kind",), kind={"enum": ["file", "text"]}),
        "if": {"properties": {"kind": {"const": "file"}}},
        "then": {"properties": {"path": _TEXT}, "required": ["path"]},
        "else": {"properties": {"text": _TEXT}},
    },
    "dependent": {**_tool((), card=_TEXT, cvc=_TEXT), "dependentRequired": {"card": ["cvc"]}},
    "headers": _tool(("url",), url=_TEXT, headers={"type": "object", "additionalProperties": _TEXT}),
    "patterned": _tool((), env={"type": "object", "patternProperties": {"^[A-Z_]+$": _TEXT}}),
    "nullable": _tool((), note={"type": "string", "nullable": True}),
    "all_of": {"allOf": [{"$ref": "#/$defs/A"}, _tool((), b=_TEXT)], "$defs": {"A": _tool(("a",), a=_TEXT)}},
    "untyped": {"properties": {"a": _TEXT}},
    "type_list": _tool((), a={"type": ["object", "null"], "properties": {"b": _TEXT}}),
    "draft4_tuple": _tool((), t={"type": "array", "items": [_TEXT, {"type": "number"}], "additionalItems": False}),
    "not_empty": _tool((), s={"type": "string", "not": {"const": ""}}),
    "unique": _tool((), tags={**_PATHS, "uniqueItems": True}),
    "recursive": RECURSIVE,
    "outside": _tool((), a={"$ref": "https://example.org/schema.json"}),
    "dangling": _tool((), a={"$ref": "#/$defs/Missing"}),
    "itself": {**_tool((), a={"$ref": "#/$defs/A"}), "$defs": {"A": {"$ref": "#/$defs/A"}}},
}
