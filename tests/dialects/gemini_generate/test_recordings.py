"""Witness: the recordings. What is sent was recorded, what was recorded is sent, and all of it is read."""

from functools import cache
from itertools import combinations

import pytest

from harness.dialects.gemini_generate import DIALECT, REST_DIALECT
from harness.recordings import RecordedExchange
from tests.dialects.gemini_generate.recorded import answered, documents, is_stream, paths
from tests.dialects.gemini_generate.samples import SAMPLES, single_styles
from tests.recordings.corpus import CorpusExchange
from tests.shared import needs_shared

pytestmark = needs_shared

#: by what a path begins with: why it is sent although no recording has it
UNRECORDED = {
    ".unheardOf": "a field of the future",
    ".candidates[].unheardOf": "a field of the future",
    ".candidates[].content.parts[].unheardOf": "a field of the future",
    ".usageMetadata.unheardOf": "a field of the future",
    ".usageMetadata.cachedContentTokenCount": "no recorded prompt was cached; in the SDK's types",
    ".usageMetadata.cacheTokensDetails": "no recorded prompt was cached; in the SDK's types",
    ".candidates[].content.parts[]": "an empty list of parts: langchain-google#70",
    ".candidates[].content.parts[].functionCall.partialArgs[].boolValue": "only texts recorded; in the SDK's types",
    ".candidates[].content.parts[].functionCall.partialArgs[].numberValue": "as above",
    ".candidates[].content.parts[].functionCall.partialArgs[].nullValue": "as above",
    ".usageMetadata.toolUsePromptTokensDetails[].modality as a number": "numbers were asked for without tools",
}
#: paths that are sent, with no more behind them
EXACT = frozenset({".candidates[].content.parts[]"})

#: by what a path begins with: why it is not sent although it was recorded
UNSENT = {
    ".candidates[].groundingMetadata{}": "said of a page that was fetched, before it is cited",
}


@cache
def emitted() -> frozenset[str]:
    """Paths that some style sends; options of two axes meet where the one needs the other."""
    styles = list(single_styles(REST_DIALECT.axes))
    pairs = [
        {**one, **other} for one, other in combinations(styles, 2) if {*one, *other} & {"service", "blocked", "enums"}
    ]
    found: set[str] = set()
    for style in styles + pairs:
        for reply in SAMPLES:
            for stream in (True, False):
                for document in documents(DIALECT.encode(reply, style, stream=stream).body):
                    found.update(paths(document))
    return frozenset(found)


@cache
def recorded_paths() -> frozenset[str]:
    return frozenset(
        path for found in answered() for document in documents(found.exchange.response.body) for path in paths(document)
    )


def covered(path: str, by: dict[str, str]) -> bool:
    return any(path == begin or (path.startswith(begin) and begin not in EXACT) for begin in by)


def test_every_path_that_is_sent_was_recorded() -> None:
    unheard = emitted() - recorded_paths()
    assert sorted(path for path in unheard if not covered(path, UNRECORDED)) == []
    assert [begin for begin in UNRECORDED if not any(covered(path, {begin: ""}) for path in unheard)] == []


def test_every_recorded_path_is_sent() -> None:
    unsent = recorded_paths() - emitted()
    assert sorted(path for path in unsent if not covered(path, UNSENT)) == []
    assert [begin for begin in UNSENT if not any(covered(path, {begin: ""}) for path in unsent)] == []


def test_every_answer_is_read_as_the_manifest_counts_it() -> None:
    """The manifest was counted by another program: the number of calls, and how the reply ended."""
    checked = 0
    for found in answered():
        reply = DIALECT.decode(found.exchange.response.body, stream=is_stream(found))
        assert len(reply.tools) == calls_of(found), found.name
        if len(found.entry.finish) == 1 and isinstance(found.entry.finish[0], str):
            usual = {"end_turn": "STOP", "tool_use": "STOP", "max_tokens": "MAX_TOKENS", "content_filtered": "SAFETY"}
            assert found.entry.finish[0] == (reply.wire_stop or usual[reply.stop]), found.name
            checked += 1
    assert checked > 80


def calls_of(found: CorpusExchange) -> int:
    """Calls by their names: where arguments come in pieces, the manifest counts the pieces."""
    parts = [
        part
        for document in documents(found.exchange.response.body)
        for candidate in document.get("candidates", ())
        for part in candidate.get("content", {}).get("parts", ())
    ]
    return sum("name" in part.get("functionCall", {}) for part in parts)


def test_counts_of_recorded_replies_add_up() -> None:
    """Input and output, as this dialect defines them, are the vendor's total."""
    added = 0
    for found in answered():
        usage = DIALECT.decode(found.exchange.response.body, stream=is_stream(found)).usage
        if usage is not None and usage.total is not None:
            assert usage.input + usage.output == usage.total, found.name
            added += 1
    assert added >= 90


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("google-stream-no-args-tool-call", [{}, {"id": "A"}, {"id": "B"}, {"id": "C"}]),
        ("google-stream-tool-call-arguments", [{"location": "Boston"}, {"location": "San Francisco"}]),
    ],
)
def test_recorded_arguments_in_pieces_are_joined(name: str, expected: list[dict[str, str]]) -> None:
    exchange: RecordedExchange = next(found.exchange for found in answered() if name in found.name)
    reply = DIALECT.decode(exchange.response.body, stream=True)
    assert [call.input for call in reply.tools] == expected
    assert reply.tools[0].signature
