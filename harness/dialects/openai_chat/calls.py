"""How tool calls are told: the fragments of a streamed call, and the calls of a whole message.

Some options rule others out, because the reader could not tell the calls apart, and no server is known to be
so unclear: :func:`settle` then falls back to the plainer one. Without an id and without an index of its own, a
call comes whole in one fragment; calls interleave only where each has an index of its own; a name is repeated
only beside an id or such an index.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Any

from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.reply import ToolUse, json_text

Json = dict[str, Any]
#: what a fragment says of the arguments when it has no such key
_ABSENT: Any = object()

_SENT_IDS = frozenset({"first", "repeated", "empty_later", "null_later"})
_OWN_INDEX = frozenset({"present", "sparse"})


def sends_ids(options: Mapping[str, str]) -> bool:
    """Whether the style gives calls their ids at all."""
    return options["tool_id"] in _SENT_IDS


def settle(options: Mapping[str, str]) -> dict[str, str]:
    """The options of a streamed call after what they rule out for each other."""
    settled = dict(options)
    with_id, own_index = sends_ids(options), options["tool_index"] in _OWN_INDEX
    if not with_id and not own_index:
        settled |= {"arguments": "whole", "tool_name": "first"}
        settled |= {"tool_index": "present"} if options["tool_index"] == "same" else {}
    if options["calls"] == "in_one_chunk":
        settled |= {"arguments": "whole", "tool_name": "first"}
    if options["calls"] == "interleaved" and not own_index:
        settled["calls"] = "one_by_one"
    if options["tool_name"] == "repeated" and not own_index and options["tool_id"] != "repeated":
        settled["tool_name"] = "first"
    return settled


def call_deltas(calls: Sequence[ToolUse], settled: Mapping[str, str]) -> list[Json]:
    """The ``delta`` of every chunk that tells of the calls."""
    told = [_fragments(position, call, settled) for position, call in enumerate(calls)]
    return [{"tool_calls": fragments} for fragments in _ARRANGEMENTS[settled["calls"]](told)]


def message_calls(calls: Iterable[ToolUse], options: Mapping[str, str]) -> list[Json]:
    """The ``tool_calls`` of a whole message."""
    return [_whole_call(position, call, options) for position, call in enumerate(calls)]


def said_arguments(call: ToolUse, options: Mapping[str, str], *, stream: bool) -> str:
    """The arguments' text as a reader of the style knows it."""
    if options["no_arguments"] != "as_written" and _is_empty(call):
        return ""
    if not stream and options["arguments_form"] == "object" and call.complete:
        return json_text(call.input)
    return call.arguments


# --- streamed -----------------------------------------------------------------------------------------------------


def _one_by_one(told: list[list[Json]]) -> Iterable[list[Json]]:
    return ([fragment] for fragment in chain.from_iterable(told))


def _interleaved(told: list[list[Json]]) -> Iterable[list[Json]]:
    rounds = zip_longest(*told)
    return ([fragment] for fragment in chain.from_iterable(rounds) if fragment is not None)


def _in_one_chunk(told: list[list[Json]]) -> Iterable[list[Json]]:
    return [list(chain.from_iterable(told))] if told else []


_ARRANGEMENTS: Mapping[str, Callable[[list[list[Json]]], Iterable[list[Json]]]] = {
    "one_by_one": _one_by_one,
    "interleaved": _interleaved,
    "in_one_chunk": _in_one_chunk,
}


def _fragments(position: int, call: ToolUse, settled: Mapping[str, str]) -> list[Json]:
    arguments = _argument_values(call, settled)
    late = settled["tool_name"] == "late"
    if late and len(arguments) == 1:
        arguments = ["", *arguments]
    index = _INDEX[settled["tool_index"]](position)
    name = [""] if late else []
    name += [call.name]
    fragments = []
    for at, value in enumerate(arguments):
        fragment = dict(index)
        fragment |= _id(call.id, settled["tool_id"], at)
        fragment |= _TYPE[settled["tool_type"]](at)
        fragment["function"] = _function(name, settled["tool_name"], at, value)
        fragments.append(fragment)
    return fragments


