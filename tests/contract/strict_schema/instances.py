"""Values drawn for a schema: mostly valid ones, which the caller makes sure of."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from hypothesis import strategies as st

_DEPTH: Final = 6
_BY_TYPE: Final[Mapping[str, st.SearchStrategy[Any]]] = {
    "string": st.sampled_from(["", "a", "abc", "2024-02-29", "wörld"]),
    "integer": st.integers(-3, 12),
    "number": st.sampled_from([0.5, 1, 7.25, 10]),
    "boolean": st.booleans(),
    "null": st.none(),
}


@st.composite
def instances(draw: st.DrawFn, schema: Any, root: Any, depth: int = 0) -> Any:
    """A value of the schema, as far as its keywords show how to make one."""
    if not isinstance(schema, Mapping) or not schema:
        return draw(st.sampled_from([None, 1, "a", [], {}]))
    if "$ref" in schema:
        return draw(instances(_named(schema["$ref"], root), root, depth + 1))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return draw(instances(draw(st.sampled_from(schema[key])), root, depth + 1))
    if "allOf" in schema:
        parts = [draw(instances(part, root, depth + 1)) for part in schema["allOf"]]
        return {name: value for part in parts if isinstance(part, dict) for name, value in part.items()}
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else draw(st.sampled_from(schema["enum"]))
    return draw(_typed(schema, root, depth))


@st.composite
def _typed(draw: st.DrawFn, schema: Mapping[str, Any], root: Any, depth: int) -> Any:
    kinds = schema.get("type", "object" if "properties" in schema else "string")
    kind = kinds if isinstance(kinds, str) else draw(st.sampled_from(kinds))
    if kind == "object":
        return draw(_object(schema, root, depth))
    if kind == "array":
        first = [draw(instances(part, root, depth + 1)) for part in schema.get("prefixItems", ())]
        most = 0 if depth > _DEPTH or schema.get("items") is False else 2
        least = min(int(schema.get("minItems", 0)), most)
        rest = st.lists(instances(schema.get("items"), root, depth + 1), min_size=least, max_size=most)
        return [*first, *draw(rest)]
    return draw(_BY_TYPE[kind])


@st.composite
def _object(draw: st.DrawFn, schema: Mapping[str, Any], root: Any, depth: int) -> Any:
    properties, required = schema.get("properties", {}), schema.get("required", ())
    wanted = [name for name in properties if name in required or (depth < _DEPTH and draw(st.booleans()))]
    value = {name: draw(instances(properties[name], root, depth + 1)) for name in wanted}
    extra = schema.get("additionalProperties")
    if isinstance(extra, Mapping) and draw(st.booleans()):
        value["other"] = draw(instances(extra, root, depth + 1))
    return value


def _named(reference: str, root: Any) -> Any:
    part = root
    for step in reference.split("/")[1:]:
        part = part[unquote(step).replace("~1", "/").replace("~0", "~")]
    return part
