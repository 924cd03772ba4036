"""How a loop goes about its work."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Settings:
    """The policies and limits of a loop.

    ``native`` is whether the model claims tools (``Capabilities.tools`` of its adapter); False begins in text.
    ``calls`` says which calls of one turn are run: ``parallel`` all of them at a time, their results in their order;
    ``first`` the first one only, after which the model is asked to reason on from its result.
    ``max_iterations`` is how many turns the model has before it must answer without tools. ``max_problems`` is how many
    replies of no use are answered with what was wrong, before the same.
    With ``respect_context_window`` a conversation that does not fit is summarised, ``max_summaries`` times a run at
    most; else, or if that does not help, ContextWindowOverflowException is raised.
    """

    native: bool = True
    calls: Literal["parallel", "first"] = "parallel"
    max_iterations: int = 20
    max_problems: int = 3
    respect_context_window: bool = True
    max_summaries: int = 3

    def __post_init__(self) -> None:
        if self.max_iterations < 1 or self.max_problems < 0 or self.max_summaries < 0:
            raise ValueError("a model has one turn at least, and no limit is negative")
