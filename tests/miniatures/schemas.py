"""Miniatures of the rules about schemas: converters that forget, close, lose, change what is not theirs, and run on."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from harness.dialects.schemas import places
from tests.miniatures.adapters import Asking
from tests.miniatures.miniature import Miniature, rewritten

Schema = dict[str, Any]


def _everywhere(change: Callable[[Schema], None]) -> Callable[[dict[str, Any]], None]:
    """A change of every subschema of the tools in a request of OpenAI's."""

    def edit(body: dict[str, Any]) -> None:
        for schema in _subschemas(body):
            change(schema)

    return edit


def _subschemas(body: dict[str, Any]) -> Iterator[Any]:
    for tool in body["tools"]:
        for place in list(places(tool["function"]["parameters"], "")):
            yield place.schema


def _all_required(schema: Schema) -> None:
    if "properties" in schema:
        schema["required"] = list(schema["properties"])


def _closed(schema: Schema) -> None:
    if schema.get("type") == "object" and "properties" not in schema:
        schema.update(properties={}, additionalProperties=False)


def _without_limits(schema: Schema) -> None:
    if "$ref" in schema:
        for name in set(schema) - {"$ref", "description", "$defs"}:
            del schema[name]


def _without_words(schema: Schema) -> None:
    if "$ref" in schema:
        schema.pop("description", None)


def _close_root(asked: dict[str, Any]) -> None:
    for spec in asked["tool_specs"] or ():
        spec["inputSchema"]["json"]["additionalProperties"] = False


def _inline(asked: dict[str, Any]) -> None:
    for spec in asked["tool_specs"] or ():
        schema = spec["inputSchema"]["json"]
        _inlined(schema, schema.get("$defs", {}))


def _inlined(schema: Any, definitions: Schema) -> Any:
    if isinstance(schema, list):
        return [_inlined(item, definitions) for item in schema]
    if not isinstance(schema, dict):
        return schema
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    return {key: _inlined(value, definitions) for key, value in {**schema, **definitions.get(name, {})}.items()}


def _on_the_wire(rule: str, title: str, change: Callable[[Schema], None]) -> Miniature:
    return Miniature(rule, title, "schemas", rewrite=rewritten(_everywhere(change)), on=("openai",))


SCHEMAS: Final = (
    _on_the_wire("SCHEMA-COMPLETE", "optional properties become required", _all_required),
    _on_the_wire("SCHEMA-MAP", "open maps become empty objects", _closed),
    _on_the_wire("SCHEMA-SOUND", "references lose what limits them", _without_limits),
    _on_the_wire("SCHEMA-WORDS", "references lose their descriptions", _without_words),
    Miniature("SCHEMA-HANDLED", "writes references out for ever", "schemas", Asking.by(_inline)),
    Miniature("LIFE-INPUTS", "closes the caller's own schema", "schemas", Asking.by(_close_root)),
)
