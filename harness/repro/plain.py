"""Records as plain values and back, by the types of their fields, so that a file of unknown origin makes nothing else.

Fields that hold their default are left out. Where a field may hold one of several records, the record is named:
``{"Text": {"text": "Hello"}}``. Classes of output models are named by the place where they are defined, and only
those of the scenarios are looked up.
"""

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from enum import Enum
from functools import cache
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from harness.recordings.fields import Field
from harness.recordings.model import Malformed

#: where output models may come from
_MODELS: Final = "harness.scenarios.catalogue."
_SCALARS: Final = (bool, int, float, str, bytes)


class NotPlainError(TypeError):
    """A value that plain ones cannot stand for."""


def to_plain(value: Any, hint: Any = Any) -> Any:
    """A value as mappings, lists, texts, numbers and bytes. Raises NotPlainError."""
    return None if value is None else _way(hint).write(value, hint)


def from_plain(field: Field, hint: Any) -> Any:
    """The value of a type that a plain one stands for. Raises Malformed."""
    return _way(hint).read(field, hint)


class _Way(NamedTuple):
    """How values of some types are written and read; both take the type, too."""

    fits: Callable[[Any], bool]
    write: Callable[[Any, Any], Any]
    read: Callable[[Field, Any], Any]


# --- records ----------------------------------------------------------------------------------------------------------


def _hints(kind: Any) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _is_record(hint: Any) -> bool:
    return isinstance(hint, type) and dataclasses.is_dataclass(hint)


def _write_record(value: Any, hint: Any) -> dict[str, Any]:
    if type(value) is not hint:
        raise NotPlainError(f"{type(value).__name__} in the place of {hint.__name__}")
    hints = _hints(hint)
    held = {each: getattr(value, each.name) for each in dataclasses.fields(hint)}
    return {each.name: to_plain(one, hints[each.name]) for each, one in held.items() if not _is_default(each, one)}


def _is_default(each: "dataclasses.Field[Any]", value: Any) -> bool:
    made = each.default if each.default_factory is dataclasses.MISSING else each.default_factory()
    return type(value) is type(made) and bool(value == made)


def _read_record(field: Field, hint: Any) -> Any:
    hints, members = _hints(hint), dict(field.members())
    if strange := members.keys() - hints.keys():
        raise field.get(min(strange)).misfit(f"nothing: a {hint.__name__} has {', '.join(hints)}")
    values = {name: from_plain(member, hints[name]) for name, member in members.items()}
    try:
        return hint(**values)
    except (TypeError, ValueError) as error:
        raise Malformed(f"{field.place or 'the document'}: {error}") from None


# --- one of several ---------------------------------------------------------------------------------------------------


def _is_union(hint: Any) -> bool:
    """Whether it is one type or nothing, or one of several records; the contract's own dictionaries are plain."""
    kinds = _members(hint) if get_origin(hint) in (Union, types.UnionType) else []
    return len(kinds) == 1 or (bool(kinds) and all(map(_is_record, kinds)))


def _members(hint: Any) -> list[Any]:
    return [each for each in get_args(hint) if each is not type(None)]


def _write_union(value: Any, hint: Any) -> Any:
    kinds = _members(hint)
    return to_plain(value, kinds[0]) if len(kinds) == 1 else {type(value).__name__: to_plain(value, type(value))}


def _read_union(field: Field, hint: Any) -> Any:
    kinds = _members(hint)
    if field.value is None and type(None) in get_args(hint):
        return None
    if len(kinds) == 1:
        return from_plain(field, kinds[0])
    named = {kind.__name__: kind for kind in kinds}
    members = field.members()
    if len(members) != 1 or members[0][0] not in named:
        raise field.misfit(f"one of {', '.join(named)}")
    ((name, member),) = members
    return _read_record(member, named[name])


# --- models of structured output --------------------------------------------------------------------------------------


def _name_model(model: type[BaseModel], _: Any = None) -> str:
    name = f"{model.__module__}:{model.__qualname__}"
    try:
        found = _find_model(Field(name))
    except Malformed:
        found = None
    if found is not model:
        raise NotPlainError(f"{name} is no model that can be looked up")
    return name


def _find_model(field: Field, _: Any = None) -> type[BaseModel]:
    module, _colon, name = field.text().partition(":")
    if module.startswith(_MODELS) and all(part.isidentifier() for part in module.split(".")):
        try:
            found = getattr(import_module(module), name, None)
        except ImportError:
            found = None
        if isinstance(found, type) and issubclass(found, BaseModel):
            return found
    raise field.misfit("a model of the scenarios'")


