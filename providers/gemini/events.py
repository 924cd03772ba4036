"""From the SDK's responses to the contract's events: of a streamed reply each chunk, of a whole one the only chunk."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from harness.contract.events import Metadata, StreamEvent, ToolUseStart, Usage
from harness.contract.exceptions import IncompleteStreamError
from providers._shared.blocks import Block, BlockWriter, ToolBlock
from providers._shared.call_ids import CallIds
from providers._shared.media import base64_text
from providers._shared.timing import Stopwatch
from providers.gemini.arguments import PartialArguments
from providers.gemini.stops import block_reason, stop_reason

#: counters of the vendor's usage
_COUNTERS: Final = (
    "prompt_token_count",
    "tool_use_prompt_token_count",
    "candidates_token_count",
    "thoughts_token_count",
    "total_token_count",
    "cached_content_token_count",
)

#: finish reasons of which the contract's stop reason says all
_SAID_ALL: Final = frozenset({"STOP", "MAX_TOKENS"})


@dataclass(eq=False, slots=True)
class _Call(ToolBlock):
    """A call whose arguments may come piece by piece."""

    arguments: PartialArguments = field(kw_only=True)


class Translator:
    """The state of one reply.

    Parts of the same kind that follow each other are one block; a signature ends a block of thoughts. ``finished`` is
    true once the service said how the reply ended.
    """

    def __init__(self, own_names: Mapping[str, str]) -> None:
        self._own_names = own_names
        self._writer = BlockWriter()
        self._ids = CallIds()
        self._watch = Stopwatch()
        self._usage: dict[str, int] = {}
        self._finish: str | None = None
        self._blocked: str | None = None
        self._fields: dict[str, str] = {}
        self._called = False
        self._complete = True
        #: the call that goes on in later parts
        self._growing: _Call | None = None

    @property
    def finished(self) -> bool:
        """Whether a finish reason, or the reason why the prompt was refused, has come."""
        return self._finish is not None or self._blocked is not None

    def feed(self, response: Any) -> list[StreamEvent]:
        """Contract events of one ``GenerateContentResponse``."""
        self._watch.note_answer()
        self._note_usage(response.usage_metadata)
        self._note_block(response.prompt_feedback)
        for candidate in response.candidates or ():
            if not candidate.index:  # the contract has one reply
                self._candidate(candidate)
        return self._writer.take()

    def finish(self) -> list[StreamEvent]:
        """The answer is over. Raises IncompleteStreamError when the service has not said how the reply ended."""
        if not self.finished:
            raise IncompleteStreamError("the stream ended before a finishReason")
        reason = self._reason()
        self._end_call(complete=False)
        self._writer.begin()
        self._writer.close()
        stop: Any = {"stopReason": reason, **({"additionalModelResponseFields": self._fields} if self._fields else {})}
        return [*self._writer.take(), {"messageStop": stop}, {"metadata": self._metadata()}]

    def _reason(self) -> Any:
        if self._finish is None:
            return block_reason(self._blocked or "")
        complete = self._complete and self._growing is None
        return stop_reason(self._finish, called=self._called, complete=complete)

    # --- what a response holds

    def _note_usage(self, usage: Any) -> None:
        """Each response counts all that there was so far, and leaves out what is zero: the last that counts stands."""
        counts = {counter: getattr(usage, counter, None) for counter in _COUNTERS}
        self._usage = {counter: count for counter, count in counts.items() if count is not None} or self._usage

    def _note_block(self, feedback: Any) -> None:
        if feedback is not None and feedback.block_reason is not None:
            self._blocked = _word(feedback.block_reason)
            self._fields["blockReason"] = self._blocked
            self._note_field("blockReasonMessage", getattr(feedback, "block_reason_message", None))

    def _note_field(self, name: str, text: str | None) -> None:
        if text:
            self._fields[name] = text

    def _candidate(self, candidate: Any) -> None:
        for part in (candidate.content and candidate.content.parts) or ():
            self._part(part)
        if candidate.finish_reason is not None:
            self._finish = _word(candidate.finish_reason)
            self._note_field("finishReason", self._finish if self._finish not in _SAID_ALL else None)
            self._note_field("finishMessage", candidate.finish_message)

    def _part(self, part: Any) -> None:
        if part.function_call is not None:
            self._function_call(part.function_call, part.thought_signature)
        elif part.thought:
            self._thought(part)
        elif part.text:
            # A signature of plain text has no place in the contract. The service does without it.
            self._writer.write(self._block("text"), {"text": part.text})

    def _thought(self, part: Any) -> None:
        if part.text:
            self._writer.write(self._block("reasoning"), {"reasoningContent": {"text": part.text}})
        if part.thought_signature:
            block = self._block("reasoning")
            self._writer.write(block, {"reasoningContent": {"signature": base64_text(part.thought_signature)}})
            self._writer.stop(block)

    def _block(self, kind: str) -> Block:
        """The block that goes on, or a new one where another kind was under way."""
        last = self._writer.last
        if last is not None and last.kind == kind:
            return last
        return self._open(Block(kind))

    def _open(self, block: Block) -> Block:
        if (last := self._writer.last) is not None:
            self._writer.stop(last)
        self._writer.add(block)
        return block

    # --- calls

    def _function_call(self, call: Any, signature: bytes | None) -> None:
        """A whole call, or a piece of one: the first has the name, the last does not say that it will continue."""
        if call.name:
            self._begin_call(call, signature)
        if self._growing is None:
            return
        for piece in getattr(call, "partial_args", None) or ():
            self._growing.arguments.add(piece)
        if not getattr(call, "will_continue", None):
            self._end_call(complete=True)

    def _begin_call(self, call: Any, signature: bytes | None) -> None:
        self._end_call(complete=False)
        tool: ToolUseStart = {"toolUseId": self._ids.unique(call.id), "name": self._own_names.get(call.name, call.name)}
        if signature:
            tool["reasoningSignature"] = base64_text(signature)
        self._called = True
        self._growing = _Call("tool", tool=tool, arguments=PartialArguments(call.args))
        self._open(self._growing)
        self._writer.advance()

    def _end_call(self, *, complete: bool) -> None:
        block, self._growing = self._growing, None
        if block is None:
            return
        self._complete = self._complete and complete
        self._writer.write(block, {"toolUse": {"input": block.arguments.text(complete=complete)}})
        self._writer.stop(block)

    # --- the end

    def _metadata(self) -> Metadata:
        metadata: Metadata = {"metrics": self._watch.metrics()}
        if self._usage:
            metadata["usage"] = _usage(self._usage)
        return metadata


def _usage(counts: Mapping[str, int]) -> Usage:
    """Thoughts are output; what tools of the service gave the model is input. Cached tokens count as input, too."""
    known = {counter: counts.get(counter, 0) for counter in _COUNTERS}
    usage: Usage = {
        "inputTokens": known["prompt_token_count"] + known["tool_use_prompt_token_count"],
        "outputTokens": known["candidates_token_count"] + known["thoughts_token_count"],
        "totalTokens": 0,
    }
    usage["totalTokens"] = counts.get("total_token_count", usage["inputTokens"] + usage["outputTokens"])
    if cached := known["cached_content_token_count"]:
        usage["cacheReadInputTokens"] = cached
    return usage


def _word(value: Any) -> str:
    """The word of one of the SDK's enumerations, which also have words that they do not know."""
    return str(getattr(value, "value", value))