_INDEX: Mapping[str, Callable[[int], Json]] = {
    "present": lambda position: {"index": position},
    "sparse": lambda position: {"index": 2 * position + 1},
    "same": lambda position: {"index": 0},
    "null": lambda position: {"index": None},
    "missing": lambda position: {},
}

_TYPE: Mapping[str, Callable[[int], Json]] = {
    "first": lambda at: {} if at else {"type": "function"},
    "every": lambda at: {"type": "function"},
    "null_later": lambda at: {"type": None if at else "function"},
    "absent": lambda at: {},
}

_LATER_ID: Mapping[str, Callable[[str], Json]] = {
    "repeated": lambda call_id: {"id": call_id},
    "empty_later": lambda call_id: {"id": ""},
    "null_later": lambda call_id: {"id": None},
    "empty": lambda call_id: {"id": ""},
    "first": lambda call_id: {},
    "missing": lambda call_id: {},
}


def _id(call_id: str, option: str, at: int) -> Json:
    return {"id": call_id} if not at and option in _SENT_IDS else _LATER_ID[option](call_id)


_LATER_NAME: Mapping[str, Callable[[str], Json]] = {
    "repeated": lambda name: {"name": name},
    "null_later": lambda name: {"name": None},
    "empty_later": lambda name: {"name": ""},
    "first": lambda name: {},
    "late": lambda name: {},
}


def _function(names: list[str], option: str, at: int, arguments: Any) -> Json:
    function = {"name": names[at]} if at < len(names) else _LATER_NAME[option](names[-1])
    return function if arguments is _ABSENT else {**function, "arguments": arguments}


def _argument_values(call: ToolUse, settled: Mapping[str, str]) -> list[Any]:
    if settled["no_arguments"] != "as_written" and _is_empty(call):
        return [_NO_ARGUMENTS[settled["no_arguments"]]]
    cut = pieces(call.arguments, settled["argument_pieces"]) or [""]
    return _ARGUMENTS[settled["arguments"]](call.arguments, cut)


_ARGUMENTS: Mapping[str, Callable[[str, list[str]], list[Any]]] = {
    "empty_then_pieces": lambda text, cut: ["", *cut],
    "whole": lambda text, cut: [text],
    "pieces": lambda text, cut: cut,
    "null_then_pieces": lambda text, cut: [None, *cut],
    "empty_then_whole": lambda text, cut: ["", text],
    "whole_then_empty": lambda text, cut: [text, ""],
}

_NO_ARGUMENTS: Mapping[str, Any] = {"empty": "", "null": None, "missing": _ABSENT}


# --- whole --------------------------------------------------------------------------------------------------------


def _whole_call(position: int, call: ToolUse, options: Mapping[str, str]) -> Json:
    told = _CALL_INDEX[options["call_index"]](position)
    told |= _id(call.id, options["tool_id"], 0)
    told["type"] = "function"
    arguments = _whole_arguments(call, options)
    told["function"] = {"name": call.name} if arguments is _ABSENT else {"name": call.name, "arguments": arguments}
    return told


_CALL_INDEX: Mapping[str, Callable[[int], Json]] = {
    "missing": lambda position: {},
    "null": lambda position: {"index": None},
    "present": lambda position: {"index": position},
}


def _whole_arguments(call: ToolUse, options: Mapping[str, str]) -> Any:
    if options["no_arguments"] != "as_written" and _is_empty(call):
        return _NO_ARGUMENTS[options["no_arguments"]]
    if options["arguments_form"] == "object" and call.complete:
        return call.input
    return call.arguments


def _is_empty(call: ToolUse) -> bool:
    try:
        return not call.arguments.strip() or (len(call.arguments) < 8 and json.loads(call.arguments) == {})
    except ValueError:
        return False
