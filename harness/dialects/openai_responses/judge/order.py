"""What items need of each other: calls their results, results their calls, reasoning what it led to."""

from collections.abc import Iterator, Sequence
from typing import Any

from harness.dialects.base import RequestFault, RequestFaultKind

Item = dict[str, Any]

_NO_RESULT = "OpenAI 400: No tool output found for function call {id}."
_STRAY_RESULT = "OpenAI 400: No tool call found for function call output with call_id {id}."
_TWICE = "OpenAI 400: Duplicate item found with id {id}. Remove duplicate items from your input and try again."
_ALONE = "OpenAI 400: Item '{id}' of type 'reasoning' was provided without its required following item."


def order_faults(items: Sequence[Item], *, continued: bool, stored: bool) -> Iterator[RequestFault]:
    """Faults of how items follow each other.

    ``continued`` says that the service holds the earlier part of the conversation, which may have the calls;
    ``stored`` that it keeps items, and so knows what belongs together.
    """
    yield from _pairing(items, continued)
    yield from _duplicates(items)
    yield from _lonely_reasoning(items) if stored else ()


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


def _lonely_reasoning(items: Sequence[Item]) -> Iterator[RequestFault]:
    """Reasoning that the service keeps needs what it led to: an item of the model's, a message only by its own id."""
    for at, item in enumerate(items):
        own_id, after = str(item.get("id") or ""), items[at + 1] if at + 1 < len(items) else None
        if item.get("type") == "reasoning" and own_id.startswith("rs_") and not _led_to(after):
            words = _ALONE.format(id=own_id)
            yield RequestFault(RequestFaultKind.REASONING, f"input[{at}]", "what it led to does not follow", words)


def _led_to(item: Item | None) -> bool:
    if item is None:
        return False
    name = item.get("type") or ("message" if "role" in item else "item_reference")
    return item.get("role") == "assistant" and bool(item.get("id")) if name == "message" else name not in _RESULTS


_RESULTS = frozenset({"function_call_output", "custom_tool_call_output", "computer_call_output"})
