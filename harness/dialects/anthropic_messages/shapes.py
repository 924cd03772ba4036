"""The objects of a request, by hand from the API reference; a test compares them with the SDK's own types."""

from typing import Final

from harness.dialects.anthropic_messages.rules import (
    Member,
    Shape,
    Test,
    anything,
    array,
    boolean,
    content,
    full_text,
    integer,
    mapping,
    matching,
    number,
    one_of,
    text,
    texts,
)
from harness.dialects.base import RequestFaultKind as Kind

# --- small objects ----------------------------------------------------------------------------------------------


def _tag(name: str) -> Member:
    return Member(one_of(name), required=True)


def _must(test: Test, kind: Kind = Kind.FORM) -> Member:
    return Member(test, required=True, kind=kind)


def _maybe(test: Test, kind: Kind = Kind.FORM) -> Member:
    """A member that may be absent or null."""
    return Member(test, nullable=True, kind=kind)


CACHE_CONTROL: Final = Shape(
    {
        "type": Member(one_of("ephemeral"), required=True, kind=Kind.CACHE),
        "ttl": Member(one_of("5m", "1h"), kind=Kind.CACHE),
    }
)
_CACHED: Final = {"cache_control": _maybe(mapping, Kind.CACHE)}
CITATIONS: Final = Shape({"enabled": Member(boolean)})
METADATA: Final = Shape({"user_id": _maybe(text)})

_DISPLAY: Final = {"display": _maybe(one_of("summarized", "omitted"), Kind.REASONING)}
THINKING: Final[dict[str, Shape]] = {
    "enabled": Shape({"type": _tag("enabled"), "budget_tokens": _must(integer(1024), Kind.REASONING), **_DISPLAY}),
    "adaptive": Shape({"type": _tag("adaptive"), **_DISPLAY}),
    "disabled": Shape({"type": _tag("disabled")}),
    "between_tools": Shape({"type": _tag("between_tools")}),
}

_PARALLEL: Final = {"disable_parallel_tool_use": Member(boolean, kind=Kind.TOOL_CHOICE)}
TOOL_CHOICE: Final[dict[str, Shape]] = {
    "auto": Shape({"type": _tag("auto"), **_PARALLEL}),
    "any": Shape({"type": _tag("any"), **_PARALLEL}),
    "tool": Shape({"type": _tag("tool"), "name": _must(text, Kind.TOOL_CHOICE), **_PARALLEL}),
    "none": Shape({"type": _tag("none")}),
}

OUTPUT_CONFIG: Final = Shape(
    {"effort": _maybe(one_of("low", "medium", "high", "xhigh", "max")), "format": _maybe(mapping)}
)
OUTPUT_FORMAT: Final = Shape({"type": _tag("json_schema"), "schema": _must(mapping, Kind.SCHEMA)})

# --- tools ------------------------------------------------------------------------------------------------------

TOOL: Final = Shape(
    {
        "name": _must(matching("^[a-zA-Z0-9_-]{1,128}$"), Kind.TOOL_NAME),
        "input_schema": _must(mapping, Kind.SCHEMA),
        "description": Member(text),
        "type": _maybe(one_of("custom")),
        "strict": Member(boolean),
        "defer_loading": Member(boolean),
        "allowed_callers": Member(texts),
        "eager_input_streaming": _maybe(boolean),
        "input_examples": Member(array),
        **_CACHED,
    }
)
#: tools that the vendor defines, such as ``web_search_20250305``: each has members of its own
VENDOR_TOOL: Final = Shape({"type": _must(matching("^[a-z0-9_]+_[0-9]{8}$")), **_CACHED}, open=True)
#: a remote server's tools, which have no date
MCP_TOOLSET: Final = Shape({"type": _tag("mcp_toolset"), **_CACHED}, open=True)

# --- sources of media -------------------------------------------------------------------------------------------

_MEDIA: Final = Kind.MEDIA
_URL: Final = Shape({"type": _tag("url"), "url": _must(full_text, _MEDIA)})
_FILE: Final = Shape({"type": _tag("file"), "file_id": _must(full_text, _MEDIA)})


def _data(kind: str, *media_types: str) -> Shape:
    return Shape(
        {"type": _tag(kind), "media_type": _must(one_of(*media_types), _MEDIA), "data": _must(full_text, _MEDIA)}
    )


IMAGE_TYPES: Final = ("image/jpeg", "image/png", "image/gif", "image/webp")
SOURCES: Final[dict[str, dict[str, Shape]]] = {
    "image": {"base64": _data("base64", *IMAGE_TYPES), "url": _URL, "file": _FILE},
    "document": {
        "base64": _data("base64", "application/pdf"),
        "text": _data("text", "text/plain"),
        "content": Shape({"type": _tag("content"), "content": _must(content, _MEDIA)}),
        "url": _URL,
        "file": _FILE,
    },
}

# --- content blocks ---------------------------------------------------------------------------------------------

_ID: Final = matching("^[a-zA-Z0-9_-]+$")

