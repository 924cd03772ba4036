"""From a schema to its strict form, part by part.

References become definitions at the root, each converted once, so that recursion closes by itself; parts of ``allOf``
are merged before they are closed, conditions and dependencies become alternatives. Nothing is changed in place.
"""

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

from harness.contract.strict_schema.errors import SchemaNotStrict, Weakening
from harness.contract.strict_schema.merge import ANNOTATIONS, Schema, all_merged, as_list, demands, merged
from harness.contract.strict_schema.nullable import nullable
from harness.contract.strict_schema.parts import array_parts, disjoint, inferred_type, is_a, one_of_all, without
from harness.contract.strict_schema.pointers import name_of, resolve, steps
from harness.contract.strict_schema.targets import MAX_DEPTH, Target

#: definitions that one schema may lead to
_MOST_DEFINITIONS: Final = 5000
_SMALLER: Final = "Split the schema, or make it less deep"
_DESCRIBE: Final = "Describe its properties, or send the schema without strictness"
_STRUCTURE: Final = frozenset(
    {
        *("$ref", "$defs", "definitions", "allOf", "anyOf", "oneOf", "type", "properties", "required", "enum", "const"),
        *("additionalProperties", "patternProperties", "unevaluatedProperties", "unevaluatedItems"),
        *("items", "prefixItems", "additionalItems", "nullable"),
    }
)
_CONDITIONS: Final = ("if", "then", "else", "dependentSchemas", "dependencies")
_TELLS: Final = ("title", "description")


