"""What a loop works with, in every run."""

from dataclasses import dataclass, field
from typing import Any

from harness.agent.calling import Caller
from harness.agent.conversation import Conversation
from harness.agent.events import EventKind, LoopEvent, Observer
from harness.agent.refusals import ErrorKinds, Refusals
from harness.agent.settings import Settings
from harness.contract.model import Model
from harness.contract.retry import ModelRetryStrategy


@dataclass(slots=True)
class Kit:
    """The parts of a loop. ``model_state`` is where a service is in the conversation that it keeps."""

    model: Model
    system_prompt: str | None
    settings: Settings
    caller: Caller
    conversation: Conversation
    refusals: Refusals
    kinds: ErrorKinds
    retry: ModelRetryStrategy
    observe: Observer
    model_state: dict[str, Any] = field(default_factory=dict)

    def tell(self, kind: EventKind, what: str = "", data: object = None) -> None:
        """Tell the observer."""
        self.observe(LoopEvent(kind, what, data))
