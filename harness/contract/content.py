"""Messages, content blocks and tool specifications, as adapters receive and produce them.

The shapes are those of Strands Agents (and so of Amazon Bedrock's Converse API): plain dictionaries,
so that a framework's own adapter satisfies them unchanged.
"""

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

Role = Literal["user", "assistant"]

ImageFormat = Literal["png", "jpeg", "gif", "webp"]
DocumentFormat = Literal["pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"]
VideoFormat = Literal["flv", "mkv", "mov", "mpeg", "mpg", "mp4", "three_gp", "webm", "wmv"]

Json = None | bool | int | float | str | list[Any] | dict[str, Any]


class SourceLocation(TypedDict):
    """Where media lies that is not sent as bytes, e.g. ``{"type": "s3", "uri": "s3://…"}``."""

    type: str
    uri: NotRequired[str]
    bucketOwner: NotRequired[str]


class MediaSource(TypedDict, total=False):
    """Exactly one of ``bytes`` (raw, not base64) or ``location``."""

    bytes: bytes
    location: SourceLocation


class ImageContent(TypedDict):
    """An image."""

    format: ImageFormat
    source: MediaSource


class VideoContent(TypedDict):
    """A video."""

    format: VideoFormat
    source: MediaSource


class CitationsConfig(TypedDict):
    """Whether a document may be cited."""

    enabled: bool


class DocumentContent(TypedDict, total=False):
    """A document; ``name`` is neutral text that the model can see."""

    format: DocumentFormat
    name: str
    source: MediaSource
    citations: CitationsConfig
    context: str


class ReasoningText(TypedDict, total=False):
    """What the model thought; ``signature`` proves to the vendor that its model wrote it."""

    text: str
    signature: str


class ReasoningContent(TypedDict, total=False):
    """Exactly one of readable or redacted (encrypted) reasoning."""

    reasoningText: ReasoningText
    redactedContent: bytes


class ToolUse(TypedDict):
    """A call that the model asks for; ``input`` is a JSON object."""

    toolUseId: str
    name: str
    input: Any
    reasoningSignature: NotRequired[str]


class ToolResultContent(TypedDict, total=False):
    """One item of a tool's result."""

    text: str
    json: Any
    image: ImageContent
    document: DocumentContent


class ToolResult(TypedDict):
    """The answer to the call with the same ``toolUseId``."""

    toolUseId: str
    content: list[ToolResultContent]
    status: NotRequired[Literal["success", "error"]]


class CachePoint(TypedDict):
    """Everything before this point may be cached by the vendor; ``ttl`` such as ``5m`` or ``1h``."""

    type: str
    ttl: NotRequired[str]


class GuardContentText(TypedDict):
    """Text for a guardrail to assess."""

    text: str
    qualifiers: NotRequired[list[Literal["grounding_source", "query", "guard_content"]]]


class GuardContent(TypedDict):
    """Content for a guardrail to assess."""

    text: GuardContentText


class CitationText(TypedDict, total=False):
    """A piece of cited or generated text."""

    text: str


class Citation(TypedDict, total=False):
    """A reference to a source; ``location`` is tagged, e.g. ``{"documentChar": {"start": 0, …}}``."""

    location: dict[str, Any]
    sourceContent: list[CitationText]
    title: str


class CitationsContent(TypedDict, total=False):
    """Generated text with the sources that support it."""

    citations: list[Citation]
    content: list[CitationText]


class ContentBlock(TypedDict, total=False):
    """One block of a message: exactly one key is set."""

    text: str
    image: ImageContent
    document: DocumentContent
    video: VideoContent
    toolUse: ToolUse
    toolResult: ToolResult
    reasoningContent: ReasoningContent
    citationsContent: CitationsContent
    guardContent: GuardContent
    cachePoint: CachePoint


class Message(TypedDict):
    """One turn of a conversation."""

    role: Role
    content: list[ContentBlock]


Messages = list[Message]


class SystemContentBlock(TypedDict, total=False):
    """One block of the system prompt."""

    text: str
    cachePoint: CachePoint
    guardContent: GuardContent


class InputSchema(TypedDict):
    """A JSON schema under its key."""

    json: dict[str, Any]


class ToolSpec(TypedDict):
    """A tool that the model may call."""

    name: str
    description: str
    inputSchema: InputSchema
    outputSchema: NotRequired[InputSchema]


class NamedTool(TypedDict):
    """The one tool that must be called."""

    name: str


class ToolChoice(TypedDict, total=False):
    """Exactly one key: ``auto`` (may call), ``any`` (must call one), ``tool`` (must call this one)."""

    auto: dict[str, Any]
    any: dict[str, Any]
    tool: NamedTool
