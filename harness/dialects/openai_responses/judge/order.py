"""What items need of each other: calls their results, results their calls, reasoning what it led to."""

from collections.abc import Iterator, Sequence
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind

Item = dict[str, Any]

_NO_RESULT = "OpenAI 400: No tool output found for function call {id}."
_STRAY_RESULT = "OpenAI 400: No tool call found for function call output with call_id {id}."
_TWICE = "OpenAI 400: Duplicate item found with id {id}. Remove duplicate items from your input and try again."
_ALONE = "OpenAI 400: Item '{id}' of type 'reasoning' was provided without its required following item."


def order_faults(items: Sequence[Item], *, continued: bool) -> Iterator[RequestFault]:
    """Faults of how items follow each other.

    ``continued`` says that the service holds the earlier part of the conversation, which may have the calls.
    """
    yield from _pairing(items, continued)
    yield from _duplicates(items)
    yield from _lonely_reasoning(items)


def _pairing(items: Sequence[Item], continued: bool) -> Iterator[RequestFault]:
    waiting: dict[str, int] = {}
    called: set[str] = set()
    for at, item in enumerate(items):
        call_id = str(item.get("call_id"))
        if item.get("type") == "function_call":
            waiting[call_id] = at
            called.add(call_id)
        elif item.get("type") == "function_call_output":
            waiting.pop(call_id, None)
            if call_id not in called and not continued:
                words = _STRAY_RESULT.format(id=call_id)
                yield _unpaired(f"input[{at}].call_id", f"a result for {call_id!r}, which was not called", words)
    for call_id, at in waiting.items():
        yield _unpaired(f"input[{at}]", f"no result for {call_id!r}", _NO_RESULT.format(id=call_id))


def _unpaired(path: str, what: str, evidence: str) -> RequestFault:
    return RequestFault(RequestFaultKind.PAIRING, path, what, evidence)


def _duplicates(items: Sequence[Item]) -> Iterator[RequestFault]:
    seen: set[str] = set()
    for at, item in enumerate(items):
        own_id = item.get("id")
        if isinstance(own_id, str) and own_id in seen:
            yield RequestFault(
                RequestFaultKind.TOOL_ID, f"input[{at}].id", f"{own_id!r} again", _TWICE.format(id=own_id)
            )
        seen.add(str(own_id))


#: what reasoning led to: the model's own next item
_INPUTS = frozenset({"function_call_output", "custom_tool_call_output", "computer_call_output"})


def _lonely_reasoning(items: Sequence[Item]) -> Iterator[RequestFault]:
    """Only reasoning that the service made, and so has an id of its own, is known to have led to something."""
    following: Sequence[Item | None] = [*items[1:], None]
    for at, (item, after) in enumerate(zip(items, following, strict=True)):
        own = item.get("type") == "reasoning" and str(item.get("id") or "").startswith("rs_")
        if own and (after is None or _is_input(after)):
            words = _ALONE.format(id=item["id"])
            yield RequestFault(RequestFaultKind.REASONING, f"input[{at}]", "nothing of the model's follows", words)


def _is_input(item: Item) -> bool:
    name = item.get("type") or "message"
    return name in _INPUTS if name != "message" else item.get("role") != "assistant"
