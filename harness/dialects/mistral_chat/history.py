"""What the messages must be together: their order, calls beside their results, and the ids of calls.

The words are those of the service, and of mistral-common, by which it judges conversations. Where its models differ,
the stricter ones rule on ids, which the newest take in any length; a user may follow a tool, as a recording shows.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from harness.dialects.base import RequestFaultKind as Kind
from harness.dialects.mistral_chat.rules import Faults, sense_fault

Message = Mapping[str, Any]

_NEXT: Final[Mapping[str, frozenset[str]]] = {
    "system": frozenset({"system", "user", "assistant"}),
    "user": frozenset({"system", "user", "assistant"}),
    "assistant": frozenset({"assistant", "user", "tool"}),
    "tool": frozenset({"assistant", "tool", "user"}),
}
_AFTER: Final = "3230 invalid_request_message_order: Unexpected role '{}' after role '{}' (crush#279)"
_LAST: Final = (
    "3230 invalid_request_message_order: Expected last role User or Tool (or Assistant with prefix True) for serving "
    "but got {}"
)
_ALONE: Final = "Conversation must start with a user message or system message"
_EMPTY: Final = "Conversation must have at least one message"
_PREFIX: Final = "Assistant message with prefix True must be last message"
_NONE: Final = "Assistant message must have either content or tool_calls, but not none."
_CHUNKS: Final = "assistant messages accept text and thinking chunks (mistral-common, from v11 on)"
_COUNT: Final = "3230: Not the same number of function calls and responses"
_STRAY: Final = "Unexpected tool call id {} in tool results"
_ID: Final = "3280 invalid_function_call: Tool call id was {} but must be a-z, A-Z, 0-9, with a length of 9."
_TWICE: Final = "Duplicate tool call id {} in assistant message"
_NAME: Final = (
    "Function name was {} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64."
)

_ASSISTANT_CHUNKS: Final = frozenset({"text", "thinking", "reference"})
_TOOL_ID: Final = re.compile(r"[a-zA-Z0-9]{9}").fullmatch
_TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch


def history_faults(messages: Sequence[Message]) -> Faults:
    """Faults of the messages as a conversation; their form is right."""
    yield from _order(messages)
    yield from _ending(messages)
    for at, message in enumerate(messages):
        yield from _ONE.get(message["role"], _nothing)(message, f"messages[{at}]")
    yield from _pairing(messages)


def name_faults(name: str, path: str) -> Faults:
    """Faults of a tool's name."""
    if not _TOOL_NAME(name):
        yield sense_fault(Kind.TOOL_NAME, path, repr(name), _NAME.format(name))


# --- order --------------------------------------------------------------------------------------------------------


def _order(messages: Sequence[Message]) -> Faults:
    for at in range(1, len(messages)):
        before, role = messages[at - 1]["role"], messages[at]["role"]
        if role not in _NEXT[before]:
            yield sense_fault(Kind.ROLES, f"messages[{at}].role", f"{role} after {before}", _AFTER.format(role, before))


def _ending(messages: Sequence[Message]) -> Faults:
    if not messages:
        yield sense_fault(Kind.ROLES, "messages", "no messages", _EMPTY)
        return
    last, role = len(messages) - 1, messages[-1]["role"]
    if last == 0 and role not in ("user", "system"):
        yield sense_fault(Kind.ROLES, "messages[0].role", role, _ALONE)
    elif role == "assistant" and not messages[-1].get("prefix"):
        yield sense_fault(Kind.ROLES, f"messages[{last}].role", role, _LAST.format(role))
    for at, message in enumerate(messages[:-1]):
        if message.get("prefix"):
            yield sense_fault(Kind.ROLES, f"messages[{at}].prefix", "not the last message", _PREFIX)


# --- one message --------------------------------------------------------------------------------------------------


def _assistant(message: Message, path: str) -> Faults:
    calls = message.get("tool_calls") or []
    if not message.get("content") and not calls:
        yield sense_fault(Kind.EMPTY_TEXT, f"{path}.content", "neither content nor calls", _NONE)
    for at, chunk in enumerate(message["content"] if isinstance(message.get("content"), list) else ()):
        if chunk.get("type", "text") not in _ASSISTANT_CHUNKS:
            what = f"a {chunk['type']} chunk of the assistant"
            yield sense_fault(Kind.MEDIA, f"{path}.content[{at}]", what, _CHUNKS)
    ids = [call.get("id") for call in calls]
    for at, call in enumerate(calls):
        yield from _id_faults(ids[at], f"{path}.tool_calls[{at}].id")
        if ids[at] in ids[:at]:
            yield sense_fault(Kind.TOOL_ID, f"{path}.tool_calls[{at}].id", f"{ids[at]!r} again", _TWICE.format(ids[at]))
        yield from name_faults(call["function"]["name"], f"{path}.tool_calls[{at}].function.name")


def _tool(message: Message, path: str) -> Faults:
    yield from _id_faults(message.get("tool_call_id"), f"{path}.tool_call_id")
    if message.get("name") is not None:
        yield from name_faults(message["name"], f"{path}.name")


def _nothing(message: Message, path: str) -> Faults:
    return iter(())


_ONE: Final[Mapping[str, Callable[[Message, str], Faults]]] = {"assistant": _assistant, "tool": _tool}


def _id_faults(call_id: str | None, path: str) -> Faults:
    if call_id is None or not _TOOL_ID(call_id):
        yield sense_fault(Kind.TOOL_ID, path, repr(call_id), _ID.format(call_id))


def _pairing(messages: Sequence[Message]) -> Faults:
    waiting: dict[str | None, str] = {}  # calls without a result, and where they stand
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            yield from _answer(message.get("tool_call_id"), f"messages[{at}].tool_call_id", waiting)
        else:
            yield from _unanswered(waiting)
            calls = message.get("tool_calls") or []
            waiting = {call.get("id"): f"messages[{at}].tool_calls[{place}]" for place, call in enumerate(calls)}
    yield from _unanswered(waiting)


def _answer(call_id: str | None, path: str, waiting: dict[str | None, str]) -> Faults:
    if waiting.pop(call_id, None) is None:
        yield sense_fault(Kind.PAIRING, path, f"a result for {call_id!r}, which waits for none", _STRAY.format(call_id))


def _unanswered(waiting: Mapping[str | None, str]) -> Faults:
    for call_id, path in waiting.items():
        yield sense_fault(Kind.PAIRING, path, f"no result for {call_id!r}", _COUNT)
