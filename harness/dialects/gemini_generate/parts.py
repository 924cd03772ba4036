"""Blocks as the parts of a content, whole or in pieces."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.gemini_generate.partial import partial_parts
from harness.dialects.gemini_generate.styles import Choices
from harness.dialects.reply import Block, Reasoning, Reply, Text, ToolUse

Part = dict[str, Any]
#: the parts that one chunk brings of one block
Step = tuple[Part, ...]

SIGNATURE: Final = "CiQBjz1rX0a8p2Z0a2VuLXRob3VnaHQtc2lnbmF0dXJlAA=="
#: beyond this many, the remaining characters come in one piece: the point is made, and a stream stays short
_SINGLE_CHARACTERS: Final = 24


def streamed_parts(reply: Reply, choices: Choices) -> list[Step]:
    """What the chunks bring, one step each. Raises ValueError for a block that this vendor cannot say."""
    steps = [step for block in reply.blocks for step in _STREAMED[type(checked(block))](block, choices)]
    return _sign_text(steps, choices)


def whole_parts(reply: Reply, choices: Choices) -> Step:
    """The parts of a whole reply: adjacent words of a kind are one part, as they are one block to a reader."""
    parts = [_WHOLE[type(checked(block))](block, choices) for block in reply.blocks]
    return tuple(part for step in _sign_text([(part,) for part in _joined(parts)], choices) for part in step)


def checked(block: Block) -> Block:
    """The block. Raises ValueError when this vendor cannot say it."""
    if type(block) not in _WHOLE:
        raise ValueError(f"Gemini has no {type(block).__name__} blocks")
    if isinstance(block, ToolUse):
        if not block.complete:
            raise ValueError("Gemini sends arguments as an object, which cannot be cut")
    elif not getattr(block, "text", ""):
        raise ValueError("an empty block would leave no trace on the wire")
    if getattr(block, "citations", ()):
        raise ValueError("Gemini's sources come behind the text, in metadata of the candidate")
    return block


def _signed(part: Part, signature: str | None) -> Part:
    """The part with a signature, which is base64 of bytes. Raises ValueError when it is not in its normal form."""
    if signature is None:
        return part
    if b64encode(b64decode(signature, validate=True)).decode() != signature:
        raise ValueError(f"a thoughtSignature is base64: {signature!r}")
    return {**part, "thoughtSignature": signature}


# --- whole ----------------------------------------------------------------------------------------------------------


def _call(block: Any, choices: Choices) -> Part:
    told: Part = {"name": block.name}
    arguments = block.input
    if arguments or choices.no_arguments == "empty_object":
        told["args"] = arguments
    if choices.call_id == "present" and block.id:
        told["id"] = block.id
    return _signed({"functionCall": told}, block.signature)


_WHOLE: Final[Mapping[type[Block], Callable[[Any, Choices], Part]]] = {
    Text: lambda block, choices: {"text": block.text},
    Reasoning: lambda block, choices: _signed({"text": block.text, "thought": True}, block.signature),
    ToolUse: _call,
}


def _joined(parts: list[Part]) -> Iterator[Part]:
    """Parts with adjacent words of a kind in one; a signature ends its part."""
    last: Part | None = None
    for part in parts:
        if last is not None and _continues(last, part):
            last = {**last, **part, "text": last["text"] + part["text"]}
        else:
            if last is not None:
                yield last
            last = part
    if last is not None:
        yield last


def _continues(last: Part, part: Part) -> bool:
    both_words = "text" in last and "text" in part
    return both_words and last.get("thought") == part.get("thought") and "thoughtSignature" not in last


# --- streamed -------------------------------------------------------------------------------------------------------


def _few(text: str) -> list[str]:
    third = (len(text) + 2) // 3
    return [piece for piece in (text[:third], text[third : 2 * third], text[2 * third :]) if piece]


def _characters(text: str) -> list[str]:
    return [piece for piece in (*text[:_SINGLE_CHARACTERS], text[_SINGLE_CHARACTERS:]) if piece]


#: pieces that join to the text; only ``empty_parts`` has empty ones
_CUTS: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "pieces": _few,
    "whole": lambda text: [text],
    "characters": _characters,
    "empty_parts": lambda text: [*(each for piece in _few(text) for each in (piece, ""))],
}


def _text_steps(block: Any, choices: Choices) -> list[Step]:
    return [({"text": piece},) for piece in _CUTS[choices.text](block.text)]


def _thought_steps(block: Any, choices: Choices) -> list[Step]:
    told: list[Part] = [{"text": piece, "thought": True} for piece in _CUTS[choices.text](block.text)]
    told[-1] = _signed(told[-1], block.signature)
    return [(part,) for part in told]


def _call_steps(block: Any, choices: Choices) -> list[Step]:
    call = _call(block, choices)
    return [(part,) for part in partial_parts(call)] if choices.arguments == "partial" else [(call,)]


_STREAMED: Final[Mapping[type[Block], Callable[[Any, Choices], list[Step]]]] = {
    Text: _text_steps,
    Reasoning: _thought_steps,
    ToolUse: _call_steps,
}


# --- signatures of text, which no caller is told ---------------------------------------------------------------------


def _sign_text(steps: list[Step], choices: Choices) -> list[Step]:
    return _TEXT_SIGNATURES[choices.text_signature](steps)


def _sign_first_text(steps: list[Step]) -> list[Step]:
    """A signature on the first text, be it a piece."""
    for place, step in enumerate(steps):
        if _is_text(step):
            return [*steps[:place], ({**step[0], "thoughtSignature": SIGNATURE},), *steps[place + 1 :]]
    return steps


def _is_text(step: Step) -> bool:
    return "text" in step[0] and "thought" not in step[0]


def _sign_behind_text(steps: list[Step]) -> list[Step]:
    """A text part behind all others that is empty but for its signature."""
    signed: Step = ({"text": "", "thoughtSignature": SIGNATURE},)
    return [*steps, signed] if steps and _is_text(steps[-1]) else steps


_TEXT_SIGNATURES: Final[Mapping[str, Callable[[list[Step]], list[Step]]]] = {
    "none": lambda steps: steps,
    "on_text": _sign_first_text,
    "empty_text": _sign_behind_text,
}
