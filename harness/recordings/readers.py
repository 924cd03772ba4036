"""The table of formats, and `read_recording`, which picks the first that recognises a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.recordings import (
    bodies,
    ddtestagent,
    govcr,
    httprr,
    langchain,
    nock,
    reqllm,
    rubyvcr,
    vcrpy,
    vercel,
)
from harness.recordings.model import (
    Malformed,
    RecordedExchange,
    RecordedRequest,
    RecordedResponse,
    RecordingError,
)
from harness.recordings.source import Source, open_source


@dataclass(frozen=True, slots=True)
class Reader:
    """A format: its name, whether a file is in it, and the exchanges of one that is."""

    name: str
    sniff: Callable[[Source], bool]
    read: Callable[[Source], Iterator[tuple[RecordedRequest, RecordedResponse]]]


# The order matters: what is told by its bytes comes before what must be parsed, the narrower before the wider.
READERS = (
    Reader("httprr", httprr.is_httprr, httprr.read_httprr),
    Reader("sse", bodies.is_sse, bodies.read_sse),
    Reader("vercel-chunks", vercel.is_vercel_chunks, vercel.read_vercel_chunks),
    Reader("govcr", govcr.is_govcr, govcr.read_govcr),
    Reader("vcrpy-parsed-body", vcrpy.is_parsed_vcrpy, vcrpy.read_vcrpy),
    Reader("vcrpy", vcrpy.is_vcrpy, vcrpy.read_vcrpy),
    Reader("rvcr", rubyvcr.is_rvcr, rubyvcr.read_rubyvcr),
    Reader("rubyvcr", rubyvcr.is_rubyvcr, rubyvcr.read_rubyvcr),
    Reader("langchain", langchain.is_langchain, langchain.read_langchain),
    Reader("nock", nock.is_nock, nock.read_nock),
    Reader("reqllm-chunks", reqllm.is_reqllm_chunks, reqllm.read_reqllm_chunks),
    Reader("reqllm", reqllm.is_reqllm, reqllm.read_reqllm),
    Reader("ddtestagent", ddtestagent.is_ddtestagent, ddtestagent.read_ddtestagent),
    Reader("response", bodies.is_response, bodies.read_response),
    Reader("json-body", bodies.is_json_body, bodies.read_json_body),
)


def read_recording(path: Path) -> list[RecordedExchange]:
    """The exchanges of a recording, in the order they are kept.

    The format is told from the content, not from the name. Raises RecordingError.
    """
    try:
        source = open_source(path)
        reader = _reader_of(source)
        pairs = list(reader.read(source))
    except Malformed as error:
        raise RecordingError(str(path), error.what, error.remedy) from None
    return [
        RecordedExchange(request, response, index, reader.name, str(path))
        for index, (request, response) in enumerate(pairs)
    ]


def _reader_of(source: Source) -> Reader:
    found = next((reader for reader in READERS if reader.sniff(source)), None)
    if found is None:
        names = ", ".join(reader.name for reader in READERS)
        raise Malformed("the document is in no known recording format", f"convert it to one of {names}")
    return found
