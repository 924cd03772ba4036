"""What surrounds the content: fields that differ by service and by the tools that it runs itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Json = dict[str, Any]

_RATINGS: Final = [
    {"category": "HARM_CATEGORY_HATE_SPEECH", "probability": "NEGLIGIBLE"},
    {"category": "HARM_CATEGORY_DANGEROUS_CONTENT", "probability": "NEGLIGIBLE"},
    {"category": "HARM_CATEGORY_HARASSMENT", "probability": "NEGLIGIBLE"},
    {"category": "HARM_CATEGORY_SEXUALLY_EXPLICIT", "probability": "NEGLIGIBLE"},
]
_IDENTITY: Final = {"modelVersion": "gemini-3-flash-preview", "responseId": "FyIhav7bJNyw4-EP6eCsqA0"}
_UNHEARD: Final = {"unheardOf": {"of": ["anything", 1, None]}}


@dataclass(frozen=True, slots=True)
class Service:
    """Fields of a service: of every candidate, of the one that ends, of the usage, of a chunk, and of each part."""

    candidate: Json = field(default_factory=dict)
    ending: Json = field(default_factory=dict)
    usage: Json = field(default_factory=dict)
    chunk: Json = field(default_factory=dict)
    part: Json = field(default_factory=dict)
    #: what it says of an end with calls, where it says something
    calls_message: str | None = None


SERVICES: Final[Mapping[str, Service]] = {
    "developer": Service(
        candidate={"index": 0},
        usage={"serviceTier": "standard"},
        chunk=_IDENTITY,
        calls_message="Model generated function call(s).",
    ),
    "vertex": Service(
        ending={"avgLogprobs": -0.48520127},
        usage={"trafficType": "ON_DEMAND"},
        chunk={**_IDENTITY, "createTime": "2026-04-02T17:03:50.399550Z"},
    ),
    "rated": Service(
        candidate={"index": 0},
        ending={"safetyRatings": _RATINGS, "avgLogprobs": -3.0261813662946224e-05},
        chunk=_IDENTITY,
    ),
    "unknown": Service(
        candidate={"index": 0, **_UNHEARD},
        usage=_UNHEARD,
        chunk={**_IDENTITY, **_UNHEARD},
        part={"unheardOf": "anything"},
    ),
}


@dataclass(frozen=True, slots=True)
class ServerTool:
    """What a tool of the service leaves in a reply: parts before the content, and metadata of the ending candidate."""

    parts: tuple[Json, ...] = ()
    ending: Json = field(default_factory=dict)


_PAGE: Final = {"web": {"uri": "https://example.com/a", "title": "A title"}}
_SUPPORT: Final = {"segment": {"startIndex": 0, "endIndex": 1, "text": "x"}, "groundingChunkIndices": [0]}

SERVER_TOOLS: Final[Mapping[str, ServerTool]] = {
    "none": ServerTool(),
    "code_execution": ServerTool(
        parts=(
            {"executableCode": {"language": "PYTHON", "code": "print(6 * 7)", "id": "8xju7mua"}},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "42\n", "id": "8xju7mua"}},
        )
    ),
    "web_search": ServerTool(
        ending={
            "groundingMetadata": {
                "searchEntryPoint": {"renderedContent": "<div>a</div>"},
                "groundingChunks": [_PAGE],
                "groundingSupports": [_SUPPORT],
                "webSearchQueries": ["a"],
            }
        }
    ),
    "url_context": ServerTool(
        ending={
            "groundingMetadata": {"groundingChunks": [_PAGE], "groundingSupports": [_SUPPORT]},
            "urlContextMetadata": {
                "urlMetadata": [
                    {
                        "retrievedUrl": "https://example.com/a",
                        "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS",
                    }
                ]
            },
        }
    ),
}

#: what a service says of an end that is neither STOP nor MAX_TOKENS
FAILURE_MESSAGE: Final = "The model's output was stopped."
SAFETY_RATING: Final = {"category": "HARM_CATEGORY_HATE_SPEECH", "probability": "LOW", "blocked": True}
BLOCK_MESSAGE: Final = "The prompt was blocked."
