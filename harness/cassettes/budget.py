"""What a recording may cost."""

from dataclasses import dataclass
from typing import Final

CALLS: Final = 200
TOKENS: Final = 100_000


class BudgetSpentError(RuntimeError):
    """The next call would cost more than may be spent."""


@dataclass
class Budget:
    """How many calls and tokens are left."""

    calls: int = CALLS
    tokens: int = TOKENS

    def take_call(self) -> None:
        """Count a call that is about to be made. Raises BudgetSpentError."""
        self.check()
        self.calls -= 1

    def check(self) -> None:
        """Raise BudgetSpentError where no further call can be paid for."""
        if self.calls <= 0 or self.tokens <= 0:
            what = "calls" if self.calls <= 0 else "tokens"
            raise BudgetSpentError(f"the limit of {what} is reached; raise it by --record-limit=CALLS,TOKENS")

    def take_tokens(self, tokens: int) -> None:
        """Count the tokens that a call has cost."""
        self.tokens -= tokens


def parse_budget(text: str | None) -> Budget:
    """A budget from ``CALLS`` or ``CALLS,TOKENS``. Raises ValueError."""
    if not text:
        return Budget()
    calls, _, tokens = text.partition(",")
    return Budget(int(calls), int(tokens) if tokens else TOKENS)
