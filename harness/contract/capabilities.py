"""What an adapter says it can do: data, cross-checked by the harness both ways."""

from dataclasses import dataclass
from typing import Literal

Profile = Literal[
    "core",
    "tools",
    "structured",
    "reasoning",
    "multimodal",
    "citations",
    "caching",
    "stateful",
    "fallback",
]

ToolChoiceKind = Literal["auto", "any", "tool"]
StructuredMode = Literal["forced_tool", "native"]
MediaKind = Literal["image", "document", "video", "location"]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Capability flags of one adapter. The defaults are those of a plain text adapter."""

    #: the reply can be had event by event
    streaming: bool = True
    #: the configuration key and values that choose streaming, e.g. ``"stream"``; None when there is one mode only
    streaming_key: str | None = None
    #: the configuration key of how long the service may be silent, in seconds; None when there is none
    idle_key: str | None = None
    #: stop words that are given to ``stream`` reach the wire
    stop_words: bool = False
    #: native tool calling, in replies and in history
    tools: bool = False
    #: kinds of ``tool_choice`` that reach the wire; the others must warn and be ignored
    tool_choice: frozenset[ToolChoiceKind] = frozenset()
    #: how ``structured_output`` asks for its answer; None when it raises NotImplementedError
    structured: StructuredMode | None = None
    #: reasoning text reaches events
    reasoning: bool = False
    #: reasoning of the history is sent back with its signature
    reasoning_replay: bool = False
    #: signatures of reasoning reach events
    signatures: bool = False
    #: redacted reasoning reaches events
    redacted: bool = False
    #: citations reach events
    citations: bool = False
    #: media that requests may hold; others must be refused or skipped with a warning, never crash
    media: frozenset[MediaKind] = frozenset()
    #: media that tool results may hold
    tool_result_media: frozenset[MediaKind] = frozenset()
    #: cache points reach the wire
    caching: bool = False
    #: guardrail redaction
    guardrails: bool = False
    #: ``count_tokens`` asks the vendor
    native_count_tokens: bool = False
    #: the vendor keeps the conversation
    stateful: bool = False

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """The rule profiles that these flags claim; ``core`` always, and ``fallback``, since all models can speak."""
        claims: tuple[tuple[Profile, bool], ...] = (
            ("core", True),
            ("tools", self.tools),
            ("structured", self.structured is not None),
            ("reasoning", self.reasoning),
            ("multimodal", bool(self.media)),
            ("citations", self.citations),
            ("caching", self.caching),
            ("stateful", self.stateful),
            ("fallback", True),
        )
        return tuple(profile for profile, claimed in claims if claimed)
