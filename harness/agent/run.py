"""One run of the loop: turn by turn, until there is an answer, or none is to be had."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from harness.agent.asking import ModelReply, Request, complete
from harness.agent.errors import AgentError, AnswerCutError, MaxIterationsError, NoAnswerError
from harness.agent.events import EventKind, brief
from harness.agent.kit import Kit
from harness.agent.modes import FinalMode, Mode, NativeMode, TextMode
from harness.agent.refusals import place_of, refuses_stop
from harness.agent.shorter import shortened
from harness.agent.transcript import as_text
from harness.agent.turns import Done, Turn
from harness.contract.content import Message
from harness.contract.retry import ModelRetryStrategy

_REASON_ON: Final = "Reason on from this result: call the next tool, or give your answer."
_FINAL: Final = "You have used all your turns. Give your final answer now, from what you know. No tool is run any more."
_AGAIN: Final = "That was no answer. No tool is run any more: give your final answer now, in plain words."


@dataclass(frozen=True, slots=True)
class Answer:
    """The end of a run: the model's final answer.

    ``message`` is the reply that holds it, ``stop_reason`` why the model stopped there, e.g. ``content_filtered``.
    ``turns`` is how often the model was called to some use, ``usage`` the tokens of all its replies, as far as they
    were told. ``native`` is whether tools were called natively to the end.
    """

    text: str
    message: Message
    stop_reason: str | None
    turns: int
    native: bool
    usage: dict[str, int] = field(default_factory=dict)


class Run:
    """A run in the making."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self.tools = kit.caller.toolset
        self.place = place_of(kit.model)
        self.mode: Mode = self._begin()
        self.turns = self.problems = self.summaries = 0
        self.usage: dict[str, int] = {}

    def _begin(self) -> Mode:
        refused = self.kit.refusals.refused(self.place, "tools")
        native = self.kit.settings.native and not refused
        return NativeMode(self.tools) if native or not self.tools else TextMode(self.tools)

    async def answer(self) -> Answer:
        """Take turns until there is an answer."""
        limits = self.kit.settings
        while self.turns < limits.max_iterations and self.problems <= limits.max_problems:
            turn, reply = await self._turn()
            if turn.answer is not None:
                return self._answered(turn.answer, reply)
            await self._go_on(turn)
        return await self._last_call()

    async def _turn(self) -> tuple[Turn, ModelReply]:
        """Call the model and read its reply. An answer enters the history; anything else is the caller's to keep."""
        self.turns += 1
        reply = await self._ask()
        turn = self.mode.read(reply, self.kit.conversation.used_ids())
        if turn.answer is not None:
            self.kit.conversation.reply(turn.kept)
            if reply.cut:
                raise AnswerCutError("the length limit cut the answer off", turn.answer)
        return turn, reply

    async def _go_on(self, turn: Turn) -> None:
        """Act on a reply that is no answer."""
        conversation = self.kit.conversation
        conversation.reply(turn.kept)
        if turn.problem is not None:
            self.problems += 1
            conversation.say({"text": turn.problem})
            self.kit.tell(EventKind.TAUGHT, brief(turn.problem), turn.problem)
            return
        done: list[Done] = []
        try:
            await self.kit.caller.call_all(turn.calls, done)
        finally:
            conversation.say(*self.mode.results(done))
        if self.kit.settings.calls == "first" and self.mode.native:
            conversation.say({"text": _REASON_ON})

    async def _last_call(self) -> Answer:
        """Ask for the final answer, twice at most. A call is never taken for one."""
        self.kit.tell(EventKind.FORCED, f"after {self.turns} turns, without tools")
        native, self.mode = self.mode.native, FinalMode(self.tools)
        said = ""
        for words in (_FINAL, _AGAIN):
            self.kit.conversation.say({"text": words})
            turn, reply = await self._turn()
            if turn.answer is not None:
                return self._answered(turn.answer, reply, native=native)
            self.kit.conversation.reply(turn.kept)
            said = reply.text
        raise self._no_answer(said)

    def _no_answer(self, said: str) -> AgentError:
        if self.problems > self.kit.settings.max_problems:
            return NoAnswerError(f"{self.problems} replies were of no use, and no answer came when asked for", said)
        return MaxIterationsError(f"no answer within {self.kit.settings.max_iterations} turns, nor when asked", said)

    def _answered(self, text: str, reply: ModelReply, *, native: bool | None = None) -> Answer:
        went = self.mode.native if native is None else native
        return Answer(text, reply.message, reply.stop_reason, self.turns, went, self.usage)

    # ------------------------------------------------------------------------------------------ calls of the model

    async def _ask(self) -> ModelReply:
        """The model's reply, whatever has to be mended on the way."""
        strategy = self.kit.retry.fresh()
        while True:
            try:
                reply = await self._call()
            except Exception as error:
                if not await self._mended(error, strategy):
                    raise
            else:
                self._note(reply)
                return reply

    async def _call(self) -> ModelReply:
        stop = self.mode.stops and not self.kit.refusals.refused(self.place, "stop")
        request = self._request()
        self.kit.tell(EventKind.CALLED, f"{self.mode.name}, turn {self.turns}", len(request.tool_specs or ()))
        return await complete(self.kit, request, stop=stop)

    def _request(self) -> Request:
        return self.mode.request(self.kit.conversation.messages, self.kit.system_prompt)

    def _note(self, reply: ModelReply) -> None:
        for name, count in (reply.usage or {}).items():
            if isinstance(count, int):
                self.usage[name] = self.usage.get(name, 0) + count
        self.kit.conversation.redact(reply.redacted_input)
        self.kit.tell(EventKind.REPLIED, reply.shown, reply.message)

    async def _mended(self, error: Exception, strategy: ModelRetryStrategy) -> bool:
        """Whether something was changed that makes another attempt worth while."""
        for meets, mend in _MENDERS:
            if meets(self, error):
                return await mend(self, error, strategy)
        return False

    def _refuses_tools(self, error: Exception) -> bool:
        return self.mode.native and bool(self.tools) and self.kit.kinds.means(error, "tools")

    async def _fall_back(self, error: Exception, strategy: ModelRetryStrategy) -> bool:
        """Go on in text, with a history that has no calls in it."""
        self.kit.refusals.remember(self.place, "tools")
        self.mode = TextMode(self.tools)
        self.kit.conversation.rewrite(as_text(self.kit.conversation.messages))
        self.kit.model_state.clear()  # what the service keeps has calls in it
        self.kit.tell(EventKind.FELL_BACK, f"tools refused, on in text: {brief(str(error))}", error)
        return True

    def _refuses_stop(self, error: Exception) -> bool:
        sent = self.mode.stops and not self.kit.refusals.refused(self.place, "stop")
        return sent and refuses_stop(error)

    async def _drop_stop(self, error: Exception, strategy: ModelRetryStrategy) -> bool:
        self.kit.refusals.remember(self.place, "stop")
        self.kit.tell(EventKind.STOP_DROPPED, brief(str(error)), error)
        return True

    def _overflows(self, error: Exception) -> bool:
        return self.kit.kinds.means(error, "overflow")

    async def _shorten(self, error: Exception, strategy: ModelRetryStrategy) -> bool:
        """Summarise, where that is wanted, the conversation is kept here, and summaries are left."""
        limits = self.kit.settings
        kept_here = not self.kit.model.stateful
        if not limits.respect_context_window or not kept_here or self.summaries >= limits.max_summaries:
            return False
        self.summaries += 1
        shorter = await shortened(self.kit, self._request())
        self.kit.conversation.rewrite(shorter)
        self.kit.tell(EventKind.SUMMARISED, f"{len(shorter)} messages are left: {brief(str(error))}", error)
        return True

    def _throttled(self, error: Exception) -> bool:
        return self.kit.kinds.means(error, "throttled")

    async def _wait(self, error: Exception, strategy: ModelRetryStrategy) -> bool:
        again = await strategy.wait(error)
        if again:
            self.kit.tell(EventKind.RETRIED, brief(str(error)), error)
        return again


Mender = Callable[[Run, Exception, ModelRetryStrategy], Awaitable[bool]]

#: what an error may mean, and what is then done: the first row that meets it decides
_MENDERS: Final[tuple[tuple[Callable[[Run, Exception], bool], Mender], ...]] = (
    (Run._refuses_tools, Run._fall_back),
    (Run._refuses_stop, Run._drop_stop),
    (Run._overflows, Run._shorten),
    (Run._throttled, Run._wait),
)
