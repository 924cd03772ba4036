"""Which item an event speaks of.

Items are told apart by ``output_index``; by their id where a service sends no index, or one index for all. An id alone
would not do: some gateways give an item another one with every event. Deltas of an item that was never announced begin
it.
"""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from providers._shared.blocks import BlockWriter
from providers._shared.call_ids import CallIds
from providers.openai_responses.items import ITEMS, Call, Common, Item, Message

I = TypeVar("I", bound=Item)  # noqa: E741


class Output:
    """The items of one reply, in the order in which they began."""

    def __init__(self, writer: BlockWriter, names: Mapping[str, str]) -> None:
        self._common = Common(writer, names, CallIds())
        self._items: list[Item] = []
        self._by_index: dict[int, Item] = {}
        self._by_id: dict[str, Item] = {}

    @property
    def calls(self) -> list[Call]:
        """The calls."""
        return [item for item in self._items if isinstance(item, Call)]

    @property
    def refused(self) -> bool:
        """Whether the model declined."""
        return any(item.refused for item in self._items if isinstance(item, Message))

    def of(self, event: Mapping[str, Any], kind: type[I]) -> I:
        """The item of this kind that a delta belongs to."""
        index, item_id = event.get("output_index"), event.get("item_id")
        known = self._known(index, item_id, kind)
        return known if isinstance(known, kind) else self._begin(kind, index, item_id)

    def added(self, event: Mapping[str, Any]) -> None:
        """An item begins. What it holds already is told again by its deltas, or at its end."""
        item = event.get("item")
        kind = _kind_of(item)
        if isinstance(item, Mapping) and kind is not None:
            index, item_id = event.get("output_index"), item.get("id")
            known = self._known(index, item_id)
            if not (isinstance(known, kind) and not known.done and known.id == item_id):
                known = self._begin(kind, index, item_id)
            known.begins(item)

    def done(self, event: Mapping[str, Any]) -> None:
        """An item is over, and told as a whole; it may be the first that is told of it."""
        item = event.get("item")
        kind = _kind_of(item)
        if isinstance(item, Mapping) and kind is not None:
            index, item_id = event.get("output_index"), item.get("id")
            known = self._known(index, item_id, kind)
            if not (isinstance(known, kind) and known.may_be(item)):
                known = self._begin(kind, index, item_id)
            _end(known, item)

    def final(self, output: Iterable[Any]) -> None:
        """The output of the response that is over: what no event told goes out."""
        waiting = list(self._items)
        for item in output:
            if isinstance(item, Mapping) and (kind := _kind_of(item)) is not None:
                known = _counterpart(item, [one for one in waiting if isinstance(one, kind) and not one.differs(item)])
                if known is None:
                    known = self._begin(kind, None, item.get("id"))
                else:
                    waiting.remove(known)
                _end(known, item)

    def _known(self, index: Any, item_id: Any, kind: type[Item] | None = None) -> Item | None:
        """The item that is meant; where neither is told, the last of its ``kind`` that is not over."""
        item = self._by_id.get(item_id) if item_id else None
        if item is not None and index in (None, item.index):
            return item
        if index is not None:
            return self._by_index.get(index)
        return None if item_id or kind is None else self._last_open(kind)

    def _last_open(self, kind: type[Item]) -> Item | None:
        return next((item for item in reversed(self._items) if isinstance(item, kind) and not item.done), None)

    def _begin(self, kind: type[I], index: Any, item_id: Any) -> I:
        item = kind(self._common)
        item.index, item.id = index, item_id
        self._items.append(item)
        if index is not None:
            self._by_index[index] = item
        if item_id:
            self._by_id[item_id] = item
        return item


def _kind_of(item: Any) -> type[Item] | None:
    return ITEMS.get(str(item.get("type"))) if isinstance(item, Mapping) else None


def _counterpart(item: Mapping[str, Any], kin: list[Item]) -> Item | None:
    """The one of these that events told: by its id, else the next in order, as ids and indexes may have changed."""
    same = (one for one in kin if one.id and one.id == item.get("id"))
    return next(same, None) or next(iter(kin), None)


def _end(known: Item, item: Mapping[str, Any]) -> None:
    known.fill(item)
    known.close()
