"""Stream events: what ``Model.stream`` yields, one key an event.

The legal order is written down in :mod:`harness.contract.state`.
"""

from typing import Any, Final, Literal, NotRequired

from typing_extensions import TypedDict

from harness.contract.content import CitationText, Role

StopReason = Literal[
    "cancelled",
    "content_filtered",
    "end_turn",
    "guardrail_intervened",
    "max_tokens",
    "stop_sequence",
    "tool_use",
]

#: Stop reasons that a model's reply can have. Strands' type has more; those are set by its agent loop alone.
STOP_REASONS: Final[frozenset[str]] = frozenset(
    {
        "cancelled",
        "content_filtered",
        "end_turn",
        "guardrail_intervened",
        "max_tokens",
        "stop_sequence",
        "tool_use",
    }
)


class MessageStart(TypedDict):
    """The reply begins."""

    role: Role


class ToolUseStart(TypedDict):
    """Identity of the call whose input follows in deltas."""

    name: str
    toolUseId: str
    reasoningSignature: NotRequired[str]


class BlockStartBody(TypedDict, total=False):
    """Empty for text and reasoning."""

    toolUse: ToolUseStart


class ContentBlockStart(TypedDict, total=False):
    """A block begins. Optional for text and reasoning."""

    contentBlockIndex: int
    start: BlockStartBody


class ToolUseDelta(TypedDict, total=False):
    """A fragment of the input's JSON text."""

    input: str
    toolUseId: str
    name: str


class ReasoningDelta(TypedDict, total=False):
    """A fragment of reasoning: exactly one key."""

    text: str
    signature: str
    redactedContent: bytes


class CitationDelta(TypedDict, total=False):
    """One whole citation of the open text block."""

    location: dict[str, Any]
    sourceContent: list[CitationText]
    title: str


class DeltaBody(TypedDict, total=False):
    """Exactly one key."""

    text: str
    toolUse: ToolUseDelta
    reasoningContent: ReasoningDelta
    citation: CitationDelta


class ContentBlockDelta(TypedDict, total=False):
    """A fragment of the open block."""

    contentBlockIndex: int
    delta: DeltaBody


class ContentBlockStop(TypedDict, total=False):
    """The open block ends."""

    contentBlockIndex: int


class MessageStop(TypedDict, total=False):
    """The reply is finished."""

    stopReason: str
    additionalModelResponseFields: Any


class Usage(TypedDict):
    """Token counts of one reply."""

    inputTokens: int
    outputTokens: int
    totalTokens: int
    cacheReadInputTokens: NotRequired[int]
    cacheWriteInputTokens: NotRequired[int]


class Metrics(TypedDict):
    """Times in whole milliseconds."""

    latencyMs: int
    timeToFirstByteMs: NotRequired[int]


class Metadata(TypedDict, total=False):
    """What is known of the reply once it has ended."""

    usage: Usage
    metrics: Metrics
    trace: Any


class RedactContent(TypedDict, total=False):
    """A guardrail asks that input or output be replaced by these words."""

    redactUserContentMessage: str
    redactAssistantContentMessage: str


class StreamEvent(TypedDict, total=False):
    """One event: exactly one key is set."""

    messageStart: MessageStart
    contentBlockStart: ContentBlockStart
    contentBlockDelta: ContentBlockDelta
    contentBlockStop: ContentBlockStop
    messageStop: MessageStop
    metadata: Metadata
    redactContent: RedactContent
