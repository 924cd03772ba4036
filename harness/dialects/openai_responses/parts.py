"""The parts of messages and reasoning: what they look like, and the events that tell of them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from harness.dialects.openai_chat.pieces import pieces
from harness.dialects.openai_responses.citations import to_wire
from harness.dialects.openai_responses.manner import Manner
from harness.dialects.reply import Block, Refusal, Text

Json = dict[str, Any]
#: between the parts of one item's reasoning, which are paragraphs: what joins them to the text of one block
BETWEEN_PARTS: Final = "\n\n"

#: an event's type, and its fields as JSON text, each with its leading comma
Event = tuple[str, str]


def part(block: Block, manner: Manner) -> Json:
    """The content part of a text or a refusal."""
    if isinstance(block, Refusal):
        return {"type": "refusal", "refusal": block.text}
    assert isinstance(block, Text)
    return _text_part(block.text, _annotations(block, manner), manner)


def _text_part(text: str, annotations: list[Json], manner: Manner) -> Json:
    logprobs = _PART_LOGPROBS[manner.options["logprobs"]](text)
    return {"type": "output_text", "annotations": annotations, **logprobs, "text": text, **manner.vendor.part}


def _annotations(block: Text, manner: Manner) -> list[Json]:
    """The annotations of a text, and one of a kind that does not exist yet where the style has such."""
    return [to_wire(citation, len(block.text)) for citation in block.citations] + _ANNOTATIONS[
        manner.options["annotation"]
    ]


_ANNOTATIONS: Mapping[str, list[Json]] = {"none": [], "unheard_of": [{"type": "x_future_citation", "index": 0}]}


def _token(text: str) -> list[Json]:
    return [{"token": text, "logprob": -0.25, "bytes": list(text.encode()[:4]), "top_logprobs": []}]


#: events have the field even where a server's parts do not
_PART_LOGPROBS: Mapping[str, Callable[[str], Json]] = {
    "empty": lambda text: {"logprobs": []},
    "absent": lambda text: {},
    "filled": lambda text: {"logprobs": _token(text)},
}


# --- events -----------------------------------------------------------------------------------------------------------


def part_events(block: Block, at: int, manner: Manner) -> Iterator[Event]:
    """The events of a message's part with an index."""
    index = f',"content_index":{at}' if manner.indexed else ""
    return _PARTS[type(block)](block, index, manner)


def _text(block: Text, index: str, manner: Manner) -> Iterator[Event]:
    empty = manner.dumps(_text_part("", [], manner))
    yield "response.content_part.added", f',"part":{empty}{index}'
    for piece in _pieces(block.text, manner):
        yield "response.output_text.delta", f',"delta":{manner.dumps(piece)}{_logprobs(piece, manner)}{index}'
    for number, source in enumerate(_annotations(block, manner)):
        members = f',"annotation":{manner.dumps(source)},"annotation_index":{number}{index}'
        yield "response.output_text.annotation.added", members
    yield "response.output_text.done", f',"text":{manner.dumps(block.text)}{_logprobs(block.text, manner)}{index}'
    yield "response.content_part.done", f',"part":{manner.dumps(part(block, manner))}{index}'


def _logprobs(text: str, manner: Manner) -> str:
    return f',"logprobs":{manner.dumps(_token(text))}' if manner.options["logprobs"] == "filled" else ',"logprobs":[]'


def _refusal(block: Refusal, index: str, manner: Manner) -> Iterator[Event]:
    text = manner.dumps(block.text)
    yield "response.content_part.added", f',"part":{{"type":"refusal","refusal":""}}{index}'
    for piece in _pieces(block.text, manner):
        yield "response.refusal.delta", f',"delta":{manner.dumps(piece)}{index}'
    yield "response.refusal.done", f',"refusal":{text}{index}'
    yield "response.content_part.done", f',"part":{{"type":"refusal","refusal":{text}}}{index}'


_PARTS: Mapping[type[Block], Callable[[Any, str, Manner], Iterator[Event]]] = {Text: _text, Refusal: _refusal}


def _pieces(text: str, manner: Manner) -> list[str]:
    how = manner.options["text_pieces"]
    return [] if how == "none" else pieces(text, how)


#: names of the events around a reasoning text and of those of its words, its type, and the name of its index
_REASONING: Mapping[str, tuple[str, str, str, str]] = {
    "summary": ("reasoning_summary_part", "reasoning_summary_text", "summary_text", "summary_index"),
    "content_parts": ("content_part", "reasoning_text", "reasoning_text", "content_index"),
    "reasoning_parts": ("reasoning_part", "reasoning_text", "reasoning_text", "content_index"),
}


def paragraphs(text: str, manner: Manner) -> list[str]:
    """The parts that a reasoning text is told in; none for sealed reasoning."""
    half = len(text) // 2 if manner.options["reasoning_told_in"] == "two_parts" else 0
    return [paragraph for paragraph in (text[:half], text[half:]) if paragraph]


def reasoning_events(text: str, manner: Manner) -> Iterator[Event]:
    """The events of a reasoning item's parts."""
    for at, paragraph in enumerate(paragraphs(text, manner)):
        yield from _paragraph(paragraph, at, manner)


def _paragraph(text: str, at: int, manner: Manner) -> Iterator[Event]:
    around, words, kind, index_name = _REASONING[manner.options["reasoning_as"]]
    index = f',"{index_name}":{at}' if manner.indexed else ""
    whole = manner.dumps(text)
    yield f"response.{around}.added", f',"part":{{"type":"{kind}","text":""}}{index}'
    for piece in _pieces(text, manner):
        yield f"response.{words}.delta", f',"delta":{manner.dumps(piece)}{index}'
    yield f"response.{words}.done", f',"text":{whole}{index}'
    yield f"response.{around}.done", f',"part":{{"type":"{kind}","text":{whole}}}{index}'
