"""The messages: roles, their fields, tool calls, and that every call has its result right after it."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.openai_chat.judge.kinds import empty_array, form, invalid_type, kind, missing, unknown_keys
from harness.dialects.openai_chat.judge.parts import content_faults

_ROLES = (
    "OpenAI 400: Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and "
    "'developer'."
)
_NULL_CONTENT = "OpenAI 400: Invalid value for 'content': expected a string, got null."
_STRAY_RESULT = (
    "OpenAI 400: Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
    "'tool_calls'."
)
_NO_RESULT = (
    "OpenAI 400: An assistant message with 'tool_calls' must be followed by tool messages responding to each "
    "'tool_call_id'. The following tool_call_ids did not have response messages: {id}"
)
_SAME_ID = "OpenAI 400: Invalid parameter: Duplicate value for 'tool_call_id' of '{id}'"
_NAME = "OpenAI 400: string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
_ARGUMENTS = "vLLM 400, Mistral 400: arguments of a tool call in the history must be the text of a JSON object"
_SYSTEM_FIRST = "llama.cpp 500: System message must be at the beginning (e150, suitenumerique-conversations#197)"

#: 64 characters at most: API reference, tools[].function.name.
NAME_PATTERN = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")

_COMMON = frozenset({"role", "content", "name", "cache_control"})
_KEYS: Mapping[str, frozenset[str]] = {
    "system": _COMMON,
    "developer": _COMMON,
    "user": _COMMON,
    "function": _COMMON,
    "tool": _COMMON | {"tool_call_id"},
    # After tool_calls: what DeepSeek, OpenRouter, vLLM, Mistral, Alibaba, Gemini, Vercel and LiteLLM take back.
    "assistant": _COMMON
    | {"refusal", "audio", "function_call", "tool_calls", "annotations"}
    | {"reasoning_content", "reasoning", "reasoning_details", "prefix", "partial", "thinking_blocks"}
    | {"extra_content", "thought_signature", "provider_metadata", "provider_specific_fields"},
}
_CALL_KEYS = frozenset({"id", "type", "function", "index", "extra_content", "cache_control", "thought_signature"})
_CALL_FUNCTION_KEYS = frozenset({"name", "arguments", "thought_signature"})


def message_faults(body: Mapping[str, Any]) -> Iterator[RequestFault]:
    """Faults of ``messages``."""
    messages = body.get("messages")
    if messages is None:
        yield missing("messages")
    elif messages == []:
        yield empty_array("messages")
    elif isinstance(messages, list):
        for at, message in enumerate(messages):
            yield from _one(message, f"messages[{at}]")
        sound = [message if isinstance(message, dict) else {} for message in messages]
        yield from _order(sound)
        yield from _pairing(sound)


def _one(message: Any, path: str) -> Iterator[RequestFault]:
    if not isinstance(message, dict):
        yield invalid_type(path, "an object", message)
        return
    role = message.get("role")
    if not isinstance(role, str):
        yield missing(f"{path}.role")
    elif role not in _KEYS:
        yield form(f"{path}.role", repr(role), _ROLES.format(role=role))
    else:
        yield from unknown_keys(path, message, _KEYS[role])
        yield from _content(role, message, path)
        yield from _OWN.get(role, _nothing)(message, path)


def _content(role: str, message: dict[str, Any], path: str) -> Iterator[RequestFault]:
    content = message.get("content")
    if content is not None:
        yield from content_faults(role, content, f"{path}.content")
    elif role != "assistant" or not any(message.get(key) for key in _INSTEAD_OF_CONTENT):
        yield form(f"{path}.content", "null or absent", _NULL_CONTENT)


_INSTEAD_OF_CONTENT = ("tool_calls", "function_call", "audio", "refusal")


# --- assistant and tool -------------------------------------------------------------------------------------------


def _assistant(message: dict[str, Any], path: str) -> Iterator[RequestFault]:
    calls = message.get("tool_calls")
    if calls == []:
        yield empty_array(f"{path}.tool_calls")
    elif isinstance(calls, list):
        for at, call in enumerate(calls):
            yield from _call(call, f"{path}.tool_calls[{at}]")
        yield from _distinct(calls, path)
    elif calls is not None:
        yield invalid_type(f"{path}.tool_calls", "an array", calls)


def _call(call: Any, path: str) -> Iterator[RequestFault]:
    if not isinstance(call, dict):
        yield invalid_type(path, "an object", call)
        return
    yield from unknown_keys(path, call, _CALL_KEYS)
    if call.get("type") != "function":
        yield missing(f"{path}.type") if "type" not in call else form(f"{path}.type", repr(call["type"]), _CALL_TYPE)
    if not isinstance(call.get("id"), str) or not call["id"]:
        yield RequestFault(RequestFaultKind.TOOL_ID, f"{path}.id", repr(call.get("id")), missing(f"{path}.id").evidence)
    function = call.get("function")
    if not isinstance(function, dict):
        yield missing(f"{path}.function")
    else:
        yield from unknown_keys(f"{path}.function", function, _CALL_FUNCTION_KEYS)
        yield from _called(function, f"{path}.function")


_CALL_TYPE = "OpenAI 400: Invalid value: supported values are: 'function'"


def _called(function: dict[str, Any], path: str) -> Iterator[RequestFault]:
    name, arguments = function.get("name"), function.get("arguments")
    if not isinstance(name, str) or not NAME_PATTERN.match(name):
        yield RequestFault(RequestFaultKind.TOOL_NAME, f"{path}.name", repr(name), _NAME)
    if not isinstance(arguments, str):
        yield invalid_type(f"{path}.arguments", "a string", arguments)
    elif not _is_object(arguments):
        yield form(f"{path}.arguments", f"no JSON object: {arguments[:60]!r}", _ARGUMENTS)


def _is_object(arguments: str) -> bool:
    try:
        return kind(json.loads(arguments)) == "object"
    except ValueError:
        return False


def _distinct(calls: list[Any], path: str) -> Iterator[RequestFault]:
    ids = [call.get("id") for call in calls if isinstance(call, dict)]
    for at, call_id in enumerate(ids):
        if call_id and call_id in ids[:at]:
            place = f"{path}.tool_calls[{at}].id"
            yield RequestFault(RequestFaultKind.TOOL_ID, place, f"{call_id!r} again", _SAME_ID.format(id=call_id))


def _tool(message: dict[str, Any], path: str) -> Iterator[RequestFault]:
    if not isinstance(message.get("tool_call_id"), str):
        yield missing(f"{path}.tool_call_id")


def _nothing(message: dict[str, Any], path: str) -> Iterator[RequestFault]:
    return iter(())


_OWN: Mapping[str, Callable[[dict[str, Any], str], Iterator[RequestFault]]] = {"assistant": _assistant, "tool": _tool}


# --- the order of messages ----------------------------------------------------------------------------------------


def _order(messages: list[dict[str, Any]]) -> Iterator[RequestFault]:
    spoken = False
    for at, message in enumerate(messages):
        if message.get("role") == "system" and spoken:
            yield RequestFault(RequestFaultKind.ROLES, f"messages[{at}].role", "system after others", _SYSTEM_FIRST)
        spoken = spoken or message.get("role") not in ("system", "developer")


def _pairing(messages: list[dict[str, Any]]) -> Iterator[RequestFault]:
    waiting: dict[str, str] = {}  # the last assistant message's calls without a result, and where they stand
    called: set[str] = set()
    for at, message in enumerate(messages):
        if message.get("role") == "tool":
            yield from _answer(message.get("tool_call_id"), f"messages[{at}].tool_call_id", waiting, called)
        else:
            yield from _unanswered(waiting)
            waiting = _calls(message, f"messages[{at}]")
            called = set(waiting)
    yield from _unanswered(waiting)


def _answer(call_id: Any, path: str, waiting: dict[str, str], called: set[str]) -> Iterator[RequestFault]:
    if waiting.pop(call_id, None) is None:
        evidence = _SAME_ID.format(id=call_id) if call_id in called else _STRAY_RESULT
        yield RequestFault(RequestFaultKind.PAIRING, path, f"a result for {call_id!r}, which waits for none", evidence)


def _unanswered(waiting: Mapping[str, str]) -> Iterator[RequestFault]:
    for call_id, path in waiting.items():
        yield RequestFault(RequestFaultKind.PAIRING, path, f"no result for {call_id!r}", _NO_RESULT.format(id=call_id))


def _calls(message: dict[str, Any], path: str) -> dict[str, str]:
    calls = message.get("tool_calls")
    if message.get("role") != "assistant" or not isinstance(calls, list):
        return {}
    return {str(call.get("id")): f"{path}.tool_calls[{at}]" for at, call in enumerate(calls) if isinstance(call, dict)}
