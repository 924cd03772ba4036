"""The items of ``input``: which types there are, and what each must have."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.openai_chat.judge.kinds import form, invalid_type, kind, missing, unknown_keys
from harness.dialects.openai_chat.judge.messages import NAME_PATTERN
from harness.dialects.openai_responses.judge.order import order_faults
from harness.dialects.openai_responses.judge.parts import content_faults, output_faults

_ROLES = "OpenAI 400: Invalid value: '{role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'."
_TYPES = "OpenAI 400: Invalid value: '{kind}'. Supported values are: {known}."
_NAME = "OpenAI 400: string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
_TOO_LONG = "OpenAI 400: Invalid '{path}': string too long. Expected a string with maximum length 64."
_PREFIX = "OpenAI 400: Invalid '{path}': '{id}'. Expected an ID that begins with '{prefix}'."
_ARGUMENTS = "vLLM 400, Mistral 400: arguments of a tool call in the history must be the text of a JSON object"
_NOT_STORED = (
    "OpenAI 404: Item with id '{id}' not found. Items are not persisted when `store` is set to false. Try again with "
    "`store` set to true, or remove this item from your input."
)

#: Item types that the SDK's types know. What is inside those without rules of their own is not looked at.
TYPES = frozenset(
    {
        "additional_tools",
        "apply_patch_call",
        "apply_patch_call_output",
        "code_interpreter_call",
        "compaction",
        "compaction_trigger",
        "computer_call",
        "computer_call_output",
        "configuration_update",
        "custom_tool_call",
        "custom_tool_call_output",
        "file_search_call",
        "function_call",
        "function_call_output",
        "image_generation_call",
        "item_reference",
        "local_shell_call",
        "local_shell_call_output",
        "mcp_approval_request",
        "mcp_approval_response",
        "mcp_call",
        "mcp_list_tools",
        "message",
        "program",
        "program_output",
        "reasoning",
        "shell_call",
        "shell_call_output",
        "tool_search_call",
        "tool_search_output",
        "web_search_call",
    }
)
#: Those that other servers send out, and so take back.
_OTHERS = frozenset({"x_search_call", "collections_search_call", "document_search_call"})

_ROLE_NAMES = frozenset({"user", "assistant", "system", "developer"})
_MESSAGE_KEYS = frozenset({"type", "role", "content", "id", "status", "phase"})
_CALL_KEYS = frozenset({"type", "call_id", "name", "arguments", "id", "status", "caller", "namespace", "async"})
_OUTPUT_KEYS = frozenset({"type", "call_id", "output", "id", "status", "caller", "name", "namespace"})
_REASONING_KEYS = frozenset({"type", "id", "summary", "content", "encrypted_content", "status"})


def item_faults(body: Mapping[str, Any]) -> Iterator[RequestFault]:
    """Faults of ``input``, which a string has none of."""
    items = body.get("input")
    if not isinstance(items, list):
        return
    stored = body.get("store") is not False
    for at, item in enumerate(items):
        yield from _one(item, f"input[{at}]", stored)
    sound = [item if isinstance(item, dict) else {} for item in items]
    continued = bool(body.get("previous_response_id") or body.get("conversation"))
    yield from order_faults(sound, continued=continued, stored=stored)


def _one(item: Any, path: str, stored: bool) -> Iterator[RequestFault]:
    if not isinstance(item, dict):
        yield invalid_type(path, "an object", item)
        return
    name = item.get("type") or ("message" if "role" in item else "item_reference")
    if name not in TYPES and name not in _OTHERS:
        known = ", ".join(f"'{name}'" for name in sorted(TYPES))
        yield form(f"{path}.type", repr(name), _TYPES.format(kind=name, known=known))
    elif name in _ITEMS:
        yield from _ITEMS[name](item, path)
        yield from _stored_elsewhere(name, item, path, stored)


def _stored_elsewhere(name: str, item: dict[str, Any], path: str, stored: bool) -> Iterator[RequestFault]:
    """Items that are but a name of what the service keeps, where it keeps nothing."""
    if stored or not item.get("id"):
        return
    words = _NOT_STORED.format(id=item["id"])
    if name == "item_reference":
        yield form(path, "a reference, with store false", words)
    elif name == "reasoning" and not item.get("encrypted_content") and not item.get("content"):
        yield RequestFault(RequestFaultKind.REASONING, path, "no encrypted_content, with store false", words)


# --- one a type -------------------------------------------------------------------------------------------------------


def _message(item: dict[str, Any], path: str) -> Iterator[RequestFault]:
    role = item.get("role")
    if not isinstance(role, str):
        yield missing(f"{path}.role")
    elif role not in _ROLE_NAMES:
        yield form(f"{path}.role", repr(role), _ROLES.format(role=role))
    else:
        yield from unknown_keys(path, item, _MESSAGE_KEYS)
        yield from content_faults(role, item.get("content"), f"{path}.content")
    yield from _own_id(item, path, "msg")


def _call(item: dict[str, Any], path: str) -> Iterator[RequestFault]:
    yield from unknown_keys(path, item, _CALL_KEYS)
    yield from _call_id(item, path)
    yield from _own_id(item, path, "fc")
    name, arguments = item.get("name"), item.get("arguments")
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


def _output(item: dict[str, Any], path: str) -> Iterator[RequestFault]:
    yield from unknown_keys(path, item, _OUTPUT_KEYS)
    yield from _call_id(item, path)
    yield from output_faults(item.get("output"), f"{path}.output")


def _call_id(item: dict[str, Any], path: str) -> Iterator[RequestFault]:
    call_id, place = item.get("call_id"), f"{path}.call_id"
    if not isinstance(call_id, str) or not call_id:
        yield RequestFault(RequestFaultKind.TOOL_ID, place, repr(call_id), missing(place).evidence)
    elif len(call_id) > _LONGEST:
        yield RequestFault(RequestFaultKind.TOOL_ID, place, f"{len(call_id)} characters", _TOO_LONG.format(path=place))


def _own_id(item: dict[str, Any], path: str, prefix: str) -> Iterator[RequestFault]:
    own_id, place = item.get("id"), f"{path}.id"
    if own_id is not None and not str(own_id).startswith(prefix):
        yield form(place, repr(own_id), _PREFIX.format(path=place, id=own_id, prefix=prefix))


_LONGEST = 64


def _reasoning(item: dict[str, Any], path: str) -> Iterator[RequestFault]:
    yield from unknown_keys(path, item, _REASONING_KEYS)
    if not isinstance(item.get("summary"), list):
        yield RequestFault(RequestFaultKind.REASONING, f"{path}.summary", repr(item.get("summary")), _SUMMARY)
    for name, wanted in (("summary", "summary_text"), ("content", "reasoning_text")):
        told = item.get(name)
        for at, part in enumerate(told if isinstance(told, list) else ()):
            met = part.get("type") if isinstance(part, dict) else part
            if met != wanted:
                place = f"{path}.{name}[{at}].type"
                words = _TYPES.format(kind=met, known=f"'{wanted}'")
                yield RequestFault(RequestFaultKind.REASONING, place, repr(met), words)


_SUMMARY = "OpenAI 400: Missing required parameter: 'input[…].summary'."


def _reference(item: dict[str, Any], path: str) -> Iterator[RequestFault]:
    if not isinstance(item.get("id"), str):
        yield missing(f"{path}.id")


_ITEMS: Mapping[str, Callable[[dict[str, Any], str], Iterator[RequestFault]]] = {
    "message": _message,
    "function_call": _call,
    "function_call_output": _output,
    "reasoning": _reasoning,
    "item_reference": _reference,
}
