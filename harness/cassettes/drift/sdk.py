"""The SDKs' own types as a witness: whether they know a field."""

import inspect
import types
import typing
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, Final

from harness.cassettes.drift.inventory import Path

#: the types of streamed events and of whole replies, by the dialect that says them
_ROOTS: Final = {
    "openai_chat": ("openai.types.chat:ChatCompletionChunk", "openai.types.chat:ChatCompletion"),
    "openai_responses": ("openai.types.responses:ResponseStreamEvent", "openai.types.responses:Response"),
    "anthropic_messages": ("anthropic.types:RawMessageStreamEvent", "anthropic.types:Message"),
    "gemini_generate": ("google.genai.types:GenerateContentResponse",),
    "ollama_chat": ("ollama:ChatResponse",),
    "writer_chat": ("writerai.types:ChatCompletionChunk", "writerai.types:ChatCompletion"),
    "llama_api": (
        "llama_api_client.types:CreateChatCompletionResponseStreamChunk",
        "llama_api_client.types:CreateChatCompletionResponse",
    ),
}
_CONTAINERS: Final = (list, tuple, set)


def knows(dialect: str, path: Path) -> bool | None:
    """Whether a type of the dialect's SDK has a field; None where there are no types, or they are not installed."""
    roots = _types(dialect)
    if not roots:
        return None
    # Named events: the framing's name is no field, and the types of all events are tried.
    return any(_has(root, steps) for root in roots for steps in (path, path[1:]) if steps)


@cache
def _types(dialect: str) -> tuple[Any, ...]:
    try:
        return tuple(_resolved(root) for root in _ROOTS.get(dialect, ()))
    except (ImportError, AttributeError):
        return ()


def _resolved(root: str) -> Any:
    module, _, name = root.partition(":")
    return getattr(import_module(module), name)


def _has(kind: Any, path: Path) -> bool:
    """Whether a type, or a member of a union, has the path."""
    if not path:
        return True
    return any(_steps_in(member, path) for member in _members(kind))


def _steps_in(kind: Any, path: Path) -> bool:
    step, *rest = path
    if typing.get_origin(kind) in _CONTAINERS:
        return step == "[]" and any(_has(item, tuple(rest)) for item in typing.get_args(kind))
    if typing.get_origin(kind) is dict or kind in (Any, object, dict):
        return True
    found = _field(kind, step)
    return found is not None and _has(found, tuple(rest))


def _members(kind: Any) -> Iterator[Any]:
    """The alternatives of a type, annotations and aliases undone."""
    if hasattr(kind, "__value__"):
        yield from _members(kind.__value__)
    elif typing.get_origin(kind) is typing.Annotated:
        yield from _members(typing.get_args(kind)[0])
    elif typing.get_origin(kind) in (typing.Union, types.UnionType):
        for member in typing.get_args(kind):
            yield from _members(member)
    else:
        yield kind


def _field(kind: Any, name: str) -> Any:
    """The type of a model's field, by its name or the wire's; None where it has none."""
    fields = getattr(kind, "model_fields", {}) if inspect.isclass(kind) else {}
    return next((f.annotation for own, f in fields.items() if name in (own, f.alias, _camel(own))), None)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)