BLOCKS: Final[dict[str, Shape]] = {
    "text": Shape({"type": _tag("text"), "text": _must(text), "citations": _maybe(array), **_CACHED}),
    "image": Shape(
        {"type": _tag("image"), "source": _must(mapping, _MEDIA), "transformations": _maybe(mapping), **_CACHED}
    ),
    "document": Shape(
        {
            "type": _tag("document"),
            "source": _must(mapping, _MEDIA),
            "title": _maybe(full_text, _MEDIA),
            "context": _maybe(full_text, _MEDIA),
            "citations": _maybe(mapping),
            **_CACHED,
        }
    ),
    "search_result": Shape(
        {
            "type": _tag("search_result"),
            "source": _must(text),
            "title": _must(text),
            "content": _must(array),
            "citations": Member(mapping),
            **_CACHED,
        }
    ),
    "tool_use": Shape(
        {
            "type": _tag("tool_use"),
            "id": _must(_ID, Kind.TOOL_ID),
            "name": _must(matching("^[a-zA-Z0-9_-]{1,200}$"), Kind.TOOL_NAME),
            "input": _must(mapping),
            "caller": Member(mapping),
            "toolset_name": _maybe(text),
            **_CACHED,
        }
    ),
    "tool_result": Shape(
        {
            "type": _tag("tool_result"),
            "tool_use_id": _must(_ID, Kind.TOOL_ID),
            "content": Member(content),
            "is_error": Member(boolean),
            "toolset_name": _maybe(text),
            **_CACHED,
        }
    ),
    "tool_reference": Shape({"type": _tag("tool_reference"), "tool_name": _must(text), **_CACHED}),
    "thinking": Shape(
        {
            "type": _tag("thinking"),
            "thinking": _must(text, Kind.REASONING),
            "signature": _must(full_text, Kind.REASONING),
        }
    ),
    "redacted_thinking": Shape({"type": _tag("redacted_thinking"), "data": _must(full_text, Kind.REASONING)}),
}

#: blocks of the server's own tools, sent back as they came, and of betas: no member of them is looked at
SERVER_BLOCKS: Final = frozenset(
    {
        "advisor_tool_result",
        "bash_code_execution_tool_result",
        "browser_state",
        "code_execution_tool_result",
        "compaction",
        "container_upload",
        "fallback",
        "mcp_tool_listing",
        "mcp_tool_result",
        "mcp_tool_use",
        "server_tool_use",
        "text_editor_code_execution_tool_result",
        "tool_addition",
        "tool_removal",
        "tool_search_tool_result",
        "web_fetch_tool_result",
        "web_search_tool_result",
    }
)

_USER_ONLY: Final = frozenset({"tool_result", "image", "document", "search_result"})
_ASSISTANT_ONLY: Final = frozenset({"tool_use", "thinking", "redacted_thinking"})
#: block types that a place may hold; the server's own are let through everywhere
PLACES: Final[dict[str, frozenset[str]]] = {
    "user": _USER_ONLY | {"text"} | SERVER_BLOCKS,
    "assistant": _ASSISTANT_ONLY | {"text"} | SERVER_BLOCKS,
    "system": frozenset({"text", "tool_addition", "tool_removal"}),
    "tool_result": frozenset({"text", "image", "document", "search_result", "tool_reference", "browser_state"}),
    "document": frozenset({"text", "image"}),
    "search_result": frozenset({"text"}),
}

MESSAGE: Final = Shape(
    {
        "role": Member(one_of("user", "assistant", "system"), required=True, kind=Kind.ROLES),
        "content": _must(content),
    }
)

# --- the body ---------------------------------------------------------------------------------------------------

_PROMPT: Final = {
    "messages": _must(array),
    "system": Member(content),
    "tools": Member(array),
    "tool_choice": Member(mapping, kind=Kind.TOOL_CHOICE),
    "thinking": Member(mapping, kind=Kind.REASONING),
    "output_config": Member(mapping),
    "speed": _maybe(one_of("standard", "fast")),
    **_CACHED,
}
_MODEL: Final = {"model": _must(full_text)}
_SAMPLING: Final = {
    # 0 fills the prompt cache without a reply.
    "max_tokens": _must(integer(0)),
    "stop_sequences": Member(texts),
    "stream": Member(boolean),
    # Recorded in requests of every year, though newer models take none of the three.
    "temperature": Member(number(0, 1)),
    "top_p": Member(number(0, 1)),
    "top_k": Member(integer(0)),
    "metadata": Member(mapping),
    "service_tier": Member(one_of("auto", "standard_only")),
    "container": _maybe(anything),
    "diagnostics": _maybe(anything),
    "inference_geo": _maybe(text),
}
_BETA: Final = {
    name: _maybe(anything)
    for name in (
        "billing_policy",
        "compaction",
        "context_management",
        "fallback_credit_token",
        "fallbacks",
        "mcp_servers",
        "output_format",
        "thread",
    )
}

BODY: Final = Shape({**_MODEL, **_PROMPT, **_SAMPLING})
BETA_BODY: Final = Shape({**BODY.members, **_BETA})
COUNT_BODY: Final = Shape({**_MODEL, **_PROMPT})
BETA_COUNT_BODY: Final = Shape({**COUNT_BODY.members, **_BETA})
#: Vertex AI names the model in the path, the version in the body, and betas there too
VERTEX_BODY: Final = Shape(
    {
        **_PROMPT,
        **_SAMPLING,
        **_BETA,
        "anthropic_version": _must(one_of("vertex-2023-10-16")),
        "anthropic_beta": Member(texts),
    }
)
