"""The tool loop: from a prompt to a final answer, over any model of the contract.

It calls tools natively where the model takes them, and in text where it does not, or turns out not to. A run gives its
final answer or raises: never both, never neither, and no sentence that the model did not say.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from harness.agent.cache import ToolCache
from harness.agent.calling import Caller
from harness.agent.conversation import Conversation
from harness.agent.events import EventKind, Observer, brief, ignore
from harness.agent.hooks import STANDARD, Hooks
from harness.agent.kit import Kit
from harness.agent.refusals import ErrorKinds, Refusals
from harness.agent.run import Answer, Run
from harness.agent.settings import Settings
from harness.agent.tools import Tool, Toolset
from harness.contract.content import ContentBlock, Messages
from harness.contract.model import Model
from harness.contract.retry import ModelRetryStrategy

__all__ = ["AgentLoop", "Answer"]


class AgentLoop:
    """A model with its tools and its history, which grows from run to run.

    ``refusals`` remembers what endpoints refuse: hand one memory to all loops, and each refusal is met once. ``kinds``
    are the exceptions of a foreign adapter's framework. ``retry`` says how throttled calls are tried again; by default
    none is. ``observe`` is told what happens.

    A run that raises, or is cancelled, leaves nothing running, and a history that the next run can go on from: turns
    alternate, and each call has its one result. One run at a time: RuntimeError is raised for a second.
    """

    def __init__(
        self,
        model: Model,
        tools: Iterable[Tool] = (),
        system_prompt: str | None = None,
        *,
        settings: Settings | None = None,
        hooks: Hooks = STANDARD,
        cache: ToolCache | None = None,
        refusals: Refusals | None = None,
        kinds: ErrorKinds | None = None,
        retry: ModelRetryStrategy | None = None,
        observe: Observer = ignore,
        messages: Messages | None = None,
    ) -> None:
        policy = settings or Settings()
        self.kit = Kit(
            model,
            system_prompt,
            policy,
            Caller(Toolset(tools), hooks, cache or ToolCache(), policy.calls, observe),
            Conversation(messages or ()),
            refusals or Refusals(),
            kinds or ErrorKinds(),
            retry or ModelRetryStrategy(max_attempts=1),
            observe,
        )
        self._running = False

    @property
    def model_state(self) -> dict[str, Any]:
        """Where the service is in a conversation that it keeps; see ``Model.stateful``."""
        return self.kit.model_state

    @property
    def messages(self) -> Messages:
        """The history."""
        return self.kit.conversation.messages

    async def run(self, prompt: str | Iterable[ContentBlock]) -> Answer:
        """Answer a prompt: text, or content blocks.

        Raises AgentError where the model gives no answer, and otherwise what the adapter raises, e.g.
        ContextWindowOverflowException. What a hook raises blocks or is reported; what the observer raises ends the run.
        """
        if self._running:
            raise RuntimeError("the loop is running; a second run needs a loop of its own")
        self._running = True
        try:
            return await self._run([{"text": prompt}] if isinstance(prompt, str) else list(prompt))
        finally:
            self._running = False

    async def _run(self, prompt: list[ContentBlock]) -> Answer:
        self.kit.conversation.say(*prompt)
        try:
            answer = await Run(self.kit).answer()
            await asyncio.sleep(0)  # a cancellation that is due comes before the answer is told, or not at all
        except BaseException as error:
            self.kit.tell(EventKind.FAILED, f"{type(error).__name__}: {brief(str(error))}", error)
            raise
        for hook in self.kit.caller.hooks.after_run:
            hook(self.kit.model, self.messages)
        self.kit.tell(EventKind.ANSWERED, brief(answer.text), answer)
        return answer
