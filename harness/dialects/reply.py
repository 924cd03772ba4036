"""What a model said, in no vendor's words.

A :class:`Reply` is what every style, cut and transport must bring to the caller unchanged.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harness.contract.events import StopReason


@dataclass(frozen=True, slots=True)
class Citation:
    """A source of the text it belongs to.

    ``location`` is tagged as in the contract, e.g. ``{"documentChar": {"documentIndex": 0, "start": 0, "end": 5}}``.
    """

    title: str | None
    source: str | None
    location: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Text:
    """Words for the user, with the sources that support them."""

    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call; ``arguments`` is JSON text, incomplete only where the reply was cut by its length limit.

    In what a dialect expects or decodes, ``id`` "" says that the wire gave the call no id: the adapter must make up
    a non-empty one, unlike that of any other call in the reply. ``signature`` proves to vendors that sign calls that
    their model made this one.
    """

    id: str
    name: str
    arguments: str
    signature: str | None = None

    @classmethod
    def of(cls, call_id: str, name: str, value: Mapping[str, Any], signature: str | None = None) -> "ToolUse":
        """Make a call whose arguments are ``value`` in the normal form of :func:`json_text`."""
        return cls(call_id, name, json_text(value), signature)

    @property
    def complete(self) -> bool:
        """Whether the arguments are one JSON object; blank ones mean ``{}``."""
        try:
            return isinstance(self.input, dict)
        except ValueError:
            return False

    @property
    def input(self) -> Any:
        """The arguments' value. Raises ValueError when they were cut."""
        return json.loads(self.arguments) if self.arguments.strip() else {}


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Readable reasoning; the signature proves to the vendor that its model wrote it."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class RedactedReasoning:
    """Reasoning that the vendor encrypted.

    ``data`` is the blob itself, after the base64 in which Bedrock and Anthropic send it.
    """

    data: bytes


@dataclass(frozen=True, slots=True)
class Refusal:
    """Words by which the model declines, in the field that the vendor has for them."""

    text: str


Block = Text | ToolUse | Reasoning | RedactedReasoning | Refusal


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts in the vendor's own convention: whether ``input`` holds the cached tokens differs by vendor."""

    input: int
    output: int
    total: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None


@dataclass(frozen=True, slots=True)
class Guardrail:
    """A guardrail that stepped in: what it blocked."""

    input_blocked: bool
    output_blocked: bool


@dataclass(frozen=True, slots=True)
class Reply:
    """One whole reply.

    ``stop`` is what its end means; ``wire_stop`` is the vendor's value where it is not that meaning's usual one.
    ``usage`` is None where the vendor tells none. ``latency_ms`` is the service's own measure, where it sends one.
    """

    blocks: tuple[Block, ...]
    stop: StopReason = "end_turn"
    wire_stop: str | None = None
    usage: Usage | None = None
    latency_ms: int | None = None
    guardrail: Guardrail | None = None

    @property
    def tools(self) -> tuple[ToolUse, ...]:
        """The calls, in order."""
        return tuple(block for block in self.blocks if isinstance(block, ToolUse))


def json_text(value: Any) -> str:
    """Compact JSON in which every character is itself: the normal form of tool arguments."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