def _write_instance(value: BaseModel, _: Any) -> dict[str, Any]:
    return {"model": _name_model(type(value)), "value": value.model_dump(mode="json", by_alias=True)}


def _read_instance(field: Field, _: Any) -> BaseModel:
    model = _find_model(field.at("model"))
    try:
        return model.model_validate(field.at("value").value)
    except ValidationError as error:
        raise Malformed(f"{field.place}: no {model.__name__}: {error.errors()[0]['msg']}") from None


def _is_kind(hint: Any, kind: type) -> bool:
    return isinstance(hint, type) and get_origin(hint) is None and issubclass(hint, kind)


# --- rows, mappings, and what is plain by itself ----------------------------------------------------------------------


def _kinds(hint: Any, count: int) -> list[Any]:
    """The types of a tuple's items."""
    args = get_args(hint)
    return [args[0]] * count if args[-1] is Ellipsis else list(args)


def _write_row(value: tuple[Any, ...], hint: Any) -> list[Any]:
    return [to_plain(item, kind) for item, kind in zip(value, _kinds(hint, len(value)), strict=True)]


def _read_row(field: Field, hint: Any) -> tuple[Any, ...]:
    items = field.items()
    kinds = _kinds(hint, len(items))
    if len(kinds) != len(items):
        raise field.misfit(f"{len(kinds)} items")
    return tuple(from_plain(item, kind) for item, kind in zip(items, kinds, strict=True))


def _write_mapping(value: Mapping[str, Any], hint: Any) -> dict[str, Any]:
    return {_write_plain(name, str): to_plain(item, get_args(hint)[1]) for name, item in value.items()}


def _read_mapping(field: Field, hint: Any) -> dict[str, Any]:
    return {name: from_plain(item, get_args(hint)[1]) for name, item in field.members()}


def _write_plain(value: Any, _: Any) -> Any:
    """A copy. Only the very types of plain values are: a text of a class of its own would lose its class."""
    if value is None or type(value) in _SCALARS:
        return value
    if type(value) is list:
        return [_write_plain(item, Any) for item in value]
    if type(value) is dict and all(type(name) is str for name in value):
        return {name: _write_plain(item, Any) for name, item in value.items()}
    raise NotPlainError(f"a {type(value).__name__}")


def _read_plain(field: Field, hint: Any) -> Any:
    """The value itself, once it is known to have the shape of the contract's dictionaries, where it must have one."""
    try:
        _shape(hint).validate_python(field.value, strict=True)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, (field.place, *found["loc"])))
        raise Malformed(f"{place}: {found['msg']}") from None
    return field.value


@cache
def _shape(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(hint)


def _read_scalar(field: Field, hint: Any) -> Any:
    value = float(field.value) if hint is float and type(field.value) is int else field.value
    if type(value) is not hint:
        raise field.misfit(f"a value of type {hint.__name__}")
    return value


def _read_member(field: Field, hint: Any) -> Any:
    try:
        return hint(field.value)
    except ValueError:
        raise field.misfit(f"one of {', '.join(str(each.value) for each in hint)}") from None


def _read_literal(field: Field, hint: Any) -> Any:
    if field.value not in get_args(hint):
        raise field.misfit(f"one of {', '.join(map(str, get_args(hint)))}")
    return field.value


#: the first that fits
_WAYS: Final[tuple[_Way, ...]] = (
    _Way(_is_union, _write_union, _read_union),
    _Way(_is_record, _write_record, _read_record),
    _Way(lambda hint: _is_kind(hint, Enum), lambda value, _: value.value, _read_member),
    _Way(lambda hint: _is_kind(hint, BaseModel), _write_instance, _read_instance),
    _Way(lambda hint: get_origin(hint) is type, _name_model, _find_model),
    _Way(lambda hint: get_origin(hint) is tuple, _write_row, _read_row),
    _Way(lambda hint: get_origin(hint) is Mapping, _write_mapping, _read_mapping),
    _Way(lambda hint: get_origin(hint) is Literal, _write_plain, _read_literal),
    _Way(lambda hint: hint in _SCALARS, _write_plain, _read_scalar),
    _Way(lambda _: True, _write_plain, _read_plain),
)


def _way(hint: Any) -> _Way:
    return next(way for way in _WAYS if way.fits(hint))
