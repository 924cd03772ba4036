"""From the contract's arguments to a Converse request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from harness.contract.content import Messages, SystemContentBlock, ToolChoice, ToolSpec
from providers.bedrock.config import is_claude, is_deepseek
from providers.bedrock.content import Block, Form, cache_point, format_block, format_system
from providers.bedrock.guardrails import guarded, guardrail_config, last_user_text
from providers.bedrock.names import ToolNames
from providers.bedrock.tools import called_tools, is_forced, tool_config

#: cache points that a request may have; source: the user guide's page on prompt caching
_MAX_CACHE_POINTS: Final = 4


def system_blocks(prompt: str | None, content: list[SystemContentBlock] | None) -> list[SystemContentBlock]:
    """The system prompt as blocks; ``content`` wins."""
    return content or ([{"text": prompt}] if prompt else [])


@dataclass(frozen=True)
class Call:
    """One call's arguments, with the settings that hold for it. Nothing in it is changed."""

    config: Mapping[str, Any]
    messages: Messages
    tool_specs: list[ToolSpec] | None = None
    system: list[SystemContentBlock] | None = None
    tool_choice: ToolChoice | None = None
    streaming: bool = True

    @property
    def model_id(self) -> str:
        """Id of the model or inference profile."""
        return str(self.config["model_id"])

    @cached_property
    def tools(self) -> ToolNames:
        """Names of the tools given and of those called in the history."""
        return ToolNames([*(spec["name"] for spec in self.tool_specs or ()), *called_tools(self.messages)])

    @cached_property
    def form(self) -> Form:
        """What the model takes."""
        claude, status = is_claude(self.model_id), self.config.get("include_tool_result_status", "auto")
        return Form(
            self.tools,
            status=claude if status == "auto" else bool(status),
            reasoning=not is_deepseek(self.model_id),
            unsigned_reasoning=not claude,
        )


def request_of(call: Call) -> dict[str, Any]:
    """The keyword arguments of ``converse_stream`` or ``converse``."""
    return {"modelId": call.model_id, **_members(call, _MEMBERS), **(call.config.get("additional_args") or {})}


def counted_of(call: Call) -> dict[str, Any]:
    """What ``count_tokens`` counts of the same request."""
    return _members(call, _COUNTED)


def _members(call: Call, names: tuple[str, ...]) -> dict[str, Any]:
    built = ((name, _BUILDERS[name](call)) for name in names)
    return {name: value for name, value in built if value or name == "messages"}


# --- messages


def _messages(call: Call) -> list[Block]:
    """The messages, without those that are empty; the service wants turns to alternate, so equal roles are joined."""
    assessed = last_user_text(call.messages) if call.config.get("guardrail_latest_message") else None
    turns = [
        (message["role"], [guarded(block) if index == assessed else block for block in _content(message, call)])
        for index, message in enumerate(call.messages)
    ]
    joined = [
        {"role": role, "content": [block for _, content in run for block in content]}
        for role, run in groupby((turn for turn in turns if turn[1]), key=lambda turn: turn[0])
    ]
    if _caches_messages(call):
        _add_cache_point(joined, call.config["cache_config"].ttl)
    return joined


def _content(message: Any, call: Call) -> list[Block]:
    blocks = (format_block(block, call.form) for block in message["content"])
    return [block for block in blocks if block is not None]


def _caches_messages(call: Call) -> bool:
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


def _system(call: Call) -> list[Block]:
    formatted = (format_system(block, call.form) for block in call.system or ())
    blocks = [block for block in formatted if block is not None]
    kind = call.config.get("cache_prompt")
    return [*blocks, cache_point(kind)] if kind and blocks else blocks


def _inference(call: Call) -> Block:
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


def _additional_fields(call: Call) -> Block:
    """Parameters of the model's own. Claude refuses to think when it is forced to call a tool."""
    fields = dict(call.config.get("additional_request_fields") or {})
    if is_forced(call.tool_choice):
        fields.pop("thinking", None)
    return fields


_BUILDERS: Final[Mapping[str, Callable[[Call], Any]]] = {
    "messages": _messages,
    "system": _system,
    "inferenceConfig": _inference,
    "toolConfig": lambda call: tool_config(call.tool_specs, call.tool_choice, call.messages, call.tools, call.config),
    "guardrailConfig": lambda call: guardrail_config(call.config, streaming=call.streaming),
    "additionalModelRequestFields": _additional_fields,
    "additionalModelResponseFieldPaths": lambda call: call.config.get("additional_response_field_paths"),
    "performanceConfig": lambda call: _renamed(call, "latency", "performance_latency"),
    "serviceTier": lambda call: _renamed(call, "type", "service_tier"),
}

_MEMBERS: Final = tuple(_BUILDERS)
_COUNTED: Final = ("messages", "system", "toolConfig", "additionalModelRequestFields")


def _renamed(call: Call, name: str, key: str) -> Block:
    value = call.config.get(key)
    return {name: value} if value else {}
