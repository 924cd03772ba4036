"""A run's conversation that did not fit, made shorter by the model itself."""

from functools import partial

from harness.agent.asking import Request, complete
from harness.agent.events import EventKind
from harness.agent.history import Budget, shorten
from harness.agent.kit import Kit
from harness.agent.windows import context_window, usable_tokens
from harness.contract.content import Messages
from harness.contract.tokens import count_tokens


async def shortened(kit: Kit, sent: Request) -> Messages:
    """The conversation, shorter. ``sent`` is the request that did not fit, so the window is no larger than it.

    Raises ContextWindowOverflowException where it cannot be shorter, and what the calls for summaries raise.
    """
    config = kit.model.get_config()
    named = str(config.get("model_id", "")) if isinstance(config, dict) else ""
    claimed = kit.model.context_window_limit or context_window(named)
    messages = kit.conversation.messages
    whole = count_tokens(sent.messages, sent.tool_specs, sent.system_prompt)
    budget = Budget(usable_tokens(min(claimed, whole)), reserved=max(whole - count_tokens(messages), 0))
    return await shorten(messages, budget, partial(_summary, kit))


async def _summary(kit: Kit, prompt: str) -> str:
    kit.tell(EventKind.CALLED, "for a summary", 0)
    request = Request([{"role": "user", "content": [{"text": prompt}]}], None, None)
    reply = await complete(kit, request, stop=False)
    kit.tell(EventKind.REPLIED, reply.shown, reply.message)
    return reply.text
