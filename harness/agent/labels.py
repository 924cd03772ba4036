"""What a ReAct reply is made of: labels at line starts, reasoning tags, code fences."""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final


class Kind(Enum):
    """What a mark in the text is."""

    THOUGHT = "thought"
    ACTION = "action"
    INPUT = "input"
    OBSERVATION = "observation"
    FINAL = "final"
    REASONING = "reasoning"
    REASONING_END = "reasoning_end"
    FENCE = "fence"


LABELS: Final = frozenset({Kind.THOUGHT, Kind.ACTION, Kind.INPUT, Kind.OBSERVATION, Kind.FINAL})

_NUMBER: Final = r"(?:[ \t]{0,4}\#?\d{1,4})?"
_NAMES: Final[Mapping[Kind, str]] = {
    Kind.THOUGHT: rf"thoughts?{_NUMBER}",
    Kind.INPUT: rf"action{_NUMBER}[ \t]{{1,4}}input{_NUMBER}",
    Kind.ACTION: rf"action{_NUMBER}",
    Kind.OBSERVATION: rf"observations?{_NUMBER}",
    Kind.FINAL: rf"final[ \t]{{1,4}}answer{_NUMBER}",
}
#: line starts that mean nothing: indents, quotes, headings, list marks, pictures, invisible characters
_DECORATION: Final = (
    r"(?:[ \t\u00a0\u3000>\#|]|[-+*•·–—](?=[ \t])|\d{1,3}[.)](?=[ \t])"
    r"|[\u200b-\u200f\ufeff\ufe0f\u2190-\u2bff\U0001f000-\U0001faff]){0,40}"
)
_COLON: Final = r"[:：﹕︰∶]"
_LINE: Final = r"(?:^|(?<=[\r\u0085\u2028\u2029]))"
_LABEL: Final = (
    _DECORATION
    + r"(?P<mark>\*{1,3}|_{1,3}|`{1,2}|~~)?(?:"
    + "|".join(f"(?P<{kind.value}>{name})" for kind, name in _NAMES.items())
    # a stop word that came through in part has no colon
    + rf")(?:[ \t]{{0,4}}(?P<closed>(?P=mark))?[ \t]{{0,4}}{_COLON}(?(closed)|(?P<late>[ \t]?(?P=mark))?)"
    r"|(?<=observation)[ \t]{0,4}(?=\s{0,16}\Z))"
)

#: tags by which models and their servers set reasoning apart from the reply
_TAGS: Final = r"think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
_OPEN: Final = rf"<(?:[a-z]{{1,12}}:)?(?:{_TAGS})(?:[ ][^<>\n]{{0,80}})?>|\[THINK\]|◁think▷|<\|begin_of_thought\|>"
_CLOSE: Final = rf"</(?:[a-z]{{1,12}}:)?(?:{_TAGS})[ ]?>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>"
_FENCE: Final = r"[ \t>]{0,12}(?P<bar>`{3,}|~{3,})(?P<info>[^\n`]*)$"

_FLAGS: Final = re.IGNORECASE | re.MULTILINE
LABEL: Final = re.compile(_LABEL, _FLAGS)
MARK: Final = re.compile(
    rf"{_LINE}(?:{_LABEL}|(?P<fence>{_FENCE}))|(?P<reasoning>{_OPEN})|(?P<reasoning_end>{_CLOSE})", _FLAGS
)
REASONING_END: Final = re.compile(_CLOSE, _FLAGS)
#: the label of the input on the line of its action
INLINE_INPUT: Final = re.compile(rf"[ \t,;*]{_NAMES[Kind.INPUT]}[ \t*]{{0,4}}{_COLON}[*]{{0,3}}", re.IGNORECASE)


def kind_of(match: re.Match[str]) -> Kind:
    """What was matched by :data:`MARK` or :data:`LABEL`."""
    groups = match.groupdict()
    return next(kind for kind in Kind if groups.get(kind.value) is not None)


def next_label(text: str, start: int) -> int:
    """Where the next label begins, as an offset in characters; the text's length when none follows."""
    return next((match.start() for match in _labels(text, start)), len(text))


def _labels(text: str, start: int) -> Iterator[re.Match[str]]:
    return (match for match in MARK.finditer(text, start) if kind_of(match) in LABELS)
