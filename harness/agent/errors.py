"""How a run ends that has no answer. What the model's adapter raises leaves the loop as it is.

AgentError
 ├─ MaxIterationsError    asked for its final answer at the limit, the model went on acting
 ├─ NoAnswerError         the model's replies hold neither a call nor an answer, however often it is told
 └─ AnswerCutError        the length limit cut the answer off
"""


class AgentError(Exception):
    """Base of the loop's own errors; ``text`` is the last thing the model said."""

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text


class MaxIterationsError(AgentError):
    """The model had its turns, was asked for a final answer twice, and gave none."""


class NoAnswerError(AgentError):
    """The model gave nothing of use, and being told so did not help."""


class AnswerCutError(AgentError):
    """The answer is longer than the model may speak; ``text`` is what there is of it."""
