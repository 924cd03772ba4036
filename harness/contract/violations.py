"""What a check reports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """One breach of one rule.

    ``met`` says what was met and in which state, ``wanted`` what the rule asks for; ``index`` is the event's place in
    the stream, None where the breach is not at an event.
    """

    rule: str
    met: str
    index: int | None = None
    wanted: str | None = None
