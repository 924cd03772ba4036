"""Ids of tool calls."""

from uuid import uuid4


def new_id() -> str:
    """An id of the usual form, for a call to which the service gave none."""
    return f"call_{uuid4().hex}"


class CallIds:
    """The ids of one reply's calls."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, given: str | None) -> str:
        """The id that the service gave, unless it is missing or another call's."""
        call_id = given if given and given not in self._taken else new_id()
        self._taken.add(call_id)
        return call_id
