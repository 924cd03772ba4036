"""From the contract's arguments to a Converse request."""

from collections.abc import Callable, Mapping
from itertools import groupby
from typing import Any, Final

from providers._shared.request import Request
from providers.bedrock.config import is_claude, is_deepseek
from providers.bedrock.content import Block, Form, cache_point, format_block, format_system
from providers.bedrock.guardrails import guarded, guardrail_config, last_user_text
from providers.bedrock.tools import tool_config

#: cache points that a request may have; source: the user guide's page on prompt caching
_MAX_CACHE_POINTS: Final = 4


def streams(call: Request) -> bool:
    """Whether the reply is to be streamed."""
    return call.config.get("streaming") is not False


def _form(call: Request) -> Form:
    claude, status = is_claude(call.model_id), call.config.get("include_tool_result_status", "auto")
    return Form(
        status=claude if status == "auto" else bool(status),
        reasoning=not is_deepseek(call.model_id),
        unsigned_reasoning=not claude,
    )


def request_of(call: Request) -> dict[str, Any]:
    """The keyword arguments of ``converse_stream`` or ``converse``."""
    return {"modelId": call.model_id, **_members(call, _MEMBERS), **(call.config.get("additional_args") or {})}


def counted_of(call: Request) -> dict[str, Any]:
    """What ``count_tokens`` counts of the same request."""
    return _members(call, _COUNTED)


def _members(call: Request, names: tuple[str, ...]) -> dict[str, Any]:
    built = ((name, _BUILDERS[name](call)) for name in names)
    return {name: value for name, value in built if value or name == "messages"}


# --- messages


def _messages(call: Request) -> list[Block]:
    """The messages, without those that are empty; the service wants turns to alternate, so equal roles are joined."""
    assessed = last_user_text(call.messages) if call.config.get("guardrail_latest_message") else None
    form = _form(call)
    turns = [
        (message["role"], [guarded(block) if index == assessed else block for block in _content(message, form)])
        for index, message in enumerate(call.messages)
    ]
    joined = [
        {"role": role, "content": [block for _, content in run for block in content]}
        for role, run in groupby((turn for turn in turns if turn[1]), key=lambda turn: turn[0])
    ]
    if _caches_messages(call):
        _add_cache_point(joined, call.config["cache_config"].ttl)
    return joined


def _content(message: Any, form: Form) -> list[Block]:
    blocks = (format_block(block, form) for block in message["content"])
    return [block for block in blocks if block is not None]


def _caches_messages(call: Request) -> bool:
    cache = call.config.get("cache_config")
    return cache is not None and (cache.strategy == "anthropic" or is_claude(call.model_id))


def _add_cache_point(messages: list[Block], ttl: str | None) -> None:
    """Put a cache point on the last user message, unless it has one, or the messages have as many as there may be.

    Not after a document: the service refuses a cache point there.
    """
    points = sum("cachePoint" in block for message in messages for block in message["content"])
    content: list[Block] = next((message["content"] for message in reversed(messages) if message["role"] == "user"), [])
    places = [index for index, block in enumerate(content) if "document" not in block]
    if places and points < _MAX_CACHE_POINTS and not any("cachePoint" in block for block in content):
        content.insert(places[-1] + 1, cache_point(ttl=ttl))


# --- the other members


def _system(call: Request) -> list[Block]:
    form = _form(call)
    formatted = (format_system(block, form) for block in call.system)
    blocks = [block for block in formatted if block is not None]
    kind = call.config.get("cache_prompt")
    return [*blocks, cache_point(kind)] if kind and blocks else blocks


def _inference(call: Request) -> Block:
    return {
        name: call.config[key]
        for name, key in (
            ("maxTokens", "max_tokens"),
            ("temperature", "temperature"),
            ("topP", "top_p"),
            ("stopSequences", "stop_sequences"),
        )
        if call.config.get(key) is not None
    }


def _additional_fields(call: Request) -> Block:
    """Parameters of the model's own. Claude refuses to think when it is forced to call a tool."""
    fields = dict(call.config.get("additional_request_fields") or {})
    if call.forces_call:
        fields.pop("thinking", None)
    return fields


_BUILDERS: Final[Mapping[str, Callable[[Request], Any]]] = {
    "messages": _messages,
    "system": _system,
    "inferenceConfig": _inference,
    "toolConfig": tool_config,
    "guardrailConfig": lambda call: guardrail_config(call.config, streaming=streams(call)),
    "additionalModelRequestFields": _additional_fields,
    "additionalModelResponseFieldPaths": lambda call: call.config.get("additional_response_field_paths"),
    "performanceConfig": lambda call: _renamed(call, "latency", "performance_latency"),
    "serviceTier": lambda call: _renamed(call, "type", "service_tier"),
}

_MEMBERS: Final = tuple(_BUILDERS)
_COUNTED: Final = ("messages", "system", "toolConfig", "additionalModelRequestFields")


def _renamed(call: Request, name: str, key: str) -> Block:
    value = call.config.get(key)
    return {name: value} if value else {}
