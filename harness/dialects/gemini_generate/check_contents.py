"""Faults of the turns: their order, calls with their results, and signatures that a model wants back."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from harness.dialects.base import RequestFault, RequestFaultKind
from harness.dialects.gemini_generate.messages import items

Content = Mapping[str, Any]

_COUNT: Final = (
    "Google 400: Please ensure that the number of function response parts is equal to the number of function call "
    "parts of the function call turn."
)
_AFTER_CALL: Final = (
    "Google 400: Please ensure that function response turn comes immediately after a function call turn."
)
_AFTER_USER: Final = (
    "Google 400: Please ensure that function call turn comes immediately after a user turn or after a function "
    "response turn."
)
_SIGNATURE: Final = "Google 400: Function call is missing a thought_signature in functionCall parts."

#: models that refuse a step of the current turn whose first call has no signature
_STRICT_MODELS: Final = re.compile(r"gemini-(?:[3-9]|\d{2})").match


def content_faults(body: Mapping[str, Any], model: str) -> Iterator[RequestFault]:
    """Faults of the turns' order, of calls and results, and of signatures."""
    contents = items(body.get("contents"))
    counts = [(_count(content, "functionCall"), _count(content, "functionResponse")) for content in contents]
    for place, (calls, results) in enumerate(counts):
        path = f"contents[{place}]"
        if calls:
            yield from _after_user(contents, place, path)
        if calls and place + 1 < len(contents) and counts[place + 1][1] != calls:
            what = f"{calls} calls, then {counts[place + 1][1]} results"
            yield RequestFault(RequestFaultKind.PAIRING, f"contents[{place + 1}]", what, _COUNT)
        if results and (place == 0 or not counts[place - 1][0]):
            yield RequestFault(RequestFaultKind.PAIRING, path, f"{results} results of no call", _AFTER_CALL)
    if _STRICT_MODELS(model):
        yield from _unsigned(contents)


def _count(content: Content, member: str) -> int:
    return sum(part.get(member) is not None for part in items(content.get("parts")))


def _after_user(contents: Sequence[Content], place: int, path: str) -> Iterator[RequestFault]:
    before = contents[place - 1].get("role") if place else None
    if contents[place].get("role") != "model":
        yield RequestFault(RequestFaultKind.ROLES, path, "a call that is not the model's", _AFTER_USER)
    elif place == 0 or before == "model":
        what = "a call in the first turn" if place == 0 else "a call behind another turn of the model"
        yield RequestFault(RequestFaultKind.ROLES, path, what, _AFTER_USER)


def _unsigned(contents: Sequence[Content]) -> Iterator[RequestFault]:
    """Steps of the current turn, which begins behind the user's last words, whose first call has no signature."""
    start = max((place for place, content in enumerate(contents) if _is_prompt(content)), default=-1)
    for place in range(start + 1, len(contents)):
        for at, part in enumerate(items(contents[place].get("parts"))):
            if part.get("functionCall") is not None:
                if not part.get("thoughtSignature"):
                    path = f"contents[{place}].parts[{at}]"
                    yield RequestFault(RequestFaultKind.REASONING, path, "a call without signature", _SIGNATURE)
                break


def _is_prompt(content: Content) -> bool:
    return content.get("role") != "model" and not _count(content, "functionResponse")
