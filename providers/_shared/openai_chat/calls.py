"""Tool calls out of fragments.

A fragment's ``index`` is a hint: services leave it out, send null, skip numbers, or give every call the same one. Ids
come once, on every fragment, late, or never; names likewise. What makes a fragment part of a call is decided here, in
:meth:`CallTable._find` and :func:`_starts_another`, and nowhere else.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from harness.contract.events import BlockStartBody, ToolUseStart
from providers._shared.blocks import Block, BlockWriter
from providers._shared.call_ids import new_id
from providers._shared.content import json_text

#: what services write where they have no id
_NO_ID: Final = frozenset({"", "null"})


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of a call as it came; empty strings where the service said nothing."""

    index: int | str | None
    id: str
    name: str
    arguments: str

    @property
    def says_nothing(self) -> bool:
        """Some services send empty call objects in every message."""
        return not (self.id or self.name or self.arguments.strip())


@dataclass(eq=False, slots=True)
class Call(Block):
    """A call under construction.

    ``id`` and ``name`` are empty until they are known; ``given_id`` is the service's id, which differs from ``id``
    where the service gave several calls the same one.
    """

    index: int | str | None = None
    id: str = ""
    given_id: str = ""
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    #: how many fragments the last look at the arguments covered, and what it saw: long ones are parsed once
    seen: tuple[int, bool] = (0, False)

    def start(self) -> BlockStartBody | None:
        """The id is waited for as well as the name: one made up too early would part the call from the service's."""
        return {"toolUse": ToolUseStart(name=self.name, toolUseId=self.id)} if self.name and self.id else None

    def complete(self) -> bool:
        """Whether the call could be made: it has a name, and arguments that no further fragment could extend."""
        return bool(self.name) and self.has_object()

    def has_object(self) -> bool:
        """Whether the arguments so far are one JSON object."""
        if self.seen[0] != len(self.arguments):
            tail = next((part for part in reversed(self.arguments) if part.strip()), "")
            whole = tail.rstrip().endswith("}") and _is_object("".join(self.arguments))
            self.seen = (len(self.arguments), whole)
        return self.seen[1]

    def is_blank(self) -> bool:
        """Whether no argument came yet; at the end of a reply that means ``{}``."""
        return not any(map(str.strip, self.arguments))

    def settle(self) -> None:
        """Give the call an id if the service gave none."""
        self.id = self.id or new_id()


def read_fragment(entry: Mapping[str, Any], names: Mapping[str, str]) -> Fragment:
    """An entry of ``tool_calls``; arguments that came as a JSON value become text, names what the caller calls them."""
    function = entry.get("function")
    function = function if isinstance(function, Mapping) else {}
    index, name, arguments = entry.get("index"), str(function.get("name") or ""), function.get("arguments")
    call_id = str(entry.get("id") or "")
    return Fragment(
        index=index if isinstance(index, int | str) else None,
        id="" if call_id in _NO_ID else call_id,
        name=names.get(name, name),
        arguments=arguments if isinstance(arguments, str) else _as_text(arguments),
    )


class CallTable:
    """The calls of one reply, written to a BlockWriter as they grow."""

    def __init__(self, writer: BlockWriter, names: Mapping[str, str]) -> None:
        self.calls: list[Call] = []
        self._writer = writer
        self._names = names
        self._by_index: dict[int | str, Call] = {}
        self._by_id: dict[str, Call] = {}

    def take(self, entries: Iterable[Any]) -> None:
        """The ``tool_calls`` of one delta."""
        for position, entry in enumerate(entries):
            if isinstance(entry, Mapping):
                self._take(read_fragment(entry, self._names), sibling=position > 0)

    def take_whole(self, entries: Iterable[Any]) -> None:
        """The ``tool_calls`` of a whole message: every entry is a call of its own."""
        for entry in entries:
            if isinstance(entry, Mapping) and not (fragment := read_fragment(entry, self._names)).says_nothing:
                self._extend(self._add(fragment), fragment)

    def _take(self, fragment: Fragment, *, sibling: bool) -> None:
        call = self._find(fragment, sibling=sibling)
        if call is not None and not _starts_another(call, fragment):
            self._continue(call, fragment)
        elif not fragment.says_nothing:
            self._extend(self._add(fragment), fragment)

    def _find(self, fragment: Fragment, *, sibling: bool) -> Call | None:
        """The call that a fragment seems to belong to: by its id, else by its index, else by the order."""
        known = self._by_id.get(fragment.id)
        if known and (not fragment.name or fragment.index is None or known.index in {None, fragment.index}):
            return known
        if fragment.index is not None and fragment.index in self._by_index:
            return self._by_index[fragment.index]
        last = self.calls[-1] if self.calls else None
        return last if last and _follows(last, fragment, sibling=sibling) else None

    def _add(self, fragment: Fragment) -> Call:
        call = Call("tool", index=fragment.index)
        self.calls.append(call)
        self._writer.add(call)
        if fragment.index is not None:
            self._by_index[fragment.index] = call
        return call

    def _continue(self, call: Call, fragment: Fragment) -> None:
        """More of a call, unless it is a finished call said again, or comes when nothing more can be said."""
        if not call.ended and not (fragment.name and call.complete()):
            self._extend(call, fragment)

    def _extend(self, call: Call, fragment: Fragment) -> None:
        call.name = call.name or fragment.name
        if fragment.id and not call.given_id:
            call.given_id = fragment.id
            call.id = new_id() if fragment.id in self._by_id else fragment.id
            self._by_id[fragment.id] = call
        if fragment.arguments:
            call.arguments.append(fragment.arguments)
            call.queue.append({"toolUse": {"input": fragment.arguments}})
        self._writer.advance()


def _follows(last: Call, fragment: Fragment, *, sibling: bool) -> bool:
    """Whether a fragment whose id and index name no call goes on with the last one."""
    if fragment.index is not None:
        return last.index is None and not fragment.id and not fragment.name
    if fragment.name:
        return not fragment.id and not sibling
    return not (fragment.id and last.given_id)


def _starts_another(call: Call, fragment: Fragment) -> bool:
    """Whether a fragment that seems to belong to ``call`` begins the next one at its place."""
    if fragment.id and call.given_id:
        return fragment.id != call.given_id
    if not fragment.name or not call.name:
        return False
    if fragment.name != call.name:
        return call.is_blank() or call.has_object()
    return bool(fragment.arguments.strip()) and call.has_object()


def _as_text(arguments: Any) -> str:
    return "" if arguments is None else json_text(arguments)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
