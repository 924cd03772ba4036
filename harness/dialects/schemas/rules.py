"""The rules of which targets are made: each takes a schema and gives what a service would refuse."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.schemas.places import Place, Schema, places, resolve


@dataclass(frozen=True)
class Document:
    """A schema on trial. ``path`` is where it stands in the request, ``owner`` what the vendor's words call it."""

    schema: Schema
    path: str
    owner: str = "schema"

    @cached_property
    def places(self) -> list[Place]:
        """The schema and all in it."""
        return list(places(self.schema, self.path))

    def fault(self, path: str, what: str, words: str, **more: Any) -> RequestFault:
        """A fault; ``words`` may name ``{owner}`` and whatever else is given."""
        return RequestFault(RequestFaultKind.SCHEMA, path, what, words.format(owner=self.owner, **more))


Rule = Callable[[Document], Iterable[RequestFault]]


def root_object(words: str, refused: tuple[str, ...] = ()) -> Rule:
    """The root is an object, and has none of some keywords."""

    def rule(document: Document) -> Iterator[RequestFault]:
        kind = document.schema.get("type")
        if kind != "object":
            yield document.fault(f"{document.path}.type", repr(kind), words, met=kind)
        for key in refused:
            if key in document.schema:
                yield document.fault(f"{document.path}.{key}", "at the root", words, met=key)

    return rule


def closed(words: str) -> Rule:
    """Every object says that it takes no other properties."""

    def rule(document: Document) -> Iterator[RequestFault]:
        for place in document.places:
            if place.is_object and place.schema.get("additionalProperties") is not False:
                met = repr(place.schema.get("additionalProperties"))
                yield document.fault(f"{place.path}.additionalProperties", met, words)

    return rule


def all_required(words: str) -> Rule:
    """Every property is required, and nothing else is."""

    def rule(document: Document) -> Iterator[RequestFault]:
        for place in document.places:
            required, named = place.schema.get("required") or (), place.schema.get("properties") or {}
            for key in named:
                if key not in required:
                    yield document.fault(f"{place.path}.required", f"{key!r} is not in it", words, key=key)

    return rule


def no_keywords(words: str, *refused: str) -> Rule:
    """Some keywords are nowhere."""

    def rule(document: Document) -> Iterator[RequestFault]:
        for place in document.places:
            for key in refused:
                if key in place.schema:
                    yield document.fault(f"{place.path}.{key}", "unsupported keyword", words, key=key)

    return rule


def no_keywords_of(words: str, refused: Mapping[str, tuple[str, ...]]) -> Rule:
    """Some keywords are not beside some types."""

    def rule(document: Document) -> Iterator[RequestFault]:
        for place in document.places:
            for kind in _kinds(place.schema):
                for key in refused.get(kind, ()):
                    if key in place.schema:
                        yield document.fault(f"{place.path}.{key}", f"of type {kind}", words, key=key, kind=kind)

    return rule


def _kinds(schema: Schema) -> list[str]:
    told = schema.get("type")
    return [told] if isinstance(told, str) else [kind for kind in told or () if isinstance(kind, str)]


def values(words: str, keyword: str, allowed: Callable[[Any], bool]) -> Rule:
    """A keyword has only certain values."""

    def rule(document: Document) -> Iterator[RequestFault]:
        for place in document.places:
            if keyword in place.schema and not allowed(place.schema[keyword]):
                met = place.schema[keyword]
                yield document.fault(f"{place.path}.{keyword}", repr(met)[:80], words, met=met)

    return rule


def local_references(words: str) -> Rule:
    """References point at something in the document."""

    def rule(document: Document) -> Iterator[RequestFault]:
        for place in document.places:
            target = place.schema.get("$ref")
            if isinstance(target, str) and resolve(document.schema, target) is None:
                yield document.fault(f"{place.path}.$ref", repr(target), words, met=target)

    return rule


def lone_references(words: str, besides: Callable[[str], bool] = lambda key: False) -> Rule:
    """References have no neighbours, but for some."""

    def rule(document: Document) -> Iterator[RequestFault]:
        for place in document.places:
            met = sorted(key for key in place.schema if key != "$ref" and not besides(key))
            if isinstance(place.schema.get("$ref"), str) and met:
                yield document.fault(f"{place.path}.$ref", f"beside {', '.join(met)}", words, met=set(met))

    return rule


def no_recursion(words: str) -> Rule:
    """No definition holds itself."""

    def rule(document: Document) -> Iterator[RequestFault]:
        graph = {name: _references(resolve(document.schema, name)) for name in _references(document.schema)}
        for name in graph:
            if name in _reached(graph, name):
                yield document.fault(document.path, f"{name} holds itself", words, met=name)

    return rule


def _references(schema: Schema | None) -> set[str]:
    found = (place.schema.get("$ref") for place in places(schema, ""))
    return {reference for reference in found if isinstance(reference, str)}


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """The references behind a reference, at any distance."""
    reached: set[str] = set()
    waiting = list(graph[start])
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += graph.get(name, ())
    return reached


@dataclass(frozen=True)
class Limits:
    """How much a schema may hold; None where there is no limit. ``words`` is the document that says so."""

    words: str
    properties: int | None = None
    levels: int | None = None
    enum_values: int | None = None
    #: characters of names and literal values together
    characters: int | None = None
    #: places that may have one of a keyword's kinds
    optional: int | None = None
    unions: int | None = None
    _counted: tuple[str, ...] = field(
        default=("properties", "levels", "enum_values", "characters", "optional", "unions")
    )

    def __call__(self, document: Document) -> Iterator[RequestFault]:
        """What of the schema is too much."""
        for name in self._counted:
            most, met = getattr(self, name), _COUNTS[name](document.places)
            if most is not None and met > most:
                yield document.fault(document.path, f"{name.replace('_', ' ')}: {met} of {most}", self.words)


def _optional(found: list[Place]) -> int:
    return sum(len(set(p.schema.get("properties") or ()) - set(p.schema.get("required") or ())) for p in found)


def _characters(found: list[Place]) -> int:
    names = [name for p in found for key in ("properties", "$defs") for name in p.schema.get(key) or ()]
    literals = [str(value) for p in found for value in (*(p.schema.get("enum") or ()), p.schema.get("const", ""))]
    return sum(map(len, names)) + sum(map(len, literals))


_COUNTS: Mapping[str, Callable[[list[Place]], int]] = {
    "properties": lambda found: sum(len(p.schema.get("properties") or ()) for p in found),
    "levels": lambda found: max((p.level + p.is_object for p in found), default=0),
    "enum_values": lambda found: sum(len(p.schema.get("enum") or ()) for p in found),
    "characters": _characters,
    "optional": _optional,
    "unions": lambda found: sum("anyOf" in p.schema or isinstance(p.schema.get("type"), list) for p in found),
}