class Converter:
    """The conversion of one schema for one target."""

    def __init__(self, root: Any, target: Target) -> None:
        self.target = target
        self.weakenings: list[Weakening] = []
        self.definitions: Schema = {}
        self._root = root
        self._names: dict[str, str] = {}
        self._pending: deque[tuple[str, Any]] = deque()
        self._uses: dict[str, set[str]] = {}
        self._at = ""
        self._once: list[tuple[str, list[Any], bool]] = []

    def convert(self) -> Schema:
        """The strict schema. Raises SchemaNotStrict."""
        root = self.node(self._flat(self._root, "#", frozenset(), 0), "#", 0, whole=True)
        self._define_pending()
        for path, converted, certain in self._once:
            if not certain or not disjoint([self._named(part) for part in converted]):
                self._weaken(path, "oneOf became anyOf: several alternatives may hold at a time")
        if self.target.root == "object":
            root = self._one_object(root)
        if not self.target.recursive:
            self._refuse_recursion()
        return {**root, "$defs": self.definitions} if self.definitions else root

    def _named(self, part: Any) -> Any:
        """What a converted reference names."""
        return self.definitions[steps(part["$ref"])[-1]] if isinstance(part, dict) and "$ref" in part else part

    def _one_object(self, root: Any) -> Schema:
        """The root as one object: of alternatives, with the properties of all of them."""
        parts = [self._named(part) for part in root.get("anyOf", [root])]
        if not all(part.get("type") == "object" and "properties" in part for part in parts):
            raise SchemaNotStrict("#", "the root is not one object", "Put the value into a property of an object")
        if len(parts) == 1:
            return root if "anyOf" not in root else {**parts[0], **self._told(root)}
        self._weaken("#", "the alternatives of the root became one object: their properties may be mixed")
        return {**self._told(root), **one_of_all(parts, complete=self.target.complete)}

    def _define_pending(self) -> None:
        while self._pending:
            if len(self.definitions) > _MOST_DEFINITIONS:
                raise SchemaNotStrict("#/$defs", f"more than {_MOST_DEFINITIONS} definitions follow", _SMALLER)
            name, raw = self._pending.popleft()
            self._at = name
            self.definitions[name] = self.node(raw, f"#/$defs/{name}", 0, whole=True)

    def _refuse_recursion(self) -> None:
        uses = dict(self._uses)
        while uses:  # take away what uses nothing, until nothing is left, or only what goes round in a circle
            done = {name for name, used in uses.items() if uses.keys().isdisjoint(used)}
            if not done:
                circle = ", ".join(sorted(name for name in uses if name))
                raise SchemaNotStrict("#/$defs", f"{circle} lead back to themselves", "Bound the depth by hand")
            uses = {name: used for name, used in uses.items() if name not in done}

    def node(self, schema: Any, path: str, depth: int, *, whole: bool = False) -> Any:
        """The strict form of a part. ``whole`` parts stand for themselves: they become no definition of their own."""
        if depth > MAX_DEPTH:
            raise SchemaNotStrict(path, f"the schema nests deeper than {MAX_DEPTH} levels", _SMALLER)
        if isinstance(schema, bool) or not isinstance(schema, Mapping) or not any(demands(schema)):
            return self._anything(schema, path)
        if "$ref" in schema:
            return self._reference(schema, path)
        if "allOf" in schema:
            return self._joined(schema, path, depth, whole=whole)
        if any(key in schema for key in _CONDITIONS):
            return self._conditional(schema, path, depth)
        if "anyOf" in schema or "oneOf" in schema:
            return self._union(schema, path, depth)
        return self._plain(schema, path, depth)

    def _anything(self, schema: Any, path: str) -> Schema:
        if schema is not True and not isinstance(schema, Mapping):
            told = "takes no value" if schema is False else f"is no schema but {schema!r}"
            raise SchemaNotStrict(path, f"this part {told}", "Leave it out")
        if not self.target.open:
            raise SchemaNotStrict(path, "any value is taken here", "Give it a type")
        return self._told(schema) if isinstance(schema, Mapping) else {}

    # --- references -------------------------------------------------------------------------------------------

    def _reference(self, schema: Mapping[str, Any], path: str) -> Schema:
        beside = without(schema, ("$ref",))
        if any(demands(beside)):
            wanted = {key: value for key, value in beside.items() if key not in ANNOTATIONS}
            return self._beside(beside, self._defined_as({"allOf": [wanted, {"$ref": schema["$ref"]}]}, path))
        reference, raw = self._followed(schema["$ref"], path)
        return self._beside(beside, self._defined(reference, name_of(reference), raw))

    def _beside(self, schema: Mapping[str, Any], reference: Schema) -> Schema:
        """A reference stands alone: what tells moves outside of a choice of one."""
        told = self._told(schema)
        return {**told, "anyOf": [reference]} if told else reference

    def _followed(self, reference: Any, path: str) -> tuple[str, Any]:
        """The last of a chain of references, and what it names."""
        seen: set[Any] = set()
        raw = resolve(self._root, reference, path)
        while isinstance(raw, Mapping) and "$ref" in raw and not any(demands(without(raw, ("$ref",)))):
            if reference in seen:
                raise SchemaNotStrict(path, f"the reference {reference!r} names itself", "Let it name a schema")
            seen.add(reference)
            reference = raw["$ref"]
            raw = resolve(self._root, reference, path)
        return reference, raw

    def _defined_as(self, schema: Schema, path: str) -> Schema:
        """A reference to a definition of the schema's own, the same for equal schemas: so recursion closes."""
        parts = list(self._parts(schema["allOf"], path))
        name = next((name_of(part["$ref"]) for part in parts if "$ref" in part), "part")
        return self._defined(json.dumps(parts, sort_keys=True, default=repr), name, {"allOf": parts})

    def _defined(self, key: str, name: str, raw: Any) -> Schema:
        if key not in self._names:
            self._names[key] = next(free for free in _numbered(name) if free not in self.definitions)
            self._pending.append((self._names[key], raw))
            self.definitions[self._names[key]] = None
            self._uses[self._names[key]] = set()
        self._uses.setdefault(self._at, set()).add(self._names[key])
        return {"$ref": f"#/$defs/{self._names[key]}"}

    # --- parts that hold together ------------------------------------------------------------------------------

    def _joined(self, schema: Mapping[str, Any], path: str, depth: int, *, whole: bool) -> Any:
        beside = without(schema, ("allOf",))
        parts = list(self._parts(([beside] if any(demands(beside)) else []) + as_list(schema["allOf"]), path))
        told = {key: value for key, value in beside.items() if key in ANNOTATIONS}
        if not parts:
            return self._anything(told, path)
        if len(parts) == 1:
            return self.node({**parts[0], **told}, path, depth + 1, whole=whole)
        if not whole and any("$ref" in part for part in parts):
            return self._beside(told, self._defined_as({"allOf": parts}, path))
        flat = [self._flat(part, path, frozenset(), depth) for part in parts]
        return self.node({**all_merged(flat, path), **told}, path, depth + 1, whole=True)

    def _parts(self, schemas: Iterable[Any], path: str) -> Iterator[Schema]:
        """The parts of ``allOf`` that demand something, without those inside each other, each once."""
        seen: set[str] = set()
        queue = deque(schemas)
        while queue:
            part = queue.popleft()
            if part is True:
                continue
            if not isinstance(part, Mapping):
                raise SchemaNotStrict(path, "no value passes all parts of allOf", "Leave the part out")
            if not any(demands(part)):
                continue
            if "allOf" in part:
                beside = without(part, ("allOf",))
                queue.extendleft(reversed([*([beside] if any(demands(beside)) else []), *part["allOf"]]))
            elif (key := json.dumps(part, sort_keys=True, default=repr)) not in seen:
                seen.add(key)
                yield dict(part)

    def _flat(self, schema: Any, path: str, seen: frozenset[str], depth: int) -> Any:
        """The schema with a reference at its top replaced by what it names, as merging needs it."""
        if not isinstance(schema, Mapping) or "$ref" not in schema:
            return schema
        reference = schema["$ref"]
        if reference in seen or depth > MAX_DEPTH:
            raise SchemaNotStrict(path, f"the reference {reference!r} holds itself", "Let it hold at another place")
        named = self._flat(resolve(self._root, reference, path), path, seen | {reference}, depth + 1)
        beside = without(schema, ("$ref",))
        if not isinstance(named, Mapping):
            return {**beside, "allOf": [named]}
        if "allOf" in named and any(demands(beside)):
            return {**beside, "allOf": [named]}
        return merged(beside, named, path)

    # --- alternatives ------------------------------------------------------------------------------------------

    def _conditional(self, schema: Mapping[str, Any], path: str, depth: int) -> Any:
        base = without(schema, _CONDITIONS)
        told = {key: value for key, value in base.items() if key in ANNOTATIONS}
        alternatives: list[Any] = [[without(base, ANNOTATIONS)]]
        for branches in _branches(schema):
            alternatives = [[*held, *branch] for held in alternatives for branch in branches]
        self._weaken(path, "conditions are not checked: each of their branches passes")
        parts = [{"allOf": [*parts]} for parts in alternatives]
        return self.node({**told, "anyOf": parts}, path, depth + 1)

    def _union(self, schema: Mapping[str, Any], path: str, depth: int) -> Any:
        base = without(schema, ("anyOf", "oneOf"))
        if "anyOf" in schema and "oneOf" in schema:
            return self.node({**base, "allOf": [{key: schema[key]} for key in ("anyOf", "oneOf")]}, path, depth + 1)
        key = "anyOf" if "anyOf" in schema else "oneOf"
        alternatives = [part for part in as_list(schema[key]) if part is not False]
        if any(demands(base)):
            wanted = without(base, ANNOTATIONS)
            alternatives = [{"allOf": [wanted, part]} for part in alternatives]
        converted = [self.node(part, f"{path}/{key}/{place}", depth + 1) for place, part in enumerate(alternatives)]
        if key == "oneOf" and not self.target.one_of:
            self._once.append((path, converted, all(self._is_typed(part, path) for part in alternatives)))
        return self._chosen(key, converted, self._told(base), path)

    def _is_typed(self, schema: Any, path: str) -> bool:
        """Whether an alternative itself says what kind of value it takes, so that nothing had to be guessed."""
        if isinstance(schema, Mapping) and "$ref" in schema:
            _, schema = self._followed(schema["$ref"], path)
        return isinstance(schema, Mapping) and not schema.keys().isdisjoint(("type", "enum", "const"))

    def _chosen(self, key: str, converted: list[Any], told: Schema, path: str) -> Any:
        if not converted:
            raise SchemaNotStrict(path, f"{key} has no alternative", "Leave it out")
        if len(converted) == 1 and "$ref" not in converted[0]:
            return {**converted[0], **told}
        return {**told, key if self.target.one_of else "anyOf": converted}

    # --- one kind of value -------------------------------------------------------------------------------------

    def _plain(self, schema: Mapping[str, Any], path: str, depth: int) -> Schema:
        node = self._narrowing(schema, path)
        node |= self._values(schema, path)
        kind = schema.get("type", inferred_type(schema))
        if kind is not None:
            node["type"] = deepcopy(kind)
        elif not any(demands(node)):
            return self._anything(node, path)
        elif self.target.typed:
            raise SchemaNotStrict(path, "the type is not told", "Give it a type")
        if "enum" not in schema and "const" not in schema:
            node |= self._object(schema, node, path, depth) if "object" in as_list(kind) else {}
            node |= self._array(schema, node, path, depth) if "array" in as_list(kind) else {}
        return nullable(node) if schema.get("nullable") is True else node

    def _told(self, schema: Mapping[str, Any]) -> Schema:
        kept = (key for key in _TELLS if isinstance(schema.get(key), str) and self.target.takes(key, schema[key]))
        return {key: schema[key] for key in kept}

    def _narrowing(self, schema: Mapping[str, Any], path: str) -> Schema:
        """What stays of the keywords without structure; what does not, is told in the description."""
        others = {key: value for key, value in schema.items() if key not in _STRUCTURE}
        node = {key: deepcopy(value) for key, value in others.items() if self.target.takes(key, value)}
        lost = {key: value for key, value in others.items() if key not in node and key in set(demands(others))}
        for key, value in lost.items():
            self._weaken(path, f"{key} is not checked: {json.dumps(value, default=repr)}")
        if lost and self.target.takes("description", ""):
            limits = ", ".join(f"{key}: {json.dumps(value, default=repr)}" for key, value in lost.items())
            node["description"] = f"{schema.get('description', '')} ({limits})".lstrip()
        return node

    def _values(self, schema: Mapping[str, Any], path: str) -> Schema:
        """``enum`` and ``const``, whose values are data."""
        given = {key: schema[key] for key in ("enum", "const") if key in schema}
        values = [schema["const"]] if "const" in schema else as_list(given.get("enum", []))
        if self.target.scalars and any(isinstance(value, dict | list) for value in values):
            raise SchemaNotStrict(path, "an object or a list is among the values to choose from", _DESCRIBE)
        if given and "type" in schema and not any(is_a(value, schema["type"]) for value in values):
            raise SchemaNotStrict(path, f"none of {values!r} is of the type {schema['type']!r}", "Mend either")
        if "const" in given and not self.target.takes("const", None):
            given = {"enum": values}
        return deepcopy(given)

    def _object(self, schema: Mapping[str, Any], node: Schema, path: str, depth: int) -> Schema:
        properties = schema.get("properties", {})
        if not isinstance(properties, Mapping):
            raise SchemaNotStrict(f"{path}/properties", "it is no object", "Give each property a schema")
        extra = self._extra(schema, path)
        parts = {
            name: self.node(part, f"{path}/properties/{_escaped(name)}", depth + 1) for name, part in properties.items()
        }
        required = list(schema.get("required", []))
        if self.target.open:
            rest = {} if extra is None else {"additionalProperties": self._rest(extra, path, depth)}
            return {**self._open_parts(schema, parts, required), **rest}
        return self._closed(parts, required, path)

    def _extra(self, schema: Mapping[str, Any], path: str) -> Any:
        """What further properties may be: None where nothing is said of them."""
        extra = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
        patterns = schema.get("patternProperties")
        if patterns and self.target.open:
            self._weaken(path, f"names are not held to patternProperties: {json.dumps(list(patterns))}")
            rest = [extra] if isinstance(extra, Mapping) else []
            extra = {"anyOf": [*patterns.values(), *rest]} if extra is not None and extra is not True else True
        is_open = bool(patterns) or extra not in (None, False) or (extra is None and "properties" not in schema)
        if is_open and not self.target.open:
            raise SchemaNotStrict(path, "the object takes properties of any name, which a closed one cannot", _DESCRIBE)
        return extra

    def _rest(self, extra: Any, path: str, depth: int) -> Any:
        return extra if isinstance(extra, bool) else self.node(extra, f"{path}/additionalProperties", depth + 1)

    @staticmethod
    def _open_parts(schema: Mapping[str, Any], parts: Schema, required: list[str]) -> Schema:
        told = {"properties": parts} if "properties" in schema else {}
        return {**told, "required": required} if required else told

    def _closed(self, parts: Schema, required: list[str], path: str) -> Schema:
        unknown = [name for name in required if name not in parts]
        if unknown:
            raise SchemaNotStrict(path, f"{unknown} are required, and not described", _DESCRIBE)
        if self.target.complete:
            parts = {name: part if name in required else nullable(part) for name, part in parts.items()}
            required = list(parts)
        told = {"required": required} if required or self.target.complete else {}
        return {"properties": parts, **told, "additionalProperties": False}

    def _array(self, schema: Mapping[str, Any], node: Schema, path: str, depth: int) -> Schema:
        first, rest = array_parts(schema)
        if first and self.target.tuples:
            places = [self.node(part, f"{path}/prefixItems/{place}", depth + 1) for place, part in enumerate(first)]
            return {"prefixItems": places, **self._items(rest, path, depth)}
        if first:
            self._weaken(path, "items are not held to their places: prefixItems became a choice")
            among = [*first, *([True if rest is None else rest] if rest is not False else [])]
            return self._items(among[0] if len(among) == 1 else {"anyOf": among}, path, depth)
        return self._items(rest, path, depth)

    def _items(self, items: Any, path: str, depth: int) -> Schema:
        if items is None and self.target.open:
            return {}
        if items is False and self.target.tuples:
            return {"items": False}
        return {"items": self.node(True if items is None else items, f"{path}/items", depth + 1)}

    def _weaken(self, path: str, what: str) -> None:
        self.weakenings.append(Weakening(path, what))


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}_{number}"
        number += 1


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _branches(schema: Mapping[str, Any]) -> Iterator[list[list[Any]]]:
    """The alternatives that conditions leave, each as parts that must hold together."""
    if "if" in schema:
        met = [schema["if"]] if schema["if"] is not True else []
        yield [[*met, schema.get("then", True)], [schema.get("else", True)]]
    held = {**schema.get("dependentSchemas", {}), **schema.get("dependencies", {})}
    for name, part in held.items():
        needs = {"required": list(part)} if isinstance(part, list) else part
        yield [[needs, {"required": [name]}], []]
