"""What the tests of dialects near Chat Completions share: drawn replies and styles, and the paths of what is said."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from harness.dialects.base import Dialect, RequestFaultKind, WireRequest
from harness.dialects.reply import Block, Reasoning, Refusal, Reply, Text, ToolUse
from harness.scenarios.strategies import make_id
from harness.wire.sse import SseDecoder
from tests.dialects.openai_chat.samples import arguments, names, usages, words
from tests.dialects.openai_chat.test_recordings import paths

MANY = settings(max_examples=200, deadline=None, derandomize=True)

#: why a request is refused: the case's name, the kind and path of its fault, the body
Bad = tuple[str, RequestFaultKind, str, dict[str, Any]]

#: the kinds of blocks that hold words, in the order in which the family sends them
_WORDS = (Reasoning, Text, Refusal)


@st.composite
def replies(draw: st.DrawFn, dialect: Dialect) -> Reply:
    """Replies inside the dialect's shape, with every stop value, also the rare ones."""
    kinds = [kind for kind in _WORDS if kind in dialect.shape.blocks]
    blocks: list[Block] = [kind(draw(words)) for kind in kinds if draw(st.booleans())]
    calls = [
        ToolUse(make_id(dialect.shape.tool_id_pattern, at), draw(names), draw(arguments))
        for at in range(draw(st.integers(0, 4)))
    ]
    row = draw(st.sampled_from([row for row in dialect.stops if row.with_tools in (None, bool(calls))]))
    if row.means == "max_tokens" and calls and draw(st.booleans()):
        calls[-1] = ToolUse(calls[-1].id, calls[-1].name, draw(st.sampled_from(['{"a', '{"é": [1, ', "["])))
    return Reply((*blocks, *calls), row.means, row.wire, draw(usages()))


def single_styles(dialect: Dialect) -> Iterator[dict[str, str]]:
    """The usual style, and every other option alone."""
    yield {}
    for axis in dialect.axes:
        for name in axis.names[1:]:
            yield {axis.name: name}


def documents(body: bytes, *, stream: bool) -> list[bytes]:
    """The JSON documents of a reply: one, or one an event."""
    if not stream:
        return [body]
    decoder = SseDecoder()
    events = (*decoder.feed(body), *decoder.finish())
    return [event.data.encode() for event in events if event.data != "[DONE]"]


def said(body: bytes, *, stream: bool) -> Iterator[str]:
    """The paths of all that is said; ``chunk`` is a streamed one, ``whole`` a body."""
    for document in documents(body, stream=stream):
        yield from paths(json.loads(document), "chunk" if stream else "whole")


def emitted(dialect: Dialect, samples: Iterable[Reply]) -> frozenset[str]:
    """The paths that any option alone says."""
    return frozenset(
        path
        for reply in samples
        for style in single_styles(dialect)
        for stream in (True, False)
        for path in said(dialect.encode(reply, style, stream=stream).body, stream=stream)
    )


def uncovered(found: Iterable[str], beginnings: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The paths that no beginning covers, and the beginnings that cover nothing."""
    found = sorted(found)
    left = [path for path in found if not path.startswith(tuple(beginnings))]
    return left, [beginning for beginning in beginnings if not any(path.startswith(beginning) for path in found)]


def post(path: str, body: Any) -> WireRequest:
    """A request with a JSON body, or with one that is bytes as they are."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return WireRequest("POST", path, (("content-type", "application/json"),), raw)
